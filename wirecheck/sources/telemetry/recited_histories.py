"""Conversations out of generations, each of which recites the history before it.

What was told is not told again: a generation whose history begins as one that is known goes on with it. What the model
said is told as the next generation recites it, for that is what it was given; at the end as it came. Of a history only
hashes are kept, and of many conversations those idle longest are ended.
"""

from collections.abc import Iterator

from msgspec import Struct

from wirecheck.hashing import new_hasher
from wirecheck.sources.formats.building import channel_at
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.telemetry.generation_messages import (
    MODEL,
    USER,
    GenerationMessage,
    Messages,
    message,
    messages,
    names_called,
)
from wirecheck.wire.records import Closed, Frame, Opened, Peer, Record, Site

OPEN, MESSAGES, BYTES = 1024, 1 << 18, 1 << 24  # conversations that are held, messages in them, and their bytes
RUNS, NAMES = 4096, 1024  # pieces of work of which it is known what was executed, and names in one
ALIKE = 8  # conversations of one history that are looked at


class Generation(Struct, frozen=True):
    """What a model was asked and what it said. Only generations of one `group` recite each other; those of one `run`
    belong to one piece of work."""

    site: Site
    asked: list[JsonNode]
    said: Messages
    group: str = ""
    run: str = ""
    refused: bool = False  # told of as an exchange
    final: bool = False  # a call in it is a result: who asked made the model call


class RecitedHistory(Struct, eq=False):
    """A conversation so far: what its messages hash to, from the first on, and what the model said last."""

    channel: str
    last: Site
    group: str
    run: str
    size: int = 0  # bytes of what was told
    chain: list[int] = []
    pending: Messages = []
    left_open: bool = False  # what is pending may go on elsewhere


class RecitedHistories:
    """Those of a file. With `whole` all of a conversation is there that there will be."""

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole
        self._open: dict[str, RecitedHistory] = {}  # those idle longest come first
        self._by_chain: dict[int, list[RecitedHistory]] = {}
        self._ran: dict[str, set[str]] = {}
        self._messages = self._bytes = 0

    def ran(self, run: str, name: str) -> None:
        """A function was executed in this run."""
        names = self._ran.setdefault(run, set())
        if len(names) < NAMES:
            names.add(name)
        if len(self._ran) > RUNS:
            del self._ran[next(iter(self._ran))]

    def turn(self, generation: Generation) -> Iterator[Record]:
        chain, asked = _chain(generation), generation.asked
        known, begin = self._find(generation, chain)
        if begin > len(asked):
            return
        if generation.refused:
            if known is not None:
                known.left_open = True
            return
        if known is None:
            known = RecitedHistory(channel_at(generation.site), generation.site, generation.group, generation.run)
            yield Opened(channel=known.channel, origin=generation.site.origin)
        for told in messages(asked[begin:]):
            known.size += len(told.body.raw)
            self._bytes += len(told.body.raw)
            yield _frame(known, told)
        known.run, known.pending, known.left_open = generation.run, generation.said, generation.final
        self._keep(known, chain[begin:])
        while len(self._open) > OPEN or (self._is_much and len(self._open) > 1):
            yield from self._end(next(iter(self._open.values())), idle=True)

    @property
    def _is_much(self) -> bool:
        return self._messages > MESSAGES or self._bytes > BYTES

    def end(self) -> Iterator[Record]:
        for known in list(self._open.values()):
            yield from self._end(known)

    def _find(self, generation: Generation, chain: list[int]) -> tuple[RecitedHistory | None, int]:
        """The conversation it goes on with, and where in its history the new part begins; behind all of it where it
        is known already."""
        length = len(chain)
        at = next((n for n in range(length, 0, -1) if chain[n - 1] in self._by_chain), 0)
        for known in self._by_chain[chain[at - 1]] if at else ():
            same = known.run == generation.run
            if at < length and len(known.chain) == at and (same or _recites(generation.asked[at], known.pending)):
                return known, at
            if at == length and same:  # it was asked once more, or is told late
                return known, at + (len(known.chain) > at)
        return None, 0

    def _keep(self, known: RecitedHistory, more: list[int]) -> None:
        for each in more:
            alike = self._by_chain.setdefault(each, [])
            alike.insert(0, known)
            del alike[ALIKE:]
        known.chain += more
        self._messages += len(more)
        self._open.pop(known.channel, None)
        self._open[known.channel] = known

    def _end(self, known: RecitedHistory, *, idle: bool = False) -> Iterator[Record]:
        ran = self._ran.get(known.run, set())
        later = idle and known.group != known.run  # another run of its group may go on with it
        goes_on = later or known.left_open or not ran.isdisjoint(names_called(known.pending))
        for told in known.pending:
            yield _frame(known, told)
        yield Closed(channel=known.channel, origin=known.last.origin, recorded=self._whole and not goes_on)
        del self._open[known.channel]
        self._messages -= len(known.chain)
        self._bytes -= known.size
        for each in known.chain:
            if (alike := self._by_chain.get(each)) is not None and known in alike:
                alike.remove(known)
                if not alike:
                    del self._by_chain[each]


def _chain(generation: Generation) -> list[int]:
    """For each message the hash of all up to it."""
    hasher, chain = new_hasher(f"{generation.group}\n".encode(errors="replace")), list[int]()
    for node in generation.asked:
        hasher.update(node.written)
        chain.append(hasher.intdigest())
    return chain


def _recites(node: JsonNode, pending: Messages) -> bool:
    """Whether this is what the model said then: the same calls."""
    return sorted(names_called(message(node, USER) or ())) == sorted(names_called(pending))


def _frame(known: RecitedHistory, told: GenerationMessage) -> Frame:
    known.last = told.body.site
    sender: Peer = "server" if told.role == MODEL else "client"
    return Frame(channel=known.channel, origin=told.body.site.origin, sender=sender, body=told.body)
