"""A look at a large file tells where it may be divided."""

import io
import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice, pairwise

import pytest

from bench.logs import lines as log
from wirecheck.sources import openings
from wirecheck.sources.openings import AHEAD, BY, LOOKS, beginnings, crossing, near, opening, told_apart

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
        (b"", False),
    ],
    ids=range(11),
)
def test_a_look_tells_whether_there_are_conversations_to_be_told_apart(data: bytes, apart: bool) -> None:
    assert told_apart(io.BytesIO(data), len(data)) is apart


def _said(conversations: Iterable[int]) -> bytes:
    """Lines of which each is of one of these conversations."""
    return b"".join(json.dumps(_request({"text": f"{n} " * 20})).encode() + b"\n" for n in conversations)


def test_conversations_are_known_that_went_on_shortly_before(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _said(range(100))
    monkeypatch.setattr(openings, "NEAR", len(data) // 5)
    assert len({*near(io.BytesIO(data), len(data) // 2)}) in (20, 21)
    assert len({*near(io.BytesIO(data), len(data) // 2, 2)}) in (10, 11)
    assert near(io.BytesIO(data), 0) == []


@pytest.mark.parametrize("beyond", [0, 300, 900])
def test_a_look_tells_how_far_conversations_go_on(monkeypatch: pytest.MonkeyPatch, beyond: int) -> None:
    monkeypatch.setattr(openings, "LOOK", 1000)
    old, new = ((n % 7 for n in range(count)) for count in (1000, beyond))
    data = _said(chain(old, new, range(1000, 2000 - beyond)))
    half, each = len(_said(n % 7 for n in range(1000))), len(data) // 2 // LOOKS
    before = {*near(io.BytesIO(data), half)}
    assert abs(crossing(io.BytesIO(data), before, half, len(data)) - beyond * half // 1000) <= 2 * each


@pytest.mark.parametrize("overlap", [0, 7000])
@pytest.mark.parametrize("count", [2, 3, 8])
def test_all_have_as_much_to_do(monkeypatch: pytest.MonkeyPatch, count: int, overlap: int) -> None:
    monkeypatch.setattr(openings, "FEWEST", 100)
    monkeypatch.setattr(openings, "crossing", lambda *_: overlap)
    data = _said(range(1000))
    begins = beginnings(io.BytesIO(data), 100, len(data), count)
    assert len(begins) == count - 1
    ends = [*[begin + overlap for begin in begins], len(data)]
    first, *others = [b - a for a, b in pairwise([100, *ends])]
    assert [overlap * BY + other * AHEAD for other in others] == pytest.approx([first] * (count - 1), abs=2)


def test_a_file_whose_conversations_go_on_to_its_end_is_not_divided() -> None:
    data = _said(n % 7 for n in range(1000))
    assert list(beginnings(io.BytesIO(data), 100, len(data), 2)) == []


@pytest.mark.parametrize(("requests", "parts"), [(900, 1), (2100, 2), (4000, 3)])
def test_a_file_of_few_requests_is_not_divided(requests: int, parts: int) -> None:
    data = _said(range(requests))
    assert len(beginnings(io.BytesIO(data), 0, len(data), 3)) == parts - 1


def test_nobody_tries_as_many_processes_as_there_are_numbers() -> None:
    data = _said(range(4000))
    assert len(beginnings(io.BytesIO(data), 0, len(data), 10**400)) == 3
