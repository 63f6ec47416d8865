"""A reply comes out message by message, however it was packed, framed and cut."""

import gzip
from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.recorder.capture.body_splitter import ReplySplitter

MESSAGES = [b'{"a":"\xc3\xa9"}', b'{"b":[1,{"c":"}"}]}', b"{}"]
FRAMED: dict[str, tuple[str, bytes, list[bytes]]] = {
    "events": ("text/event-stream", b"".join(b"data: %s\n\n" % each for each in MESSAGES), MESSAGES),
    "events with CRLF": (
        "text/event-stream; charset=utf-8",
        b"".join(b": x\r\ndata: %s\r\n\r\n" % each for each in MESSAGES),
        MESSAGES,
    ),
    "events by another name": (
        "text/plain",
        b"event: x\n" + b"\n".join(b"data:%s\n" % each for each in MESSAGES),
        MESSAGES,
    ),
    "an error in the midst of events": (
        "text/event-stream",
        b'data: {"a":1}\n\n{"error":{}}',
        [b'{"a":1}', b'{"error":{}}'],
    ),
    "an array": ("application/json", b"[" + b",\r\n".join(MESSAGES) + b"]\n", MESSAGES),
    "an object": ("application/json; charset=UTF-8", b' {\n"a": 1}\n', [b' {\n"a": 1}\n']),
    "a word": ("application/json", b'"ok"', [b'"ok"']),
    "a page": ("text/html", b"<html>data: x\n\n</html>", [b"<html>data: x\n\n</html>"]),
    "little": ("", b"ok", [b"ok"]),
    "nothing": ("application/json", b"", []),
    "blanks": ("application/json", b" \n", []),
}


def read(reply: ReplySplitter, data: bytes, size: int) -> list[bytes]:
    fed = [each for n in range(0, len(data), size) for each in reply.feed(data[n : n + size])]
    return fed + reply.end()


@pytest.mark.parametrize(("content_type", "data", "messages"), FRAMED.values(), ids=FRAMED)
@pytest.mark.parametrize(("encoding", "pack"), [("", bytes), ("gzip", gzip.compress)])
@given(size=st.integers(1, 60))
def test_messages_come_out(
    encoding: str, pack: Callable[[bytes], bytes], content_type: str, data: bytes, messages: list[bytes], size: int
) -> None:
    assert read(ReplySplitter(content_type, encoding), pack(data), size) == messages


@pytest.mark.parametrize(("content_type", "data", "first"), [
    ("text/event-stream", b'data: {"a":1}\n\ndata', b'{"a":1}'),
    ("application/json", b'[{"a":1}', b'{"a":1}'),
    ("text/plain", b'data: {"a":1}\n\n', b'{"a":1}'),
])  # fmt: skip
def test_a_message_is_given_as_soon_as_it_is_whole(content_type: str, data: bytes, first: bytes) -> None:
    assert ReplySplitter(content_type, "").feed(data) == [first]


def told(data: bytes, why: str) -> bytes:
    return f"[{why}, {len(data)} bytes, sha256 {sha256(data).hexdigest()}]".encode()


def test_of_what_nobody_can_unpack_only_length_and_hash_are_told() -> None:
    assert read(ReplySplitter("text/event-stream", "dcb"), b"secret", 2) == [told(b"secret", "packed as dcb")]


def test_what_came_before_it_could_not_be_unpacked_is_kept() -> None:
    good = gzip.compress(b'data: {"a":1}\n\n')
    reply = ReplySplitter("text/event-stream", "gzip")
    assert reply.feed(good) == [b'{"a":1}']
    assert reply.feed(b"not packed") == []
    assert reply.feed(b" at all") == []
    (rest,) = reply.end()
    assert rest.startswith(b"[error: ")
    assert rest.endswith(told(b"not packed at all", "")[2:])
