"""Excerpts for findings: the turns around a mistake, with the mistake and related places marked."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from wirecheck.dialects.messages import Spot
from wirecheck.finding import Line
from wirecheck.talk import Talk
from wirecheck.talk.facts import Fact
from wirecheck.talk.scene import SceneLine

Mark = tuple[int, int | None, Literal["here", "related"], str]  # turn, part, mark, label
PARTS = ("parts", "functionCalls", "functionResponses", "function_calls", "function_responses")


def around(fact: Fact, talk: Talk) -> tuple[Line, ...]:
    """The turns around a fact, as marked lines."""
    marks = list(_marks(fact))
    turns = list(dict.fromkeys(turn for turn, *_ in marks))
    return tuple(_line(shown, marks) for shown in talk.around(turns))


def part_of(spot: Spot) -> int | None:
    """The index of the part (or, in a frame, of the call or response) that a place is in."""
    return next((n for of, n in pairwise(spot.steps) if of in PARTS and type(n) is int), None)


def _marks(fact: Fact) -> Iterator[Mark]:
    if fact.turn is not None:
        yield fact.turn, part_of(fact.spot), "here", ""
    for each in fact.related:
        if each.turn is not None:
            yield each.turn, part_of(each.spot), "related", each.label


def _line(shown: SceneLine, marks: list[Mark]) -> Line:
    for turn, part, mark, label in marks:
        if shown.holds(turn, part):
            return Line(shown.turn, shown.role, shown.text, mark, label)
    return Line(shown.turn, shown.role, shown.text)
