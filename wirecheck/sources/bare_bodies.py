"""Bare bodies: a request, then the chunks of its reply, with nothing around them.

A request begins an exchange, a reply goes into the one that is open and ends with its finish reason.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from wirecheck.sources.exchanges import channel_of
from wirecheck.wire.records import Body, Closed, Frame, Opened, Record, Site


class FinishedCandidate(Struct, rename="camel"):
    finish_reason: str | int | None = None
    snake: str | int | None = msgspec.field(name="finish_reason", default=None)


class FinishedReply(Struct):
    candidates: list[FinishedCandidate] = []
    choices: list[FinishedCandidate] = []
    response: "FinishedReply | None" = None


_ended = msgspec.json.Decoder(FinishedReply).decode
FINISH = (b"finishReason", b"finish_reason")
TOLD = (b'"candidates"', b'"choices"')  # whose ends have a reason
WHOLE = (b'"steps"', b'"outputs"', b'"interaction.complete')  # of interactions, unary or at the end of a stream
REFUSED = (b'"error"', b'"promptFeedback"', b'"prompt_feedback"')
BEGUN = (*TOLD, *WHOLE, b'"interaction.created"', b'"interaction.start"')


class BareBodies:
    """The exchanges of one file that are written as bare bodies."""

    def __init__(self) -> None:
        self._channel = ""  # of the exchange that is open
        self._site: Site | None = None  # where its last body stood
        self._finished = False

    def request(self, raw: bytes, site: Site) -> Iterator[Record]:
        yield from self.end()
        yield self._open(Body(raw, site), site)

    def reply(self, chunks: Iterable[Body], site: Site) -> Iterator[Record]:
        """Chunks of a reply. After a finish reason only what says nothing more still belongs to it."""
        for body in chunks:
            if self._finished and _has(body.raw, BEGUN):
                yield from self.end()
            if not self._channel:
                yield self._open(None, site)
            self._site, self._finished = site, self._finished or is_last(body.raw)
            yield Frame(channel=self._channel, origin=site.origin, sender="server", body=body)

    def end(self, whole: bool = False) -> Iterator[Record]:
        """Nothing more comes. `whole`: what was logged together was all there is."""
        if self._site is not None and self._channel:
            yield Closed(channel=self._channel, origin=self._site.origin, recorded=whole or self._finished)
        self._channel, self._finished = "", False

    def _open(self, body: Body | None, site: Site) -> Opened:
        self._channel, self._site = channel_of(site), site
        return Opened(channel=self._channel, origin=site.origin, body=body)


def is_last(raw: bytes) -> bool:
    """Whether a chunk ends its reply: it has a finish reason, is all of it, or a refusal without candidates."""
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
