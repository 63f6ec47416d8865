"""One Live session: what was called, answered and taken back, frame by frame."""

from collections.abc import Iterator
from enum import Enum

from msgspec.structs import replace

from wirecheck.dialects.messages import (
    Answer,
    Answered,
    Call,
    Called,
    Cancelled,
    Content,
    Framed,
    Hangup,
    Message,
    Said,
    Seen,
    Setup,
    Spot,
)
from wirecheck.dialects.names import get
from wirecheck.talk.facts import (
    AnswerSettledFact,
    CallSettledFact,
    Context,
    EndedFact,
    Fact,
    FrameFact,
    Linked,
    MisplacedFact,
)
from wirecheck.talk.frames import Frames, is_media, is_spoken
from wirecheck.talk.offer import Offer
from wirecheck.talk.scene import Story
from wirecheck.talk.shapes import answer_fact, call_fact, shapes
from wirecheck.talk.standing import echo_of
from wirecheck.talk.toolbox import Toolbox
from wirecheck.talk.tools import non_blocking, tools


class CallState(Enum):
    OPEN = "open"
    ANSWERED = "answered"
    CANCELLED = "cancelled"
    UNANSWERED = "unanswered"  # the session is over


# What may happen to a call. A pair the table lacks is a Misplaced fact.
CALL_MOVES: dict[CallState, dict[str, CallState]] = {
    CallState.OPEN: {"answered": CallState.ANSWERED, "cancelled": CallState.CANCELLED, "goes-on": CallState.OPEN},
    CallState.ANSWERED: {},
    CallState.CANCELLED: {},
    CallState.UNANSWERED: {},
}


class Line:
    """A call on its way."""

    __slots__ = ("call", "frame", "state", "went_on")

    def __init__(self, call: Call, frame: int) -> None:
        self.call, self.frame, self.state = call, frame, CallState.OPEN
        self.went_on: tuple[Spot, int] | None = None


class Session:
    """What a Live session remembers."""

    def __init__(self, context: Context, spot: Spot) -> None:
        self.context = context
        self._last = spot
        self.story = Story()
        self._frames = Frames()
        self._lines: list[Line] = []
        self._by_id: dict[str, Line] = {}
        self._ever_called = False
        self._set_up = False
        self._non_blocking: frozenset[str] = frozenset()  # functions whose calls do not hold the turn up
        self._offer = Offer(context, spot, Toolbox(None), False)

    @property
    def _turn(self) -> int:
        """The number of the frame at hand."""
        return self._frames.count - 1

    @property
    def open_calls(self) -> int:
        return sum(line.state is CallState.OPEN for line in self._lines)

    def hear(self, message: Message) -> Iterator[Fact]:
        if isinstance(message, Framed):
            yield self._framed(message)
        elif isinstance(message, Setup):
            yield from tools(message.value, message.spot, self.context, _toolbox(message))
        elif isinstance(message, Said):
            yield from self._said(message)
        elif isinstance(message, Called):
            yield from self._called(message.calls, message.seen, "frame")
        elif isinstance(message, Answered):
            yield from self._loosely(message) if message.loose else self._answered(message.answers, message.seen)
        elif isinstance(message, Cancelled):
            yield from self._cancelled(message)

    def set_up(self, message: Setup, band: str | None) -> None:
        """The first setup says which model this is; a second one changes nothing."""
        if not self._set_up:
            self._set_up = True
            self._non_blocking = frozenset(non_blocking(message.value))
            self.context = replace(
                self.context, surface=message.surface, version=message.version, model=message.model, band=band
            )
            self._offer = Offer(self.context, message.spot, _toolbox(message), False)

    def _framed(self, message: Framed) -> FrameFact:
        fact = self._frames.fact(message, self.context)
        self._last = message.spot
        if fact.says == "setup" and fact.number == 0:  # the log holds the session from its start
            self.context = replace(self.context, whole=True)
        if fact.says == "realtimeInput" and is_spoken(message):
            self._goes_on(message.spot)
        if not is_media(message):
            self.story.add(self._turn, message.seen.sender, message.value)
        return fact

    def _said(self, message: Said) -> Iterator[Fact]:
        for content in message.contents:
            yield from shapes(content, message.seen.sender, self._turn, self.context)
            if message.seen.sender == "client":
                yield from self._answers(content.answers, "turns")
            else:
                yield from self._called(content.calls, message.seen, "")
        if message.seen.sender == "client" and any(not content.answers for content in message.contents):
            self._goes_on(message.spot)

    def _goes_on(self, spot: Spot) -> None:
        """A new turn of the user while calls wait. Where calls do not block the turn, nothing is missing yet."""
        if self.context.band == "live-3.8":
            return
        for line in self._lines:
            if line.state is CallState.OPEN and line.went_on is None and line.call.name not in self._non_blocking:
                line.went_on = (spot, self._turn)

    def _called(self, calls: tuple[Call, ...], seen: Seen, container: str) -> Iterator[Fact]:
        """Calls of the server. The same call may come in a modelTurn and in a toolCall: it is one call."""
        for call in calls:
            self._ever_called = True
            if container:
                yield call_fact(call, _frame_content(call.spot), seen.sender, self._turn, self.context)
            if call.id is None or call.id not in self._by_id:
                line = Line(call, self._turn)
                self._lines.append(line)
                if call.id is not None:
                    self._by_id[call.id] = line
                yield from self._offer.misfits((call,), self._turn)

    def _answered(self, answers: tuple[Answer, ...], seen: Seen) -> Iterator[Fact]:
        for answer in answers:
            yield answer_fact(answer, _frame_content(answer.spot), seen.sender, self._turn, self.context)
        yield from self._answers(answers, "frame")

    def _loosely(self, message: Answered) -> Iterator[Fact]:
        """The calls these were meant for wait no more; that the answers went astray is said of the frame."""
        for answer in message.answers:
            line = self._line_of(answer)
            if line is not None and line.state is CallState.OPEN:
                line.state = CallState.ANSWERED
                yield self._settled(line, "answered", "answer", line.call.spot, self._turn)

    def _answers(self, answers: tuple[Answer, ...], container: str) -> Iterator[Fact]:
        for answer in answers:
            line = self._line_of(answer)
            goes_on = type(answer.value) is dict and get(answer.value, "willContinue") is True
            after = CALL_MOVES[line.state].get("goes-on" if goes_on else "answered") if line else None
            if line is None or after is None:
                if self._set_up or not self.context.whole:  # what comes before setup is wrong for that
                    yield self._misplaced("answered", answer.id, answer.name, line, answer.spot)
                continue
            line.state = after
            yield self._answer_settled(answer, line, container)
            if after is not CallState.OPEN:
                yield self._settled(line, "answered", "answer", line.call.spot, self._turn)
        self._tidy()

    def _line_of(self, answer: Answer) -> Line | None:
        """By id; without one an answer goes to the oldest open call of its name."""
        if answer.id is not None and (line := self._by_id.get(answer.id)):
            return line
        alike = [line for line in self._lines if line.call.name == answer.name]
        if answer.id is not None:  # an id nobody gave may still be meant for a call that has none
            alike = [line for line in alike if line.call.id is None]
        waiting = [line for line in alike if line.state is CallState.OPEN]
        return next(iter(waiting), alike[-1] if alike else None)

    def _cancelled(self, message: Cancelled) -> Iterator[Fact]:
        for one in message.ids:
            line = self._by_id.get(one)
            after = CALL_MOVES[line.state].get("cancelled") if line else None
            if line is None or after is None:
                yield self._misplaced("cancelled", one, line.call.name if line else None, line, message.spot)
                continue
            line.state = after
            yield self._settled(line, "cancelled", "cancellation", message.spot, self._turn)

    def end(self, hangup: Hangup | None) -> Iterator[Fact]:
        """What is still open at the end: unanswered if the session was closed or went on, else merely open."""
        recorded = hangup is not None and hangup.recorded
        spot = self._last if hangup is None else hangup.spot
        for line in self._lines:
            if line.state is not CallState.OPEN:
                continue
            if line.went_on is not None:
                yield self._settled(line, "unanswered", "turn", *line.went_on)
            elif recorded:
                yield self._settled(line, "unanswered", "close", spot, None)
            else:
                continue
            line.state = CallState.UNANSWERED
        yield EndedFact(
            context=self.context,
            spot=spot,
            recorded=recorded,
            code=hangup.code if hangup else None,
            reason=hangup.reason if hangup else "",
            by=hangup.by if hangup else None,
            open_calls=self.open_calls,
        )

    def _tidy(self) -> None:
        """A long session keeps what late answers may still be told from, and no more."""
        if len(self._lines) > 2048:
            gone, self._lines = self._lines[:1024], self._lines[1024:]
            for line in gone:
                if line.state is CallState.OPEN:
                    self._lines.insert(0, line)
                elif line.call.id is not None:
                    self._by_id.pop(line.call.id, None)

    def _misplaced(
        self, what: str, call_id: str | None, name: str | None, line: Line | None, spot: Spot
    ) -> MisplacedFact:
        unknown = "unknown" if self._ever_called else "none"
        return MisplacedFact(
            context=self.context,
            spot=spot,
            turn=self._turn,
            call=line.call if line else None,
            related=(Linked(line.call.spot, "the call", line.frame),) if line else (),
            what=what,
            state=line.state.value if line else unknown,
            id=call_id,
            name=name or (line.call.name if line else None),
        )

    def _settled(self, line: Line, how: str, by: str, spot: Spot, turn: int | None) -> CallSettledFact:
        return CallSettledFact(
            context=self.context,
            spot=spot,
            turn=turn,
            call=line.call,
            related=(Linked(line.call.spot, "the call", line.frame),),
            how=how,
            id=line.call.id,
            name=line.call.name,
            siblings=1,
            sibling_answers=1 if how == "answered" else 0,
            by=by,
            echo=echo_of(line.call),
        )

    def _answer_settled(self, answer: Answer, line: Line, container: str) -> AnswerSettledFact:
        call = line.call
        ids = _compare_ids(call, answer) if answer.id or container == "frame" else "none"
        return AnswerSettledFact(
            context=self.context,
            spot=answer.spot,
            turn=self._turn,
            call=call,
            related=(Linked(call.spot, "the call", line.frame),),
            id=answer.id,
            name=answer.name,
            to="call",
            counts="same",
            ids=ids,
            names="other" if answer.name and answer.name != call.name else "same",
            called_id=call.id,
            called_name=call.name,
            answers=1,
            calls=1,
        )


def _toolbox(setup: Setup) -> Toolbox:
    return Toolbox(get(setup.value, "tools") if type(setup.value) is dict else None)


def _compare_ids(call: Call, answer: Answer) -> str:
    if not answer.id:
        return "missing" if call.id else "none"
    return "same" if answer.id == call.id else "foreign"


def _frame_content(spot: Spot) -> Content:
    """Calls and answers of a tool frame stand in no content."""
    return Content(role=None, speaker="", container="frame", shape="none", spot=spot)
