"""The calls of one Live connection: which response, cancellation or end belongs to which.

A call does not outlive its connection. Whether a frame may come at all is not decided here (state_tables.py).
"""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from wirecheck.dialects.messages import Answer, Call, Content, Hangup, Spot
from wirecheck.dialects.vocabulary.field_names import get
from wirecheck.talk.content_facts import answer_fact, call_fact
from wirecheck.talk.facts import CallSettledFact, Fact, MisplacedFact
from wirecheck.talk.schemas.offer import Offer
from wirecheck.talk.schemas.tool_facts import blocks
from wirecheck.talk.sessions.pending_call import Moment, PendingCall, answer_settled, misplaced, settled
from wirecheck.talk.sessions.resumption import Resumptions
from wirecheck.talk.sessions.session_end import PATIENCE, event, too_soon
from wirecheck.talk.sessions.state_tables import CALL_MOVES, CallState

RACE = 0.25  # seconds from a cancellation in which a response was on its way before the client could have read it
SILENCE = PATIENCE  # a call that blocks and has no answer by then, while the log goes on, is not answered any more
_MOST = 2048  # calls of a connection that late answers may be told from


class LiveCalls:
    """What was called on a connection, and what became of it."""

    def __init__(self) -> None:
        self._lines: list[PendingCall] = []
        self._open: dict[PendingCall, None] = {}
        self._by_id: dict[str, PendingCall] = {}
        self._ever = False

    @property
    def open(self) -> int:
        return len(self._open)

    @property
    def memo_key(self) -> Hashable:
        """Of the calls that wait: whether they hold the turn up, are going on, and were passed over."""
        return frozenset([(line.blocks, line.progress, line.went_on is not None) for line in self._open])

    @property
    def holding(self) -> bool:
        """Whether the model waits for an answer before it goes on."""
        return any(line.blocks for line in self._open)

    def called(self, calls: Iterable[Call], now: Moment, offer: Offer, *, loose: bool) -> Iterator[Fact]:
        """Calls of the server; `loose` those in a modelTurn. One may come there and in a toolCall: it is one call."""
        siblings: list[PendingCall] = []
        for call in calls:
            self._ever = True
            if not loose:
                yield call_fact(call, _frame_content(call.spot), "server", now.turn, now.context)
            if known := self._same(call, loose):
                known.loose = known.loose and loose
                yield misplaced("called", known.state.value, call, now, known)
                continue
            if call.id is None:
                yield misplaced("called", "twin" if self._twin(call) else "no-id", call, now)
            holds = blocks(offer.toolbox, call.name, now.context.band)
            declared = offer.toolbox.declaration(call.name) is not None
            line = PendingCall(call, now, siblings, loose=loose, blocks=holds, declared=declared)
            siblings.append(line)
            self._lines.append(line)
            self._open[line] = None
            if call.id is not None:
                self._by_id[call.id] = line
            yield from offer.misfits((call,), now.turn)

    def _same(self, call: Call, loose: bool) -> PendingCall | None:
        """The call that this one is again: by id, or, said in a toolCall now, by what it calls."""
        if call.id is not None:
            return self._by_id.get(call.id)
        alike = (line for line in self._open if line.loose and not loose and line.call.id is None)
        return next((line for line in alike if (line.call.name, line.call.args) == (call.name, call.args)), None)

    def _twin(self, call: Call) -> bool:
        """Whether another call of its name waits that has no id either."""
        return any(line.call.id is None and line.call.name == call.name for line in self._open)

    def answered(self, answers: tuple[Answer, ...], now: Moment, container: str, chain: Resumptions) -> Iterator[Fact]:
        if container == "frame":
            for answer in answers:
                yield answer_fact(answer, _frame_content(answer.spot), "client", now.turn, now.context)
        for answer in answers:
            line = self._line_of(answer)
            goes_on = _continues(answer.value)
            if line is None or not self._moves(line, "goes-on" if goes_on else "answered"):
                fact = self._unasked(answer, now, line, chain)
                if not _excused(line, now, container):
                    yield fact
                continue
            line.progress, line.in_parts = goes_on, line.in_parts or goes_on
            line.more_meant = not goes_on and _continues(answer.response)
            yield answer_settled(answer, line, now, container)
            if not goes_on:
                yield settled(line, "answered", "answer", now.context, line.call.spot, now.turn)
        self._tidy()

    def _unasked(self, answer: Answer, now: Moment, line: PendingCall | None, chain: Resumptions) -> MisplacedFact:
        if line is None and (left := chain.take(answer.id)):
            fact = misplaced("answered", "elsewhere", answer, now)
            return replace(fact, call=left.call, name=left.name, related=left.related)
        meant = next((each for each in self._open if each.call.name == answer.name and not each.astray), None)
        if line is None and meant is not None:
            meant.astray = True
        state = line.state.value if line else "unknown" if self._ever else "none"
        if state == "answered" and line is not None and (line.in_parts or "willContinue" in answer.keys):
            state = "concluded"
        return misplaced("answered", state, answer, now, line)

    def astray(self, answers: tuple[Answer, ...], now: Moment) -> Iterator[Fact]:
        """The calls these were meant for wait no more; that the answers went astray is said of the frame.

        One that names no call is meant for the oldest that waits.
        """
        for answer in answers:
            line = self._line_of(answer) or next(iter(self._open), None)
            if line is not None and self._moves(line, "answered"):
                yield settled(line, "answered", "answer", now.context, line.call.spot, now.turn)

    def _line_of(self, answer: Answer) -> PendingCall | None:
        """By id; without one an answer goes to the oldest open call of its name."""
        if answer.id and (line := self._by_id.get(answer.id)):
            return line
        alike = [line for line in self._lines if line.call.name == answer.name]
        if answer.id:  # an id nobody gave may still be meant for a call that has none
            alike = [line for line in alike if line.call.id is None]
        waiting = [line for line in alike if line in self._open]
        return next(iter(waiting), alike[-1] if alike else None)

    def cancelled(self, ids: Iterable[str], spot: Spot, now: Moment) -> Iterator[Fact]:
        for one in ids:
            line = self._by_id.get(one)
            if line is not None and self._moves(line, "cancelled"):
                line.taken_back_at = now.at
                yield settled(line, "cancelled", "cancellation", now.context, spot, now.turn)
                continue
            call = line.call if line else Call(id=one, name=None, spot=spot)
            yield misplaced("cancelled", line.state.value if line else "unknown", call, now, line, spot)

    def pass_over(self, spot: Spot, turn: int) -> None:
        """A new turn of the client while calls wait. Where calls do not block the turn, nothing is missing yet."""
        for line in self._open:
            if line.blocks and not line.progress and line.went_on is None:
                line.went_on = (spot, turn)

    def end(self, now: Moment, spot: Spot, hangup: Hangup | None) -> Iterator[CallSettledFact]:
        """What is still open: unanswered if it blocks and the session was closed, went on or fell silent."""
        context = now.context
        for line in [each for each in self._open if not each.astray]:
            if line.went_on is not None:
                yield settled(line, "unanswered", "turn", context, *line.went_on)
            elif hangup is not None:
                yield settled(line, _left(line, hangup, now), "close", context, spot, None)
            elif line.blocks and not line.progress and _passed(line.at, now.at) > SILENCE:
                yield settled(line, "unanswered", "silence", context, spot, None)
            else:
                continue
            self._moves(line, "over")

    def _moves(self, line: PendingCall, what: str) -> bool:
        """Whether the table knows the move; then it is made."""
        after = CALL_MOVES[line.state].get(what)
        line.state = after or line.state
        if line.state is not CallState.OPEN:
            self._open.pop(line, None)
        return after is not None

    def _tidy(self) -> None:
        """A long session keeps what late answers may still be told from, and no more."""
        if len(self._lines) > _MOST:
            gone, self._lines = self._lines[: _MOST // 2], self._lines[_MOST // 2 :]
            for line in gone:
                if line in self._open:
                    self._lines.insert(0, line)
                elif line.call.id is not None:
                    self._by_id.pop(line.call.id, None)


def _left(line: PendingCall, hangup: Hangup, now: Moment) -> str:
    """How the close leaves a call: what does not block may still be running, and so may what was called just now."""
    if line.progress:
        return "open" if event(hangup) == "refused" else "unfinished"
    return "open" if not line.blocks or too_soon(hangup, line.at, line.turn == now.turn) else "unanswered"


def _continues(value: Any) -> bool:
    return type(value) is dict and get(value, "willContinue") is True


def _excused(line: PendingCall | None, now: Moment, container: str) -> bool:
    """Whether a response that no call waits for is no mistake by itself.

    In turns it may belong to a history, and that such parts do not stand there is said of them; so it is where the one
    before it said within the response that more will come. A response and the cancellation of its call may have met on
    their way.
    """
    if line is None:
        return container == "turns"
    if line.more_meant:
        return True
    return None not in (line.taken_back_at, now.at) and _passed(line.taken_back_at, now.at) <= RACE


def _passed(since: float | None, until: float | None) -> float:
    return 0.0 if since is None or until is None else until - since


def _frame_content(spot: Spot) -> Content:
    """Calls and answers of a tool frame stand in no content."""
    return Content(role=None, speaker="", container="frame", shape="none", spot=spot)
