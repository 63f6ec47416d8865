"""Every message, to what remembers its channel: an exchange, a session or a transcript.

A request is heard against all that was heard before: the contents it recites again are not read again, only counted
(Recital says which), and each content that is new leaves a Mark for whoever keeps notes on it.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from wirecheck.dialects.messages import (
    Chunk,
    Content,
    Framed,
    Hangup,
    Message,
    Recited,
    Said,
    Setup,
    Spot,
    Status,
    Unreadable,
)
from wirecheck.dialects.content import shape_of
from wirecheck.dialects.names import camel, keys_of
from wirecheck.models import Models
from wirecheck.talk.echo import Echo
from wirecheck.talk.exchange import Exchange
from wirecheck.talk.facts import Context, EndingFact, Fact, RequestFact, ToolFact, UnreadFact
from wirecheck.talk.memory import Memory, Node, chained, digests
from wirecheck.talk.scene import Recital as RecitalScene
from wirecheck.talk.scene import Shown, Story, role_of
from wirecheck.talk.session import Session
from wirecheck.talk.shapes import shapes
from wirecheck.talk.standing import Ear, Standing, hear
from wirecheck.talk.threads import Conversation, Reply, Threads
from wirecheck.talk.transcript import Transcript, open_calls, over

NOBODY = Context(
    protocol="", surface="unknown", version=None, model=None, band=None, whole=False, conversation=""
)
Channel = Exchange | Session | Transcript


class Recital(Fact, frozen=True, kw_only=True):
    """A request begins. Its first `heard` contents were heard before; `node` remembers what was noted of them."""

    kind: ClassVar[str] = "recital"

    conversation: Conversation
    heard: int
    node: Node | None
    hashes: list[int]


class Mark(Fact, frozen=True, kw_only=True):
    """The contents of a request were heard so far, and what was noted of them belongs to `node`."""

    kind: ClassVar[str] = "mark"

    node: Node


class Talk:
    """What goes on in one log."""

    def __init__(self, models: Models, *, recognise: bool = True) -> None:
        self._models = models
        self._memory = Memory(65_536 if recognise else 0)
        self._threads = Threads()
        self._channels: dict[str, Channel] = {}
        self._scene: RecitalScene | Story | None = None
        self._stories: dict[str, Story] = {}
        self._over_open = 0  # open calls of sessions and transcripts that are over
        self.exchanges = 0
        self.frames = 0
        self.sessions = 0
        self.unjudged: dict[str, int] = {}

    @property
    def conversations(self) -> int:
        return self._threads.count

    @property
    def open_calls(self) -> int:
        now = sum(one.open_calls for one in self._channels.values() if not isinstance(one, Exchange))
        return self._threads.open_calls + self._over_open + now

    def around(self, turns: list[int]) -> list[Shown]:
        """The turns around those named, of the conversation that was heard last."""
        return self._scene.around(turns) if self._scene is not None else []

    def hear(self, message: Message) -> Iterator[Fact]:
        if isinstance(message, Recited):
            yield from self._recited(message)
        elif isinstance(message, Chunk):
            yield from self._exchange(message).hear(message)
        elif isinstance(message, Hangup):
            yield from self._hangup(message)
        elif isinstance(message, Unreadable):
            yield from self._unreadable(message)
        elif isinstance(message, Said) and not isinstance(self._channels.get(message.seen.channel), Session):
            yield from self._told(message)
        elif not isinstance(message, Status):
            yield from self._framed(message)

    def _recited(self, message: Recited) -> Iterator[Fact]:
        yield from self._over(message.seen.channel)
        self.exchanges += message.protocol in ("generate-content", "chat")
        self._scene = RecitalScene(len(message.slices), message.read)
        hashes = digests(message.slices)
        chain = chained(hashes)
        kind = self._kind(message)
        conversation, start = self._threads.find(kind, hashes, chain, message.read)
        context = self._context(message, conversation)
        heard, node = self._memory.longest(kind, chain)
        yield Recital(
            context=context, spot=message.spot, conversation=conversation, heard=heard, node=node, hashes=hashes
        )
        echo = Echo(conversation.reply)
        plain, ear = Ear(context, message.at), Ear(context, message.at, echo.made, echo.parallel)
        standing, content = node.standing if node is not None else Standing(), None
        for n in range(heard, len(hashes)):
            content = _read(message, n)
            yield from shapes(content, "client", n, context, standing.last, len(hashes) == 1)
            # What stands before the new part was made by replies before the last one.
            standing, facts = hear(standing, content, n, ear if n >= start else plain)
            yield from facts
            yield Mark(context=context, spot=content.spot, node=self._memory.add(kind, chain[n], standing))
        yield from over(standing, ear)
        yield from self._around(message, context, content)
        conversation.reply, conversation.open_calls = Reply(), open_calls(standing)
        self._channels[message.seen.channel] = Exchange(conversation, context, len(hashes), message.spot)

    def _kind(self, message: Recited) -> object:
        """What must be the same, besides the contents, for a history to be the same history."""
        band = self._models.band(message.model, message.protocol)
        return (message.protocol, message.surface, message.version, band or message.model, message.whole)

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

    def _around(self, message: Recited, context: Context, last: Content | None) -> Iterator[Fact]:
        """What is judged on every request: the last position, and what stands around the contents."""
        if message.slices and message.container == "contents":
            last = last or _read(message, len(message.slices) - 1)
            yield EndingFact(
                context=context,
                spot=last.spot,
                turn=len(message.slices) - 1,
                role=last.role,
                speaker=last.speaker,
                contents=len(message.slices),
                parts=len(last.parts),
                calls=len(last.calls),
                answers=len(last.answers),
            )
        body = {key: _value(raw) for key, raw in message.around.items()}
        yield RequestFact(
            context=context,
            spot=message.spot,
            contents=len(message.slices),
            keys=tuple(map(camel, body)),
            body=body,
        )
        yield from _tools(body, message, context)

    def _exchange(self, message: Chunk) -> Exchange:
        """The exchange a chunk belongs to; of some replies the log has no request."""
        known = self._channels.get(message.seen.channel)
        if isinstance(known, Exchange):
            return known
        self.exchanges += 1
        conversation = self._threads.alone()
        context = Context(
            protocol=message.protocol,
            surface=message.surface,
            version=None,
            model=None,
            band=None,
            whole=False,
            conversation=conversation.name,
        )
        self._channels[message.seen.channel] = exchange = Exchange(conversation, context, 0, message.spot)
        return exchange

    def _told(self, message: Said) -> Iterator[Fact]:
        known = self._channels.get(message.seen.channel)
        if not isinstance(known, Transcript):
            name = self._threads.name()
            known = Transcript(_named(NOBODY, protocol="transcript", conversation=name))
            self._channels[message.seen.channel] = known
        self._scene = story = self._stories.setdefault(message.seen.channel, Story())
        for content in message.contents:
            story.add(known.length, role_of(content.role), content.value)
        yield from known.hear(message)

    def _framed(self, message: Message) -> Iterator[Fact]:
        session = self._channels.get(message.seen.channel)
        if not isinstance(session, Session):
            yield from self._over(message.seen.channel)
            self.sessions += 1
            whole = isinstance(message, Framed) and message.whole
            session = Session(_named(NOBODY, protocol="live", conversation=f"s{self.sessions}", whole=whole))
            self._channels[message.seen.channel] = session
        self._scene = self._stories.setdefault(message.seen.channel, Story())
        if isinstance(message, Setup):
            session.set_up(message, self._live_context(message, session))
        before = session.frames
        yield from session.hear(message)
        self.frames += session.frames - before

    def _live_context(self, message: Setup, session: Session) -> Context:
        return _named(
            session.context,
            surface=message.surface,
            version=message.version,
            model=message.model,
            band=self._models.band(message.model, "live"),
        )

    def _hangup(self, message: Hangup) -> Iterator[Fact]:
        yield from self._over(message.seen.channel, message)

    def _over(self, channel: str, hangup: Hangup | None = None) -> Iterator[Fact]:
        """A channel ends: with its end, or because another takes its name."""
        known = self._channels.pop(channel, None)
        self._scene = self._stories.pop(channel, self._scene)
        if isinstance(known, Exchange):
            yield from known.end(hangup)
        elif isinstance(known, Transcript):
            yield from known.end()
            self._over_open += known.open_calls
        elif isinstance(known, Session) and hangup is not None:
            yield from known.end(hangup)
            self._over_open += 0 if hangup.recorded else known.open_calls

    def _unreadable(self, message: Unreadable) -> Iterator[Fact]:
        if message.kind == "unjudged":
            self.unjudged[message.why] = self.unjudged.get(message.why, 0) + 1
        elif message.kind != "skipped":
            yield UnreadFact(context=NOBODY, spot=message.spot, what=message.kind, why=message.why)


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


def _tools(body: dict[str, Any], message: Recited, context: Context) -> Iterator[Fact]:
    tools = body.get("tools")
    listed = tools if type(tools) is list else [] if tools is None else [tools]
    for n, tool in enumerate(listed):
        spot: Spot = message.spot.to("tools", n) if type(tools) is list else message.spot.to("tools")
        keys = keys_of(tool) if type(tool) is dict else ()
        yield ToolFact(context=context, spot=spot, keys=keys, shape=shape_of(tool), value=tool)


def _named(context: Context, **fields: Any) -> Context:
    return msgspec.structs.replace(context, **fields)
