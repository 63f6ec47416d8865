"""Bare bodies: a request, then the chunks of its reply, with nothing around them; and bare messages.

A request opens an exchange; replies go into the open one until a finish reason closes it. Messages, each a line of a
file or an item of a list, are all one conversation.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw, Struct

from wirecheck.sources import lenient
from wirecheck.sources.detect import object_of
from wirecheck.sources.exchanges import channel_of
from wirecheck.wire.records import Body, Closed, Frame, Opened, Peer, Record, Site


class FinishedCandidate(Struct, rename="camel"):
    finish_reason: str | int | None = None
    snake: str | int | None = msgspec.field(name="finish_reason", default=None)


class FinishedReply(Struct):
    candidates: list[FinishedCandidate] = []
    choices: list[FinishedCandidate] = []
    response: "FinishedReply | None" = None


_ended = msgspec.json.Decoder(FinishedReply).decode
FINISH = (b"finishReason", b"finish_reason")
TOLD = (b'"candidates"', b'"choices"')  # replies of these end with a finish reason
WHOLE = (b'"steps"', b'"outputs"', b'"interaction.complete')  # complete interactions, and the last event of a stream
REFUSED = (b'"error"', b'"promptFeedback"', b'"prompt_feedback"')
BEGUN = (*TOLD, *WHOLE, b'"interaction.created"', b'"interaction.start"')
SERVER_ROLES = ("model", "assistant")


class BareBodies:
    """Puts the bare bodies of one file together into exchanges."""

    def __init__(self) -> None:
        self._channel = ""  # of the open exchange
        self._site: Site | None = None  # of its last body
        self._finished = False

    def request(self, raw: bytes, site: Site) -> Iterator[Record]:
        yield from self.end()
        yield self._open(Body(raw, site), site)

    def reply(self, chunks: Iterable[Body], site: Site) -> Iterator[Record]:
        """Adds chunks of a reply. After a finish reason only chunks without content (usage and the like) still belong
        to it."""
        for body in chunks:
            if self._finished and _has(body.raw, BEGUN):
                yield from self.end()
            if not self._channel:
                yield self._open(None, site)
            self._site, self._finished = site, self._finished or is_last(body.raw)
            yield Frame(channel=self._channel, origin=site.origin, sender="server", body=body)

    def end(self, whole: bool = False) -> Iterator[Record]:
        """Closes the open exchange. `whole`: request and reply were logged as one value, so nothing is missing."""
        if self._site is not None and self._channel:
            yield Closed(channel=self._channel, origin=self._site.origin, recorded=whole or self._finished)
        self._channel, self._finished = "", False

    def _open(self, body: Body | None, site: Site) -> Opened:
        self._channel, self._site = channel_of(site), site
        return Opened(channel=self._channel, origin=site.origin, body=body)


class LoggedTranscript:
    """Messages one by one."""

    def __init__(self, channel: str = "messages") -> None:
        self._channel = channel
        self._last: Site | None = None

    def message(self, raw: bytes | Raw, site: Site) -> Iterator[Record]:
        if self._last is None:
            yield Opened(channel=self._channel, origin=site.origin)
        self._last = site
        role = lenient.text(object_of(raw).get("role"))
        sender: Peer = "server" if role in SERVER_ROLES else "client"
        yield Frame(channel=self._channel, origin=site.origin, sender=sender, body=Body(bytes(raw), site))

    def end(self) -> Iterator[Record]:
        if self._last is not None:
            yield Closed(channel=self._channel, origin=self._last.origin, recorded=False)
        self._last = None


def is_last(raw: bytes) -> bool:
    """Whether a chunk ends its reply: it has a finish reason, is a complete reply, or a refusal without candidates."""
    if _has(raw, TOLD):
        return _has(raw, FINISH) and _finishes(raw)
    return _has(raw, REFUSED) or _has(raw, WHOLE)


def _has(raw: bytes, words: tuple[bytes, ...]) -> bool:
    return any(word in raw for word in words)


def _finishes(raw: bytes) -> bool:
    try:
        found = _ended(raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    told = found.candidates + found.choices + (found.response.candidates if found.response else [])
    return any(ending.finish_reason or ending.snake for ending in told)
