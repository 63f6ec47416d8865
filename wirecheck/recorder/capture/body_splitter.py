"""Splits the body of a reply as it arrives, compressed or not: bytes in, one payload a message out.

Messages are events of a stream, elements of an array, or the whole body, as the first bytes show.
"""

from typing import Protocol

from wirecheck.recorder.capture.media_digest import described
from wirecheck.wire import json_array, sse
from wirecheck.wire.content_decoding import DecoderChain, Undecodable, decoder

FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")  # how an event stream begins
ENOUGH = max(map(len, FIELDS))


class BodySplitter(Protocol):
    def feed(self, data: bytes) -> list[bytes]: ...

    def end(self) -> list[bytes]: ...


class WholeBody:
    """A body that is one payload."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes]:
        self._pieces.append(data)
        return []

    def end(self) -> list[bytes]:
        whole = b"".join(self._pieces)
        return [whole] if whole.strip() else []


class ReplySplitter:
    """Splits one reply. A body that cannot be decompressed is described by its type, length and hash."""

    def __init__(self, content_type: str, encoding: str) -> None:
        self._fault = ""  # why it cannot be decompressed
        self._first = b""
        self._splitter: BodySplitter | None = sse.EventSplitter() if "event-stream" in content_type.lower() else None
        try:
            self._decoder = decoder(encoding)
        except Undecodable as error:
            self._fault = str(error)
            self._decoder, self._splitter = DecoderChain([]), WholeBody()

    def feed(self, data: bytes) -> list[bytes]:
        """Returns the payloads that are complete with these bytes."""
        try:
            data = self._decoder.feed(data)
        except Undecodable as error:
            ended, self._fault = self.end(), str(error)
            self._decoder, self._splitter = DecoderChain([]), WholeBody()
            return ended + self._splitter.feed(data)
        if self._splitter is None:
            data = self._first = self._first + data
            self._splitter = _splitter(data)
        return self._splitter.feed(data) if self._splitter else []

    def end(self) -> list[bytes]:
        """Returns what the end of the reply completes or cuts off."""
        if self._splitter is None:
            return [self._first] if self._first.strip() else []
        rest = self._splitter.end()
        return [described(packed, self._fault).encode() for packed in rest] if self._fault else rest


def _splitter(first: bytes) -> BodySplitter | None:
    """Chooses the splitter by the first bytes; None where more are needed."""
    text = first.lstrip(b" \r\n\t\xef\xbb\xbf")
    if text[:1] == b"[":
        return json_array.ArraySplitter()
    if text.startswith(FIELDS):
        return sse.EventSplitter()
    return None if len(text) < ENOUGH and text[:1] != b"{" else WholeBody()
