"""One file's world: each value to the reader of its kind, and what is open until the file ends.

A value of no kind is searched two levels down, as it stands or as JSON text.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec
from msgspec import Raw

from wirecheck.sources import exchanges, loose, replies, sessions
from wirecheck.sources.bodies import Bodies
from wirecheck.sources.exchanges import channel_of
from wirecheck.sources.kinds import look
from wirecheck.sources.sessions import Sessions
from wirecheck.sources.transcripts import Transcript
from wirecheck.wire import log, payload
from wirecheck.wire.record import Body, Closed, Opened, Origin, Record, Site, Unread

DEPTH = 2  # how far down a wrapped body is looked for
NO_TRAFFIC = "an object without request, contents, candidates, messages or frames"
# What other JSON is, by its first byte.
OTHERS = {b"{": NO_TRAFFIC, b"[": "a list", b'"': "a string", b"t": "true", b"f": "false", b"n": "null"}
# --input-format → the kinds that are read then; the rest is skipped. An empty set is all.
FORMATS: dict[str, frozenset[str]] = {
    "wirecheck": frozenset({"log"}),
    "exchanges": frozenset({"exchange"}),
    "frames": frozenset({"frame", "client", "server", "usage"}),
    "sessions": frozenset({"session"}),
    "bodies": frozenset({"body", "reply", "usage"}),
    "messages": frozenset({"messages", "message", "messages-list"}),
    "document": frozenset(),
}


class Hit(NamedTuple):
    """A value whose kind is known."""

    kind: str
    raw: bytes
    keys: dict[str, Raw]
    items: list[Raw]
    site: Site


class World:
    """Reads the lines of one file, in order."""

    def __init__(self, input_format: str | None = None) -> None:
        self._kinds = FORMATS[input_format] if input_format else frozenset()
        self._bodies, self._sessions, self._transcript = Bodies(), Sessions(), Transcript()
        self._exchanges = False  # whether the line before was one: then this one is likely to be

    def line(self, raw: bytes, origin: Origin) -> Iterable[Record]:
        """The records of a line. Raises DecodeError where it is not JSON, RecursionError where it is too deep."""
        if raw.startswith(log.PREFIX) and self._reads("log"):
            return (log.decode(raw, origin),)
        site = Site(origin)
        if self._exchanges and (records := exchanges.quick(raw, site)) is not None:
            return records
        if replies.is_stream(raw) and self._reads("reply"):
            return self._bodies.reply(msgspec.json.encode(raw.decode()), site)
        return list(self._value(raw.strip(), site))

    def end(self) -> Iterator[Record]:
        for open_ones in (self._bodies, self._sessions, self._transcript):
            yield from open_ones.end()

    def _reads(self, kind: str) -> bool:
        return not self._kinds or kind in self._kinds

    def _value(self, raw: bytes, site: Site) -> Iterator[Record]:
        found = look(raw)
        if found.items and not found.kind:
            for n, item in enumerate(found.items):
                yield from self._value(bytes(item), site.to(f"/{n}"))
            return
        hits = list(self._search(raw, site, DEPTH))
        if not hits:
            yield Unread(channel="", origin=site.origin, kind="skipped", why=OTHERS.get(raw[:1], "a number"))
        yield from self._play(hits)

    def _play(self, hits: list[Hit]) -> Iterator[Record]:
        """One value may hold a request and its reply, in any order: they are one exchange, and a whole one."""
        kinds = {hit.kind for hit in hits}
        hits.sort(key=lambda hit: hit.kind != "body")
        self._exchanges = kinds == {"exchange"}
        for hit in hits:
            yield from READERS[hit.kind](self, hit)
        if {"body", "reply"} <= kinds:
            yield from self._bodies.end()

    def _search(self, raw: bytes, site: Site, depth: int) -> Iterator[Hit]:
        kind, keys, items = look(raw)
        if kind and self._reads(kind):
            yield Hit(kind, raw, keys, items, site)
            return
        for n, item in enumerate(items):
            yield from self._search(bytes(item), site.to(f"/{n}"), depth)
        for key, value in keys.items() if depth else ():
            yield from self._within(bytes(value), site.to(loose.step(key)), depth - 1)

    def _within(self, raw: bytes, site: Site, depth: int) -> Iterator[Hit]:
        """A value that may hold something: an object, a list, or a string with JSON or events as its text."""
        if raw[:1] in (b"{", b"["):
            yield from self._search(raw, site, depth)
        elif raw.startswith((b'"data:', b'"event:')) and self._reads("reply"):
            yield Hit("reply", raw, {}, [], site)
        elif raw[:2] in (b'"{', b'"['):
            body = payload.of_value(raw, site)
            if body is not None and body.form == "json":
                yield from self._search(body.raw, body.site, depth)

    def _body(self, hit: Hit) -> Iterator[Record]:
        return self._bodies.request(hit.raw, hit.site)

    def _reply(self, hit: Hit) -> Iterator[Record]:
        return self._bodies.reply(hit.raw, hit.site)

    def _client(self, hit: Hit) -> Iterator[Record]:
        return self._sessions.frame("client", Body(hit.raw, hit.site), hit.site)

    def _server(self, hit: Hit) -> Iterator[Record]:
        return self._sessions.frame("server", Body(hit.raw, hit.site), hit.site)

    def _usage(self, hit: Hit) -> Iterator[Record]:
        """A count of tokens alone: both protocols send it."""
        return self._server(hit) if self._sessions.speaking else self._reply(hit)

    def _frame(self, hit: Hit) -> Iterator[Record]:
        return self._sessions.line(hit.keys, hit.site)

    def _message(self, hit: Hit) -> Iterator[Record]:
        return self._transcript.message(hit.raw, hit.site)


def _log(_: World, hit: Hit) -> Iterator[Record]:
    yield log.decode(hit.raw, hit.site.origin)


def _exchange(_: World, hit: Hit) -> Iterator[Record]:
    return exchanges.patient(hit.keys, hit.site)


def _session(_: World, hit: Hit) -> Iterator[Record]:
    return sessions.whole(hit.keys, hit.site)


def _messages(_: World, hit: Hit) -> Iterator[Record]:
    channel, origin = channel_of(hit.site), hit.site.origin
    yield Opened(channel=channel, origin=origin, body=Body(hit.raw, hit.site))
    yield Closed(channel=channel, origin=origin, recorded=False)


def _list_of_messages(_: World, hit: Hit) -> Iterator[Record]:
    transcript = Transcript(channel_of(hit.site))
    for n, item in enumerate(hit.items):
        yield from transcript.message(item, hit.site.to(f"/{n}"))
    yield from transcript.end()


READERS: dict[str, Callable[[World, Hit], Iterator[Record]]] = {
    "log": _log,
    "exchange": _exchange,
    "session": _session,
    "messages": _messages,
    "messages-list": _list_of_messages,
    "body": World._body,
    "reply": World._reply,
    "client": World._client,
    "server": World._server,
    "usage": World._usage,
    "frame": World._frame,
    "message": World._message,
}
