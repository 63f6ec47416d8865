"""A line of a converted log says where its record came from, and is read as if it stood there."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from tests.wire.test_log import records
from wirecheck.wire import log, log_origin
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Record, Replied, Site, Unread

HERE, WORLD = Origin("all.jsonl", 7), "2 in all.jsonl"
NAMES = st.text(max_size=8)
LINES = st.integers(1, 1 << 40)
STEPS = st.lists(st.integers(0, 99) | NAMES, max_size=3).map(tuple)
SITES = st.builds(
    Site,
    st.builds(Origin, NAMES, LINES, st.just(WORLD)),
    NAMES,
    st.booleans(),
    st.none() | st.integers(0, 99),
    NAMES,
    st.none() | st.dictionaries(STEPS, NAMES, max_size=3),
)


@st.composite
def found(draw: st.DrawFn) -> Any:
    """A record as it stands in a file of any format."""
    record = draw(records())
    origin = Origin(draw(NAMES), draw(LINES), WORLD)
    if isinstance(record, Replied | Closed):
        return replace(record, origin=origin, pointer=draw(NAMES))
    body = None if record.body is None else replace(record.body, site=draw(SITES))
    return replace(record, origin=origin, body=body)


@given(found())
def test_what_came_from_elsewhere_is_read_as_it_stood_there(record: Any) -> None:
    line = log.encode(record, log_origin.of(record, 2))
    assert _payload(log.decode(line, HERE)) == _payload(record)
    assert log.encode(log.decode(line, HERE), log_origin.of(record, 2)) == line  # type: ignore[arg-type]


def _payload(record: Record) -> Record:
    """What becomes of line ends, and whether JSON was logged as text, is told in test_log.py."""
    if isinstance(record, Opened | Frame) and record.body is not None:
        return replace(record, body=Body(b" ".join(record.body.raw.splitlines()).strip(), record.body.site))
    return record


@given(found())
def test_it_stands_at_the_end_of_its_line(record: Any) -> None:
    """So that a memo that knows lines by how they begin is not in its way."""
    line = json.loads(log.encode(record, log_origin.of(record, 0)))
    assert list(line)[-1] == "origin"
    assert {"path", "line"} <= set(line["origin"])


@pytest.mark.parametrize("kind", log.UNREAD)
def test_a_line_that_could_not_be_read_stays_one(kind: Any) -> None:
    record = Unread(channel="", origin=Origin("x.har", 3, "0 in all.jsonl"), kind=kind, why="not JSON: no")
    assert log.decode(log.encode(record, log_origin.of(record, 0)), HERE) == record


def test_a_payload_that_stands_elsewhere_says_where() -> None:
    origin, reply = Origin("a.json", 1, "0 in all.jsonl"), Origin("reply.json", 4, "0 in all.jsonl")
    record = Frame(channel="1", origin=origin, sender="server", body=Body(b"{}", Site(reply, "/x")))
    came = log_origin.of(record, 0)
    assert (came.body_path, came.body_line) == ("reply.json", 4)
    assert log.decode(log.encode(record, came), HERE) == record


def test_a_name_that_is_no_text_is_written_as_escapes() -> None:
    origin = Origin("\udcff.har", 1)
    came = log_origin.of(Closed(channel="1", origin=origin), 0)
    assert came.path == "\\udcff.har"


def test_a_broken_record_stands_where_it_is() -> None:
    """What is wrong with it is wrong with this log, wherever it came from."""
    line = b'{"v":1,"kind":"replied","channel":"1","origin":{"path":"a.har","line":1}}'
    assert log.decode(line, HERE).origin == HERE


@pytest.mark.parametrize(
    "origin", ['"a"', "[]", "null", '{"path":"a"}', '{"path":"a","line":"1"}', '{"path":1,"line":1}']
)
def test_an_origin_that_is_none_is_said_to_be_none(origin: str) -> None:
    line = f'{{"v":1,"kind":"closed","channel":"1","origin":{origin}}}'.encode()
    said = log.decode(line, HERE)
    assert isinstance(said, Unread)
    assert said.why.startswith("no record: `origin`: ")
    assert said.origin == HERE


def test_who_does_not_know_the_key_reads_the_rest() -> None:
    """The format is the same version: a reader that knows no origins ignores them."""

    class Older(Struct):
        v: int
        kind: str
        channel: str

    record = Closed(channel="1", origin=Origin("a.har", 1))
    line = log.encode(record, log_origin.of(record, 0))
    assert msgspec.json.decode(line, type=Older) == Older(1, "closed", "1")
