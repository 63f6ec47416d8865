"""One call of a Live session on its way, and the facts of what becomes of it."""

from msgspec import Struct

from wirecheck.dialects.messages import Answer, Call, Spot
from wirecheck.talk.facts import AnswerSettledFact, CallSettledFact, Context, Linked, MisplacedFact
from wirecheck.talk.history_state import echo_of
from wirecheck.talk.sessions.state_tables import CallState


class Moment(Struct, frozen=True):
    """When something is said: in which frame, and by the record's own clock."""

    context: Context
    turn: int
    at: float | None = None


class SiblingCount(Struct):
    """How many calls came in one frame, and how many of them are answered."""

    calls: int = 0
    answered: int = 0


class PendingCall:
    """A call on its way. `went_on`: the client's next turn, which came without the answer; `completed`: the end of the
    model's, likewise. `place` is that in the queue of those that wait."""

    __slots__ = (
        *("astray", "at", "blocks", "call", "completed", "declared", "in_parts", "loose"),
        *("more_meant", "place", "progress", "siblings", "state", "taken_back_at", "turn", "went_on"),
    )

    def __init__(
        self, call: Call, now: Moment, siblings: SiblingCount, *, loose: bool, blocks: bool, declared: bool
    ) -> None:
        self.call, self.turn, self.at, self.siblings = call, now.turn, now.at, siblings
        self.loose, self.blocks, self.declared = loose, blocks, declared
        self.state, self.place = CallState.OPEN, -1
        self.astray = False  # a response that was meant for it went somewhere else, which has been said
        self.progress = False  # a response said that more is to come
        self.in_parts = False  # one ever did
        self.more_meant = False  # the response says so, where that is not read
        self.taken_back_at: float | None = None
        self.went_on: tuple[Spot, int] | None = None
        self.completed: tuple[Spot, int] | None = None

    @property
    def linked(self) -> Linked:
        return Linked(self.call.spot, "the call", self.turn)


class HeldCall(Struct, frozen=True):
    """A call that holds the turn up, as long as its session is open: what there is to say of it if it ends now, when it
    was called, and whether the client's turn went on without the response."""

    fact: CallSettledFact
    at: float | None
    passed_over: bool


def settled(line: PendingCall, how: str, by: str, context: Context, spot: Spot, turn: int | None) -> CallSettledFact:
    return CallSettledFact(
        context=context,
        spot=spot,
        turn=turn,
        call=line.call,
        related=(line.linked,),
        how=how,
        id=line.call.id,
        name=line.call.name,
        siblings=line.siblings.calls,
        sibling_answers=line.siblings.answered,
        by=by,
        echo=echo_of(line.call),
    )


def misplaced(
    what: str, state: str, said: Call | Answer, now: Moment, line: PendingCall | None = None, spot: Spot | None = None
) -> MisplacedFact:
    return MisplacedFact(
        context=now.context,
        spot=spot or said.spot,
        turn=now.turn,
        call=line.call if line else said if isinstance(said, Call) else None,
        related=(line.linked,) if line else (),
        what=what,
        state=state,
        id=said.id,
        name=said.name or (line.call.name if line else None),
    )


def answer_settled(answer: Answer, line: PendingCall, now: Moment, container: str) -> AnswerSettledFact:
    call = line.call
    return AnswerSettledFact(
        context=now.context,
        spot=answer.spot,
        turn=now.turn,
        call=call,
        related=(line.linked,),
        id=answer.id,
        name=answer.name,
        to="call",
        counts="same",
        ids=_compare_ids(call, answer) if answer.id or container == "frame" else "none",
        names="other" if answer.name and answer.name != call.name else "same",
        called_id=call.id,
        called_name=call.name,
        answers=1,
        calls=1,
        keys=answer.keys,
        held=line.blocks and line.declared,
    )


def _compare_ids(call: Call, answer: Answer) -> str:
    if not answer.id:
        misnamed = any(key != "id" and key.lower().endswith("id") for key in answer.keys)  # as functionCallId
        return "none" if not call.id else "misnamed" if misnamed else "missing"
    return "same" if answer.id == call.id else "foreign"
