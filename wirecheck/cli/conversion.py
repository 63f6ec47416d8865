"""Turns the records of any files into the lines of one wirecheck log: without secrets, and with where each came from.

A line that could not be read stays what it is, since it is a finding. What is no traffic is left out, and counted.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress

from msgspec.structs import replace

from wirecheck.cache import Cache
from wirecheck.dialects import protocol_of_body, protocol_of_frame
from wirecheck.dialects.raw_json import top_keys
from wirecheck.faults import Fault
from wirecheck.secrets.redaction import Redaction
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
        self.redacted += _marks(clean) - _marks(record)
        self.channels.count(clean)
        return _inert(log.written(clean, record.origin, self._came(record))[0])

    def _begin_file(self) -> None:
        """Files are independent of each other: what is a secret in one may be any word in the next."""
        self.files += 1
        self._secrets = Redaction()
        self._names: dict[str, str] = {}  # names of channels that hold a secret, and those in their place
        self.channels.begin_file()

    def _scrubbed(self, record: Written) -> Written:
        channel = self._channel(record.channel)
        if isinstance(record, Unread):
            return replace(record, channel=channel, why=self._secrets.text(record.why))
        clean = self._secrets.scrubbed(record)
        return clean if clean.channel == channel else replace(clean, channel=channel)

    def _channel(self, name: str) -> str:
        """Channels that a secret tells apart stay apart without it."""
        if self._secrets.text(name) == name:
            return name
        return self._names.setdefault(name, f"{MARK} {len(self._names) + 1}]")

    def _came(self, record: Written) -> LogOrigin:
        came, text = log_origin.of(record, self.files - 1), self._secrets.text
        came.path, came.pointer, came.inner_pointer = text(came.path), text(came.pointer), text(came.inner_pointer)
        came.body_path = came.body_path and text(came.body_path)
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


def _marks(record: Written) -> int:
    """How often something stands in place of a secret."""
    body = record.body.raw.count(MARK.encode()) if isinstance(record, Opened | Frame) and record.body else 0
    return body + "\n".join(_texts(record)).count(MARK)


def _texts(record: Written) -> Iterator[str]:
    if isinstance(record, Opened):
        yield record.url
    if isinstance(record, Opened | Replied):
        yield from record.headers.values()
