"""How the calls of a turn ended: which were answered, by which response, and how their numbers compare."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial

from wirecheck.dialects.messages import Answer, Call, Spot
from wirecheck.talk.append_only import AppendOnly
from wirecheck.talk.facts import AnswerSettledFact, CallSettledFact, CallTurnFact, Fact, Linked
from wirecheck.talk.history_state import GivenAnswer, HistoryState, OpenCall, TurnContext, echo_of
from wirecheck.talk.lazy_facts import SMALL, LazyFacts


def over(state: HistoryState, turn_context: TurnContext) -> Iterable[LazyFacts]:
    """The history is all there is: what was called and then passed over is settled now.

    A transcript may stop between two answers, or at calls; a request that does was sent like that.
    """
    if _answering(state, turn_context):
        return ()
    if state.follows is not None or state.went_on is not None:
        return settled(state, turn_context)
    return turn_context.lazy(None, partial(_sent, state, turn_context)) if _sends(state, turn_context) else ()


def open_calls(state: HistoryState, turn_context: TurnContext) -> int:
    """Calls that nothing has followed yet."""
    if _answering(state, turn_context):
        return len(state.calls) - len(state.answers)
    return len(state.calls) if state.follows is None and state.went_on is None else 0


def _answering(state: HistoryState, turn_context: TurnContext) -> bool:
    """Whether a transcript stops at an answer while others are still to come."""
    return (
        turn_context.context.protocol == "transcript"
        and state.last == "answers"
        and 0 < len(state.answers) < len(state.calls)
    )


def _sends(state: HistoryState, turn_context: TurnContext) -> bool:
    """Whether calls end a history that was sent for the model to go on with it. A call that is all of it cannot stand
    alone anyhow."""
    context = turn_context.context
    sent = context.whole and context.protocol in ("generate-content", "chat")
    return sent and bool(state.calls) and state.calls[-1].turn > 0


def _sent(state: HistoryState, turn_context: TurnContext) -> Iterator[Fact]:
    """The request ends with calls: nobody answers them in it."""
    for asked in state.calls:
        yield _call_settled(asked, "unanswered", state, turn_context, by="request")


def settled(state: HistoryState, turn_context: TurnContext) -> list[LazyFacts]:
    """How the calls of a turn ended, as far as a rule may have something to say of it."""
    if not state.calls and not state.answers:
        return []
    return turn_context.lazy(_outline(state), partial(settle, state, turn_context))


def _outline(state: HistoryState) -> tuple[str, int, int, int] | None:
    """How many calls there are, with ids and in how many contents, where each has its answer in the next content, in
    order, by its id and its name; None where that is not so."""
    calls, answers, count = state.calls, state.answers, len(state.calls)
    if not 0 < count == len(answers) < SMALL or state.went_on is not None:
        return None
    ids, names, turns = set[str](), set[str](), set[int]()
    there = answers[0].turn
    for asked, given in zip(calls, answers, strict=True):
        call, answer = asked.call, given.answer
        if call.id != answer.id or call.name != answer.name or not call.name or "arguments" in call.keys:
            return None
        if given.turn != there or given.bare:
            return None
        turns.add(max(asked.turn, asked.until))
        names.add(call.name)
        if call.id is not None:
            ids.add(call.id)
    if there != max(turns) + 1 or (count > 1 and len(ids if ids else names) < count):
        return None
    return "settled", count, len(ids), len({asked.turn for asked in calls})


def settle(state: HistoryState, turn_context: TurnContext) -> Iterator[Fact]:
    """How the calls of a turn ended, now that something came after them."""
    calls, answers = state.calls, state.answers
    if not calls:
        yield from (_answer_to_nothing(given, turn_context) for given in answers)
        return
    paired, counts = _pair(calls, answers), _counts(state)
    matched = set(map(id, paired))
    yield _call_turn(state, paired, turn_context)
    for asked in calls:
        how = "answered" if id(asked) in matched or len(calls) <= len(answers) else "unanswered"
        yield _call_settled(
            asked, how, state, turn_context, "close" if state.follows is state.went_on is None else "turn"
        )
    for given, mate in zip(answers, paired, strict=True):
        yield _answer_settled(given, mate, counts, state, turn_context)


# What ties an answer to a call, in this order: the id, the name, and in the end the order.
TIES: tuple[Callable[[Call | Answer], str | None], ...] = (
    lambda half: half.id,
    lambda half: half.name or "",
    lambda half: "",
)


def _pair(calls: AppendOnly[OpenCall], answers: AppendOnly[GivenAnswer]) -> list[OpenCall | None]:
    """For each answer its call. A call is given away once."""
    left = dict.fromkeys(range(len(calls)))
    paired: list[OpenCall | None] = [None] * len(answers)
    for tie in TIES:
        if None not in paired:
            break
        waiting: dict[str | None, deque[int]] = {}
        for n in left:
            waiting.setdefault(tie(calls[n].call), deque()).append(n)
        waiting.pop(None, None)  # no id ties nothing
        for m, given in enumerate(answers):
            if paired[m] is None and (row := waiting.get(tie(given.answer))):
                n = row.popleft()
                paired[m] = calls[n]
                del left[n]
    return paired


def _split(state: HistoryState) -> int:
    """In how many contents the answers stand. Bare responses in a row count as one: their want of a content is said."""
    return len({-1 if given.bare else given.turn for given in state.answers})


def _counts(state: HistoryState) -> str:
    calls, answers = len(state.calls), len(state.answers)
    if calls != answers:
        return "fewer" if answers < calls else "more"
    return "split" if _split(state) > 1 else "same"


def _call_turn(state: HistoryState, paired: list[OpenCall | None], turn_context: TurnContext) -> CallTurnFact:
    calls, matched = state.calls, set(map(id, paired))
    surplus = [given for given, mate in zip(state.answers, paired, strict=True) if mate is None]
    waiting = [asked for asked in calls if id(asked) not in matched]
    first = (waiting or list(calls))[0]
    ids = [asked.call.id for asked in calls if asked.call.id]
    names = tuple([asked.call.name or "" for asked in calls])
    spot, turn, related = _stands(first, state, turn_context)
    return CallTurnFact(
        context=turn_context.context,
        spot=spot,
        turn=turn,
        call=first.call,
        related=(*related, *[_too_many(given, turn_context) for given in surplus]),
        calls=len(calls),
        answers=len(state.answers),
        contents=_split(state),
        call_contents=len({asked.turn for asked in calls}),
        names=names,
        unanswered=tuple([_named(asked.call) for asked in waiting]),
        surplus=tuple([_named(given.answer) for given in surplus]),
        ids=len(ids),
        ordered=_ordered(calls, paired),
        twins=_several(names) if not ids else (),
        repeated_ids=_several(ids),
    )


def _too_many(given: GivenAnswer, turn_context: TurnContext) -> Linked:
    return Linked(turn_context.where(given.turn).to(*given.inside), "a response of no call", given.turn)


def _named(half: Call | Answer) -> str:
    return f"{half.name or 'no name'} ({half.id or 'no id'})"


def _ordered(calls: AppendOnly[OpenCall], paired: list[OpenCall | None]) -> bool:
    places = {id(asked): n for n, asked in enumerate(calls)}
    order = [places[id(asked)] for asked in paired if asked is not None]
    return order == sorted(order)


def _several(said: Collection[str]) -> tuple[str, ...]:
    """What is said more than once."""
    if len(set(said)) == len(said):
        return ()
    return tuple(sorted(one for one, times in Counter(said).items() if times > 1))


def _call_settled(
    asked: OpenCall, how: str, state: HistoryState, turn_context: TurnContext, by: str
) -> CallSettledFact:
    spot, turn, related = _stands(asked, state, turn_context)
    return CallSettledFact(
        context=turn_context.context,
        spot=spot,
        turn=turn,
        call=asked.call,
        related=related,
        how=how,
        id=asked.call.id,
        name=asked.call.name,
        siblings=len(state.calls),
        sibling_answers=len(state.answers),
        by="answer" if how == "answered" else by,
        echo=echo_of(asked.call),
    )


def _between(given: GivenAnswer, counts: str, state: HistoryState) -> int | None:
    """How many contents stand between the calls and their answers, said of the first answer."""
    if given is not state.answers[0] or counts != "same":
        return None
    return given.turn - max([max(asked.turn, asked.until) for asked in state.calls]) - 1 or None


def _answer_settled(
    given: GivenAnswer, mate: OpenCall | None, counts: str, state: HistoryState, turn_context: TurnContext
) -> AnswerSettledFact:
    answer, call = given.answer, mate.call if mate is not None else None
    between = _between(given, counts, state)
    foreign = call is not None and "arguments" in call.keys and turn_context.context.protocol == "generate-content"
    ids = "same" if foreign else _compare_ids(call, answer)  # a call of another protocol is told of as such
    other = call is not None and bool(answer.name) and call.name != answer.name and ids != "foreign"
    return AnswerSettledFact(
        context=turn_context.context,
        spot=turn_context.where(given.turn).to(*given.inside),
        turn=given.turn,
        call=call,
        related=(Linked(_spot(mate, turn_context), "the call", mate.turn),) if mate is not None else (),
        id=answer.id,
        name=answer.name,
        to="call" if mate is not None else "nothing",
        counts=counts,
        ids=ids,
        names="other" if other else "same",
        declared=not other or turn_context.declares(answer.name),
        called_id=call.id if call is not None else None,
        called_name=call.name if call is not None else None,
        answers=len(state.answers),
        calls=len(state.calls),
        follows="call" if between is None else "words",
        between=between,
    )


def _compare_ids(call: Call | None, answer: Answer) -> str:
    if call is None or call.id == answer.id:
        return "same" if answer.id else "none"
    return "missing" if not answer.id else "foreign"


def _answer_to_nothing(given: GivenAnswer, turn_context: TurnContext) -> AnswerSettledFact:
    return AnswerSettledFact(
        context=turn_context.context,
        spot=turn_context.where(given.turn).to(*given.inside),
        turn=given.turn,
        id=given.answer.id,
        name=given.answer.name,
        to="nothing",
        counts="more",
        ids="none",
        names="same",
        called_id=None,
        called_name=None,
        answers=1,
        calls=0,
        follows="nothing" if turn_context.context.whole else "unknown",
    )


def _spot(asked: OpenCall, turn_context: TurnContext) -> Spot:
    return asked.spot or turn_context.where(asked.turn).to(*asked.inside)


def _stands(asked: OpenCall, state: HistoryState, turn_context: TurnContext) -> tuple[Spot, int, tuple[Linked, ...]]:
    """Where the end of a call stands: at the call, or, where that is in another record, at what went on without it."""
    here = _spot(asked, turn_context)
    made = (Linked(asked.made, "the server made the call here"),) if asked.made is not None else ()
    goes_on = state.follows if state.went_on is None else state.went_on
    if goes_on is None:
        return here, asked.turn, made
    there = turn_context.where(goes_on)
    if there.site.origin != here.site.origin:
        return there, goes_on, (*made, Linked(here, "the call", asked.turn))
    return here, asked.turn, (*made, Linked(there, "the turn that follows", goes_on))
