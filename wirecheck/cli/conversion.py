"""Turns the records of any files into the lines of one wirecheck log: without secrets, and with where each came from.

A line that could not be read stays what it is, since it is a finding. What is no traffic is left out, and counted.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache

from msgspec.structs import replace

from wirecheck.cache import Cache
from wirecheck.dialects import protocol_of_body, protocol_of_frame
from wirecheck.dialects.raw_json import top_keys
from wirecheck.faults import Fault
from wirecheck.secrets.redaction import Redaction
from wirecheck.secrets.scrub import scrub
from wirecheck.secrets.secret_forms import REDACTED
from wirecheck.wire import log, log_origin
from wirecheck.wire.log import Written
from wirecheck.wire.log_origin import LogOrigin
from wirecheck.wire.records import Body, Frame, Frames, Opened, Record, Replied, Unread

MARK = REDACTED.rstrip("]")  # how all begins that stands in place of a secret
KINDS = {"live": "session", "transcript": "transcript"}  # what a channel of this protocol is; of all others an exchange
OPEN = 4096  # channels at once whose kind is remembered
SWITCHING = 101  # the status of a websocket's handshake


class Conversion:
    """One log. Its counts fill up as its `lines` are made, of records that a Reader gives as it reads them: whole."""

    def __init__(self) -> None:
        self._world: str | None = None
        self.channels = ChannelCounts()
        self.files = self.records = self.redacted = self.unreadable = 0
        self.skipped: dict[str, tuple[str, int, int]] = {}  # by reason: where it was first, and how often
        self.faults: list[Fault] = []

    def lines(self, records: Iterable[Record]) -> Iterator[bytes]:
        for record in records:
            if isinstance(record, Frames):
                yield from map(self._line, map(record.read, range(len(record))))
            elif not isinstance(record, Unread) or self._is_finding(record):
                yield self._line(record)  # type: ignore[arg-type]

    def _is_finding(self, record: Unread) -> bool:
        path, line = record.origin.path, record.origin.line
        if record.kind == "fault":
            self.faults.append(Fault(path, line, record.why, record.trace))
        elif record.kind == "skipped":
            path, line, times = self.skipped.get(record.why, (path, line, 0))
            self.skipped[record.why] = path, line, times + 1
        else:
            self.unreadable += 1
        return record.kind in log.UNREAD

    def _line(self, record: Written) -> bytes:
        if (world := record.origin.world or record.origin.path) != self._world:
            self._world = world
            self._begin_file()
        clean = self._scrubbed(record)
        self.records += 1
        self.redacted += _marks(clean, record) - _marks(record, clean)
        self.channels.count(clean)
        return _inert(log.written(clean, record.origin, self._came(record))[0])

    def _begin_file(self) -> None:
        """Files are independent of each other: what is a secret in one may be any word in the next."""
        self.files += 1
        self._secrets = Redaction()
        self._names: Cache[str, str] = Cache(OPEN)  # of channels
        self._renamed = 0
        self.channels.begin_file()

    def _scrubbed(self, record: Written) -> Written:
        if isinstance(record, Unread):
            return replace(record, why=self._secrets.text(record.why))
        clean = self._secrets.scrubbed(record)
        channel = self._names.get_or_make(record.channel, lambda: self._channel(record.channel))
        return clean if clean.channel == channel else replace(clean, channel=channel)

    def _channel(self, name: str) -> str:
        """Channels that a secret tells apart stay apart without it."""
        if self._secrets.text(name) == name:
            return name
        self._renamed += 1
        return f"{MARK} {self._renamed}]"

    def _came(self, record: Written) -> LogOrigin:
        """By its form alone a path is a secret, so that a file has one name from its beginning to its end."""
        came, text = log_origin.of(record, self.files - 1), self._secrets.text
        came.path, came.body_path = _path(came.path), came.body_path and _path(came.body_path)
        came.pointer, came.inner_pointer = text(came.pointer), text(came.inner_pointer)
        return came


class ChannelCounts:
    """Counts exchanges, sessions and transcripts, as far as records tell which one a channel is."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.begin_file()

    def begin_file(self) -> None:
        self._known: Cache[str, bool] = Cache(OPEN)  # whether a channel was counted

    def count(self, record: Written) -> None:
        if isinstance(record, Unread):
            return
        if isinstance(record, Opened) or self._known.get(record.channel) is None:
            self._known.put(record.channel, False)
        if not self._known.get(record.channel) and (kind := _kind(record)):
            self._known.put(record.channel, True)
            self.kinds[kind] += 1


def _kind(record: Record) -> str:
    """What a channel is by one of its records, "" where that does not tell."""
    if isinstance(record, Replied):
        return "session" if record.status == SWITCHING else "exchange"
    if isinstance(record, Opened) and record.body is not None:
        return "exchange" if record.url else KINDS.get(protocol_of_body(_keys(record.body)), "exchange")
    return KINDS.get(protocol_of_frame(_keys(record.body)), "exchange") if isinstance(record, Frame) else ""


def _keys(body: Body) -> frozenset[str]:
    with suppress(RecursionError):
        return top_keys(body.raw) or frozenset()
    return frozenset()


@lru_cache(maxsize=64)
def _path(path: str) -> str:
    return scrub(path)


def _inert(line: bytes) -> bytes:
    """The line without what commands a terminal or the runner of a CI job. Only strings of JSON can hold that, where an
    escape is the same."""
    if line.isascii() and b"##[" not in line and b"\x7f" not in line:
        return line
    text = line[:-1].decode().replace("##[", r"##\u005b")
    return (text if text.isprintable() else "".join(map(_printable, text))).encode() + b"\n"


def _printable(char: str) -> str:
    if char.isprintable():
        return char
    units = char.encode("utf-16-be").hex()
    return "".join(f"\\u{units[n : n + 4]}" for n in range(0, len(units), 4))


def _marks(record: Written, other: Written) -> int:
    """How often something stands in place of a secret, where this record is not the same as the other one."""
    marks = 0
    if isinstance(record, Opened | Replied) and record.headers:
        marks = "\n".join(record.headers.values()).count(MARK)
    if isinstance(record, Opened):
        marks += record.url.count(MARK)
    if isinstance(record, Opened | Frame) and record.body and record.body is not getattr(other, "body", None):
        marks += record.body.raw.count(MARK.encode())
    return marks
