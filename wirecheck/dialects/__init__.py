"""Records in, Messages out. One module a protocol. Dialects picks the one for each channel: by its URL, else by keys.

Nothing is shared between channels. A log may lack the ends of any number of them, so those idle longest are closed
where too many are open.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Protocol

from msgspec.structs import replace

from wirecheck.cache import Cache
from wirecheck.dialects.address import Address, address
from wirecheck.dialects.application import Application, is_application
from wirecheck.dialects.batch import Batch
from wirecheck.dialects.chat import Chat
from wirecheck.dialects.generate import GenerateContent
from wirecheck.dialects.interactions.interactions import Interactions
from wirecheck.dialects.live.live import Live
from wirecheck.dialects.live.live_regular import LiveFrames
from wirecheck.dialects.messages import Message, Spot, Unreadable
from wirecheck.dialects.provenance import seen_of
from wirecheck.dialects.raw_json import begins, members, slices, top_keys
from wirecheck.dialects.regular_content import AnyMessage, ContentReader
from wirecheck.models import Models
from wirecheck.wire.nesting import TOO_DEEP
from wirecheck.wire.records import Body, Closed, Frame, Frames, Opened, Record, Replied, Site, Unread

__all__ = ["Dialects", "protocol_of_body", "protocol_of_frame"]


class Dialect(Protocol):
    """Reads the records of one channel."""

    protocol: str

    def read(self, record: Record) -> Iterable[AnyMessage | LiveFrames]: ...


OpenChannel = tuple[str, "Dialect | UndecidedChannel"]  # with its name


class Unjudged:
    """A channel that is recognised and not judged: embeddings, files, other protocols, other hosts."""

    def __init__(self, where: Address, whole: bool) -> None:
        self.protocol = "other"
        self._verb = where.verb or "other"

    def read(self, record: Record) -> Iterator[Message]:
        if isinstance(record, Opened):
            yield Unreadable(seen=seen_of(record), kind="unjudged", why=self._verb, spot=Spot(Site(record.origin)))


PROTOCOLS: dict[str, Callable[[Address, bool], Dialect]] = {
    "chat": Chat,
    "transcript": Chat,
    "interactions": Interactions,
    "other": Unjudged,
}
# The protocol by a top-level key, where the URL does not tell. The first key that is present decides.
SIGNS = {
    "messages": "transcript",
    "contents": "generate-content",
    "input": "interactions",
    "eventType": "interactions",
    "steps": "interactions",
    "outputs": "interactions",
    "choices": "chat",
    "request": "generate-content",
    "generateContentRequest": "generate-content",
    "candidates": "generate-content",
    "promptFeedback": "generate-content",
    "error": "generate-content",
    "response": "generate-content",
    "role": "transcript",
    "setup": "live",
    "clientContent": "live",
    "realtimeInput": "live",
    "toolResponse": "live",
    "functionResponses": "live",
    "BidiGenerateContentToolResponse": "live",
    "contextUpdate": "live",
    "setupComplete": "live",
    "serverContent": "live",
    "toolCall": "live",
    "toolCallCancellation": "live",
    "goAway": "live",
    "sessionResumptionUpdate": "live",
    "usageMetadata": "live",
}
OPEN = 4096  # channels at once; one counts once more for each LARGE bytes of its request
LARGE = 1 << 14
NOT_UTF8 = b"invalid UTF-8"  # stands for a body that is none
FETCHING = ("GET", "HEAD", "OPTIONS")
SWITCHING = 101  # the status of a websocket's handshake
PATIENCE = 8  # frames of a websocket to wait for one that tells its protocol


class Dialects:
    """Gives each record to the dialect of its channel."""

    def __init__(self, models: Models, *, typed: bool = True) -> None:
        """`typed`: contents are decoded strictly first (regular_content.py); otherwise always leniently. The messages
        are equal."""
        self._models = models
        contents = ContentReader(typed=typed)
        self._protocols: dict[str, Callable[[Address, bool], Dialect]] = {
            **PROTOCOLS,
            "generate-content": partial(GenerateContent, contents=contents),
            "batch": partial(Batch, contents=contents),
            "live": partial(Live, typed=typed),
        }
        self._channels: Cache[str, OpenChannel] = Cache(OPEN, self._idle)
        self._let_go: list[OpenChannel] = []
        self.at = 0  # of several frames, the one that is read

    def read(self, record: Record) -> Iterable[AnyMessage | LiveFrames]:
        """The messages of a record. Consume them before the next record is read."""
        if type(record) is Frames:
            return self._frames(record)
        if type(record) is Unread:
            seen, spot = seen_of(record), Spot(Site(record.origin))
            return (Unreadable(seen=seen, kind=record.kind, why=record.why, spot=spot, trace=record.trace),)
        if type(record) is Opened:
            if record.body is not None and record.body.form == "bytes":
                # Contents are decoded when they are asked for: an invalid byte would be met anywhere.
                record = replace(record, body=Body(NOT_UTF8, record.body.site, "text"))
            size = len(record.body.short) if record.body is not None else 0
            try:
                self._keep(record.channel, self._open(record), min(1 + size // LARGE, OPEN // 2))
            except RecursionError:
                self.give_up(record.channel)
                return (_too_deep(record),)
        known = self._channels.get(record.channel)
        channel = self._late(record) if known is None else known[1]
        if type(record) is Closed:
            self._channels.drop(record.channel)
        return chain(self._ends(record), channel.read(record)) if self._let_go else channel.read(record)

    def _keep(self, name: str, channel: "Dialect | UndecidedChannel", weight: int = 1) -> None:
        self._channels.put(name, (name, channel), weight)

    def _idle(self, channel: OpenChannel) -> None:
        self._let_go.append(channel)

    def _ends(self, record: Record) -> Iterator[AnyMessage | LiveFrames]:
        """The ends of channels that were idle longest. The log holds none, so these tell of none."""
        ended, self._let_go = self._let_go, []
        for name, channel in ended:
            yield from channel.read(Closed(channel=name, origin=record.origin, recorded=False))

    def _frames(self, record: Frames) -> Iterator[AnyMessage | LiveFrames]:
        """One by one, until those that are left belong to Live sessions that have begun."""
        self.at, names = 0, set(record.channels)
        several = len(names) > OPEN // 2  # then some may be closed before it is their turn
        others = {channel for channel in names if several or not self._begun(channel)}
        for n, channel in enumerate(record.channels):
            self.at = n
            if not others:
                yield LiveFrames(record.rest(n), self._regular)
                return
            yield from self.read(record.read(n))
            if not several and channel in others and self._begun(channel):
                others.remove(channel)

    def _begun(self, channel: str) -> bool:
        known = self._channels.get(channel)
        return known is not None and isinstance(known[1], Live) and known[1].begun

    def _regular(self, record: Frame, outline: str | None) -> Iterable[AnyMessage | LiveFrames]:
        known = self._channels.get(record.channel)
        if known is None or not isinstance(known[1], Live):
            return self.read(record)
        return known[1].regular(record, outline)

    def give_up(self, channel: str) -> None:
        """Forgets a channel: what comes of it later is read as if the log began there."""
        self._channels.drop(channel)

    def _open(self, record: Opened) -> "Dialect | UndecidedChannel":
        where = address(record.url, self._models)
        if is_application(record):
            return Application(where)
        whole = bool(record.method)
        if where.protocol in self._protocols:
            return self._protocols[where.protocol](where, whole)
        keys = top_keys(record.body.payload) if record.body is not None else None
        # Without URL, or with that of a gateway, which has its own paths.
        if keys is not None and record.body is not None and (not record.url or _asks(keys, where, record.body)):
            return self._dialect(protocol_of_body(keys), where, whole)
        return (
            UndecidedChannel(self, record, where) if record.body is None or not record.url else Unjudged(where, whole)
        )

    def _late(self, record: Record) -> "UndecidedChannel":
        """A channel for a frame whose Opened is not in the log."""
        opened = Opened(channel=record.channel, origin=record.origin, at=record.at)
        waiting = UndecidedChannel(self, opened, address("", self._models))
        self._keep(record.channel, waiting)
        return waiting

    def settle(self, channel: str, protocol: str, where: Address, whole: bool) -> Dialect:
        dialect = self._dialect(protocol, where, whole)
        self._keep(channel, dialect)
        return dialect

    def _dialect(self, protocol: str, where: Address, whole: bool) -> Dialect:
        return self._protocols[protocol](replace(where, protocol=protocol), whole)


class UndecidedChannel:
    """A channel whose protocol is not known yet. Holds its records until a frame tells."""

    protocol = "other"

    def __init__(self, dialects: Dialects, opened: Opened, where: Address) -> None:
        self._dialects, self._opened, self._where = dialects, opened, where
        self._heard: list[Frame] = []  # frames held so far

    def read(self, record: Record) -> Iterator[AnyMessage | LiveFrames]:
        if not isinstance(record, Frame):
            if self._opened.url and isinstance(record, Closed):  # nothing told, to the end
                yield from Unjudged(self._where, False).read(self._opened)
            elif self._opened.url and _is_fetched(record, self._opened):
                yield from self._dialects.settle(record.channel, "other", self._where, False).read(self._opened)
            return
        try:
            keys = top_keys(record.body.raw)
        except RecursionError:
            yield _too_deep(record)
            return
        framed = self._opened.body is None
        # Of a server that is not known a frame that is no JSON says nothing.
        mute = "other" if self._opened.url or not framed else "live"
        protocol = protocol_of_frame(keys) if keys is not None else mute
        self._heard.append(record)
        if protocol == "other" and framed and len(self._heard) < PATIENCE:
            return
        whole = protocol == "live" and bool(self._opened.method) and _begins(self._heard[0])
        dialect = self._dialects.settle(record.channel, protocol, self._where, whole)
        for one in (self._opened, *self._heard):
            yield from dialect.read(one)


def _too_deep(record: Opened | Frame) -> Unreadable:
    what = "the body of the request" if type(record) is Opened else "what stands here"
    site = record.body.site if record.body is not None else Site(record.origin)
    return Unreadable(seen=seen_of(record), kind="unreadable", why=f"{what} is {TOO_DEEP}", spot=Spot(site))


def _is_fetched(record: Record, opened: Opened) -> bool:
    """Whether this is the reply to a request over HTTP that asks for no conversation, whatever comes."""
    return isinstance(record, Replied) and record.status != SWITCHING and opened.method in FETCHING


def _begins(first: Frame) -> bool:
    """Whether a Live session can begin with this frame. If the server speaks first, it is with setupComplete."""
    return first.sender == "client" or (top_keys(first.body.raw) or frozenset()) <= {"setupComplete"}


def _asks(keys: frozenset[str], where: Address, body: Body) -> bool:
    """Whether a request at an unknown address is for a Gemini model. Other APIs have interactions as well, and
    contents that are something else."""
    if where.elsewhere or "contents" not in keys:
        return where.verb == "interactions" and "input" in keys
    contents = members(body.payload)["contents"] if begins(body.payload) == b"{" else b""
    items = slices(contents) if begins(contents) == b"[" else []
    first = top_keys(items[0]) if items else None
    return first is None or not first.isdisjoint(("role", "parts"))


def protocol_of_body(keys: frozenset[str]) -> str:
    """The protocol of a body without a URL, by its keys."""
    if ("parts" in keys or "functionResponse" in keys) and not keys & {"content", "toolCalls", "toolCallId"}:
        return "generate-content"
    return next((protocol for sign, protocol in SIGNS.items() if sign in keys), "other")


def protocol_of_frame(keys: frozenset[str]) -> str:
    """The protocol by the keys of a frame. A single message is part of a transcript; old interactions have a role
    too."""
    alone = keys & {"role", "parts", "functionResponse"} and not keys >= {"object", "status"}
    return "transcript" if alone else protocol_of_body(keys)
