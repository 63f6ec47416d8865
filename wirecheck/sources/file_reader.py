"""Reads the lines of one file: passes each value to the reader of its kind, and keeps what is open until the file ends.

A value of no kind is searched two levels down, as it stands or as JSON text.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from secrets import token_hex

from msgspec import Raw

from wirecheck.sources import exchanges, frames, json_texts, lenient, live_sessions, reply_bodies
from wirecheck.sources.bare_bodies import BareBodies, LoggedTranscript
from wirecheck.sources.detect import DetectedValue, head, look, stripped
from wirecheck.sources.exchanges import channel_of
from wirecheck.sources.live_sessions import LoggedSessions
from wirecheck.wire import log, payload
from wirecheck.wire.recited_prefix import Elided, PrefixFinder
from wirecheck.wire.records import Body, Closed, Frame, Frames, Opened, Origin, Record, Site, Unread
from wirecheck.wire.utf8 import utf8

DEPTH = 2  # how far down a wrapped body is looked for
NO_TRAFFIC = "an object without request, contents, candidates, messages or frames"
# How a value begins that is worth a look. A string that begins with `data:` alone may be an image.
HOLDING = (b"{", b"[", b'"{', b'"[', b'"data: {', b'"data:{', b'"data: [', b'"data:[')
OBJECT = re.compile(rb"\{")
LONGEST = max(map(len, HOLDING))
# What other JSON is, by its first byte.
OTHERS = {b"{": NO_TRAFFIC, b"[": "a list", b'"': "a string", b"t": "true", b"f": "false", b"n": "null"}
# --input-format → the kinds that are read then; the rest is skipped. An empty set is all.
FORMATS: dict[str, frozenset[str]] = {
    "wirecheck": frozenset({"log"}),
    "exchanges": frozenset({"exchange"}),
    "frames": frozenset({"frame", "client", "server", "usage", "session"}),
    "sessions": frozenset({"session"}),
    "bodies": frozenset({"body", "reply", "usage"}),
    "messages": frozenset({"messages", "message", "messages-list"}),
    "document": frozenset(),
}
# The format that a value of this kind is told as.
TOLD_AS = {kind: name for name, kinds in reversed(FORMATS.items()) for kind in kinds}
SIDE_BY_SIDE = re.compile("/(?:request|response)(?:/[0-9]+)?")  # a known form, also where these are the bodies


class FileReader:
    """Reads the lines of one file, in order."""

    def __init__(
        self, input_format: str | None = None, *, parts: bool = False, guessed: set[str] | None = None
    ) -> None:
        """`parts`: large bodies of requests stay in their lines. `guessed` takes the formats of what is found by
        searching."""
        self._guessed = set() if guessed is None else guessed
        self._kinds = FORMATS[input_format] if input_format else frozenset()
        self._bodies, self._sessions, self._transcript = BareBodies(), LoggedSessions(), LoggedTranscript()
        self._asked = payload.part if parts else payload.copied
        self._prefixes = PrefixFinder(b'"%b"' % token_hex(16).encode())
        self._exchanges = False  # whether the line before was one: then this one is likely to be
        self._frames: frames.Decode | None = None  # what reads frames like the one of the line before
        self.world = ""  # of a converted log: which of its files the line before came from

    def frames(self, lines: list[bytes], begin: int, first: Origin) -> Frames | None:
        """The frames from this line on, if the line before was one. `first` is the origin of this line."""
        if self._frames is None:
            return None
        some = frames.of_lines(lines, begin, self._frames)
        if not some:
            return None
        lines = lines[begin : begin + len(some)]
        if self._frames is not frames.OF_OUR_LOG:
            return self._sessions.frames(lines, some, first)
        site, read = partial(frames.site_of, first), partial(_of_our_log, lines, first)
        return frames.together(some, [each.channel for each in some], first, site, read)

    def line(self, raw: bytes, origin: Origin) -> Iterable[Record]:
        """The records of a line, all or as they are asked for. Raises DecodeError where it is not JSON, RecursionError
        where it is too deep, UnicodeDecodeError where it is not UTF-8."""
        elided = self._prefixes.find(raw) if self._exchanges or raw.startswith(log.PREFIX) else None
        if elided is not None and elided.prefix is not None:
            try:
                if (records := self._usual(utf8(elided.short), origin, elided)) is not None:
                    return records
            except (ValueError, RecursionError):
                pass  # what is wrong with it is told of the whole line
            elided = None
        if (records := self._usual(utf8(raw), origin, elided)) is not None:
            return records
        site = Site(origin)
        if raw.lstrip().startswith(reply_bodies.FIELDS) and self._reads("reply"):
            return list(self._bodies.reply(reply_bodies.stream((raw.strip(),), site), site))
        return list(self._value(look(stripped(raw), site)))

    def value(self, raw: bytes, site: Site) -> Iterable[Record]:
        """The records of a value that stands in a file of another program. Raises as `line` does."""
        return self._value(look(raw, site))

    def _usual(self, line: bytes, origin: Origin, elided: Elided | None) -> Iterable[Record] | None:
        """The records of a line that is of our own log, or an exchange as most are. With `elided` it may be a short
        one."""
        self._frames = None
        if line.startswith(log.PREFIX) and self._reads("log"):
            record = log.decode(line, origin, self._asked, elided)
            if record.origin is not origin:
                self.world = record.origin.world
            elif type(record) is Frame:
                self._frames = frames.OF_OUR_LOG
            return (record,)
        return exchanges.quick(line, Site(origin), self._asked, elided) if self._exchanges else None

    def end(self) -> Iterator[Record]:
        for open_ones in (self._bodies, self._sessions, self._transcript):
            yield from open_ones.end()

    def _reads(self, kind: str) -> bool:
        return not self._kinds or kind in self._kinds

    def _value(self, value: DetectedValue, in_list: bool = False) -> Iterable[Record]:
        if value.kind and self._reads(value.kind):
            self._exchanges = value.kind == "exchange"
            return READERS[value.kind](self, value)
        if value.items and not in_list:
            return chain.from_iterable(self._value(item, in_list=True) for item in _items(value))
        found = [inner for item in _values(value) for inner in self._search(item, DEPTH)]
        self._guessed.update([TOLD_AS[inner.kind] for inner in found if not _is_beside(inner.site, value.site)])
        return self._together(found) if found else (self._closed(value) or _skipped(value),)

    def _closed(self, value: DetectedValue) -> Record | None:
        """The end of a session. What is wrapped in a line may be the close of anything."""
        if not self._reads("frame"):
            return None
        wrapped = (inner for inner in _values(value) if live_sessions.is_close(inner.keys))
        return next(filter(None, map(self._sessions.closed, (value, *wrapped))), None)

    def _together(self, found: list[DetectedValue]) -> Iterator[Record]:
        """One value may hold a request and its reply, in any order: they are one exchange, and a whole one."""
        kinds = {value.kind for value in found}
        for value in sorted(found, key=lambda value: value.kind != "body"):
            yield from READERS[value.kind](self, value)
        if {"body", "reply"} <= kinds:
            yield from self._bodies.end(whole=True)

    def _search(self, value: DetectedValue, depth: int) -> Iterator[DetectedValue]:
        if value.kind and self._reads(value.kind):
            yield value
        elif depth > 1 or value.items:
            for item in _values(value):
                yield from self._search(item, depth - (not value.items))

    def _body(self, value: DetectedValue) -> Iterator[Record]:
        return self._bodies.request(value.body, value.site)

    def _reply(self, value: DetectedValue) -> Iterator[Record]:
        return self._bodies.reply(reply_bodies.bodies(value.body, value.site), value.site)

    def _client(self, value: DetectedValue) -> Iterator[Record]:
        return self._sessions.frame("client", Body(value.body, value.site), value.site)

    def _server(self, value: DetectedValue) -> Iterator[Record]:
        return self._sessions.frame("server", Body(value.body, value.site), value.site)

    def _usage(self, value: DetectedValue) -> Iterator[Record]:
        """A count of tokens alone: both protocols send it."""
        return self._server(value) if self._sessions.speaking else self._reply(value)

    def _frame(self, value: DetectedValue) -> Iterator[Record]:
        self._frames = frames.decoder(value.keys)
        return self._sessions.line(value)

    def _message(self, value: DetectedValue) -> Iterator[Record]:
        """A bare function response among the frames of a session is one of them."""
        if self._sessions.speaking and len(value.keys) == 1:
            return self._client(value)
        return self._transcript.message(value.body, value.site)


def _is_beside(inner: Site, outer: Site) -> bool:
    """Whether a body is the request or the response of a value, and not wrapped in these."""
    return not inner.inner and SIDE_BY_SIDE.fullmatch(inner.pointer, len(outer.pointer)) is not None


def _items(value: DetectedValue) -> Iterator[DetectedValue]:
    for n, item in enumerate(value.items):
        yield look(item, value.site.to(f"/{n}"))


def _values(value: DetectedValue) -> Iterator[DetectedValue]:
    """What stands in a value: objects and lists, and strings with JSON or a stream of events as their text."""
    yield from (item for item in _items(value) if not item.items)  # what is in a list of lists is nothing we know
    for key, member in value.keys.items():
        if bytes(memoryview(member)[:LONGEST]).startswith(HOLDING):
            yield from _held(member, value.site.to(lenient.step(key)))


def _held(raw: Raw, site: Site) -> Iterator[DetectedValue]:
    if head(raw) != b'"':
        if OBJECT.search(raw):  # else it is a list that holds none
            yield look(raw, site)
    elif (body := json_texts.of_value(raw, site)) is not None and body.form == "json":
        yield look(body.raw.strip(), body.site)
    elif body is not None and reply_bodies.is_stream(body.raw):
        yield DetectedValue("reply", raw, site)


def _skipped(value: DetectedValue) -> Unread:
    why = OTHERS.get(head(value.raw), "a number")
    return Unread(channel="", origin=value.site.origin, kind="skipped", why=why)


def _of_our_log(lines: Sequence[bytes], first: Origin, n: int) -> Frame:
    record = log.decode(lines[n], Origin(first.path, first.line + n))
    assert type(record) is Frame
    return record


def _log(_: FileReader, value: DetectedValue) -> Iterator[Record]:
    yield log.decode(value.body, value.site.origin)


def _exchange(_: FileReader, value: DetectedValue) -> Iterable[Record]:
    return exchanges.patient(value.keys, value.site)


def _session(_: FileReader, value: DetectedValue) -> Iterator[Record]:
    return live_sessions.whole(value.keys, value.site)


def _messages(_: FileReader, value: DetectedValue) -> Iterator[Record]:
    channel, origin = channel_of(value.site), value.site.origin
    yield Opened(channel=channel, origin=origin, body=Body(value.body, value.site))
    yield Closed(channel=channel, origin=origin, recorded=False)


READERS: dict[str, Callable[[FileReader, DetectedValue], Iterable[Record]]] = {
    "log": _log,
    "exchange": _exchange,
    "session": _session,
    "messages": _messages,
    "messages-list": _messages,
    "body": FileReader._body,
    "reply": FileReader._reply,
    "client": FileReader._client,
    "server": FileReader._server,
    "usage": FileReader._usage,
    "frame": FileReader._frame,
    "message": FileReader._message,
}
