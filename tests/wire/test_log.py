"""The log gives back what was written, byte for byte, one line a record."""

from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.wire import log, payload
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Record, Replied, Site, Unread

ORIGIN = Origin("log.jsonl", 3)
NAMES = st.text(max_size=8)
TIMES = st.none() | st.floats(0, 2e9)
HEADERS = st.dictionaries(NAMES, NAMES, max_size=2)
PEERS = st.sampled_from(["client", "server"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


def bodies(key: str) -> st.SearchStrategy[Body]:
    """Every payload a line can hold, at the place where it stands there."""
    text = st.text() | JSON.map(msgspec.json.encode).map(bytes.decode)
    return (
        JSON.map(lambda value: Body(msgspec.json.encode(value), Site(ORIGIN, f"/{key}")))
        | text.map(lambda text: payload.of_text(text, Site(ORIGIN, "/text")))
        | st.binary()
        .filter(lambda data: not payload.is_json(data))
        .map(lambda data: Body(data, Site(ORIGIN, "/bytes"), "bytes"))
        | st.sampled_from([b"{}", b" [\n1]", b'{"a":"\xc3\xa9"}']).map(
            lambda data: Body(data, Site(ORIGIN, "/bytes", inner=True))
        )
    )


def records() -> st.SearchStrategy[Any]:
    common: dict[str, Any] = {"channel": NAMES, "origin": st.just(ORIGIN), "at": TIMES}
    return (
        st.builds(Opened, **common, method=NAMES, url=NAMES, headers=HEADERS, body=st.none() | bodies("body"))
        | st.builds(Replied, **common, status=st.integers(0, 999), headers=HEADERS, pointer=st.just("/status"))
        | st.builds(Frame, **common, sender=PEERS, body=bodies("data"), binary=st.booleans())
        | st.builds(
            Closed,
            **common,
            code=st.integers(0, 4999),
            reason=NAMES,
            by=st.none() | PEERS,
            recorded=st.booleans(),
            pointer=st.just("/code"),
        )
        | st.builds(Closed, **common, recorded=st.booleans())
    )


@given(records())
def test_what_is_written_is_read_again(record: Record) -> None:
    assert log.decode(log.encode(record), ORIGIN) == record  # type: ignore[arg-type]


@given(records())
def test_a_record_is_one_line_of_json_that_others_can_read(record: Record) -> None:
    line = log.encode(record)  # type: ignore[arg-type]
    assert line.startswith(log.PREFIX)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert list(orjson.loads(line))[:3] == ["v", "kind", "channel"]


def test_a_pretty_printed_body_becomes_one_line() -> None:
    body = Body(b'{\r\n  "a":\n "\\n"}', Site(ORIGIN))
    line = log.encode(Frame(channel="1", origin=ORIGIN, sender="server", body=body))
    assert orjson.loads(line)["data"] == {"a": "\n"}
    assert line.count(b"\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        b'{"v":1,"kind":"opened","channel":"1","at":1763450000.123,"method":"POST","url":"https://h/x?alt=sse",'
        b'"headers":{"x-goog-api-key":"[redacted]"},"body":{"contents":[]}}',
        b'{"v":1,"kind":"replied","channel":"1","at":1763450000.456,"status":200,'
        b'"headers":{"content-type":"text/event-stream"}}',
        b'{"v":1,"kind":"frame","channel":"1","at":1763450000.789,"from":"server","data":{"candidates":[]}}',
        b'{"v":1,"kind":"frame","channel":"1","from":"client","opcode":2,"data":{"setup":{}}}',
        b'{"v":1,"kind":"frame","channel":"1","from":"client","text":"hello"}',
        b'{"v":1,"kind":"frame","channel":"1","from":"client","bytes":"/w=="}',
        b'{"v":1,"kind":"closed","channel":"1","at":1763450001.0}',
        b'{"v":1,"kind":"closed","channel":"1","code":1007,"reason":"bad","by":"server"}',
    ],
)
def test_the_form_of_a_line(line: bytes) -> None:
    assert log.encode(log.decode(line, ORIGIN)) == line + b"\n"  # type: ignore[arg-type]


def test_json_that_came_in_events_or_in_a_string_is_written_as_json() -> None:
    body = Body(b'{"candidates":[]}', Site(ORIGIN, "/response/body", inner=True, event=2))
    line = log.encode(Frame(channel="1", origin=ORIGIN, sender="server", body=body))
    assert orjson.loads(line)["data"] == {"candidates": []}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"v":2,"kind":"opened","channel":"1"}', "v is 2, this wirecheck reads 1"),
        (b'{"v":"1","kind":"opened","channel":"1"}', "v is '1', this wirecheck reads 1"),
        (b'{"v":[1],"kind":"opened","channel":"1"}', "v is no word, this wirecheck reads 1"),
        (b'{"v":1,"kind":"oppened","channel":"1"}', "kind 'oppened' is none of opened, replied, frame, closed"),
        (b'{"v":1,"kind":{},"channel":"1"}', "kind no word is none of opened, replied, frame, closed"),
        (b'{"v":1,"kind":"closed"}', "no record: Object missing required field `channel`"),
        (b'{"v":1,"kind":"replied","channel":"1"}', "no record: a reply without `status`"),
        (b'{"v":1,"kind":"frame","channel":"1","from":"server"}', "no record: a frame without `from` or `data`"),
        (b'{"v":1,"kind":"frame","channel":"1","data":{}}', "no record: a frame without `from` or `data`"),
        (
            b'{"v":1,"kind":"frame","channel":"1","from":"server","bytes":"?"}',
            "no record: Invalid base64 encoded string - at `$.bytes`",
        ),
    ],
)
def test_json_that_is_no_record_is_said_to_be_none(line: bytes, why: str) -> None:
    said = Unread(channel="", origin=ORIGIN, kind="unreadable", why=why)
    assert log.decode(line, ORIGIN) == said
    assert len(why) <= 60  # more of it is not shown


@pytest.mark.parametrize("line", [b"", b"{", b'{"v":1,"kind":"opened","channel":"1","body":{'])
def test_what_is_not_json_is_the_callers_to_judge(line: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        log.decode(line, ORIGIN)
