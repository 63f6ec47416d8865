"""Calls of a model as conversations: each recites the history before it, and what is recited is not told again.

A call goes on with a conversation where it begins with all that was asked in it, or recites the calls that the model
made last: programs shorten their histories. What the model said last is told where a conversation ends: before that,
what the next call recites was sent in its place. Of an interaction nothing is recited, for the server keeps the
history: it goes on where it answers those calls.
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate

from msgspec import Struct, field

from wirecheck.hashing import chained
from wirecheck.sources.bare_bodies import SERVER_ROLES
from wirecheck.sources.formats.building import channel_at, exchange
from wirecheck.sources.telemetry.llm_calls import LlmCall
from wirecheck.sources.telemetry.told_messages import contents
from wirecheck.sources.telemetry.typed_messages import ToldMessage
from wirecheck.wire.records import Closed, Frame, Opened, Peer, Record, Site

OPEN = 500  # conversations at once


class RecitedConversation(Struct, eq=False):
    """What is kept of a conversation. `asked` is the hash of all that was asked in it, `said` what came last."""

    channel: str
    trace: str
    site: Site  # of its last message
    asked: int = 0
    said: list[ToldMessage] = field(default_factory=list)
    left: bool = False  # whether it ends as it does for a reason that is known
    begun: bool = False


class RecitedCalls:
    """The conversations of a file."""

    def __init__(self) -> None:
        self._open: dict[str, RecitedConversation] = {}  # by channel, that heard last at the end
        self._by_asked: dict[int, list[RecitedConversation]] = {}
        self._by_call: dict[int, list[RecitedConversation]] = {}

    def call(self, call: LlmCall) -> Iterator[Record]:
        hashes = list(accumulate(call.asked.keys(), chained, initial=0))
        known, news = self._find(call, hashes)
        if call.refused is not None:
            if known is not None:
                known.left = True
            yield from _refused(call)
            return
        if known is None:
            known = RecitedConversation(channel_at(call.site), call.trace, call.site)
        self._forget(known)
        yield from _told(known, news)
        known.asked, known.said, known.left = hashes[-1], call.said, call.final
        self._keep(known)
        while len(self._open) > OPEN:
            yield from self._end(next(iter(self._open.values())))

    def end(self) -> Iterator[Record]:
        for known in list(self._open.values()):
            yield from self._end(known)

    def _find(self, call: LlmCall, hashes: list[int]) -> tuple[RecitedConversation | None, list[ToldMessage]]:
        """The conversation that it goes on with, and what is new in it."""
        for n in range(len(hashes) - 1, 0, -1):
            if hashes[n] in self._by_asked and (found := self._that_go_on(call, n, hashes)):
                return _nearest(found, call.trace), call.asked.told(n)
        asked = call.asked.told()
        found, begin = self._reciting(asked)
        if found:
            return _nearest(found, call.trace), asked[begin:]
        for made in asked[0].answers if asked else ():
            if found := self._by_call.get(made, []):
                return (known := _nearest(found, call.trace)), known.said + asked
        return None, asked

    def _that_go_on(self, call: LlmCall, begin: int, hashes: list[int]) -> list[RecitedConversation]:
        """Of those in which as much was asked. Who asks the same again begins anew, unless nothing was said."""
        found = [one for one in self._by_asked[hashes[begin]] if begin < len(hashes) - 1 or not one.said]
        if len(found) > 1:
            reciting, _ = self._reciting(call.asked.told(begin))
            return [one for one in found if one in reciting] or found
        return found

    def _reciting(self, asked: list[ToldMessage]) -> tuple[list[RecitedConversation], int]:
        """The conversations whose last calls are recited, and where."""
        for n in range(len(asked) - 1, -1, -1) if self._by_call else ():
            if found := [one for made in asked[n].calls for one in self._by_call.get(made, ())]:
                return found, n
        return [], 0

    def _keep(self, known: RecitedConversation) -> None:
        self._open[known.channel] = known
        for index, key in self._keys(known):
            index.setdefault(key, []).append(known)

    def _forget(self, known: RecitedConversation) -> None:
        if self._open.pop(known.channel, None) is None:
            return
        for index, key in self._keys(known):
            index[key].remove(known)
            if not index[key]:
                del index[key]

    def _keys(self, known: RecitedConversation) -> Iterable[tuple[dict[int, list[RecitedConversation]], int]]:
        yield self._by_asked, known.asked
        for made in {made for message in known.said for made in message.calls}:
            yield self._by_call, made

    def _end(self, known: RecitedConversation) -> Iterator[Record]:
        self._forget(known)
        yield from _told(known, known.said)
        if known.begun:
            yield Closed(channel=known.channel, origin=known.site.origin, recorded=not known.left)


def _nearest(found: list[RecitedConversation], trace: str) -> RecitedConversation:
    return next((one for one in found if one.trace == trace), found[0])


def _told(known: RecitedConversation, messages: list[ToldMessage]) -> Iterator[Record]:
    for message in messages:
        if not known.begun:
            known.begun = True
            yield Opened(channel=known.channel, origin=message.body.site.origin)
        known.site = message.body.site
        sender: Peer = "server" if message.role in SERVER_ROLES else "client"
        yield Frame(channel=known.channel, origin=known.site.origin, sender=sender, body=message.body)


def _refused(call: LlmCall) -> Iterator[Record]:
    """All that is known of the request are its contents."""
    assert call.refused is not None
    status, reply = call.refused
    yield from exchange(
        call.site,
        method="",
        url=call.url or "generateContent",
        body=contents(call.site, call.asked.told()),
        status=status,
        reply=(reply,),
    )
