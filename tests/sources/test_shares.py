"""Lines of a file are told apart by their bytes: each is one share's, and what belongs together is of one share."""

import io
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.logs import lines as log
from wirecheck.sources import shares
from wirecheck.sources.lines import Tally, lines
from wirecheck.sources.shares import Mixed, Shares, opening, own_lines, told_apart

CONTENT = {"role": "user", "parts": [{"text": 'say "hi" {now}'}]}
BEGINS = opening(b'"contents":[' + json.dumps(CONTENT).encode())


def _request(*contents: object, **more: object) -> dict[str, object]:
    return {"request": {"url": "u", "headers": {"a": "b"}, "body": {**more, "contents": list(contents)}}}


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        (_request(CONTENT), BEGINS),
        (_request(CONTENT, {"role": "model", "parts": []}), BEGINS),
        (_request(CONTENT, tools=[{"functionDeclarations": [{"name": "f"}]}]), BEGINS),
        ({"request": {"body": json.dumps({"contents": [CONTENT]})}}, BEGINS),
        ({"request": {"body": {"content": CONTENT}}}, b""),
        ({"request": {"body": {"contentsOf": 1}}}, b""),
        ("contents", b""),
    ],
)
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_a_conversation_is_known_by_the_beginning_of_its_first_content(
    line: object, begins: bytes, separators: tuple[str, str]
) -> None:
    raw = json.dumps(line, separators=separators).encode()
    assert opening(raw).replace(b" ", b"") == begins.replace(b" ", b"")


def test_histories_that_begin_alike_are_of_one_share_however_they_go_on() -> None:
    several, owner = Shares(3), dict[str, int]()
    for line in islice(log("10", 0.001), 300):
        first = json.dumps(json.loads(line)["request"]["body"]["contents"][0])
        share = several.of(line, 0, len(line))
        assert owner.setdefault(first, share) == share
    assert set(owner.values()) == {0, 1, 2}


RECORD = '{"v":1,"kind":"%s","channel":"%s","body":{"contents":[{"text":"%s"}]}}'


def test_a_record_is_of_the_share_that_has_its_channel() -> None:
    def share(kind: str, channel: str, text: str = "") -> int:
        line = (RECORD % (kind, channel, text)).encode()
        return several.of(line, 0, len(line))

    several = Shares(2)
    assert [share("opened", "1", "x"), share("opened", "2", "y")] == [0, 1]
    assert [share("frame", "2"), share("frame", "1"), share("frame", "3")] == [1, 0, 0]
    assert [share("closed", "2"), share("closed", "1")] == [1, 0]
    assert share("opened", "1", "y") == 1
    with pytest.raises(Mixed):
        share("opened", "1", "x")


BYTES = st.lists(st.sampled_from([b"{}", b"x", b"\n", b"\n\n", b" \n", b'{"contents":[1', b'{"contents":[2', b"\r\n"]))


@given(BYTES, st.integers(1, 4), st.integers(1, 9), st.integers(1, 5))
def test_every_line_is_read_by_one_share(some: list[bytes], count: int, buffer: int, every: int) -> None:
    data = b"{}" + b"".join(some)
    whole, tally = [(n, each) for n, run in lines(io.BytesIO(data), Tally()) for n, each in enumerate(run, n)], Tally()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shares, "BUFFER", buffer)
        patch.setattr(shares, "state", lambda line: "complete")
        own = [
            run
            for share in range(count)
            for run in own_lines(io.BytesIO(data), len(data), Shares(count), share, tally, every, lambda: None)
        ]
    parts = [each for number, run in own for each in enumerate(run, number)]
    assert sorted(parts) == whole
    assert len({number for number, _ in parts}) == len(parts) == tally.lines


def _different() -> Iterator[bytes]:
    return islice(log("small", 0.001), 100)


@pytest.mark.parametrize(
    ("data", "apart"),
    [
        (b"".join(_different()), True),
        (b"".join(islice(log("small.records", 0.001), 200)), True),
        (b"".join(islice(log("strings", 0.001), 60)), True),
        (b"\xef\xbb\xbf" + b"".join(_different()), False),
        (b"[" + b",".join(_different()) + b"]", False),
        (json.dumps([json.loads(line) for line in _different()], indent=1).encode(), False),
        (next(_different()) * 100, False),
        (b"".join(islice(log("live", 0.001), 300)), False),
        (b'{"candidates":[]}\n' * 100, False),
        (b'{"contents":[\n' * 100, False),
    ],
    ids=range(10),
)
def test_a_look_tells_whether_there_are_conversations_to_be_told_apart(
    tmp_path: Path, data: bytes, apart: bool
) -> None:
    (path := tmp_path / "log").write_bytes(data)
    assert told_apart(str(path), len(data)) == apart
