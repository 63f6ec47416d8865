"""Every message, to what remembers its channel: an exchange, a session or a transcript.

A request is heard against all that was heard before: the contents it recites again are not read again, only counted
(Recital says which), and each content that is new leaves a Mark for whoever keeps notes on it.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

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
from wirecheck.dialects.names import camel
from wirecheck.models import Models
from wirecheck.talk.chain import Chain
from wirecheck.talk.echo import Echo
from wirecheck.talk.exchange import Exchange
from wirecheck.talk.facts import Context, EndingFact, Fact, RequestFact, UnreadFact
from wirecheck.talk.hearing import hear
from wirecheck.talk.memory import Memory, Node, chained, digests
from wirecheck.talk.scene import Recital as RecitalScene
from wirecheck.talk.scene import Shown, Story
from wirecheck.talk.session import Session
from wirecheck.talk.settling import open_calls, over
from wirecheck.talk.shapes import shapes
from wirecheck.talk.standing import Ear, Standing
from wirecheck.talk.threads import Conversation, History, Reply, Threads
from wirecheck.talk.tools import tools
from wirecheck.talk.transcript import Transcript

NOBODY = Context(protocol="", surface="unknown", version=None, model=None, band=None, whole=False, conversation="")
Channel = Exchange | Session | Transcript
Scene = RecitalScene | Story
LiveMessage = Connected | Framed | Setup | Said | Called | Answered | Cancelled | Retooled | Resumable


class Recital(Fact, frozen=True, kw_only=True):
    """A request begins. `node` remembers what was noted of the part that was heard before, if it was.

    `skips` is false where that part is read again all the same.
    """

    kind: ClassVar[str] = "recital"

    conversation: Conversation
    node: Node | None
    skips: bool
    hashes: list[int]


class Mark(Fact, frozen=True, kw_only=True):
    """The contents of a request were heard so far, and what was noted of them belongs to `node`."""

    kind: ClassVar[str] = "mark"

    node: Node


class Talk:
    """What goes on in one log. `conversations` and `sessions` count on from a log before it."""

    def __init__(self, models: Models, conversations: int = 0, sessions: int = 0, *, recognise: bool = True) -> None:
        self._models = models
        self._memory = Memory()
        self._recognise = recognise  # false: for tests, which compare with reading everything again
        self._threads = Threads(conversations)
        self._chain = Chain()
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

    def around(self, turns: list[int]) -> list[Shown]:
        """The turns around those named, where the last message was said."""
        return self._scene.around(turns) if self._scene is not None else []

    def hear(self, message: Message) -> Iterator[Fact]:
        known = self._channels.get(message.seen.channel)
        if isinstance(message, Recited):
            yield from self._over(message.seen.channel)
            yield from self._recited(message)
        elif isinstance(message, Chunk):
            yield from self._exchange(message, known).hear(message)
        elif isinstance(message, Hangup):
            yield from self._over(message.seen.channel, message)
        elif isinstance(message, Unreadable):
            yield UnreadFact(context=NOBODY, spot=message.spot, what=message.kind, why=message.why)
        elif isinstance(message, Said) and not isinstance(known, Session):
            yield from self._told(message, known)
        elif isinstance(message, LiveMessage):
            yield from self._live(message, known)

    def close(self) -> Iterator[Fact]:
        """The log is over: channels of which it holds no end have come as far as they came."""
        for channel in list(self._channels):
            yield from self._over(channel)
        yield from self._let_go(most=0)

    def _recited(self, message: Recited) -> Iterator[Fact]:
        self.exchanges += message.protocol in ("generate-content", "chat")
        self._scene = scene = RecitalScene(len(message.slices), message.read)
        hashes = digests(message.slices)
        chain = chained(hashes)
        kind = self._kind(message)
        heard, node = self._memory.longest(kind, chain)
        owner = node.owner if node is not None else None
        history = History(kind[:3], hashes, chain, message.slices, message.read)
        conversation, start = self._threads.find(history, owner)
        context = self._context(message, conversation)
        yield Recital(
            context=context,
            spot=message.spot,
            conversation=conversation,
            node=node,
            skips=self._recognise,
            hashes=hashes,
        )
        ear = Ear(context, message.at, Echo(conversation, hashes, start))
        skips = node is not None and self._recognise
        standing, content = node.standing if node is not None and skips else Standing(), None
        for n in range(heard if skips else 0, len(hashes)):
            content = _read(message, n)
            yield from shapes(content, "client", n, context, standing.last, len(hashes) == 1)
            standing, facts = hear(standing, content, n, ear)
            yield from facts
            if n >= heard:
                mark = self._memory.add(kind, chain[n], standing, conversation)
                yield Mark(context=context, spot=content.spot, node=mark)
        yield from over(standing, ear)
        yield from _around(message, context, content)
        conversation.reply, conversation.open_calls = Reply(), open_calls(standing, ear)
        exchange = Exchange(conversation, context, len(hashes), message.spot, scene)
        self._channels[message.seen.channel] = exchange

    def _kind(self, message: Recited) -> tuple[object, ...]:
        """What must be the same, besides the contents, for a history to be the same history.

        What stands last, the version and whether it is a whole request, does not make another conversation.
        """
        band = self._models.band(message.model, message.protocol)
        return (message.protocol, message.surface, band or message.model, message.version, message.whole)

    def _context(self, message: Recited, conversation: Conversation) -> Context:
        band = self._models.band(message.model, message.protocol)
        if band is None and message.model is not None:  # an alias: what it stood for when it last replied
            band = self._models.band(conversation.model, message.protocol)
        return Context(
            protocol=message.protocol,
            surface=message.surface,
            version=message.version,
            model=message.model,
            band=band,
            whole=message.whole,
            conversation=conversation.name,
        )

    def _exchange(self, message: Chunk, known: Channel | None) -> Exchange:
        """The exchange a chunk belongs to; of some replies the log has no request."""
        if not isinstance(known, Exchange):
            self.exchanges += 1
            conversation = self._threads.alone()
            context = replace(
                NOBODY, protocol=message.protocol, surface=message.surface, conversation=conversation.name
            )
            known = Exchange(conversation, context, 0, message.spot, RecitalScene(0, _nothing))
            self._channels[message.seen.channel] = known
        self._scene = known.scene
        return known

    def _told(self, message: Said, known: Channel | None) -> Iterator[Fact]:
        if not isinstance(known, Transcript):
            known = Transcript(replace(NOBODY, protocol="transcript", conversation=self._threads.name()))
            self._channels[message.seen.channel] = known
        self._scene = known.story
        yield from known.hear(message)

    def _live(self, message: LiveMessage, known: Channel | None) -> Iterator[Fact]:
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
        for link in self._chain.let_go(**most):
            self._scene = link.story
            yield from link.left

    def _connected(self, message: Connected) -> Session:
        """A connection of its own, or one that goes on with an older one: then both are one conversation."""
        link = self._chain.find(message.handle)
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
        return Session(message, context, link.story if link else Story(), self._chain)

    def _over(self, channel: str, hangup: Hangup | None = None) -> Iterator[Fact]:
        """A channel ends: with its end, or because another takes its name."""
        known = self._channels.pop(channel, None)
        if known is None:
            return
        self._scene = known.scene if isinstance(known, Exchange) else known.story
        yield from known.end(hangup)
        yield from self._let_go()
        if not isinstance(known, Exchange):
            self._over_open += known.open_calls


def _around(message: Recited, context: Context, last: Content | None) -> Iterator[Fact]:
    """What is judged on every request: the last position, and what stands around the contents."""
    count = len(message.slices)
    if count and message.container == "contents":
        last = last or _read(message, count - 1)
        yield EndingFact(
            context=context,
            spot=last.spot,
            turn=count - 1,
            role=last.role,
            speaker=last.speaker,
            contents=count,
            parts=len(last.parts),
            calls=len(last.calls),
            answers=len(last.answers),
        )
    body = {key: _value(raw) for key, raw in message.around.items()}
    keys = tuple(map(camel, body))
    yield RequestFact(context=context, spot=message.spot, contents=count, keys=keys, body=body)
    yield from tools(body, message.spot, context)


def _nothing(n: int) -> Content:
    raise IndexError(n)


def _read(message: Recited, n: int) -> Content:
    try:
        return message.read(n)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return Content(role=None, speaker="", container=message.container, shape="none", spot=message.at(n))


def _value(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
