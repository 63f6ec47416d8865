"""Records in, Messages out. One file a dialect. Nothing is remembered from one channel to another."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from wirecheck.dialects.address import Address, address
from wirecheck.dialects.application import Application, is_application
from wirecheck.dialects.batch import Batch
from wirecheck.dialects.chat import Chat
from wirecheck.dialects.generate import GenerateContent
from wirecheck.dialects.interactions.interactions import Interactions
from wirecheck.dialects.live import Live
from wirecheck.dialects.messages import Message, Spot, Unreadable
from wirecheck.dialects.provenance import seen_of
from wirecheck.dialects.raw_json import top_keys
from wirecheck.dialects.regular_content import AnyMessage, ContentReader
from wirecheck.models import Models
from wirecheck.wire.records import Closed, Frame, Opened, Record, Site, Unread

__all__ = ["Dialects"]


class Dialect(Protocol):
    """One channel's reader."""

    protocol: str

    def read(self, record: Record) -> Iterable[AnyMessage]: ...


class Unjudged:
    """Recognised and not judged: embeddings, files, other protocols, other hosts."""

    def __init__(self, where: Address, whole: bool) -> None:
        self.protocol = "other"
        self._verb = where.verb or "other"

    def read(self, record: Record) -> Iterator[Message]:
        if isinstance(record, Opened):
            yield Unreadable(seen=seen_of(record), kind="unjudged", why=self._verb, spot=Spot(Site(record.origin)))


PROTOCOLS: dict[str, Callable[[Address, bool], Dialect]] = {
    "live": Live,
    "chat": Chat,
    "transcript": Chat,
    "interactions": Interactions,
    "other": Unjudged,
}
# Where no URL tells, a key does. The first that is there decides.
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
PATIENCE = 8  # frames of a websocket that may tell nothing of its protocol


class Dialects:
    """Every channel's record, to the dialect of that channel."""

    def __init__(self, models: Models, *, typed: bool = True) -> None:
        """`typed`: regular contents are decoded into types; else all are read leniently, to the same messages."""
        self._models = models
        contents = ContentReader(typed=typed)
        reading: dict[str, Callable[[Address, bool], Dialect]] = {
            "generate-content": partial(GenerateContent, contents=contents),
            "batch": partial(Batch, contents=contents),
        }
        self._protocols: dict[str, Callable[[Address, bool], Dialect]] = {**PROTOCOLS, **reading}
        self._channels: dict[str, Dialect | UndecidedChannel] = {}

    def read(self, record: Record) -> Iterable[AnyMessage]:
        """What a record says, to be taken in before the next one is read."""
        if type(record) is Unread:
            return (Unreadable(seen=seen_of(record), kind=record.kind, why=record.why, spot=Spot(Site(record.origin))),)
        if type(record) is Opened:
            self._channels[record.channel] = self._open(record)
        channel = self._channels.get(record.channel) or self._late(record)
        if type(record) is Closed:
            del self._channels[record.channel]
        return channel.read(record)

    def _open(self, record: Opened) -> "Dialect | UndecidedChannel":
        where = address(record.url, self._models)
        if is_application(record):
            return Application(where)
        whole = bool(record.method)
        if where.protocol in self._protocols:
            return self._protocols[where.protocol](where, whole)
        keys = top_keys(record.body.payload) if record.body is not None else None
        if keys is not None and (not record.url or _asks(keys, where)):  # no URL, or a gateway with its own paths
            return self._dialect(_protocol(keys), where, whole)
        return (
            UndecidedChannel(self, record, where) if record.body is None or not record.url else Unjudged(where, whole)
        )

    def _late(self, record: Record) -> "UndecidedChannel":
        """A frame of a channel whose opening the log does not hold."""
        opened = Opened(channel=record.channel, origin=record.origin, at=record.at)
        self._channels[record.channel] = waiting = UndecidedChannel(self, opened, address("", self._models))
        return waiting

    def settle(self, channel: str, protocol: str, where: Address, whole: bool) -> Dialect:
        self._channels[channel] = dialect = self._dialect(protocol, where, whole)
        return dialect

    def _dialect(self, protocol: str, where: Address, whole: bool) -> Dialect:
        return self._protocols[protocol](replace(where, protocol=protocol), whole)


class UndecidedChannel:
    """A channel whose protocol only its frames will tell."""

    protocol = "other"

    def __init__(self, dialects: Dialects, opened: Opened, where: Address) -> None:
        self._dialects, self._opened, self._where = dialects, opened, where
        self._heard: list[Frame] = []  # frames that tell nothing

    def read(self, record: Record) -> Iterator[AnyMessage]:
        if not isinstance(record, Frame):
            return
        keys = top_keys(record.body.raw)
        framed = self._opened.body is None
        protocol = _protocol_of_frame(keys) if keys is not None else "live" if framed else "other"
        self._heard.append(record)
        if protocol == "other" and framed and len(self._heard) < PATIENCE:
            return
        whole = protocol == "live" and bool(self._opened.method) and _begins(self._heard[0])
        dialect = self._dialects.settle(record.channel, protocol, self._where, whole)
        for one in (self._opened, *self._heard):
            yield from dialect.read(one)


def _begins(first: Frame) -> bool:
    """Whether a Live session may begin with this frame: the server is the first to speak only with setupComplete."""
    return first.sender == "client" or (top_keys(first.body.raw) or frozenset()) <= {"setupComplete"}


def _asks(keys: frozenset[str], where: Address) -> bool:
    """Whether a body at an address nobody knows asks a Gemini model. Others have interactions as well."""
    return "contents" in keys or (where.verb == "interactions" and "input" in keys)


def _protocol(keys: frozenset[str]) -> str:
    """What a body without a URL speaks. A list of contents has parts or bare responses, a list of messages more."""
    if ("parts" in keys or "functionResponse" in keys) and not keys & {"content", "toolCalls", "toolCallId"}:
        return "generate-content"
    return next((protocol for sign, protocol in SIGNS.items() if sign in keys), "other")


def _protocol_of_frame(keys: frozenset[str]) -> str:
    """A message that comes alone belongs to a transcript, whatever it is made of. Old interactions have a role too."""
    alone = keys & {"role", "parts", "functionResponse"} and not keys >= {"object", "status"}
    return "transcript" if alone else _protocol(keys)
