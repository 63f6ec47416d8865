"""A usual reply: what a look at it shows, and what is kept of it until somebody asks what it said."""

from typing import Any

import msgspec

from wirecheck.dialects.content import read_content
from wirecheck.dialects.messages import Spot
from wirecheck.lane import usual
from wirecheck.lane.forms import Look, Odd, look, reply_form
from wirecheck.lane.usual import Call, Chunk, Content, Part
from wirecheck.talk.piece import digest_of
from wirecheck.talk.reply import BEGINS, Reply, sign
from wirecheck.wire.record import Origin, Site

Written = bytes | tuple[bytes, ...]  # a reply, or its chunks in lines of our own log
AFTER = 2  # lines that are before the chunks of a reply: opened, replied
QUOTE = b'"'


class Reading:
    """A reply being looked at. Its chunks may be the events of a stream, or stand in lines of their own."""

    __slots__ = ("called", "chunks", "events", "finish", "looks", "says")

    def __init__(self, raw: Written) -> None:
        self.chunks, self.events = _chunks(raw)
        self.says, self.finish = False, ""
        self.called: list[Call] = []
        self.looks: list[Look | None] = []
        if not self.chunks:
            raise Odd
        for chunk in self.chunks:
            if len(chunk.candidates) != 1:
                raise Odd
            candidate = chunk.candidates[0]
            if candidate.index:
                raise Odd
            self.finish = self.finish or candidate.finish
            seen = None
            if candidate.content is not None:
                seen = look(candidate.content)
                self.called += seen.calls
                self.says = self.says or seen.texts != []
            self.looks.append(seen)

    def form(self) -> int:
        return reply_form(self.chunks, self.looks)

    def model(self) -> str:
        """The last model version it names."""
        for chunk in reversed(self.chunks):
            if chunk.model_version:
                return chunk.model_version
        return ""

    def sign(self) -> int:
        text = ""
        for seen in self.looks:
            if seen is not None and len(text) < BEGINS:
                text += "".join(seen.texts)
        return sign(text, [call.id for call in self.called[:1]])

    def digests(self) -> list[int]:
        """Of its signatures."""
        parts = [part for _, content in _contents(self.chunks) for part in content.parts]
        return [digest_of(part.signature) for part in parts if part.signature]


class KeptReply(Reply):
    """What a server said, as it was written; for a while also as it was read."""

    __slots__ = ("_chunks", "_inner", "_origin", "_raw", "_says")

    def __init__(self, origin: Origin, raw: Written, reading: Reading, *, inner: bool) -> None:
        self._inner = inner  # its request is a text within the line
        self._origin, self._raw, self._says = origin, raw, reading.says or reading.called != []
        self._chunks: tuple[list[Chunk], bool] | None = (reading.chunks, reading.events)
        self.failed = self.doubtful = False
        self.finish = reading.finish or None

    def __bool__(self) -> bool:
        return self._says

    def __getattr__(self, name: str) -> Any:
        """The calls, the text and the pieces as talk knows them are made when they are asked for."""
        if name not in ("calls", "pieces", "text"):
            raise AttributeError(name)
        self.calls, self.pieces, self.text = [], [], ""
        chunks, events = self._read()
        for n, content in _contents(chunks):
            self.add(read_content(msgspec.to_builtins(content), "candidates", self._spot(n, events)))
        return getattr(self, name)

    def grow_old(self) -> None:
        """It is not likely to be recited any more."""
        self._chunks = None

    def _read(self) -> tuple[list[Chunk], bool]:
        return self._chunks or _chunks(self._raw)

    def parts(self) -> list[Part]:
        """What it said, in the order it came."""
        return [part for _, content in _contents(self._read()[0]) for part in content.parts]

    def recited_at(self, n: int) -> Spot:
        """Where content n of its request stands."""
        pointer = "/body" if isinstance(self._raw, tuple) else "/request/body"
        return Spot(Site(self._origin, pointer, self._inner), ("contents", n))

    def made(self) -> tuple[Spot, ...]:
        """Where its calls stand."""
        chunks, events = self._read()
        return tuple(
            self._spot(n, events).to("parts", m)
            for n, content in _contents(chunks)
            for m, part in enumerate(content.parts)
            if part.call is not None
        )

    def chunk(self, site: Site) -> int:
        """Which of its chunks stands there."""
        return site.origin.line - self._origin.line - AFTER if isinstance(self._raw, tuple) else site.event or 0

    def _spot(self, n: int, events: bool) -> Spot:
        if isinstance(self._raw, tuple):
            site = Site(Origin(self._origin.path, self._origin.line + AFTER + n), "/data")
        else:
            site = Site(self._origin, "/response/body", self._raw[:1] == QUOTE, n if events else None)
        return Spot(site, ("candidates", 0, "content"))


def _chunks(raw: Written) -> tuple[list[Chunk], bool]:
    """The chunks of a reply, and whether it is the text of a stream."""
    if isinstance(raw, tuple):
        return [usual.chunk(each) for each in raw], False
    if raw[:1] != QUOTE:
        return [usual.chunk(raw)], False
    reply = usual.text(raw)
    if reply[:1] == "{":
        return [usual.chunk(reply)], False
    *events, rest = reply.split("\r\n\r\n" if "\r\n" in reply else "\n\n")
    if rest or not events or not all([event.startswith("data: ") and "\n" not in event for event in events]):
        raise Odd
    return [usual.chunk(event[6:]) for event in events], True


def _contents(chunks: list[Chunk]) -> list[tuple[int, Content]]:
    found = [(n, chunk.candidates[0].content) for n, chunk in enumerate(chunks)]
    return [(n, content) for n, content in found if content is not None]
