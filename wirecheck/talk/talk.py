"""Every message, to what remembers its channel: an exchange, a session or a transcript.

A request is heard against all that was heard before: the contents it recites again are not read again, only counted
(Request says which), and each content that is new leaves a PrefixMarked for whoever keeps notes on it.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from wirecheck.cache import Cache
from wirecheck.dialects.messages import (
    Answered,
    Called,
    Cancelled,
    Chunk,
    Connected,
    Content,
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
from wirecheck.talk.content_facts import shapes
from wirecheck.talk.facts import NOBODY, Context, Fact, UnreadFact
from wirecheck.talk.fields import unknown
from wirecheck.talk.history_state import HistoryState, TurnContext
from wirecheck.talk.http.conversation import Conversation, HistoryKind, LastRequest, kind_of, layout_of
from wirecheck.talk.http.exchange import Exchange
from wirecheck.talk.http.pairing import open_calls, over
from wirecheck.talk.http.prefixes import KnownPrefix, PrefixCache
from wirecheck.talk.http.previous_interactions import NOTHING as NO_PAST
from wirecheck.talk.http.previous_interactions import PreviousInteraction, PreviousInteractions
from wirecheck.talk.http.request import PrefixMarked, Request
from wirecheck.talk.http.signatures import unsigned
from wirecheck.talk.http.surroundings import Surroundings
from wirecheck.talk.http.threads import Threads
from wirecheck.talk.lazy_facts import NEVER_QUIET, LazyFacts, Quiet
from wirecheck.talk.recital.forgotten import forgotten
from wirecheck.talk.recital.recital_check import SignatureCache, recital_check
from wirecheck.talk.recital.reply import NO_REPLY, Reply
from wirecheck.talk.scene import SceneLine, SessionScene
from wirecheck.talk.schemas.toolbox import Toolboxes
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
        self._surroundings = Surroundings()
        self._kinds: Cache[tuple[object, ...], tuple[HistoryKind, str | None]] = Cache(4096)
        self._prefixes = PrefixCache()
        self._memo = memo  # false: for tests, which compare with reading everything again
        self._threads = Threads(conversations)
        self._interactions = PreviousInteractions()
        self._resumptions = Resumptions()
        self.toolboxes = Toolboxes()
        self._signatures = SignatureCache()
        self._channels: dict[str, Channel] = {}
        self._over_open = 0  # open calls of sessions and transcripts that are over
        self._scene: Scene | None = None
        self.sessions = sessions
        self.exchanges = 0
        self.frames = 0

    @property
    def conversations(self) -> int:
        return self._threads.count

    @property
    def open_calls(self) -> int:
        now = sum(one.open_calls for one in self._channels.values() if not isinstance(one, Exchange))
        return self._threads.open_calls + self._over_open + now

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
        request = self._request(message)
        self._scene, length, states = request, len(request.hashes), self._prefixes
        yield request
        if request.prefix is not None and self._memo:
            request.state = self._stands(request.prefix, request)
        notes, told, kin, holds = (
            request.prefix and request.prefix.notes,
            self._quiet.remembers,
            request.kin,
            self._quiet.holds,
        )
        exact, chain, first, alone = request.kind.exact, request.chain, request.first, request.length == 1
        for n in range(request.heard if self._memo else 0, length):
            content, before, last = request.read(n), request.state.last, n == length - 1
            key = None if kin is None or content.outline is None else (kin, content.outline, before, alone, last)
            if key is None or not holds(key):
                told = True
                yield LazyFacts(key, partial(_written, content, first + n, before, alone, last, request.context))
            if pieces := request.goes_on(n, content):
                told = True
                yield from pieces
            if n >= request.heard and (content.role or not alone):  # a role may be missing of one alone, but not later
                prefix = states.add(exact ^ chain[n], request.conversation, notes)
                if last:
                    states.keep_state(exact ^ chain[n], prefix, request.state, message.slices)
                if told:
                    yield PrefixMarked(prefix)
        yield from self._whole(request)
        self._channels[channel] = self._asked(request)

    def _request(self, message: Recited) -> Request:
        """A request, whose it is, and what was remembered of the part that anybody has heard."""
        kind, band = self._kind(message)
        past = self._interactions.find(message.previous) if message.previous is not None else NO_PAST
        request = Request(message, past, kind)
        heard, prefix = self._prefixes.longest(kind.exact, request.chain)
        owner = prefix.owner if prefix is not None else None
        conversation, start, request.before = self._conversation(request, owner)
        if band is None and message.model is not None:  # an alias: what it stood for when it last replied
            band = self._models.band(conversation.model, message.protocol)
        context = Context(
            protocol=message.protocol,
            surface=message.surface,
            version=message.version,
            model=message.model,
            band=band,
            whole=message.whole and past.whole,
            conversation=conversation.name,
        )
        request.join(conversation, start, heard, prefix, context, self._quiet)
        request.skips = self._memo
        if start:
            request.recital_check = recital_check(conversation.reply, start, heard, context, self._signatures)
        return request

    def _conversation(self, request: Request, owner: Conversation | None) -> tuple[Conversation, int, LastRequest]:
        """The one a request names by the interaction before it, else the one its contents tell."""
        past, previous = request.past, request.message.previous
        if past.conversation is not None:
            return past.conversation, 0, self._threads.go_on(past.conversation, request.history)
        found = self._threads.find(request.history, owner)
        if previous is not None:
            self._interactions.keep(previous, PreviousInteraction(found[0], whole=False))
        return found

    def _whole(self, request: Request) -> Iterator[Event]:
        """All its contents were heard."""
        state, message = request.state, request.message
        toolbox = request.toolbox = self.toolboxes.of(message.around.get("tools", b"null"))
        yield from over(state, request)
        if state.unsigned is not None:
            yield from unsigned(state, request)
        if request.recital_check is not None:
            yield from request.recital_check.facts(state.unsigned)
        if message.previous is None:
            yield from self._forgotten(request)
        yield from self._surroundings.pieces(request, toolbox)
        if state.called and toolbox.names:
            yield from request.offer.forgotten(state.called, request.where)

    def _forgotten(self, request: Request) -> Iterator[Event]:
        """What the request before held and this one lacks. After a failure a client may leave out what it likes."""
        before = request.before
        if request.conversation.reply and before.at is not None:
            yield from forgotten(before.hashes, request.hashes, request.start, request, before.at)

    def _asked(self, request: Request) -> Exchange:
        """Its reply is waited for."""
        conversation, state = request.conversation, request.state
        again = 0 < request.start == len(request.hashes) and not conversation.reply.failed
        conversation.reply, conversation.open_calls = NO_REPLY, open_calls(state, request)
        self._threads.heard(conversation, state.words, request.message.at)
        return Exchange(conversation, request, request.length, request.spot, Reply(doubtful=again), self._signatures)

    def _stands(self, prefix: KnownPrefix, request: Request) -> HistoryState:
        """The state after what was heard. It is heard again where calls wait of which it is known no more where they
        were made, or by another conversation alone: who made them there is not who made them here."""
        state = prefix.state
        if state is not None and _knows(request.conversation, prefix.owner, state):
            return state
        state = request.past.state()
        for n in range(request.heard):
            state, _ = request.hear(state, n, request.read(n))
        return state

    def _kind(self, message: Recited) -> tuple[HistoryKind, str | None]:
        """What must be the same for two histories to be one, and the band of the model, where its name tells."""
        spot = message.spot
        site, same = spot.site, (message.protocol, message.surface, message.model, message.version, message.whole)
        key = (*same, site.pointer, site.inner, site.event, site.inner_pointer, spot.steps)
        if (known := self._kinds.get(key)) is None:
            band = self._models.band(message.model, message.protocol)
            rest = message.version, message.whole, layout_of(spot.place())
            kind = kind_of(message.protocol, message.surface, band or message.model, *rest)
            known = kind, band
            self._kinds.put(key, known)
        return known

    def _chunk(self, message: AnyChunk) -> Iterator[Event]:
        exchange = self._exchange(message)
        yield from exchange.hear(message)
        if exchange.over:
            self._keep(exchange)

    def _exchange(self, message: AnyChunk) -> Exchange:
        """The exchange a chunk belongs to; of some replies the log has no request."""
        known = self._channels.get(message.seen.channel)
        if not isinstance(known, Exchange):
            self.exchanges += 1
            conversation = self._interactions.conversation(message.interaction) or self._threads.alone()
            context = replace(
                NOBODY, protocol=message.protocol, surface=message.surface, conversation=conversation.name
            )
            turn_context = TurnContext(context, message.spot.to, self._quiet.kin(context), self._quiet)
            known = Exchange(conversation, turn_context, 0, message.spot, Reply(), self._signatures)
            self._channels[message.seen.channel] = known
        self._scene = known
        return known

    def _keep(self, exchange: Exchange) -> None:
        """What a later request may go on from. A reply without its request (GET) adds nothing to it."""
        if exchange.interaction is not None and exchange.asked:
            self._interactions.keep(exchange.interaction, exchange.past())

    def _hangup(self, message: Hangup) -> Iterator[Event]:
        return self._over(message.seen.channel, message)

    def _unreadable(self, message: Unreadable) -> Iterable[Fact]:
        return (UnreadFact(context=NOBODY, spot=message.spot, what=message.kind, why=message.why),)

    def _said(self, message: Said) -> Iterator[Event]:
        known = self._channels.get(message.seen.channel)
        if isinstance(known, Session):
            return self._live(message)
        if not isinstance(known, Transcript):
            known = Transcript(replace(NOBODY, protocol="transcript", conversation=self._threads.name()))
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
            yield from known.set_up(message, self._models.band(message.model, "live"))
        self.frames += isinstance(message, Framed)
        yield from known.hear(message)

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
            self._threads.replied(known.conversation)
            self._keep(known)
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
}


def _knows(one: Conversation, owner: Conversation, state: HistoryState) -> bool:
    """Whether a conversation knows of the calls that wait what the state of its owner says."""
    first = state.unsigned
    if not (state.calls or first):
        return True
    made = [(asked.turn, asked.made) for asked in state.calls] + ([(first.turn, first.made)] if first else [])
    return owner is one and (not one.origins.lost or one.origins.hold(one.last.hashes, made))


def _written(content: Content, turn: int, before: str, alone: bool, last: bool, context: Context) -> Iterator[Fact]:
    """A content of a request as it was written."""
    yield from shapes(content, "client", turn, context, before, alone, last)
    yield from unknown.in_content(content, turn, context)
