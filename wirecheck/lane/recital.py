"""What a client recites beside what the server said. How both go together is part of the form of a content."""

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from wirecheck.lane.blank import Call, Content, Part
from wirecheck.lane.forms import Form
from wirecheck.lane.shapes import Values
from wirecheck.lane.usual import Odd

HERE = 0  # in a frame: something is said
Piece = tuple[Any, ...]  # a name (None for a text), what it says, an id, a signature


class Stretch(Struct, frozen=True, eq=False):
    """A call, or a text in one piece or several, by the places of what it says. Where there is nothing it says that."""

    name: int | str | None
    says: tuple[int, ...]
    id: int | str | None
    signature: int | str

    def all(self) -> tuple[Any, ...]:
        """All it says, in order."""
        return self.name, *self.says, self.id, self.signature

    def told(self, values: Values) -> Piece:
        says: Any = [values[place] for place in self.says]
        if self.name is None:
            says = "".join(says)
        rest = [values[place] if isinstance(place, int) else place for place in (self.id, self.signature)]
        return values[self.name] if isinstance(self.name, int) else self.name, says, *rest


class Outline(Struct, frozen=True, eq=False):
    """What is said: texts that follow one another are one, thoughts are left out. Of these it tells whether they were
    signed.

    Where two have one `frame`, they say the same if they do so at their places.
    """

    stretches: tuple[Stretch, ...]
    same: Form
    frame: Form
    at: Callable[[Values], Any]

    def told(self, values: Values) -> list[Piece]:
        return [stretch.told(values) for stretch in self.stretches]


def outline(contents: Iterable[tuple[Content, int]]) -> Outline:
    """Contents that are recited as one, each with the place of the first of its values. Raises Odd."""
    stretches: list[Stretch] = []
    thoughts: set[bool] = set()
    for content, first in contents:
        for part in content.parts:
            if part.thought:
                thoughts.add(part.signed)
            else:
                _add(stretches, part, first)
    several = [each.all() for each in stretches]
    places = [one for each in several for one in each if isinstance(one, int)]
    frame = tuple([tuple([HERE if isinstance(one, int) else one for one in each]) for each in several])
    return Outline(tuple(stretches), ("same", *sorted(thoughts)), frame, itemgetter(*places) if places else tuple)


def _add(stretches: list[Stretch], part: Part, first: int) -> None:
    signature = moved(part.thought_signature, first)
    if (call := part.function_call) is not None:
        name, own = moved(call.name, first), moved(call.id, first)
        stretches.append(Stretch(name, _args(call, first), own, signature))
        return
    if part.text is None:
        raise Odd
    says: tuple[int, ...] = (part.text + first,) if isinstance(part.text, int) else ()
    if stretches and stretches[-1].name is None and stretches[-1].signature == "":
        says = (*stretches.pop().says, *says)
    stretches.append(Stretch(None, says, None, signature))


def _args(call: Call, first: int) -> tuple[int, ...]:
    return (call.args + first,) if isinstance(call.args, int) else ()


def moved(place: Any, first: int) -> Any:
    return place + first if isinstance(place, int) else place


def recital(said: Outline | None, spoken: Values, recited: Outline, values: Values) -> Form:
    """How what is recited goes with what was said: word for word, or with ids that the client added."""
    if said is None:
        raise Odd
    if said.frame == recited.frame and said.frame and said.at(spoken) == recited.at(values):
        return said.same
    mine, theirs = said.told(spoken), recited.told(values)
    if mine == theirs:
        return said.same
    mine, theirs = list(map(_read, mine)), list(map(_read, theirs))
    if mine == theirs:
        return said.same
    if len(mine) == len(theirs) and all(map(_names, mine, theirs)):
        return ("named", *said.same[1:])
    raise Odd


def _read(piece: Piece) -> Piece:
    """Arguments may be written in another way."""
    name, says, *rest = piece
    return piece if name is None else (name, [msgspec.json.decode(args) for args in says], *rest)


def _names(said: Piece, recited: Piece) -> bool:
    """Whether a call is recited as it was made, but for an id that it did not have."""
    return said == recited or (said[0] is not None and said[2] is None and said == (*recited[:2], None, recited[3]))
