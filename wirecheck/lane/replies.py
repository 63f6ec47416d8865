"""A usual reply: what a look at it shows."""

from collections.abc import Sequence

from msgspec import Struct

from wirecheck.lane import blank, usual
from wirecheck.lane.forms import Form, Places, look, reply_form
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.usual import Call, Chunk, Odd, Part
from wirecheck.talk.piece import BYPASSES, digest_of
from wirecheck.talk.reply import BEGINS, sign

Written = bytes | tuple[bytes, ...]  # a reply, or its chunks in lines of our own log
QUOTE = b'"'
EVENT = b"data: "
MOST = 16_384  # chunks and parts of which sayings are remembered
NO_PART = Part()


class Saying(Struct, frozen=True, eq=False):
    """What the forms of the chunks of a reply tell."""

    form: int
    weight: int
    named: tuple[tuple[int, int, Form], ...]  # the parts that name functions: in which chunk, and where
    texts: Places
    calls: Places
    signed: Places
    pieces: int  # parts that call or are signed
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
        self._sayings: Learnt[blank.Chunks, Saying] = Learnt(MOST)

    def said(self, raw: Written) -> Said:
        """What this reply says. Raises Odd, or what parsing raises."""
        parts, events = written(raw)
        chunks, forms = [usual.chunk(each) for each in parts], tuple([blank.chunk(each) for each in parts])
        if (saying := self._sayings.get(forms)) is None:
            saying = say(forms)
            self._sayings.add(forms, saying, saying.weight)
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


def say(chunks: blank.Chunks) -> Saying:
    """What the forms of these chunks tell. Raises Odd."""
    if not chunks or any(len(chunk.candidates) != 1 or chunk.candidates[0].index for chunk in chunks):
        raise Odd
    looks = [None if (content := chunk.candidates[0].content) is None else look(content) for chunk in chunks]
    seen = [(n, one) for n, one in enumerate(looks) if one is not None]
    if any(one.answers for _, one in seen):
        raise Odd
    return Saying(
        form=reply_form(chunks, looks),
        weight=blank.weight_of_chunks(chunks),
        named=tuple([(n, m, form) for n, one in seen for m, form in one.named]),
        texts=tuple([(n, m) for n, one in seen for m in one.texts]),
        calls=tuple([(n, m) for n, one in seen for m in one.calls]),
        signed=tuple([(n, m) for n, one in seen for m in one.signed]),
        pieces=sum([len({*one.calls, *one.signed}) for _, one in seen]),
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


def written(raw: Written) -> tuple[Sequence[bytes], bool]:
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
