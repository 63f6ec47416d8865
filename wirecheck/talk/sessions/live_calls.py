"""The calls of one Live connection: which response, cancellation or end belongs to which.

A call does not outlive its connection. Whether a frame may come at all is not decided here (state_tables.py).
"""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from wirecheck.dialects.messages import Answer, Call, Content, Hangup, Spot
from wirecheck.dialects.vocabulary.field_names import get
from wirecheck.talk.content_facts import answer_fact, call_fact
from wirecheck.talk.facts import CallSettledFact, Context, Fact, MisplacedFact
from wirecheck.talk.history_state import Key
from wirecheck.talk.indexed_queue import IndexedQueue
from wirecheck.talk.made_calls import alike
from wirecheck.talk.schemas.offer import Offer
from wirecheck.talk.schemas.tool_facts import blocks
from wirecheck.talk.sessions.pending_call import (
    HeldCall,
    Moment,
    PendingCall,
    SiblingCount,
    answer_settled,
    misplaced,
    settled,
)
from wirecheck.talk.sessions.resumption import Resumptions
from wirecheck.talk.sessions.session_end import PATIENCE, event, too_soon
from wirecheck.talk.sessions.state_tables import CALL_MOVES, CallState

RACE = 0.25  # seconds from a cancellation in which a response was on its way before the client could have read it
SILENCE = PATIENCE  # a call that blocks and has no answer by then, while the log goes on, is not answered any more
_MOST = 2048  # calls of a connection that late answers may be told from
Standing = tuple[bool, bool, bool, bool]  # whether a call holds the turn up, is going on, was passed over, outlived it
HELD_UP: tuple[Standing, ...] = ((True, False, False, False), (True, False, False, True))


class LiveCalls:
    """What was called on a connection, and what became of it."""

    def __init__(self) -> None:
        self._open = IndexedQueue[PendingCall]()
        self._standings: dict[Standing, dict[PendingCall, None]] = {}  # those that wait, by how they stand
        self._over: deque[PendingCall] = deque()  # those that late answers may still be told from
        self._by_id: dict[str, PendingCall] = {}
        self._latest: dict[Key, PendingCall] = {}  # by name: the last call, waiting or not
        self._ever = False

    @property
    def open(self) -> int:
        return len(self._open)

    @property
    def waiting(self) -> tuple[str, ...]:
        """ "name (id)" of each call without an answer."""
        return tuple([f"{line.call.name or 'no name'} ({line.call.id or 'no id'})" for line in self._open])

    @property
    def memo_key(self) -> Hashable:
        """Of the calls that wait: whether they hold the turn up, are going on, were passed over, or outlived it."""
        return frozenset(self._standings)

    @property
    def holding(self) -> bool:
        """Whether the model waits for an answer before it goes on."""
        return any([blocks for blocks, *_ in self._standings])

    def held_up(self, context: Context, spot: Spot) -> Iterator[HeldCall]:
        """The calls that hold the turn up, and of whose response nothing came."""
        for standing, lines in self._standings.items():
            blocks, progress, passed_over, _ = standing
            for line in lines if blocks and not progress else ():
                fact = settled(line, "unanswered", "silence", context, spot, None)
                yield HeldCall(fact, line.at, passed_over)

    def called(self, calls: Iterable[Call], now: Moment, offer: Offer, *, loose: bool) -> Iterator[Fact]:
        """Calls of the server; `loose` those in a modelTurn. One may come there and in a toolCall: it is one call."""
        siblings = SiblingCount()
        for call in calls:
            self._ever = True
            if not loose:
                yield call_fact(call, _frame_content(call.spot), "server", now.turn, now.context)
            if known := self._same(call, loose):
                known.loose = known.loose and loose
                yield misplaced("called", known.state.value, call, now, known)
                continue
            if call.id is None:
                twin = self._open.first([("no id", call.name)]) is not None
                yield misplaced("called", "twin" if twin else "no-id", call, now)
            holds = blocks(offer.toolbox, call.name, now.context.band)
            declared = offer.toolbox.declaration(call.name) is not None
            siblings.calls += 1
            self._wait(PendingCall(call, now, siblings, loose=loose, blocks=holds, declared=declared))
            yield from offer.misfits((call,), now.turn)

    def _wait(self, line: PendingCall) -> None:
        call = line.call
        names: list[Key] = [("name", call.name)] if call.id is not None else [("name", call.name), ("no id", call.name)]
        keys: list[Hashable] = [*names, ("awaited", call.name)]
        if line.loose and call.id is None:
            keys.append(alike(call))
        line.place = self._open.add(line, keys)
        self._standings.setdefault(_standing(line), {})[line] = None
        self._latest.update(dict.fromkeys(names, line))
        if call.id is not None:
            self._by_id[call.id] = line

    def _same(self, call: Call, loose: bool) -> PendingCall | None:
        """The call that this one is again: by id, or, said in a toolCall now, by what it calls."""
        if call.id is not None:
            return self._by_id.get(call.id)
        if loose or (place := self._open.first([alike(call)])) is None:
            return None
        self._open.forget_first(alike(call))  # it has been said in a toolCall
        return self._open[place]

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
            self._stands(line, progress=goes_on)
            line.in_parts = line.in_parts or goes_on
            line.more_meant = not goes_on and _continues(answer.response)
            yield answer_settled(answer, line, now, container)
            if not goes_on:
                yield settled(line, "answered", "answer", now.context, line.call.spot, now.turn)

    def _unasked(self, answer: Answer, now: Moment, line: PendingCall | None, chain: Resumptions) -> MisplacedFact:
        if line is None and (left := chain.take(answer.id)):
            fact = misplaced("answered", "elsewhere", answer, now)
            return replace(fact, call=left.call, name=left.name, related=left.related)
        meant = ("awaited", answer.name)
        if line is None and (place := self._open.first([meant])) is not None:
            self._open[place].astray = True
            self._open.forget_first(meant)
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
        # An id nobody gave may still be meant for a call that has none.
        named: Key = "no id" if answer.id else "name", answer.name
        place = self._open.first([named])
        return self._latest.get(named) if place is None else self._open[place]

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
        for standing in HELD_UP:
            for line in list(self._standings.get(standing, ())):
                self._stands(line, went_on=(spot, turn))

    def complete(self, spot: Spot, turn: int) -> None:
        """The server ends its turn while calls wait that block it. An answer may still come."""
        for line in list(self._standings.get(HELD_UP[0], ())):
            self._stands(line, completed=(spot, turn))

    def end(self, now: Moment, spot: Spot, hangup: Hangup | None) -> Iterator[CallSettledFact]:
        """What is still open: unanswered if it blocks and the session was closed, went on or fell silent."""
        context = now.context
        for line in [each for each in self._open if not each.astray]:
            if line.went_on is not None:
                yield settled(line, "unanswered", "turn", context, *line.went_on)
            elif hangup is not None:
                yield settled(line, _left(line, hangup, now), "close", context, spot, None)
            elif line.completed is not None and not line.progress:
                yield settled(line, "unanswered", "turn", context, *line.completed)
            elif line.blocks and not line.progress and _passed(line.at, now.at) > SILENCE:
                yield settled(line, "unanswered", "silence", context, spot, None)
            else:
                continue
            self._moves(line, "over")

    def _moves(self, line: PendingCall, what: str) -> bool:
        """Whether the table knows the move; then it is made."""
        after = CALL_MOVES[line.state].get(what)
        if after not in (None, CallState.OPEN):
            line.siblings.answered += after is CallState.ANSWERED
            self._open.take(line.place)
            self._drop(line)
            self._over.append(line)
            if len(self._over) > _MOST:
                self._forget(self._over.popleft())
        line.state = after or line.state
        return after is not None

    def _stands(
        self,
        line: PendingCall,
        progress: bool | None = None,
        went_on: tuple[Spot, int] | None = None,
        completed: tuple[Spot, int] | None = None,
    ) -> None:
        """Notes how a call stands now."""
        waits = line.place in self._open
        if waits:
            self._drop(line)
        line.progress = line.progress if progress is None else progress
        line.went_on, line.completed = went_on or line.went_on, completed or line.completed
        if waits:
            self._standings.setdefault(_standing(line), {})[line] = None

    def _drop(self, line: PendingCall) -> None:
        alike = self._standings[_standing(line)]
        del alike[line]
        if not alike:
            del self._standings[_standing(line)]

    def _forget(self, line: PendingCall) -> None:
        """A long session keeps what late answers may still be told from, and no more."""
        if line.call.id is not None and self._by_id.get(line.call.id) is line:
            del self._by_id[line.call.id]
        for key in (("name", line.call.name), ("no id", line.call.name)):
            if self._latest.get(key) is line:
                del self._latest[key]


def _standing(line: PendingCall) -> Standing:
    return line.blocks, line.progress, line.went_on is not None, line.completed is not None


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
