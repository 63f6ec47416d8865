"""What a client recites beside what the server said. How both go together is part of the form of a content."""

from typing import Any

from wirecheck.lane.forms import Form
from wirecheck.lane.usual import Odd, Part

Piece = tuple[Any, ...]


def recital(said: list[Part], recited: list[Part]) -> Form:
    """How what is recited goes with what was said: word for word, or with ids that the client added. Thoughts are
    seldom recited; of those that were said it tells whether they were signed."""
    thoughts = sorted({part.signature != b"" for part in said if part.thought})
    if said == recited:
        return ("same", *thoughts)
    mine, theirs = _pieces(said), _pieces(recited)
    if mine == theirs:
        return ("same", *thoughts)
    if len(mine) == len(theirs) and all(map(_names, mine, theirs)):
        return ("named", *thoughts)
    raise Odd


def _pieces(parts: list[Part]) -> list[Piece]:
    """What parts say: texts that follow one another are one, thoughts are left out."""
    said: list[Piece] = []
    for part in parts:
        if part.thought:
            continue
        if (call := part.call) is not None:
            said.append(("call", call.name, call.args or None, call.id, part.signature))
        elif part.text is None:
            raise Odd
        elif said and said[-1][0] == "text" and not said[-1][2]:
            said[-1] = ("text", said[-1][1] + part.text, part.signature)
        else:
            said.append(("text", part.text, part.signature))
    return said


def _names(said: Piece, recited: Piece) -> bool:
    """Whether a call is recited as it was made, but for an id that it did not have."""
    return said == recited or (said[0] == "call" and said[3] is None and said == (*recited[:3], None, recited[4]))
