"""What is said, in short: whether a client recites what the server said shows where two of these are compared."""

from collections.abc import Iterable
from typing import Any

from wirecheck.lane import native
from wirecheck.lane.blank import Call, Content, Part
from wirecheck.lane.usual import Odd

# A call, or a text in one piece or several, by the places of what it says: its name (None for a text), what it says,
# its id and its signature. Where nothing is said it has that in place of a place.
Stretch = tuple[int | str | None, tuple[int, ...], int | str | None, int | str]


def outlined(contents: Iterable[tuple[Content, int]]) -> native.Outline:
    """Contents that are recited as one, each with the place of the first of its values: texts that follow one another
    are one, thoughts are left out. Of these it tells whether they were signed. Raises Odd."""
    stretches: list[Stretch] = []
    thoughts: set[bool] = set()
    for content, first in contents:
        for part in content.parts:
            if part.thought:
                thoughts.add(part.signed)
            else:
                _add(stretches, part, first)
    return native.Outline(tuple(stretches), False in thoughts, True in thoughts)


def _add(stretches: list[Stretch], part: Part, first: int) -> None:
    signature = moved(part.thought_signature, first)
    if (call := part.function_call) is not None:
        stretches.append((moved(call.name, first), _args(call, first), moved(call.id, first), signature))
        return
    if part.text is None:
        raise Odd
    says: tuple[int, ...] = (part.text + first,) if isinstance(part.text, int) else ()
    if stretches and stretches[-1][0] is None and stretches[-1][3] == "":
        says = (*stretches.pop()[1], *says)
    stretches.append((None, says, None, signature))


def _args(call: Call, first: int) -> tuple[int, ...]:
    return (call.args + first,) if isinstance(call.args, int) else ()


def moved(place: Any, first: int) -> Any:
    return place + first if isinstance(place, int) else place
