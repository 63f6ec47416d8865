"""Every message, to what remembers its channel: an exchange, a session or a transcript.

What comes of a message are events: facts, facts that are made only if somebody asks, and, for whoever keeps notes, that
a request begins and how far it was heard.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from wirecheck.dialects.live.live_regular import LiveFrames, RegularFrame
from wirecheck.dialects.messages import (
    Answered,
    Called,
    Cancelled,
    Chunk,
    Connected,
    Framed,
    Hangup,
    Message,
    Recited,
    Resumable,
    Retooled,
    Said,
    Setup,
    Unreadable,
)
from wirecheck.dialects.regular_content import AnyChunk, AnyMessage, RegularChunk
from wirecheck.models import Models
from wirecheck.talk.facts import NOBODY, Context, Fact, UnreadFact
from wirecheck.talk.http.conversations import Conversations
from wirecheck.talk.http.exchange import Exchange
from wirecheck.talk.http.request import PrefixMarked, Request
from wirecheck.talk.lazy_facts import NEVER_QUIET, LazyFacts, Quiet
from wirecheck.talk.scene import SceneLine, SessionScene
from wirecheck.talk.sessions.frame_memo import CountedFrames, FrameMemo
from wirecheck.talk.sessions.pending_call import HeldCall
from wirecheck.talk.sessions.resumption import Resumptions
from wirecheck.talk.sessions.session import Session
from wirecheck.talk.transcript import Transcript

Channel = Exchange | Session | Transcript
Scene = Request | Exchange | SessionScene
Event = Fact | LazyFacts | Request | PrefixMarked
LiveMessage = Connected | Framed | Setup | Said | Called | Answered | Cancelled | Retooled | Resumable
_EXCHANGES = ("generate-content", "chat", "interactions")  # protocols whose requests are answered one by one
LIVE: tuple[type[Message], ...] = (Connected, Framed, Setup, Called, Answered, Cancelled, Retooled, Resumable)


class Talk:
    """What goes on in one log. `conversations` and `sessions` count on from a log before it."""

    def __init__(
        self,
        models: Models,
        conversations: int = 0,
        sessions: int = 0,
        *,
        memo: bool = True,
        quiet: Quiet = NEVER_QUIET,
    ) -> None:
        self._models, self._quiet = models, quiet
        self._conversations = Conversations(models, conversations, quiet, memo=memo)
        self._resumptions = Resumptions()
        self._frame_memo = FrameMemo(quiet)
        self._channels: dict[str, Channel] = {}
        self._over_open = 0  # open calls of sessions and transcripts that are over
        self._scene: Scene | None = None
        self.sessions = sessions
        self.exchanges = 0
        self.frames = 0

    @property
    def conversations(self) -> int:
        return self._conversations.count

    @property
    def open_calls(self) -> int:
        now = sum(one.open_calls for one in self._channels.values() if not isinstance(one, Exchange))
        return self._conversations.open_calls + self._over_open + now

    @property
    def channels(self) -> int:
        """How many are open."""
        return len(self._channels)

    def around(self, turns: list[int]) -> list[SceneLine]:
        """The turns around those named, where the last message was said."""
        return self._scene.around(turns) if self._scene is not None else []

    def hear(self, message: AnyMessage) -> Iterable[Event]:
        """What a message shows, while it is asked for."""
        hearer = HEARERS.get(type(message))
        return hearer(self, message) if hearer is not None else ()

    def close(self) -> Iterator[Event]:
        """The log is over: channels of which it holds no end have come as far as they came."""
        for channel in list(self._channels):
            yield from self._over(channel)
        yield from self._let_go(most=0)

    def _recited(self, message: Recited) -> Iterator[Event]:
        channel = message.seen.channel
        if channel in self._channels:
            yield from self._over(channel)
        self.exchanges += message.protocol in _EXCHANGES
        self._scene = request = self._conversations.request(message)
        yield request
        yield from self._conversations.hear(request)
        self._channels[channel] = self._conversations.asked(request)

    def _chunk(self, message: AnyChunk) -> Iterator[Event]:
        exchange = self._channels.get(message.seen.channel)
        if not isinstance(exchange, Exchange):
            self.exchanges += 1
            self._channels[message.seen.channel] = exchange = self._conversations.without_request(message)
        self._scene = exchange
        yield from exchange.hear(message)
        if message.seen.at is not None or exchange.interaction is not None:
            yield from self._conversations.replied(exchange, message.seen.at)

    def _hangup(self, message: Hangup) -> Iterator[Event]:
        return self._over(message.seen.channel, message)

    def _unreadable(self, message: Unreadable) -> Iterable[Fact]:
        return (UnreadFact(context=NOBODY, spot=message.spot, what=message.kind, why=message.why),)

    def _said(self, message: Said) -> Iterator[Event]:
        known = self._channels.get(message.seen.channel)
        if isinstance(known, Session):
            return self._live(message)
        if not isinstance(known, Transcript):
            known = Transcript(replace(NOBODY, protocol="transcript", conversation=self._conversations.name()))
            self._channels[message.seen.channel] = known
        self._scene = known.story
        return known.hear(message)

    def _live(self, message: LiveMessage) -> Iterator[Event]:
        known = self._channels.get(message.seen.channel)
        if isinstance(message, Connected):
            yield from self._over(message.seen.channel)
            known = self._channels[message.seen.channel] = self._connected(message)
        if not isinstance(known, Session):
            return
        self._scene = known.story
        if isinstance(message, Setup):
            limits = self._models.limits(message.model, known.context.surface, message.seen.at, live=True)
            yield from known.set_up(message, self._models.band(message.model, "live"), limits, self._quiet)
        self.frames += isinstance(message, Framed)
        yield from known.hear(message)

    def pass_by(self, frames: LiveFrames) -> Iterator[int]:
        """Counts the frames that repeat known steps. Yields the numbers of all others; each is to be heard before the
        next one is asked for."""
        record, counted, latest = frames.record, dict[str, CountedFrames](), dict[SessionScene, str]()
        for n, (channel, outline) in enumerate(zip(record.channels, frames.outlines, strict=True)):
            if (own := counted.get(channel)) is None:
                session = self._channels.get(channel)
                if not isinstance(session, Session):  # it was given up
                    yield n
                    continue
                if (other := counted.pop(latest.get(session.story, ""), None)) is not None:
                    self.frames += other.tell(record)  # turns are numbered over all connections of a story
                own = counted[channel] = CountedFrames(session, self._frame_memo.place(session))
                latest[session.story] = channel
            if (step := own.place.steps.get(outline)) is None:
                self.frames += counted.pop(channel).tell(record)
                yield n
                continue
            own.numbers.append(n)
            own.place = step.after
            if step.shown:
                own.shown.append(n)
            if step.turns:
                own.turned = n
        self.frames += sum([own.tell(record) for own in counted.values()])

    def _regular(self, message: RegularFrame) -> Iterator[Event]:
        """A frame that was not counted: the next one like it may be."""
        session, outline = self._channels[message.seen.channel], message.outline
        assert isinstance(session, Session)
        place = self._frame_memo.place(session)
        key = None if place.key is None else (place.key, outline)
        yield LazyFacts(key, partial(self._in_full, session, message))
        self._frame_memo.learn(place, outline, session)

    def _in_full(self, session: Session, message: RegularFrame) -> Iterator[Fact]:
        self._scene = session.story
        self.frames += 1
        for each in message.read():
            yield from session.hear(each)

    def held_up(self, channel: str) -> Iterable[HeldCall]:
        """The calls of an open Live session that hold its turn up."""
        session = self._channels.get(channel)
        return session.held_up() if isinstance(session, Session) else ()

    def give_up(self, channel: str) -> None:
        """Forgets a channel, and its conversation: how far either was heard is not known."""
        known, scene = self._channels.pop(channel, None), self._scene
        if isinstance(known, Exchange):
            self._conversations.give_up(known.conversation)
        if isinstance(scene, Request) and scene.message.seen.channel == channel:
            self._conversations.give_up(scene.conversation)
        self._scene = None

    def _let_go(self, **most: int) -> Iterator[Fact]:
        """Calls that no other connection will bring answers to."""
        for link in self._resumptions.let_go(**most):
            self._scene = link.story
            yield from link.left

    def _connected(self, message: Connected) -> Session:
        """A connection of its own, or one that goes on with an older one: then both are one conversation."""
        link = self._resumptions.find(message.handle)
        self.sessions += link is None
        context = Context(
            protocol="live",
            surface=message.surface,
            version=message.version,
            model=None,
            band=None,
            whole=message.whole,
            conversation=link.conversation if link else f"s{self.sessions}",
            method=message.method,
        )
        return Session(message, context, link.story if link else SessionScene(), self._resumptions)

    def _over(self, channel: str, hangup: Hangup | None = None) -> Iterator[Event]:
        """A channel ends: with its end, or because another takes its name."""
        known = self._channels.pop(channel, None)
        if known is None:
            return
        self._scene = known if isinstance(known, Exchange) else known.story
        yield from known.end(hangup)
        yield from self._let_go()
        if isinstance(known, Exchange):
            yield from self._conversations.over(known)
        else:
            self._over_open += known.open_calls
        self._scene = None  # nothing more is said there, and a request may be large


HEARERS: dict[type[object], Callable[[Talk, Any], Iterable[Event]]] = {
    Recited: Talk._recited,
    Chunk: Talk._chunk,
    RegularChunk: Talk._chunk,
    Hangup: Talk._hangup,
    Unreadable: Talk._unreadable,
    Said: Talk._said,
    **dict.fromkeys(LIVE, Talk._live),
    RegularFrame: Talk._regular,
}
