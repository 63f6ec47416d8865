"""A history moves on by one content: whose turn it is, which calls it opens, which answers it brings."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec.structs import replace

from wirecheck.dialects.messages import Answer, Call, Content, Spot, Step
from wirecheck.talk.facts import CallPlacedFact, Fact
from wirecheck.talk.settling import settle
from wirecheck.talk.standing import Asked, Ear, Given, Standing

T = TypeVar("T")
Heard = tuple[Standing, list[Fact]]


def hear(standing: Standing, content: Content, turn: int, ear: Ear) -> Heard:
    """The standing after one more content, and what that settled."""
    calls, answers = content.calls, content.answers
    if content.speaker == "model" and answers:
        return _executed(standing, content, turn, ear)
    if calls and answers:
        standing, facts = _user(standing, content, answers, turn, ear)
        after, more = _model(standing, content, calls, turn, ear, amid="answers")
        return after, facts + more
    if calls or (content.speaker == "model" and not answers):
        return _model(standing, content, calls, turn, ear)
    if answers or content.speaker == "user":
        return _user(standing, content, answers, turn, ear)
    return standing, []  # system words stand outside the turns


def _executed(standing: Standing, content: Content, turn: int, ear: Ear) -> Heard:
    """Answers in the model's own role: what the server called and executed itself is settled between them."""
    if content.calls:
        left = _left(content.calls, content.answers, lambda call: call)
        return _model(standing, content, tuple(left), turn, ear)
    if standing.follows is not None:  # the turn of those calls is over
        return _model(standing, content, (), turn, ear)
    left_open = _left(standing.calls, content.answers, lambda asked: asked.call)
    return replace(standing, last="model", calls=tuple(left_open)), []


def _model(
    standing: Standing, content: Content, calls: tuple[Call, ...], turn: int, ear: Ear, amid: str = "nothing"
) -> Heard:
    facts: list[Fact] = []
    if standing.follows is not None or (standing.went_on is not None and calls):
        if content.container == "messages" and standing.answers:
            standing = replace(standing, went_on=turn)
        facts = list(settle(standing, ear))
        standing = replace(standing, calls=(), answers=(), follows=None, went_on=None)
    if not calls:
        if content.container == "messages" and standing.calls and standing.went_on is None and content.parts:
            standing = replace(standing, went_on=turn)
        return replace(standing, last="model"), facts
    echoed = ear.echo(turn, calls)
    if not standing.calls:
        facts.append(_placed(standing, content, calls, turn, ear, "parallel" if echoed.parallel else amid))
    made = echoed.made or (None,) * len(calls)
    asked = [Asked(call, turn, _inside(call.spot, content), spot) for call, spot in zip(calls, made, strict=True)]
    return replace(standing, last="model", calls=(*standing.calls, *asked)), facts


def _user(standing: Standing, content: Content, answers: tuple[Answer, ...], turn: int, ear: Ear) -> Heard:
    bare = content.shape in ("missing", "response")
    given = tuple(Given(answer, turn, _inside(answer.spot, content), bare) for answer in answers)
    last = "answers" if given or (standing.last == "answers" and standing.answers) else "user"
    follows = turn if standing.follows is None else standing.follows
    return replace(standing, last=last, answers=standing.answers + given, follows=follows), []


def _left(items: Iterable[T], answers: Iterable[Answer], call_of: Callable[[T], Call]) -> list[T]:
    """What remains of calls when each answer has taken one."""
    left = list(items)
    for answer in answers:
        match = next((item for item in left if _ties(call_of(item), answer)), None)
        if match is not None:
            left.remove(match)
    return left


def _ties(call: Call, answer: Answer) -> bool:
    return call.id == answer.id if call.id and answer.id else call.name == answer.name


def _inside(spot: Spot, content: Content) -> tuple[Step, ...]:
    return spot.steps[len(content.spot.steps) :]


def _placed(
    standing: Standing, content: Content, calls: tuple[Call, ...], turn: int, ear: Ear, amid: str
) -> CallPlacedFact:
    return CallPlacedFact(
        context=ear.context,
        spot=ear.where(turn).to(*_inside(calls[0].spot, content)),
        turn=turn,
        call=calls[0],
        after=standing.last,
        calls=len(calls),
        names=tuple(call.name or "" for call in calls),
        amid=amid,
    )
