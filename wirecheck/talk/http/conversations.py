"""Conversations over stateless requests: whose a request is, what is new in it, and what its contents show.

Every request recites the history of its conversation. What was heard before is not read again. Each content that is new
is told as it was written, moves the state of the history on, and leaves a prefix that is known from then on.
"""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from wirecheck.cache import Cache
from wirecheck.dialects.messages import Content, Recited
from wirecheck.dialects.regular_content import AnyChunk
from wirecheck.models import Models
from wirecheck.talk.content_facts import shapes
from wirecheck.talk.facts import NOBODY, Context, Fact, UnreadFact
from wirecheck.talk.fields import unknown
from wirecheck.talk.history_state import HistoryState, TurnContext
from wirecheck.talk.http.conversation import Conversation, HistoryKind, LastRequest, kind_of, layout_of
from wirecheck.talk.http.exchange import Exchange
from wirecheck.talk.http.pairing import open_calls, over
from wirecheck.talk.http.prefixes import KnownPrefix, PrefixCache
from wirecheck.talk.http.previous_interactions import NOTHING, PreviousInteraction, PreviousInteractions
from wirecheck.talk.http.request import PrefixMarked, Request
from wirecheck.talk.http.signatures import unsigned
from wirecheck.talk.http.surroundings import Surroundings
from wirecheck.talk.http.threads import Threads
from wirecheck.talk.lazy_facts import LazyFacts, Quiet
from wirecheck.talk.recital.forgotten import forgotten
from wirecheck.talk.recital.recital_check import recital_check
from wirecheck.talk.recital.reply import NO_REPLY, Reply
from wirecheck.talk.recital.signature_cache import SignatureCache
from wirecheck.talk.schemas.toolbox import Toolboxes

KINDS = 4096  # of histories that are held
SLACK = 1.0  # seconds that a clock may be set back
GONE_ON = "by its time the conversation had gone on before"
HttpEvent = Fact | LazyFacts | PrefixMarked


class Conversations:
    """Those of one log. Without `memo` what was heard before is read again all the same."""

    def __init__(self, models: Models, count: int, quiet: Quiet, *, memo: bool) -> None:
        self._models, self._quiet, self._memo = models, quiet, memo
        self._kinds: Cache[tuple[object, ...], tuple[HistoryKind, str | None]] = Cache(KINDS)
        self._prefixes, self._threads, self._interactions = PrefixCache(), Threads(count), PreviousInteractions()
        self._surroundings, self._toolboxes, self._signatures = Surroundings(models), Toolboxes(), SignatureCache()

    @property
    def count(self) -> int:
        return self._threads.count

    @property
    def open_calls(self) -> int:
        return self._threads.open_calls

    def name(self) -> str:
        """The name of a conversation that is told otherwise than by requests."""
        return self._threads.name()

    def request(self, message: Recited) -> Request:
        """A request, whose it is, and what was remembered of the part that anybody has heard."""
        kind, band = self._kind(message)
        past = self._interactions.find(message.previous) if message.previous is not None else NOTHING
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
            self._interactions.keep(previous, PreviousInteraction(found[0], whole=False, named=request.spot))
        return found

    def hear(self, request: Request) -> Iterator[HttpEvent]:
        """What a request shows: each content that is new, then all of it together."""
        message, prefix, context, exact = request.message, request.prefix, request.context, request.kind.exact
        request.toolbox = self._toolboxes.of(message.around.get("tools", b"null"))
        if prefix is not None and self._memo:
            request.state = self._state_after(prefix, request)
        notes, marks = prefix.notes if prefix is not None else None, False
        length, alone = len(request.hashes), request.length == 1
        for n in range(request.heard if self._memo else 0, length):
            content, before, last = request.read(n), request.state.last, n == length - 1
            outline = None if content.outline is None else (content.outline, before, alone, last)
            events: list[LazyFacts] = request.lazy(
                outline, partial(_written, content, request.first + n, before, alone, last, context)
            )
            events += request.goes_on(n, content)
            yield from events
            marks = marks or bool(events)
            if n >= request.heard and (content.role or not alone):  # a role may be missing of one alone, but not later
                known = self._prefixes.add(exact ^ request.chain[n], request.conversation, notes)
                if last:
                    self._prefixes.keep_state(exact ^ request.chain[n], known, request.state, message.slices)
                if marks:
                    yield PrefixMarked(known)
        yield from self._whole(request)

    def _whole(self, request: Request) -> Iterator[HttpEvent]:
        """All its contents were heard."""
        state, message = request.state, request.message
        if message.seen.at is not None:
            yield from self._ordered(request, message.seen.at)
        toolbox = request.toolbox
        yield from over(state, request)
        if state.unsigned is not None:
            yield from unsigned(state, request)
        if request.recital_check is not None:
            yield from request.recital_check.facts(state.unsigned)
        if message.previous is None:
            yield from self._forgotten(request)
        yield from self._surroundings.facts(request, toolbox)
        if state.called and toolbox.names:
            yield from request.offer.forgotten(state.called, request.where)

    def _ordered(self, request: Request, at: float) -> Iterator[Fact]:
        """Whether its conversation, or one that recites all of it, was farther on when it was sent."""
        prefix, latest = request.prefix, request.conversation.at
        if prefix is not None and 1 < request.length == request.heard:
            latest = prefix.owner.at if latest is None else max(latest, prefix.owner.at or latest)
        if latest is not None and at < latest - SLACK:
            yield UnreadFact(context=request.context, spot=request.spot, what="unordered", why=GONE_ON)

    def _forgotten(self, request: Request) -> Iterator[HttpEvent]:
        """What the request before held and this one lacks. After a failure a client may leave out what it likes."""
        before = request.before
        if request.conversation.reply and before.at is not None:
            yield from forgotten(before.hashes, request.hashes, request.start, request, before.at)

    def asked(self, request: Request) -> Exchange:
        """Its reply is waited for."""
        conversation, state = request.conversation, request.state
        again = 0 < request.start == len(request.hashes) and not conversation.reply.failed
        conversation.reply, conversation.open_calls = NO_REPLY, open_calls(state, request)
        conversation.at = request.message.seen.at
        self._threads.heard(conversation, state.words, request.message.at)
        return Exchange(conversation, request, request.length, request.spot, Reply(doubtful=again), self._signatures)

    def without_request(self, message: AnyChunk) -> Exchange:
        """The exchange of a reply of which the log holds no request."""
        conversation = self._interactions.conversation(message.interaction) or self._threads.alone()
        context = replace(NOBODY, protocol=message.protocol, surface=message.surface, conversation=conversation.name)
        turn_context = TurnContext(context, message.spot.to, self._quiet.context_class(context), self._quiet)
        return Exchange(conversation, turn_context, 0, message.spot, Reply(), self._signatures)

    def keep(self, exchange: Exchange) -> Iterator[Fact]:
        """What a later request may go on from. A reply without its request (GET) adds nothing to it."""
        interaction = exchange.interaction
        if interaction is not None and exchange.asked:
            named = self._interactions.find(interaction).named
            self._interactions.keep(interaction, exchange.past())
            if named is not None:
                yield exchange.unordered("an earlier line names this interaction", named)

    def replied(self, exchange: Exchange, at: float | None) -> Iterator[Fact]:
        """A piece of its reply came, at this time."""
        asked = exchange.conversation.at
        if at is not None and asked is not None and at < asked - SLACK:
            yield exchange.unordered(GONE_ON)
        if exchange.told_who:
            yield from self.keep(exchange)

    def give_up(self, conversation: Conversation) -> None:
        """What was said in it is forgotten, so that nothing is compared with it."""
        self._threads.give_up(conversation)

    def over(self, exchange: Exchange) -> Iterator[Fact]:
        """Its reply is known as far as it came."""
        self._threads.replied(exchange.conversation)
        yield from self.keep(exchange)

    def _state_after(self, prefix: KnownPrefix, request: Request) -> HistoryState:
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
        spot = message.at(0)  # a list of contents has them elsewhere than a body
        site, same = spot.site, (message.protocol, message.surface, message.model, message.version, message.whole)
        key = (*same, site.pointer, site.inner, site.event, site.inner_pointer, spot.steps)
        if (known := self._kinds.get(key)) is None:
            band = self._models.band(message.model, message.protocol)
            rest = message.version, message.whole, layout_of(spot.place())
            kind = kind_of(message.protocol, message.surface, band or message.model, *rest)
            known = kind, band
            self._kinds.put(key, known)
        return known


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
