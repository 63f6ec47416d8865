"""HAR 1.2: of browsers, Charles, Proxyman, HTTP Toolkit, Playwright and mitmproxy, and the recordings of Polly.JS.

Frames of a websocket stand in `_webSocketMessages`, as Chrome writes them: what is no text is in base64. How it was
closed hardly anybody writes: `_webSocketClose`, or a frame with the opcode of a close.
"""

from base64 import b64decode
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from wirecheck.sources import lenient
from wirecheck.sources.formats import json_document
from wirecheck.sources.formats.building import SWITCHING, LoggedMessage, socket
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.node import JsonNode, Node, YamlNode, first, number, text
from wirecheck.sources.formats.recorded_bodies import (
    beside,
    encoding_of,
    exchange_of,
    headers_of,
    of_base64,
    unpacked,
    without_request,
)
from wirecheck.wire.records import Body, Closed, Record, Unread

MESSAGES = ("_webSocketMessages", "webSocketMessages")
TEXT, BINARY, CLOSE = 1, 2, 8  # opcodes
DATA = (None, 0, TEXT, BINARY)  # 0 continues a frame; pings and what Chrome calls -1, an error, hold no data
NOT_SAVED = "a body that was not exported, as programs leave out large ones"


def records(file: OpenedFile) -> Iterator[Record]:
    for entry in json_document.items(file, ("log", "entries")):
        yield from _entry(file, entry)


def _entry(file: OpenedFile, entry: JsonNode) -> Iterator[Record]:
    asked, answered = entry["request"], entry["response"]
    if not asked:
        yield without_request(entry)
        return
    if any(key in entry for key in MESSAGES) or number(answered["status"]) == SWITCHING:
        yield from _socket(entry)
        return
    for half, sized in ((asked["postData"], asked["bodySize"]), (answered["content"], answered["content"]["size"])):
        if not (half["text"] or half["_file"]) and (number(sized) or 0) > 0 and text(asked["method"]) == "POST":
            yield Unread(channel="", origin=entry.site.origin, kind="skipped", why=NOT_SAVED)
    yield from exchange_of(
        entry,
        _body(file, asked["postData"], asked),
        _body(file, answered["content"], answered),
        method=asked["method"],
        url=text(asked["url"]),
        headers=headers_of(asked["headers"]),
        status=answered["status"],
        at=_time(entry),
    )


def _body(file: OpenedFile, content: JsonNode, half: JsonNode) -> Node | Unread:
    """It stands there unpacked, whatever the headers say, or Playwright attached it, as a file in the same folder. Only
    of Polly.JS what was packed is a list of pieces, as text; before it named an encoding they were in hex."""
    if content["_file"] and not text(content["text"]):
        return beside(file, Path(file.path).parent, content["_file"])
    written, in_base64 = content["text"], text(content["encoding"]) == "base64"
    if not in_base64 and content["_isBinary"].value() is not True:
        return written
    pieces = [text(piece) for piece in written.inner()] if text(written).startswith("[") else []
    if not pieces:
        return of_base64(written) if in_base64 else written
    try:
        data = b"".join(b64decode(piece.encode()) if in_base64 else bytes.fromhex(piece) for piece in pieces)
    except ValueError:
        return written
    return unpacked(data, encoding_of(headers_of(half["headers"])), written.site)


def _socket(entry: JsonNode) -> Iterator[Record]:
    asked, status = entry["request"], entry["response"]["status"]
    messages = list(first(*(entry[key] for key in MESSAGES)))
    return socket(
        entry.site,
        url=text(asked["url"]),
        headers=headers_of(asked["headers"]),
        status_site=status.site if number(status) == SWITCHING else None,
        messages=filter(None, map(_message, messages)),
        end=_close(entry["_webSocketClose"]) or next(filter(None, map(_close_frame, messages)), None),
        at=_time(entry),
    )


def _message(message: JsonNode) -> LoggedMessage | None:
    sender, opcode = lenient.sender(message["type"].value()), number(message["opcode"])
    if sender is None or opcode not in DATA or (body := _data(message, opcode)) is None:
        return None
    return LoggedMessage(sender, body, _seconds(message["time"]), opcode == BINARY)


def _data(message: JsonNode, opcode: int | None) -> Body | None:
    body = message["data"].body()
    if opcode in (None, TEXT) or body is None or body.form == "json":
        return body
    found = of_base64(message["data"])
    return body if isinstance(found, Unread) else found.body()


def _close(told: JsonNode) -> Closed | None:
    """What HTTP Toolkit writes: a code and a reason, or that there was none."""
    code = number(told["code"])
    return None if code is None else _closed(told, "timestamp", code, text(told["reason"]), told["by"].value())


def _close_frame(message: JsonNode) -> Closed | None:
    if number(message["opcode"]) != CLOSE:
        return None
    found = of_base64(message["data"])
    data = found.value() if isinstance(found, YamlNode) else b""
    code = int.from_bytes(data[:2], "big") if len(data) > 1 else None
    return _closed(message, "time", code, data[2:].decode(errors="replace"), message["type"].value())


def _closed(told: JsonNode, time: str, code: int | None, reason: str, by: object) -> Closed:
    at, place = _seconds(told[time]), told.site
    return Closed(
        channel="", origin=place.origin, at=at, code=code, reason=reason, by=lenient.sender(by), pointer=place.pointer
    )


def _seconds(node: JsonNode) -> float | None:
    found = node.value()
    return float(found) if type(found) in (int, float) and abs(found) < 1e12 else None


def _time(entry: JsonNode) -> float | None:
    try:
        return datetime.fromisoformat(text(entry["startedDateTime"])).timestamp()
    except (ValueError, OverflowError):
        return None
