"""Where a history stands: the turn being spoken, its open calls, and what answered them so far.

A Standing is frozen, so any prefix can be remembered by keeping one. `hear` moves it on by one content; `settle`
says how the calls of a turn ended. Nothing here knows a protocol, a request or a file.

A turn is a run of contents of one speaker. A content that calls is the model's and one that answers is the user's,
whatever its role says: the role is another rule's business.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.dialects.messages import Answer, Call, Content, Spot, Step
from wirecheck.talk.facts import (
    AnswerSettledFact,
    CallPlacedFact,
    CallSettledFact,
    CallTurnFact,
    Context,
    Fact,
    Linked,
)
from wirecheck.talk.threads import NOTHING, Echoed

Where = Callable[[int], Spot]  # the place of content n in the request at hand


class Asked(Struct, frozen=True):
    """A call that waits, where its content has it, and where the server first made it."""

    call: Call
    turn: int
    inside: tuple[Step, ...]
    made: Spot | None = None


class Given(Struct, frozen=True):
    """An answer that came."""

    answer: Answer
    turn: int
    inside: tuple[Step, ...]
    bare: bool = False


class Standing(Struct, frozen=True):
    """Where a history stands. `last` is what was heard last: nothing, user, answers or model."""

    last: str = "nothing"
    calls: tuple[Asked, ...] = ()
    answers: tuple[Given, ...] = ()
    follows: int | None = None  # the first content after the calls
    went_on: int | None = None  # in a transcript: a message of the model that goes on after its calls


Heard = tuple[Standing, list[Fact]]


class Ear(Struct, frozen=True):
    """What hearing needs besides the content: the context, places, and what the server's replies made of its calls."""

    context: Context
    where: Where
    echo: Callable[[int, tuple[Call, ...]], Echoed] = lambda turn, calls: NOTHING


def hear(standing: Standing, content: Content, turn: int, ear: Ear) -> Heard:
    """The standing after one more content, and what that settled."""
    calls, answers = content.calls, content.answers
    if calls and answers:
        if content.speaker == "model":
            calls, answers = _unpaired(calls, answers)
        else:
            standing, facts = _hear_user(standing, content, answers, turn, ear)
            after, more = _hear_model(standing, content, calls, turn, ear, amid="answers")
            return after, facts + more
    if answers and not calls and content.speaker == "model":
        return _executed(standing, answers), []
    if calls:
        return _hear_model(standing, content, calls, turn, ear)
    if answers or content.speaker == "user":
        return _hear_user(standing, content, answers, turn, ear)
    if content.speaker == "model":
        return _hear_model(standing, content, (), turn, ear)
    return standing, []  # system words stand outside the turns


def _hear_model(
    standing: Standing, content: Content, calls: tuple[Call, ...], turn: int, ear: Ear, amid: str = "nothing"
) -> Heard:
    facts: list[Fact] = []
    if standing.follows is not None or (standing.went_on is not None and calls):
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
    asked = tuple(
        Asked(call, turn, _inside(call.spot, content.spot), spot) for call, spot in zip(calls, made, strict=True)
    )
    return replace(standing, last="model", calls=standing.calls + asked), facts


def _hear_user(standing: Standing, content: Content, answers: tuple[Answer, ...], turn: int, ear: Ear) -> Heard:
    bare = content.shape in ("missing", "response")
    given = tuple(Given(answer, turn, _inside(answer.spot, content.spot), bare) for answer in answers)
    last = "answers" if given or (standing.last == "answers" and standing.answers) else "user"
    follows = turn if standing.follows is None else standing.follows
    return replace(standing, last=last, answers=standing.answers + given, follows=follows), []


def _executed(standing: Standing, answers: tuple[Answer, ...]) -> Standing:
    """Answers in the model's own role: what the server called and executed itself is settled between them."""
    left = list(standing.calls)
    for answer in answers:
        match = next((asked for asked in left if _ties(asked.call, answer)), None)
        if match is not None:
            left.remove(match)
    return replace(standing, last="model", calls=tuple(left))


def _unpaired(calls: tuple[Call, ...], answers: tuple[Answer, ...]) -> tuple[tuple[Call, ...], tuple[Answer, ...]]:
    """The calls that an answer in the same content did not settle."""
    left = list(calls)
    for answer in answers:
        match = next((call for call in left if _ties(call, answer)), None)
        if match is not None:
            left.remove(match)
    return tuple(left), ()


def _ties(call: Call, answer: Answer) -> bool:
    return call.id == answer.id if call.id and answer.id else call.name == answer.name


def _inside(spot: Spot, content: Spot) -> tuple[Step, ...]:
    return spot.steps[len(content.steps) :]


def _placed(
    standing: Standing, content: Content, calls: tuple[Call, ...], turn: int, ear: Ear, amid: str
) -> CallPlacedFact:
    return CallPlacedFact(
        context=ear.context,
        spot=ear.where(turn).to(*_inside(calls[0].spot, content.spot)),
        turn=turn,
        call=calls[0],
        after=standing.last,
        calls=len(calls),
        names=tuple(call.name or "" for call in calls),
        amid=amid,
    )


def settle(standing: Standing, ear: Ear) -> Iterator[Fact]:
    """How the calls of a turn ended, now that something came after them."""
    calls, answers = standing.calls, standing.answers
    if not calls:
        yield from (_answer_to_nothing(given, ear) for given in answers)
        return
    yield _call_turn(standing, ear)
    if not answers:
        yield from (_call_settled(asked, "unanswered", standing, ear) for asked in calls)
        return
    paired = _pair(calls, answers)
    for asked in calls:
        how = "answered" if any(mate is asked for mate in paired) or len(calls) <= len(answers) else "unanswered"
        yield _call_settled(asked, how, standing, ear)
    for given, mate in zip(answers, paired, strict=True):
        yield _answer_settled(given, mate, standing, ear)


def _pair(calls: tuple[Asked, ...], answers: tuple[Given, ...]) -> list[Asked | None]:
    """For each answer its call: by id, else by name, else by order. A call is given away once."""
    left, mates = list(calls), [None] * len(answers)
    paired: list[Asked | None] = list(mates)
    for ties in (_by_id, _by_name, _by_order):
        for n, given in enumerate(answers):
            if paired[n] is None and (mate := next((a for a in left if ties(a.call, given.answer)), None)) is not None:
                paired[n] = mate
                left.remove(mate)
    return paired


def _by_id(call: Call, answer: Answer) -> bool:
    return answer.id is not None and call.id == answer.id


def _by_name(call: Call, answer: Answer) -> bool:
    return call.name == answer.name


def _by_order(call: Call, answer: Answer) -> bool:
    return True


def _split(standing: Standing) -> int:
    """In how many contents the answers stand. Bare responses in a row count as one: their want of a content is said."""
    return len({-1 if given.bare else given.turn for given in standing.answers})


def _counts(standing: Standing) -> str:
    calls, answers = len(standing.calls), len(standing.answers)
    if calls != answers:
        return "fewer" if answers < calls else "more"
    return "split" if _split(standing) > 1 else "same"


def _call_turn(standing: Standing, ear: Ear) -> CallTurnFact:
    calls = standing.calls
    mates = _pair(calls, standing.answers)
    waiting = [asked for asked in calls if not any(mate is asked for mate in mates)]
    first = (waiting or list(calls))[0]
    ids = [asked.call.id for asked in calls if asked.call.id]
    names = tuple(asked.call.name or "" for asked in calls)
    spot, turn, related = _stands(first, standing, ear)
    return CallTurnFact(
        context=ear.context,
        spot=spot,
        turn=turn,
        call=first.call,
        related=related,
        calls=len(calls),
        answers=len(standing.answers),
        contents=_split(standing),
        call_contents=len({asked.turn for asked in calls}),
        names=names,
        unanswered=tuple(f"{asked.call.name} ({asked.call.id or 'no id'})" for asked in waiting),
        ids=len(ids),
        twins=tuple(sorted({name for name in names if names.count(name) > 1})) if not ids else (),
        repeated_ids=tuple(sorted({one for one in ids if ids.count(one) > 1})),
    )


def _call_settled(asked: Asked, how: str, standing: Standing, ear: Ear) -> CallSettledFact:
    spot, turn, related = _stands(asked, standing, ear)
    return CallSettledFact(
        context=ear.context,
        spot=spot,
        turn=turn,
        call=asked.call,
        related=related,
        how=how,
        id=asked.call.id,
        name=asked.call.name,
        siblings=len(standing.calls),
        sibling_answers=len(standing.answers),
        by="answer" if how == "answered" else "turn",
    )


def _answer_settled(given: Given, mate: Asked | None, standing: Standing, ear: Ear) -> AnswerSettledFact:
    answer, call = given.answer, mate.call if mate is not None else None
    ids = _compare_ids(call, answer)
    return AnswerSettledFact(
        context=ear.context,
        spot=ear.where(given.turn).to(*given.inside),
        turn=given.turn,
        call=call,
        related=(Linked(_spot(mate, ear), "the call", mate.turn),) if mate is not None else (),
        id=answer.id,
        name=answer.name,
        to="call" if mate is not None else "nothing",
        counts=_counts(standing),
        ids=ids,
        names="other" if call is not None and answer.name and call.name != answer.name and ids != "foreign" else "same",
        called_id=call.id if call is not None else None,
        called_name=call.name if call is not None else None,
        answers=len(standing.answers),
        calls=len(standing.calls),
    )


def _compare_ids(call: Call | None, answer: Answer) -> str:
    if call is None or call.id == answer.id:
        return "same" if answer.id else "none"
    return "missing" if not answer.id else "foreign"


def _answer_to_nothing(given: Given, ear: Ear) -> AnswerSettledFact:
    return AnswerSettledFact(
        context=ear.context,
        spot=ear.where(given.turn).to(*given.inside),
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
    )


def _spot(asked: Asked, ear: Ear) -> Spot:
    return ear.where(asked.turn).to(*asked.inside)


def _stands(asked: Asked, standing: Standing, ear: Ear) -> tuple[Spot, int, tuple[Linked, ...]]:
    """Where the end of a call stands: at the call, or, where that is in another record, at what went on without it."""
    here = _spot(asked, ear)
    made = (Linked(asked.made, "the server made the call here"),) if asked.made is not None else ()
    goes_on = standing.follows if standing.went_on is None else standing.went_on
    if goes_on is None:
        return here, asked.turn, made
    there = ear.where(goes_on)
    if there.site.origin != here.site.origin:
        return there, goes_on, (*made, Linked(here, "the call", asked.turn))
    return here, asked.turn, (*made, Linked(there, "the turn that follows", goes_on))
