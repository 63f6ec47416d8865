"""A usual reply: what a look at it shows, and what is kept of it until somebody asks what it said."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from wirecheck.dialects.content import read_content
from wirecheck.dialects.messages import Spot
from wirecheck.lane import blank, usual
from wirecheck.lane.forms import Form, Places, look, reply_form
from wirecheck.lane.usual import Call, Chunk, Content, Odd, Part
from wirecheck.talk.piece import BYPASSES, digest_of
from wirecheck.talk.reply import BEGINS, Reply, sign
from wirecheck.wire.record import Origin, Site

Written = bytes | tuple[bytes, ...]  # a reply, or its chunks in lines of our own log
AFTER = 2  # lines that are before the chunks of a reply: opened, replied
QUOTE = b'"'
EVENT = b"data: "
MOST = 16_384  # chunks of which sayings are remembered
NO_PART = Part()


class Saying(Struct, frozen=True, eq=False):
    """What the forms of the chunks of a reply tell."""

    form: int
    named: tuple[tuple[int, int, Form], ...]  # the parts that name functions: in which chunk, and where
    texts: Places
    calls: Places
    signed: Places
    finish: str
    model: int  # the last chunk that names one, or else the first
    usage: int | None  # the last chunk that tells it


class Said(Struct):
    """What a reply says, its words and numbers included. Its chunks may be the `events` of a stream."""

    saying: Saying
    chunks: list[Chunk]
    events: bool
    form: tuple[int, bool, bool]
    called: list[Call]
    model: str
    sign: int
    signatures: list[int]


class Replies:
    """Reads replies. What forms tell is remembered."""

    def __init__(self) -> None:
        self._sayings: dict[tuple[blank.Chunk, ...], Saying] = {}
        self._chunks = 0  # of these

    def said(self, raw: Written) -> Said:
        """What this reply says. Raises Odd, or what parsing raises."""
        written, events = _written(raw)
        chunks, forms = [usual.chunk(each) for each in written], tuple([blank.chunk(each) for each in written])
        saying = self._sayings.get(forms) or self._new(forms)
        usage = None if saying.usage is None else chunks[saying.usage].usage_metadata
        text = ""
        for place in saying.texts:
            if len(text) < BEGINS:
                text += _part(chunks, place).text or ""
        called = [call for place in saying.calls if (call := _part(chunks, place).call)]
        return Said(
            saying,
            chunks,
            events,
            (saying.form, usage is not None and usage.adds_up, len(chunks) == 1 or _one_id(chunks)),
            called,
            chunks[saying.model].model_version,
            sign(text, [call.id for call in called[:1]]),
            [_signature(_part(chunks, place)) for place in saying.signed],
        )

    def _new(self, forms: tuple[blank.Chunk, ...]) -> Saying:
        if self._chunks > MOST:
            self._sayings.clear()
            self._chunks = 0
        self._sayings[forms] = saying = say(forms)
        self._chunks += len(forms)
        return saying


def say(chunks: tuple[blank.Chunk, ...]) -> Saying:
    """What the forms of these chunks tell. Raises Odd."""
    if not chunks or any(len(chunk.candidates) != 1 or chunk.candidates[0].index for chunk in chunks):
        raise Odd
    looks = [None if (content := chunk.candidates[0].content) is None else look(content) for chunk in chunks]
    seen = [(n, one) for n, one in enumerate(looks) if one is not None]
    if any(one.answers for _, one in seen):
        raise Odd
    return Saying(
        form=reply_form(chunks, looks),
        named=tuple([(n, m, form) for n, one in seen for m, form in one.named]),
        texts=tuple([(n, m) for n, one in seen for m in one.texts]),
        calls=tuple([(n, m) for n, one in seen for m in one.calls]),
        signed=tuple([(n, m) for n, one in seen for m in one.signed]),
        finish=next((finish for chunk in chunks if (finish := chunk.candidates[0].finish_reason)), ""),
        model=max([n for n, chunk in enumerate(chunks) if chunk.model_version], default=0),
        usage=max([n for n, chunk in enumerate(chunks) if chunk.usage_metadata], default=None),
    )


def _part(chunks: list[Chunk], place: tuple[int, int]) -> Part:
    content = chunks[place[0]].candidates[0].content
    return content.parts[place[1]] if content is not None else NO_PART


def _signature(part: Part) -> int:
    if part.signature in BYPASSES:
        raise Odd
    return digest_of(part.signature)


def _one_id(chunks: list[Chunk]) -> bool:
    """Whether the chunks say they are of one reply."""
    return len({chunk.response_id for chunk in chunks if chunk.response_id}) < 2


class KeptReply(Reply):
    """What a server said, as it was written; for a while also as it was read."""

    __slots__ = ("_chunks", "_events", "_inner", "_origin", "_raw", "_saying")

    def __init__(self, origin: Origin, raw: Written, said: Said, *, inner: bool) -> None:
        self._origin, self._raw = origin, raw
        self._inner = inner  # its request is a text within the line
        self._saying, self._events = said.saying, said.events
        self._chunks: list[Chunk] | None = said.chunks
        self.failed = self.doubtful = False
        self.finish = said.saying.finish or None

    def __bool__(self) -> bool:
        return self._saying.texts != () or self._saying.calls != ()

    def __getattr__(self, name: str) -> Any:
        """The calls, the text and the pieces as talk knows them are made when they are asked for."""
        if name not in ("calls", "pieces", "text"):
            raise AttributeError(name)
        self.calls, self.pieces, self.text = [], [], ""
        for n, content in self._contents():
            self.add(read_content(msgspec.to_builtins(content), "candidates", self._spot(n)))
        return getattr(self, name)

    def grow_old(self) -> None:
        """It is not likely to be recited any more."""
        self._chunks = None

    def parts(self) -> list[Part]:
        """What it said, in the order it came."""
        return [part for _, content in self._contents() for part in content.parts]

    def _contents(self) -> list[tuple[int, Content]]:
        chunks = self._chunks or [usual.chunk(each) for each in _written(self._raw)[0]]
        contents = enumerate([chunk.candidates[0].content for chunk in chunks])
        return [(n, content) for n, content in contents if content is not None]

    def recited_at(self, n: int) -> Spot:
        """Where content n of its request stands."""
        pointer = "/body" if isinstance(self._raw, tuple) else "/request/body"
        return Spot(Site(self._origin, pointer, self._inner), ("contents", n))

    def made(self) -> tuple[Spot, ...]:
        """Where its calls stand."""
        return tuple([self._spot(n).to("parts", m) for n, m in self._saying.calls])

    def chunk(self, site: Site) -> int:
        """Which of its chunks stands there."""
        return site.origin.line - self._origin.line - AFTER if isinstance(self._raw, tuple) else site.event or 0

    def _spot(self, n: int) -> Spot:
        if isinstance(self._raw, tuple):
            site = Site(Origin(self._origin.path, self._origin.line + AFTER + n), "/data")
        else:
            site = Site(self._origin, "/response/body", self._raw[:1] == QUOTE, n if self._events else None)
        return Spot(site, ("candidates", 0, "content"))


def _written(raw: Written) -> tuple[Sequence[bytes], bool]:
    """The chunks as they are written, and whether that is the text of a stream."""
    if isinstance(raw, tuple):
        return raw, False
    if raw[:1] != QUOTE:
        return (raw,), False
    reply = usual.text(raw).encode()
    if reply[:1] == b"{":
        return (reply,), False
    *events, rest = reply.split(b"\r\n\r\n" if b"\r\n" in reply else b"\n\n")
    if rest or not events or not all(map(_of_one_line, events)):
        raise Odd
    return [event[len(EVENT) :] for event in events], True


def _of_one_line(event: bytes) -> bool:
    """A lone CR ends a line of a stream, too."""
    return event.startswith(EVENT) and b"\n" not in event and b"\r" not in event
