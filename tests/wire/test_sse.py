"""Events of a stream, however it is written and wherever it is cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.wire.sse import EventSplitter, events

STREAMS = {
    "one event": (b"data: {}\n\n", [b"{}"]),
    "without a blank": (b"data:{}\n\n", [b"{}"]),
    "two blanks keep one": (b"data:  x\n\n", [b" x"]),
    "several lines": (b"data: a\ndata: b\n\n", [b"a\nb"]),
    "other fields and comments": (b": hi\nevent: x\nid: 1\nretry: 5\ndata: a\n\n:\n\ndata: b\n\n", [b"a", b"b"]),
    "nothing in it": (b"data:\n\n\n\n", []),
    "done": (b"data: a\n\ndata: [DONE]\n\n", [b"a"]),
    "no blank line at the end": (b"data: a\n\ndata: b", [b"a", b"b"]),
    "an error without data": (b'data: a\n\n{"error":{}}', [b"a", b'{"error":{}}']),
    "an error over several lines": (b'data: a\n\n{\n "error": {}\n}\n', [b"a", b'{\n "error": {}\n}']),
    "data after such an error": (b"[\n]\ndata: a\n\n", [b"[\n]", b"a"]),
    "a byte order mark": (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
    "words of nobody": (b"hello\nworld: x\n\n", []),
    "nothing": (b"", []),
}
PIECES = [
    b"data: ",
    b"data:",
    b"{",
    b"}",
    b"x",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b": c",
    b"event: e",
    b"\xef\xbb\xbf",
    b"[DONE]",
]


@pytest.mark.parametrize(("text", "expected"), STREAMS.values(), ids=STREAMS)
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_events(text: bytes, expected: list[bytes], end: bytes) -> None:
    assert events(text.replace(b"\n", end)) == expected


@given(st.lists(st.sampled_from(PIECES)).map(b"".join), st.lists(st.integers(0, 60)))
def test_events_do_not_depend_on_where_the_bytes_were_cut(text: bytes, cuts: list[int]) -> None:
    at = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    splitter = EventSplitter()
    found = [event for start, end in pairwise(at) for event in splitter.feed(text[start:end])]
    assert found + splitter.end() == events(text)


def test_an_event_is_given_as_soon_as_it_ends() -> None:
    splitter = EventSplitter()
    assert splitter.feed(b"data: a\r\n\r") == [b"a"]
    assert splitter.feed(b"\ndata: b\n") == []
    assert splitter.feed(b"\n") == [b"b"]
    assert splitter.end() == []
