"""Recordings of google/test-server: exchanges as JSON, and Live sessions as `.websocket.log`.

The log has no times, opcodes or closes: `>LEN payload` from the client and `<LEN payload` from the server, one after
the other, where LEN counts the bytes of the payload with its line ends.
"""

import re
from collections.abc import Iterator

from wirecheck.sources.formats import json_values
from wirecheck.sources.formats.file_format import OpenedFile, UnreadableInput
from wirecheck.sources.formats.node import JsonNode, JsonPieces, number, text
from wirecheck.sources.formats.recorded_bodies import exchange_of, headers_of, without_request
from wirecheck.sources.lines import LIMIT
from wirecheck.sources.live_sessions import LoggedSessions
from wirecheck.wire import payload
from wirecheck.wire.records import Origin, Record, Site, Unread

BEGIN = re.compile(rb"[<>]([0-9]{1,10}) ")
PORTS = {"http": 80, "https": 443}


def json(file: OpenedFile) -> Iterator[Record]:
    for item in json_values.items(file, ("interactions",)):
        yield from _interaction(item)


def websocket(file: OpenedFile) -> Iterator[Record]:
    sessions, whole, at, line = LoggedSessions(), _read(file), 0, 1
    while at < len(whole):
        site = Site(Origin(file.path, line))
        begin = BEGIN.match(whole, at)
        end = begin.end() + int(begin[1]) if begin is not None else at
        if begin is None:
            end = _next(whole, at)
            if whole[at:end].strip():
                why = f"no frame begins here, as in `>12 {{…}}`: {end - at} bytes are left out"
                yield Unread(channel="", origin=site.origin, kind="unreadable", why=why)
        elif end > len(whole):
            yield Unread(channel="", origin=site.origin, kind="unterminated", why="the file ends within this frame")
            end = len(whole)
        else:
            body = payload.of_bytes(whole[begin.end() : end].strip(), site)
            yield from sessions.frame("client" if whole[at : at + 1] == b">" else "server", body, site)
        line, at = line + whole.count(b"\n", at, end), end
    yield from sessions.end()


def _next(whole: bytes, at: int) -> int:
    """Where the next line begins that may be a frame."""
    ends = [found for sign in (b"\n<", b"\n>") if (found := whole.find(sign, at)) >= 0]
    return min(ends) + 1 if ends else len(whole)


def _read(file: OpenedFile) -> bytes:
    whole = file.stream.read(LIMIT)
    if file.stream.read(1):
        raise UnreadableInput(f"it is larger than {LIMIT >> 20} MB")
    file.tally.lines += whole.count(b"\n") + (not whole.endswith(b"\n"))
    file.tally.size += len(whole)
    return whole


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
