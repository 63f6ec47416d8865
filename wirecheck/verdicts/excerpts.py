"""The picture of a finding: the turns around a mistake, what is wrong and what belongs to it marked."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from wirecheck.dialects.messages import Spot
from wirecheck.finding import Line
from wirecheck.talk import Talk
from wirecheck.talk.facts import Fact
from wirecheck.talk.scene import SceneLine

Mark = tuple[int, int | None, Literal["here", "related"], str]  # turn, part of it, what it is, label
PARTS = ("parts", "functionCalls", "functionResponses", "function_calls", "function_responses")


def around(fact: Fact, talk: Talk) -> tuple[Line, ...]:
    """The turns around what a fact tells of, where it was said."""
    marks = list(_marks(fact))
    turns = list(dict.fromkeys(turn for turn, *_ in marks))
    return tuple(_line(shown, marks) for shown in talk.around(turns))


def part_of(spot: Spot) -> int | None:
    """Which part of a content, or call or response of a frame, a place is in."""
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
