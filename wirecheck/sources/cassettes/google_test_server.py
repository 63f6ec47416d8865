"""Recordings of google/test-server: exchanges as JSON, and Live sessions as `.websocket.log`.

The log has no times, opcodes or closes: `>LEN payload` from the client and `<LEN payload` from the server, one after
the other, where LEN counts the bytes of the payload with its line ends.
"""

import re
from collections.abc import Iterator

from wirecheck.sources.formats import json_document
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.node import JsonNode, JsonPieces, number, text
from wirecheck.sources.formats.recorded_bodies import exchange_of, headers_of, without_request
from wirecheck.sources.lines import BUFFER, LIMIT, Stream
from wirecheck.sources.live_sessions import LoggedSessions
from wirecheck.wire import payload
from wirecheck.wire.records import Origin, Peer, Record, Site, Unread

BEGIN = re.compile(rb"([<>])([0-9]{1,10}) ")
LONGEST = 12  # bytes of what stands before a payload
PORTS = {"http": 80, "https": 443}


def json(file: OpenedFile) -> Iterator[Record]:
    for item in json_document.items(file, ("interactions",)):
        yield from _interaction(item)


def websocket(file: OpenedFile) -> Iterator[Record]:
    sessions = LoggedSessions()
    for line, sign, length, data in _frames(file):
        site = Site(Origin(file.path, line))
        if not sign:
            why = f"no frame begins here, as in `>12 {{…}}`: {length} bytes are left out"
            yield Unread(channel="", origin=site.origin, kind="unreadable", why=why)
        elif len(data) < length:
            yield Unread(channel="", origin=site.origin, kind="unterminated", why="the file ends within this frame")
        else:
            sender: Peer = "client" if sign == b">" else "server"
            yield from sessions.frame(sender, payload.of_bytes(data.strip(), site), site)
    yield from sessions.end()


def _frames(file: OpenedFile) -> Iterator[tuple[int, bytes, int, bytes]]:
    """For each frame its line, who sent it by its sign, its length and its payload. What is no frame has no sign, and
    the number of its bytes."""
    line, odd, odd_line, stream = 1, 0, 1, file.stream
    while header := _header(stream):
        begin = BEGIN.fullmatch(header)
        if begin is not None and odd:
            yield odd_line, b"", odd, b""
            odd = 0
        if begin is not None:
            data = _payload(stream, int(begin[2]))
            yield line, begin[1], int(begin[2]), data
        else:
            data = b"" if header.endswith(b"\n") else stream.readline(LIMIT)
            if (header + data).strip():
                odd, odd_line = odd + len(header + data), odd_line if odd else line
        lines = header.count(b"\n") + data.count(b"\n")
        line, file.tally.lines, file.tally.size = line + lines, file.tally.lines + lines, file.tally.size + len(data)
    if odd:
        yield odd_line, b"", odd, b""


def _header(stream: Stream) -> bytes:
    """What stands before a payload: up to a blank, and no further than the longest length takes."""
    found = b""
    while len(found) < LONGEST and found[-1:] not in (b" ", b"\n") and (byte := stream.read(1)):
        found += byte
    return found


def _payload(stream: Stream, length: int) -> bytes:
    """Read in pieces: a length may be much larger than the file."""
    pieces, left = list[bytes](), min(length, LIMIT)
    while left and (piece := stream.read(min(left, BUFFER))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _interaction(item: JsonNode) -> Iterator[Record]:
    asked, answered = item["request"], item["response"]
    if not asked:
        return iter((without_request(item),))
    return exchange_of(
        item,
        next(iter(asked["bodySegments"]), asked["bodySegments"]["none"]),
        JsonPieces.of(answered["bodySegments"]),
        method=asked["method"],
        url=_url(asked),
        headers=headers_of(asked["headers"]),
        status=answered["statusCode"],
    )


def _url(asked: JsonNode) -> str:
    host, scheme, port = text(asked["serverAddress"]), text(asked["protocol"]) or "https", number(asked["port"])
    if not host:
        return text(asked["url"])
    return f"{scheme}://{host}{'' if port in (None, PORTS.get(scheme)) else f':{port}'}{text(asked['url'])}"
