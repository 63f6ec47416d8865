"""Reads and writes the wirecheck log: one Record a line of JSON, each line complete when it is written.

Bodies keep their bytes; only line ends between JSON tokens become blanks.
Opens no file and scrubs no secrets: the caller has done that.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET, DecodeError, Raw, Struct, UnsetType, ValidationError, field
from msgspec.structs import replace

from wirecheck.wire import payload
from wirecheck.wire.recited_prefix import Elided
from wirecheck.wire.records import Body, Closed, Frame, FrameData, Opened, Origin, Peer, Record, Replied, Site, Unread

if TYPE_CHECKING:
    from wirecheck.wire.log_origin import LogOrigin

VERSION = 1
PREFIX = b'{"v":1,"kind":"'  # how every line written by this module begins
BINARY = 2  # the websocket opcode
UNREAD = ("unreadable", "unterminated")  # kinds of lines that could not be read where they came from
Written = Opened | Replied | Frame | Closed | Unread


class LogLine(Struct, omit_defaults=True):
    """One line: the keys of all kinds of records, in the order they are written."""

    v: Literal[1]
    kind: Literal["opened", "replied", "frame", "closed", "unreadable", "unterminated"]
    channel: str
    at: float | None = None
    method: str = ""
    url: str = ""
    status: int | None = None
    headers: dict[str, str] = {}
    sender: Peer | None = field(name="from", default=None)
    opcode: int | None = None
    body: Raw | UnsetType = UNSET
    data: Raw | UnsetType = UNSET
    text: str | UnsetType = UNSET
    octets: bytes | UnsetType = field(name="bytes", default=UNSET)
    code: int | None = None
    reason: str = ""
    by: Peer | None = None
    recorded: bool = True
    origin: Raw | UnsetType = UNSET


class FrameLine(Struct, forbid_unknown_fields=True, gc=False):
    """The line of a Live session's frame."""

    v: Literal[1]
    kind: Literal["frame"]
    channel: str
    data: FrameData
    sender: Peer = field(name="from")
    at: float | None = None
    opcode: int | None = None


class LogHead(Struct):
    """The keys that tell whether a line belongs to this format."""

    v: Any = None
    kind: Any = None


_head = msgspec.json.Decoder(LogHead).decode
_decode = msgspec.json.Decoder(LogLine).decode
frame = msgspec.json.Decoder(FrameLine).decode
_encode = msgspec.json.Encoder().encode


def decode(line: bytes, origin: Origin, asked: payload.Made = payload.copied, elided: Elided | None = None) -> Record:
    """The record of a line; Unread where it is JSON but no record. Raises DecodeError where it is not JSON.

    `asked` makes the Body of a request. `elided` is given where `line` is a short line (wire/recited_prefix.py).
    """
    try:
        read = _decode(line)
        record = MAKERS.get(read.kind, _unread_elsewhere)(read, origin, asked)
        if read.origin is not UNSET and (type(record) is not Unread or read.kind in UNREAD):
            record = _came_from(record, read.origin, origin)
    except ValidationError as error:
        return _unread(origin, _odd(line) or f"no record: {error}")
    if elided is not None and type(record) is Opened and record.body is not None and read.body is not UNSET:
        return replace(record, body=replace(record.body, elided=elided))
    return record


def encode(record: Written, came: "LogOrigin | None" = None) -> bytes:
    """The line of a record, with its newline, and where it `came` from, if that is another file."""
    line: LogLine = WRITERS[type(record)](record)  # type: ignore[operator]
    if came is not None:
        line.origin = Raw(_encode(came))
    return _encode(line) + b"\n"


def written(record: Written, origin: Origin, came: "LogOrigin | None" = None) -> tuple[bytes, Record]:
    """The line of a record, and the record read back from it, whose origin is given."""
    line = encode(record, came)
    try:
        read = decode(line, origin)
    except (DecodeError, RecursionError) as error:
        read = _unread(origin, str(error))
    if type(read) is not type(record) and (loose := _as_text(record)) is not record:
        return written(loose, origin, came)
    return line, read


def _as_text(record: Written) -> Written:
    """The record with its JSON as text: JSON at the nesting limit is too deep inside a line of JSON."""
    if isinstance(record, Opened | Frame) and record.body is not None and record.body.form == "json":
        return replace(record, body=replace(record.body, form="text"))
    return record


def _opened(line: LogLine, origin: Origin, asked: payload.Made) -> Record:
    return Opened(
        channel=line.channel,
        origin=origin,
        at=line.at,
        method=line.method,
        url=line.url,
        headers=line.headers,
        body=_body(line, line.body, Site(origin, "/body"), asked),
    )


def _replied(line: LogLine, origin: Origin, _: payload.Made) -> Record:
    if line.status is None:
        return _unread(origin, "no record: a reply without `status`")
    return Replied(
        channel=line.channel, origin=origin, at=line.at, status=line.status, headers=line.headers, pointer="/status"
    )


def _frame(line: LogLine, origin: Origin, _: payload.Made) -> Record:
    body = _body(line, line.data, Site(origin, "/data"), payload.copied)
    if body is None or line.sender is None:
        return _unread(origin, "no record: a frame without `from` or `data`")
    return Frame(
        channel=line.channel,
        origin=origin,
        at=line.at,
        sender=line.sender,
        body=body,
        binary=line.opcode == BINARY,
    )


def _closed(line: LogLine, origin: Origin, _: payload.Made) -> Record:
    return Closed(
        channel=line.channel,
        origin=origin,
        at=line.at,
        code=line.code,
        reason=line.reason,
        by=line.by,
        recorded=line.recorded,
        pointer="" if line.code is None else "/code",
    )


def _unread_elsewhere(line: LogLine, origin: Origin, _: payload.Made) -> Record:
    kind: Any = line.kind
    return Unread(channel=line.channel, origin=origin, kind=kind, why=line.reason)


def _came_from(record: Record, origin: Raw, here: Origin) -> Record:
    from wirecheck.wire import log_origin  # most logs were not converted

    try:
        return log_origin.placed(record, log_origin.decode(origin), here)
    except ValidationError as error:
        raise ValidationError(f"`origin`: {error}") from None


def _odd(line: bytes) -> str:
    """Says what is wrong with a line of another version or kind, "" where that is not it."""
    head = _head(line)
    if type(head.v) is not int or head.v != VERSION:
        return f"v is {_short(head.v)}, this wirecheck reads {VERSION}"
    return "" if head.kind in (*MAKERS, *UNREAD) else f"kind {_short(head.kind)} is none of {', '.join(MAKERS)}"


def _short(value: object) -> str:
    return repr(value)[:12] if isinstance(value, str | int | float) else "no word"


def _unread(origin: Origin, why: str) -> Unread:
    return Unread(channel="", origin=origin, kind="unreadable", why=why)


def _body(line: LogLine, raw: Raw | UnsetType, site: Site, made: payload.Made) -> Body | None:
    if raw is not UNSET:
        return made(raw, site)
    if line.text is not UNSET:
        return payload.of_text(line.text, Site(site.origin, "/text"))
    if line.octets is not UNSET:
        return _octets(line.octets, Site(site.origin, "/bytes"))
    return None


def _octets(data: bytes, site: Site) -> Body:
    """JSON that was logged as bytes becomes a JSON body; anything else stays bytes."""
    body = payload.of_bytes(data, site)
    return Body(data, payload.within(site)) if body.form == "json" else Body(data, site, "bytes")


def _opened_line(record: Opened) -> LogLine:
    line = LogLine(1, "opened", record.channel, record.at, record.method, record.url, headers=dict(record.headers))
    return line if record.body is None else _holding(line, record.body, "body")


def _replied_line(record: Replied) -> LogLine:
    return LogLine(1, "replied", record.channel, record.at, status=record.status, headers=dict(record.headers))


def _frame_line(record: Frame) -> LogLine:
    opcode = BINARY if record.binary else None
    return _holding(
        LogLine(1, "frame", record.channel, record.at, sender=record.sender, opcode=opcode), record.body, "data"
    )


def _closed_line(record: Closed) -> LogLine:
    return LogLine(
        1,
        "closed",
        record.channel,
        record.at,
        code=record.code,
        reason=record.reason,
        by=record.by,
        recorded=record.recorded,
    )


def _unread_line(record: Unread) -> LogLine:
    assert record.kind == "unreadable" or record.kind == "unterminated"
    return LogLine(1, record.kind, record.channel, record.at, reason=record.why)


def _holding(line: LogLine, body: Body, key: Literal["body", "data"]) -> LogLine:
    if body.form == "bytes" or body.site.pointer == "/bytes":
        line.octets = body.raw
    elif body.form == "text" or body.site.pointer == "/text":  # JSON logged as text or bytes stays that
        line.text = body.raw.decode()
    else:  # JSON strings contain no raw line end, so any line end is between tokens
        setattr(line, key, Raw(body.raw.strip().replace(b"\n", b" ").replace(b"\r", b" ")))
    return line


MAKERS: dict[str, Callable[[LogLine, Origin, payload.Made], Record]] = {
    "opened": _opened,
    "replied": _replied,
    "frame": _frame,
    "closed": _closed,
}
WRITERS = {
    Opened: _opened_line,
    Replied: _replied_line,
    Frame: _frame_line,
    Closed: _closed_line,
    Unread: _unread_line,
}
