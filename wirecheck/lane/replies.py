"""A usual reply: what a look at it shows."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate, chain
from typing import Any, TypeVar

from msgspec import Struct

from wirecheck.lane import blank, native, shapes
from wirecheck.lane.forms import Look, look, names_of, reply_form
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.recital import moved, outlined
from wirecheck.lane.shapes import Values
from wirecheck.lane.signatures import bypassed, digest, signatures
from wirecheck.lane.usual import Odd
from wirecheck.talk.reply import BEGINS, MANY, sign

T = TypeVar("T")
NONE: list[int] = []
MOST, BYTES = 16_384, 128  # chunks and parts of which sayings are remembered; so many bytes weigh as one


class Saying(Struct, frozen=True, eq=False):
    """What the shapes of the chunks of a reply tell. Places are those in the values of all of them."""

    form: int  # as far as rules see it, but for the parts that name functions
    adds_up: bool  # its usage does
    weight: int
    spoken: "tuple[Spoken, ...]"
    named: tuple[tuple[int, int, blank.Place, int], ...]  # the parts that name functions: in which chunk, and where
    texts: tuple[int, ...]  # what is said
    calls: tuple[tuple[int, int], ...]
    called: tuple[tuple[blank.Place, Any], ...]  # names, and arguments
    id: tuple[int, ...]  # of its first call
    signed: tuple[int, ...]
    ids: tuple[int, ...]  # of the reply, in its chunks
    pieces: int  # parts that call or are signed
    finish: str
    model: int | None  # in the last chunk that names one, or else the first
    outline: native.Outline | None


class Said(Struct, eq=False):
    """What a reply says, its words included. Its chunks may be the `events` of a stream."""

    saying: native.Reply
    values: Values
    events: bool
    one: bool  # the chunks say they are of one reply
    sign: int
    signatures: list[int]

    @property
    def names(self) -> list[str]:
        """Of the functions."""
        return names_of(self.saying.told.named, self.values)

    @property
    def called(self) -> Sequence[Any]:
        """Its calls."""
        return self.saying.told.called

    @property
    def model(self) -> str:
        """The one that it names; empty where it names none."""
        place = self.saying.told.model
        return "" if place is None else self.values[place]


class Replies:
    """Reads replies. What shapes tell is remembered."""

    def __init__(self) -> None:
        self.sayings: Learnt[int, native.Reply] = Learnt(MOST)  # by the numbers of their shapes

    def said(
        self, chunks: Sequence[shapes.Form], spelled: Callable[[], Sequence[shapes.Form]], *, events: bool
    ) -> Said:
        """What this reply says; `spelled` gives its chunks with their shapes. Raises Odd, or what parsing raises."""
        number = native.number([one for one, _ in chunks])
        values = chunks[0][1] if len(chunks) == 1 else tuple(chain.from_iterable([said for _, said in chunks]))
        if (reply := self.sayings.get(number)) is None:
            reply = self.new(number, spelled())
        saying, signatures = reply.told, NONE
        if saying.signed:
            if bypassed(signed := [values[place] for place in saying.signed]):
                raise Odd
            signatures = [digest(each) for each in signed]
        one = len(saying.ids) < 2 or len({values[place] for place in saying.ids}) == 1
        return Said(reply, values, events, one, _sign(saying, values), signatures)

    def new(self, number: int, chunks: Sequence[shapes.Form]) -> native.Reply:
        """Raises Odd, or what parsing raises."""
        firsts = accumulate([len(said) for _, said in chunks], initial=0)
        saying = say([(blank.chunk(one), first) for (one, _), first in zip(chunks, firsts, strict=False)])
        return self.sayings.add(number, known(saying), saying.weight + sum([len(one) for one, _ in chunks]) // BYTES)


def known(saying: Saying) -> native.Reply:
    """What it tells, to be looked at each time."""
    return native.Reply(
        saying,
        saying.form,
        saying.adds_up,
        saying.texts,
        saying.signed,
        saying.ids,
        next(iter(saying.id), None),
        saying.model,
        saying.pieces,
        saying.pieces > MANY,
        saying.called,
        saying.named,
        saying.outline,
        saying.finish or None,
    )


def _sign(saying: Saying, values: Values) -> int:
    """By what it may be known again."""
    text = ""
    for place in saying.texts:
        text += values[place]
        if len(text) >= BEGINS:
            break
    return sign(text, [] if text else [values[place] for place in saying.id])


class Spoken(Struct, frozen=True, eq=False):
    """The content of a chunk: of which one, what a look at it shows, and the place of the first of its values."""

    chunk: int
    content: blank.Content
    look: Look
    first: int

    def texts(self) -> list[int]:
        return [moved(self.content.parts[m].text, self.first) for m in self.look.texts]

    def calls(self) -> list[tuple[int, int, blank.Call]]:
        parts = self.content.parts
        return [(self.chunk, m, call) for m in self.look.calls if (call := parts[m].function_call) is not None]

    def called(self) -> list[tuple[blank.Place, Any]]:
        return [(moved(call.name, self.first), moved(call.args, self.first)) for _, _, call in self.calls()]

    def ids(self) -> list[blank.Place | None]:
        return [moved(call.id, self.first) for _, _, call in self.calls()]

    def named(self) -> list[tuple[int, int, blank.Place, int]]:
        return [(self.chunk, m, moved(name, self.first), form) for m, name, form in self.look.named]

    def signed(self) -> list[int]:
        return [place + self.first for place in signatures(self.content, self.look.signed)]


def say(chunks: list[tuple[blank.Chunk, int]]) -> Saying:
    """What these chunks tell, each with the place of the first of its values. Raises Odd."""
    if not chunks or any(len(chunk.candidates) != 1 or chunk.candidates[0].index for chunk, _ in chunks):
        raise Odd
    told = tuple([chunk for chunk, _ in chunks])
    spoken = [
        Spoken(n, content, look(content), first)
        for n, (chunk, first) in enumerate(chunks)
        if (content := chunk.candidates[0].content) is not None
    ]
    if any(one.look.answers for one in spoken):
        raise Odd
    ids = _all(Spoken.ids, spoken)
    looks = {one.chunk: one.look for one in spoken}
    usages = [chunk.usage_metadata.adds_up for chunk in told if chunk.usage_metadata is not None]
    models = [chunk.model_version + first for chunk, first in chunks if isinstance(chunk.model_version, int)]
    return Saying(
        form=reply_form(told, [looks.get(n) for n in range(len(told))]),
        adds_up=usages != [] and usages[-1],
        weight=blank.weight_of_chunks(told),
        spoken=tuple(spoken),
        named=_all(Spoken.named, spoken),
        texts=_all(Spoken.texts, spoken),
        calls=tuple([(n, m) for n, m, _ in _all(Spoken.calls, spoken)]),
        called=_all(Spoken.called, spoken),
        id=tuple([one for one in ids[:1] if isinstance(one, int)]),
        signed=_all(Spoken.signed, spoken),
        ids=tuple([chunk.response_id + first for chunk, first in chunks if isinstance(chunk.response_id, int)]),
        pieces=sum([len({*one.look.calls, *one.look.signed}) for one in spoken]),
        finish=next((finish for chunk in told if (finish := chunk.candidates[0].finish_reason)), ""),
        model=models[-1] if models else None,
        outline=_outline(spoken),
    )


def _all(what: Callable[[Spoken], list[T]], spoken: list[Spoken]) -> tuple[T, ...]:
    return tuple(chain.from_iterable(map(what, spoken)))


def _outline(spoken: list[Spoken]) -> native.Outline | None:
    """None where there is more than words and calls."""
    with suppress(Odd):
        return outlined([(one.content, one.first) for one in spoken])
    return None
