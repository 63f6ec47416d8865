"""Calls of a model as conversations: each recites the history before it, and what is recited is not told again.

A call goes on with a conversation where it begins with all that was asked in it, or recites the calls that the model
made last: programs shorten their histories. What the model said last is told where a conversation ends: before that,
what the next call recites was sent in its place. Of an interaction nothing is recited, for the server keeps the
history: it goes on where it answers those calls. Of a history only hashes are kept, and of many conversations those
idle longest are ended.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from wirecheck.cache import Cache
from wirecheck.sources.bare_bodies import SERVER_ROLES
from wirecheck.sources.formats.building import channel_at, exchange
from wirecheck.sources.telemetry.told_messages import ToldHistory, contents
from wirecheck.sources.telemetry.typed_messages import ToldMessage
from wirecheck.wire.records import Body, Closed, Frame, Opened, Peer, Record, Site

OPEN, BYTES = 1024, 1 << 24  # conversations at once, and bytes that were told in them
TRACES, NAMES = 4096, 1024  # traces of which it is known what was executed, and names in one
REMEMBERED = 1 << 17  # histories, and calls in them


class LlmCall(Struct, frozen=True):
    """What is known of a call of a model. Only calls of one `group` recite each other; those of one `trace` belong to
    one piece of work. It is `final` where the program wanted calls as a result, which nobody answers."""

    site: Site
    asked: ToldHistory
    said: list[ToldMessage]
    trace: str = ""
    group: str = ""
    url: str = ""
    refused: tuple[int, Body] | None = None
    final: bool = False


class RecitedConversation(Struct, eq=False):
    """What is kept of a conversation. `asked` is the hash of all that was asked in it, `said` what came last."""

    channel: str
    group: str
    trace: str
    site: Site  # of its last message
    asked: int = 0
    said: list[ToldMessage] = field(default_factory=list)
    left: bool = False  # whether it ends as it does for a reason that is known
    begun: bool = False
    size: int = 0  # bytes of what was told


class RecitedCalls:
    """The conversations of a file. It is `whole` where all of them is in it that there will be."""

    def __init__(self, *, whole: bool = True) -> None:
        self._whole = whole
        self._open: dict[str, RecitedConversation] = {}  # by channel, that heard last at the end
        self._by_asked: dict[int, list[RecitedConversation]] = {}
        self._by_call: dict[int, list[RecitedConversation]] = {}
        self._asked = Cache[tuple[int, str], bool](REMEMBERED)  # histories, each with its trace
        self._made = Cache[int, bool](REMEMBERED)  # calls that were told
        self._ran: dict[str, set[str]] = {}
        self._bytes = 0

    def ran(self, trace: str, name: str) -> None:
        """A function was executed in this trace: a call of it does not wait."""
        names = self._ran.setdefault(trace, set())
        if len(names) < NAMES:
            names.add(name)
        if len(self._ran) > TRACES:
            del self._ran[next(iter(self._ran))]

    def call(self, call: LlmCall) -> Iterator[Record]:
        hashes = call.asked.hashes(call.group)
        if (known := self._asked_again(call, hashes[-1])) is not None:
            begin, news = len(hashes), list[ToldMessage]()
        elif call.refused is None and self._is_told(call, hashes[-1]):
            return
        else:
            known, begin, news = self._find(call, hashes)
        if call.refused is not None:
            if known is not None:
                known.left = True
            yield from _refused(call)
            return
        if known is None:
            known = RecitedConversation(channel_at(call.site), call.group, call.trace, call.site)
        self._forget(known)
        yield from self._told(known, news)
        for asked in hashes[begin:]:
            self._asked.put((asked, call.trace), True)
        for message in (*news, *call.said):
            for made in message.calls:
                self._made.put(made, True)
        known.trace, known.asked, known.said, known.left = call.trace, hashes[-1], call.said, call.final
        self._keep(known)
        while len(self._open) > OPEN or (self._bytes > BYTES and len(self._open) > 1):
            yield from self._end(next(iter(self._open.values())), idle=True)

    def end(self) -> Iterator[Record]:
        for known in list(self._open.values()):
            yield from self._end(known)

    def _asked_again(self, call: LlmCall, asked: int) -> RecitedConversation | None:
        """The conversation in which exactly this was asked last: nothing was said, or the same. Who was told something
        else begins anew."""
        calls, found = _calls(call.said), self._by_asked.get(asked, ())
        same = [one for one in found if not one.said or (one.trace == call.trace and _calls(one.said) == calls)]
        return _nearest(same, call.trace) if same else None

    def _is_told(self, call: LlmCall, asked: int) -> bool:
        """Whether it comes late, or once more: its history was told in its trace, and its calls as well."""
        return self._asked.get((asked, call.trace)) is not None and all(
            [self._made.get(made) is not None for made in _calls(call.said)]
        )

    def _find(self, call: LlmCall, hashes: list[int]) -> tuple[RecitedConversation | None, int, list[ToldMessage]]:
        """The conversation that it goes on with, how much of its history is known there, and what is new."""
        for n in range(len(hashes) - 1, 0, -1):
            if hashes[n - 1] in self._by_asked:
                news = call.asked.told(n)
                if (known := self._going_on(hashes[n - 1], call.trace, news)) is not None:
                    return known, n, news
        asked = call.asked.told()
        found, begin = self._reciting(asked, call.group)
        if found:
            return _nearest(found, call.trace), 0, asked[begin:]
        for made in asked[0].answers if asked else ():
            if found := self._that_made(made, call.group):
                return (known := _nearest(found, call.trace)), 0, known.said + asked
        return None, 0, asked

    def _going_on(self, asked: int, trace: str, news: list[ToldMessage]) -> RecitedConversation | None:
        """Of those in which as much was asked the one that goes on: whose last calls are recited, or that is of this
        trace. Of another trace it may lack some of its calls, or their ids, but not all."""
        reciting = [one for made in _calls(news) for one in self._by_call.get(made, ()) if one.asked == asked]
        if reciting:
            return _nearest(reciting, trace)
        names, found = _names(news), self._by_asked[asked]
        same = (one for one in found if one.trace == trace)
        others = (one for one in found if not (called := _names(one.said)) or not names.isdisjoint(called))
        return next(same, None) or next(others, None)

    def _reciting(self, asked: list[ToldMessage], group: str) -> tuple[list[RecitedConversation], int]:
        """The conversations whose last calls are recited, and where."""
        for n in range(len(asked) - 1, -1, -1) if self._by_call else ():
            if found := [one for made in asked[n].calls for one in self._that_made(made, group)]:
                return found, n
        return [], 0

    def _that_made(self, made: int, group: str) -> list[RecitedConversation]:
        return [one for one in self._by_call.get(made, ()) if one.group == group]

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
        for made in _calls(known.said):
            yield self._by_call, made

    def _told(self, known: RecitedConversation, messages: list[ToldMessage]) -> Iterator[Record]:
        for message in messages:
            if not known.begun:
                known.begun = True
                yield Opened(channel=known.channel, origin=message.body.site.origin)
            known.site = message.body.site
            known.size += len(message.body.raw)
            self._bytes += len(message.body.raw)
            sender: Peer = "server" if message.role in SERVER_ROLES else "client"
            yield Frame(channel=known.channel, origin=known.site.origin, sender=sender, body=message.body)

    def _end(self, known: RecitedConversation, *, idle: bool = False) -> Iterator[Record]:
        self._forget(known)
        yield from self._told(known, known.said)
        self._bytes -= known.size
        if known.begun:
            later = idle and known.group not in ("", known.trace)  # another trace of its group may go on with it
            ran = self._ran.get(known.trace, set())
            waits = known.left or later or not ran.isdisjoint(_names(known.said))
            yield Closed(channel=known.channel, origin=known.site.origin, recorded=self._whole and not waits)


def _nearest(found: list[RecitedConversation], trace: str) -> RecitedConversation:
    return next((one for one in found if one.trace == trace), found[0])


def _calls(messages: list[ToldMessage]) -> set[int]:
    return {made for message in messages for made in message.calls}


def _names(messages: list[ToldMessage]) -> set[str]:
    return {name for message in messages for name in message.names}


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
        status_site=reply.site,
        reply=(reply,),
    )
