"""One Live connection, frame by frame: where it stands, what was declared, called, answered and taken back.

The moves are tables (state_tables.py); the calls are in live_calls.py, the close in session_end.py, and what ties
connections to each other in resumption.py.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from wirecheck.dialects.messages import (
    Answer,
    Answered,
    Called,
    Cancelled,
    Connected,
    Framed,
    Hangup,
    Message,
    Resumable,
    Retooled,
    Said,
    Setup,
    Spot,
)
from wirecheck.dialects.raw_json import decode
from wirecheck.dialects.vocabulary.field_names import get
from wirecheck.hashing import text_digest
from wirecheck.models import Limits
from wirecheck.talk.content_facts import shapes
from wirecheck.talk.facts import CallSettledFact, ConnectedFact, Context, Fact, MisplacedFact, UntimelyFact
from wirecheck.talk.lazy_facts import LazyFacts, Quiet
from wirecheck.talk.scene import MOST_SHOWN, SessionScene
from wirecheck.talk.schemas.offer import Offer
from wirecheck.talk.schemas.tool_facts import tools
from wirecheck.talk.schemas.toolbox import Toolbox
from wirecheck.talk.sessions.closes import read
from wirecheck.talk.sessions.frame_kinds import frame_fact, is_media, is_spoken, says_of
from wirecheck.talk.sessions.live_calls import LiveCalls
from wirecheck.talk.sessions.pending_call import HeldCall, Moment
from wirecheck.talk.sessions.realtime_input import RealtimeInput, setup_fact
from wirecheck.talk.sessions.resumption import ResumableConnection, Resumptions, resumed
from wirecheck.talk.sessions.session_end import SessionEnd, event
from wirecheck.talk.sessions.state_tables import CAME, CONSTRAINED, INPUT, LEADS, MOVES, TURNS, SessionState, events
from wirecheck.wire.records import FrameKey, Frames, Peer

_TURNS = frozenset(TURNS)
WAIT = 30.0  # seconds without setupComplete, while the log goes on, after which it does not come any more


class Session:
    """What a Live connection remembers. `chain` knows the other ones of the log."""

    def __init__(self, message: Connected, context: Context, story: SessionScene, chain: Resumptions) -> None:
        self.context = context
        self.story = story
        self._chain, self._link = chain, ResumableConnection(context.conversation, story)
        self._last, self._at = message.spot, message.seen.at
        self._state = SessionState.CONNECTED if message.whole else SessionState.AMID
        self._sent: dict[Peer, int] = {"client": 0, "server": 0}
        self._calls, self._offer = LiveCalls(), Offer(context, message.spot, Toolbox(None), False)
        self._setup: Setup | None = None
        self._told: set[tuple[str, str]] = set()  # what was untimely, and in which state
        self._amid_calls: tuple[Spot, int] | None = None  # the first realtime input while the calls at hand are open
        self._early: list[UntimelyFact] = []  # what came before setupComplete, if that comes
        self._ending, self._inputs = SessionEnd(), RealtimeInput()
        self.turned = False  # the frame heard last goes on with the model's turn

    @property
    def open_calls(self) -> int:
        return self._calls.open

    def held_up(self) -> Iterator[HeldCall]:
        return self._calls.held_up(self.context, self._last)

    @property
    def memo_key(self) -> tuple[SessionState, Hashable]:
        """The state, and everything else that, with the outline of a frame, decides what the frame does here."""
        came = self._sent["client"] > 0, self._sent["server"] > 0, self._amid_calls is not None
        return self._state, (*came, frozenset(self._told), self._calls.memo_key, self._inputs.memo_key)

    def pass_by(self, frames: Frames, numbers: list[int], shown: list[int], turned: int, state: SessionState) -> None:
        """Counts frames that changed nothing but the state, which is now this one. `shown` are those for excerpts,
        `turned` the last that goes on with the model's turn, or -1."""
        first, self._state = self.story.count, state
        sent = [turn for turn, n in enumerate(numbers) if frames.senders[n] == "client"]
        self.story.count += len(numbers)
        self._sent["client"] += len(sent)
        self._sent["server"] += len(numbers) - len(sent)
        self._last = Spot(frames.site(numbers[-1]))
        self._at = next((at for n in reversed(numbers) if (at := frames.times[n]) is not None), self._at)
        if sent:
            spot = Spot(frames.site(numbers[sent[-1]]))
            media = not any([frames.senders[n] == "client" for n in shown])
            self._ending.sent("realtimeInput", spot, first + sent[-1], media=media)
        if turned >= 0:
            self._ending.heard(first + bisect_left(numbers, turned))
        for n in shown[-MOST_SHOWN:]:
            turn = first + bisect_left(numbers, n)
            held = {key: bytes(raw) for key, raw in frames.data[n].items()}  # no more of the log than that
            self.story.add(turn, frames.senders[n], partial(_value, held))

    @property
    def _turn(self) -> int:
        """The number of the frame at hand."""
        return self.story.count - 1

    def hear(self, message: Message) -> Iterable[Fact]:
        hearer = HEARERS.get(type(message))
        return hearer(self, message) if hearer is not None else ()

    def _connected(self, message: Connected) -> Iterator[Fact]:
        if message.method is not None:
            yield ConnectedFact(context=self.context, spot=message.spot, query=message.query, token=message.token)

    def _called(self, message: Called) -> Iterator[Fact]:
        return self._calls.called(message.calls, self._now(), self._offer, loose=False)

    def _cancelled(self, message: Cancelled) -> Iterator[Fact]:
        return self._calls.cancelled(message.ids, message.spot, self._now())

    def _retooled(self, message: Retooled) -> tuple[Fact, ...]:
        self._offers(message.value, message.spot)
        return ()

    def _resumable(self, message: Resumable) -> tuple[Fact, ...]:
        self._chain.gave(self._link, message.handle)
        return ()

    def _answered(self, message: Answered) -> Iterator[Fact]:
        if message.loose:
            return self._calls.astray(message.answers, self._now())
        return self._answers(message.answers, "frame")

    def _now(self) -> Moment:
        return Moment(self.context, self._turn, self._at)

    def set_up(self, message: Setup, band: str | None, limits: Limits, quiet: Quiet) -> Iterator[Fact | LazyFacts]:
        """The first setup says which model this is; a second one changes nothing. Its frame comes after it."""
        if self._setup is not None:
            return
        self._setup, self._link.model = message, message.model
        self.context = replace(
            self.context, surface=message.surface, version=message.version, model=message.model, band=band
        )
        if self._state is SessionState.AMID:  # then the log holds the session from its start
            self._state, self.context = SessionState.CONNECTED, replace(self.context, whole=True)
        self._offers(message.value, message.spot)
        if message.handle is not None:
            self._ending.resumed = True
            yield resumed(self._chain, message, self.context, self.story.count)
        facts = partial(tools, message.value, message.spot, self.context, self._offer.toolbox)
        yield LazyFacts(_tools_key(message.value, quiet.context_class(self.context)), facts)
        if type(message.value) is dict:
            self._inputs.set_up(message.value, self.context, limits)
            yield setup_fact(message.value, message.spot, self.context, self._offer.toolbox)

    def _offers(self, holder: Any, spot: Spot) -> None:
        """What may be called from now on. Where a token holds the setup it may hold more tools."""
        toolbox = Toolbox(get(holder, "tools") if type(holder) is dict else None)
        closed = toolbox.closed and self.context.method != CONSTRAINED
        self._offer = Offer(self.context, spot, toolbox, closed)

    def _framed(self, message: Framed) -> Iterator[Fact]:
        sender, spot, state, told = message.seen.sender, message.spot, self._state, len(self._told)
        says, media = says_of(message), is_media(message)
        self._last, self._at = spot, self._at if message.seen.at is None else message.seen.at
        self._sent[sender] += 1
        self.story.count += 1
        if sender == "client":
            self._ending.sent(says, spot, self._turn, media=media)
        yield frame_fact(message, self.context, self._turn, state, self._sent[sender] - 1)
        if sender == "client" and message.form == "object":
            yield from self._inputs.hear(says, message.value, spot, self._turn, self.context)
        told_by = (says,) if sender == "client" else events(message.keys, message.value)
        for what in told_by:
            yield from self._move(what, sender, spot)
        self.turned = sender == "server" and not _TURNS.isdisjoint(told_by)
        if self.turned:
            self._ending.heard(self._turn)
        if says == "realtimeInput":
            yield from self._waiting(message)
        self._ending.going_away = self._ending.going_away or "goAway" in message.keys
        if not media or len(self._told) > told:
            self.story.add(self._turn, sender, lambda: message.value)

    def _move(self, what: str, sender: Peer, spot: Spot) -> Iterator[Fact]:
        """The next state. A move that the table lacks is told."""
        state = self._state
        if what in TURNS:
            self._inputs.heard_back()
        if what == "turnComplete" and state is not SessionState.INTERRUPTED:  # then its calls are cancelled as well
            self._calls.complete(spot, self._turn)
        after = MOVES[state].get(what)
        if after is None and state is SessionState.SETTING_UP and what in INPUT:
            self._early += self._untimely(what, state.value, sender, spot)  # a log may lack setupComplete
        elif after is None:
            yield from self._untimely(what, state.value, sender, spot)
        elif what == "setupComplete":
            self._ending.set_up = True
            early, self._early = self._early, []
            yield from early
        self._state = after or LEADS.get(state, {}).get(what, state)

    def _untimely(self, what: str, state: str, sender: Peer, spot: Spot) -> Iterator[UntimelyFact]:
        """Once a state, for a stream of audio is one mistake; but each setup is one."""
        if (what, state) in self._told and what != "setup":
            return
        self._told.add((what, state))
        yield UntimelyFact(
            context=self.context,
            spot=spot,
            turn=self._turn if what not in ("left", "silence") else None,
            sender=sender,
            what=what,
            came=CAME.get(what, f"{what} came"),
            state=state,
            waited=self._waited(),
        )

    def _waiting(self, message: Framed) -> Iterator[Fact]:
        """Input while the model waits for its calls; in writing it is a new turn."""
        self._amid_calls = (self._amid_calls or (message.spot, self._turn)) if self._calls.open else None
        if not self._calls.holding:
            self._told.discard(("realtimeInput", "waiting"))
            return
        yield from self._untimely("realtimeInput", "waiting", "client", message.spot)
        if is_spoken(message):
            self._calls.pass_over(message.spot, self._turn)

    def _said(self, message: Said) -> Iterator[Fact]:
        sender, now = message.seen.sender, self._now()
        for content in message.contents:
            yield from shapes(content, sender, now.turn, self.context)
            if sender == "client":
                yield from self._answers(content.answers, "turns")
            else:
                yield from self._calls.called(content.calls, now, self._offer, loose=True)
        if sender == "client" and any(not content.answers for content in message.contents):
            self._calls.pass_over(message.spot, now.turn)

    def _answers(self, answers: tuple[Answer, ...], container: str) -> Iterator[Fact]:
        for fact in self._calls.answered(answers, self._now(), container, self._chain):
            if self._state is not SessionState.UNSET or not isinstance(
                fact, MisplacedFact
            ):  # that is wrong for its setup
                yield fact

    def end(self, hangup: Hangup | None) -> Iterator[Fact]:
        """The connection is over, or the log has no more of it."""
        recorded = hangup if hangup is not None and hangup.recorded else None
        spot, state, how = recorded.spot if recorded else self._last, self._state, event(recorded) if recorded else ""
        if recorded is not None:
            self._at = self._at if recorded.seen.at is None else recorded.seen.at
            yield from self._move(how, recorded.by or "client", spot)
        elif state is SessionState.SETTING_UP and (self._waited() or 0) > WAIT:
            yield from self._untimely("silence", state.value, "server", spot)
        if recorded is not None and how == "refused":
            yield from self._refused(recorded)
        elif recorded is not None:
            yield from self._inputs.left(self.context)
        waiting = self._calls.waiting
        unanswered = list(self._calls.end(self._now(), spot, recorded))
        yield from self._part(unanswered)
        yield self._ending.fact(self.context, spot, recorded, state, self.open_calls, waiting)

    def _refused(self, hangup: Hangup) -> Iterator[Fact]:
        """What the words of the close say of what was sent: marks of activity, or input while a call was open."""
        meaning = read(hangup.reason).meaning
        if meaning == "activity":
            yield from self._inputs.refused(self.context)
        if meaning == "operation" and self._amid_calls is not None:
            spot, turn = self._amid_calls
            (fact,) = self._untimely("realtimeInput", "refused", "client", spot)
            yield replace(fact, turn=turn)

    def _waited(self) -> float | None:
        """Seconds since the setup."""
        since = self._setup.seen.at if self._setup is not None else None
        return None if self._at is None or since is None else self._at - since

    def _part(self, unanswered: list[CallSettledFact]) -> Iterator[Fact]:
        """Where another connection may go on with this one, it may also bring the answers: wrong, but not missing."""
        waits = self._link.latest is not None
        self._link.open, self._link.ended_at = False, self._at
        for fact in unanswered:
            if waits and fact.by == "close":
                self._link.left.add(fact, [fact.id])
            else:
                yield fact


def _tools_key(setup: Any, context_class: int | None) -> Hashable:
    """Of the piece that tells of the tools in a setup, and of the schemas there and in the configuration."""
    if context_class is None or type(setup) is not dict:
        return None
    told = repr((get(setup, "tools"), get(setup, "generationConfig")))
    return context_class, "tools", text_digest(told)


def _value(data: dict[FrameKey, bytes]) -> dict[FrameKey, Any]:
    """What a frame holds."""
    return {key: decode(raw) for key, raw in data.items()}


HEARERS: dict[type[Message], Callable[[Session, Any], Iterable[Fact]]] = {
    Connected: Session._connected,
    Framed: Session._framed,
    Said: Session._said,
    Called: Session._called,
    Answered: Session._answered,
    Cancelled: Session._cancelled,
    Retooled: Session._retooled,
    Resumable: Session._resumable,
}
