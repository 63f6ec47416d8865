"""A history moves on by one content: whose turn it is, which calls it opens, which answers it brings."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from wirecheck.dialects.messages import Answer, Call, Content, Spot, Step
from wirecheck.talk.append_only import AppendOnly
from wirecheck.talk.facts import CallPlacedFact
from wirecheck.talk.history_state import (
    NO_ANSWERS,
    NO_CALLS,
    GivenAnswer,
    HistoryState,
    OpenCall,
    TurnContext,
    answer_keys,
    call_keys,
)
from wirecheck.talk.http.pairing import settled
from wirecheck.talk.http.signatures import begins_turn, signs
from wirecheck.talk.indexed_queue import IndexedQueue
from wirecheck.talk.lazy_facts import LazyFacts, small
from wirecheck.talk.schemas.offer import CalledFunction
from wirecheck.talk.streamed_arguments import whole

T = TypeVar("T")
Heard = tuple[HistoryState, list[LazyFacts]]


def hear(state: HistoryState, content: Content, turn: int, turn_context: TurnContext) -> Heard:
    """The state after one more content, and what that settled."""
    calls, answers = whole(content.calls), content.answers
    if content.calls and not calls and state.calls:
        last = replace(state.calls[-1], until=turn)
        return replace(state, calls=AppendOnly([*[*state.calls][:-1], last])), []
    if content.speaker == "model" and answers:
        return _executed(state, content, turn, turn_context)
    if calls and answers:
        return _both(state, content, turn, turn_context)
    if calls or (content.speaker == "model" and not answers):
        return _model(state, content, calls, turn, turn_context)
    if answers or content.speaker == "user":
        return _user(state, content, answers, turn, turn_context)
    return replace(state, last="unclear"), []  # system words, and those of nobody known, stand outside the turns


def _both(state: HistoryState, content: Content, turn: int, turn_context: TurnContext) -> Heard:
    """The user answers and calls at once: what does not answer a call that waits answers one of the content itself."""
    waiting = state.calls if state.follows is None else NO_CALLS
    own = _unasked(content.answers, waiting)
    facts: list[LazyFacts] = []
    if len(own) < len(content.answers):
        unasked = set(map(id, own))
        earlier = tuple([answer for answer in content.answers if id(answer) not in unasked])
        state, facts = _user(state, content, earlier, turn, turn_context)
    after, more = _model(state, content, content.calls, turn, turn_context, amid="answers")
    left = _left(after.calls, own, lambda asked: asked.call)
    return replace(after, calls=AppendOnly(left)), facts + more


def _unasked(answers: tuple[Answer, ...], waiting: Iterable[OpenCall]) -> list[Answer]:
    """The answers that no waiting call asked for."""
    left = _by_ties(waiting, lambda asked: asked.call)
    return [answer for answer in answers if not _taken(left, answer)]


def _executed(state: HistoryState, content: Content, turn: int, turn_context: TurnContext) -> Heard:
    """Answers in the model's own role: what the server called and executed itself is settled between them.

    Where the reply that made the calls is known, and had no response, the client put both together.
    """
    if content.calls:
        left = tuple(_left(content.calls, content.answers, lambda call: call))
        origin = turn_context.origin_of(turn, content.calls)
        known = [call for call, made in zip(content.calls, origin.made, strict=False) if made is not None]
        joined = tuple([call for call in known if call not in left])
        before = state.last
        state, facts = _model(state, content, left, turn, turn_context)
        if joined and not origin.executed:
            outline = "placed", before, small(len(joined)), "joined"
            facts += turn_context.lazy(outline, partial(_placed, before, content, joined, turn, turn_context, "joined"))
        return state, facts
    if state.follows is not None:  # the turn of those calls is over
        return _model(state, content, (), turn, turn_context)
    left_open = _left(state.calls, content.answers, lambda asked: asked.call)
    return replace(state, last="unclear", calls=AppendOnly(left_open)), []


def _model(
    state: HistoryState,
    content: Content,
    calls: tuple[Call, ...],
    turn: int,
    turn_context: TurnContext,
    amid: str = "nothing",
) -> Heard:
    facts: list[LazyFacts] = []
    if state.follows is not None or (state.went_on is not None and calls):
        if content.container == "messages" and state.answers:
            state = replace(state, went_on=turn)
        facts = settled(state, turn_context)
        state = replace(state, calls=NO_CALLS, answers=NO_ANSWERS, follows=None, went_on=None)
    if not calls:
        if content.container == "messages" and state.calls and state.went_on is None and content.parts:
            state = replace(state, went_on=turn)
        # The words of a role that is no model's may be anybody's.
        clear = content.role in ("model", None, "") or content.container == "messages"
        return replace(state, last="model" if clear else "unclear"), facts
    origin = turn_context.origin_of(turn, calls)
    if not state.calls:  # also where a turn goes on whose calls the server executed itself
        state = (
            signs(state, content, calls[0], turn, origin, turn_context.context.surface) if amid == "nothing" else state
        )
        amid = "parallel" if origin.parallel else amid
        outline = "placed", state.last, small(len(calls)), amid
        facts += turn_context.lazy(outline, partial(_placed, state.last, content, calls, turn, turn_context, amid))
    made = origin.made or (None,) * len(calls)
    asked = [OpenCall(call, turn, _inside(call.spot, content), spot) for call, spot in zip(calls, made, strict=True)]
    named = [CalledFunction(each.call.name, each.turn, each.inside) for each in asked if each.call.name]
    called = state.called.and_also(named)
    return replace(state, last="model", calls=state.calls.plus(asked), called=called), facts


def _user(
    state: HistoryState, content: Content, answers: tuple[Answer, ...], turn: int, turn_context: TurnContext
) -> Heard:
    bare = content.shape in ("missing", "response")
    given = [GivenAnswer(answer, turn, _inside(answer.spot, content), bare) for answer in answers]
    last = "answers" if given or (state.last == "answers" and state.answers) else "user"
    follows = turn if state.follows is None else state.follows
    words = content.words or state.words
    unsigned = None if begins_turn(content) else state.unsigned
    given_so_far = state.answers.plus(given)
    return replace(state, last=last, answers=given_so_far, follows=follows, words=words, unsigned=unsigned), []


def _left(items: Iterable[T], answers: Iterable[Answer], call_of: Callable[[T], Call]) -> list[T]:
    """What remains of calls when each answer has taken one."""
    left = _by_ties(items, call_of)
    for answer in answers:
        _taken(left, answer)
    return list(left)


def _by_ties(items: Iterable[T], call_of: Callable[[T], Call]) -> IndexedQueue[T]:
    queue = IndexedQueue[T]()
    for item in items:
        queue.add(item, call_keys(call_of(item)))
    return queue


def _taken(calls: IndexedQueue[T], answer: Answer) -> bool:
    """Whether there is a call that this answer may be meant for; it takes the first."""
    place = calls.first(answer_keys(answer))
    if place is not None:
        calls.take(place)
    return place is not None


def _inside(spot: Spot, content: Content) -> tuple[Step, ...]:
    return spot.steps[len(content.spot.steps) :]


def _placed(
    after: str, content: Content, calls: tuple[Call, ...], turn: int, turn_context: TurnContext, amid: str
) -> Iterator[CallPlacedFact]:
    yield CallPlacedFact(
        context=turn_context.context,
        spot=turn_context.where(turn).to(*_inside(calls[0].spot, content)),
        turn=turn,
        call=calls[0],
        after=after,
        calls=len(calls),
        names=tuple([call.name or "" for call in calls]),
        amid=amid,
    )
