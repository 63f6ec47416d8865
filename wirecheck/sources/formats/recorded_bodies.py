"""The body of a request or a reply as a file has it: packed, in base64, redacted, or in a file beside it."""

import io
import re
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wirecheck.sources import lenient, reply_bodies
from wirecheck.sources.formats.building import exchange, skipped
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.node import Node, YamlNode, number, short_text, text
from wirecheck.wire import payload
from wirecheck.wire.content_decoding import UNPACKED, Undecodable, decoder
from wirecheck.wire.records import Origin, Record, Site, Unread

GZIP = b"\x1f\x8b"
LARGEST = 64 << 20  # bytes that a body may have when it is unpacked
# Bytes that are unpacked at a time, to see how large it becomes. One of deflate becomes a thousand at most, and one of
# others, or of what was packed twice, a million.
PIECE, SMALL_PIECE = 1 << 14, 16
DEFLATED = ("gzip", "x-gzip", "deflate")
# What programs put in the place of a body that they do not want to show.
REDACTED = re.compile(
    r"\W{0,3}\s{0,2}(?:redacted|filtered|scrubbed|removed|masked|hidden|omitted)[^\n]{0,40}", re.IGNORECASE
)
STATUSES = range(100, 600)  # anything else, as 0 in browsers, says that there was no response


def exchange_of(
    item: Node,
    asked: Node | Unread,
    answered: Node | Unread,
    *,
    method: Node,
    url: str,
    headers: dict[str, str],
    status: Node,
    at: float | None = None,
) -> Iterator[Record]:
    """The exchange in an item. A body that cannot be read is a record that says so."""
    code = number(status)
    request, response = _legible(asked), _legible(answered)
    for half in (request, response):
        if isinstance(half, Unread):
            yield half
    yield from exchange(
        item.site,
        method=text(method).upper() or "POST",
        url=url,
        headers=headers,
        body=None if isinstance(request, Unread) else request.body(),
        status=code if code in STATUSES else None,
        status_site=status.site,
        reply=None if isinstance(response, Unread) or not response else response.bodies(),
        at=at,
    )


def without_request(item: Node) -> Unread:
    return skipped(item.site, "an entry without a request")


def unpacked(value: Any, encoding: str, site: Site) -> YamlNode | Unread:
    """A body that may be packed. Most programs unpack it and leave the header as it was: then it is text."""
    found = YamlNode(value, site)
    if not isinstance(value, bytes):
        return found
    form = payload.of_bytes(value, site).form
    packed = encoding.strip().lower() or ("gzip" if value.startswith(GZIP) else "")
    if form == "json" or packed in UNPACKED or (form == "text" and reply_bodies.is_stream(value)):
        return found
    try:
        return YamlNode(_plain(value, packed), site)
    except Undecodable as error:
        return found if form == "text" else Unread(channel="", origin=site.origin, kind="unreadable", why=_why(error))


def of_base64(node: Node, encoding: str = "") -> Node | Unread:
    """A body in base64; the text itself where it is none."""
    try:
        data = b64decode(text(node).encode(), validate=False)
    except ValueError:
        return node
    return unpacked(data, encoding, node.site) if node else node


def beside(file: OpenedFile, folder: Path, name: Node) -> YamlNode | Unread:
    """A body that was written to a file of its own, in this folder or below it: a cassette may not name others."""
    path = folder / text(name)
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
        if not (text(name) and inside and path.is_file() and path.stat().st_size <= LARGEST):
            return skipped(name.site, f"a body in a file of its own that is not {'there' if inside else 'beside it'}")
        return unpacked(path.read_bytes(), "", Site(Origin(str(path), 1)))
    except (OSError, ValueError):  # a null byte in a name is a ValueError
        return skipped(name.site, "a body in a file of its own that cannot be read")


def encoding_of(headers: dict[str, str]) -> str:
    return next((value for name, value in headers.items() if name.lower() == "content-encoding"), "")


def headers_of(node: Node) -> dict[str, str]:
    return lenient.named(node.value())


def _legible(half: Node | Unread) -> Node | Unread:
    if not isinstance(half, Unread) and REDACTED.fullmatch(short_text(half, 100)):
        return skipped(half.site, "a body that was redacted")
    return half


def _plain(data: bytes, encoding: str) -> bytes:
    steps, plain, piece = decoder(encoding), io.BytesIO(), PIECE if encoding in DEFLATED else SMALL_PIECE
    for n in range(0, len(data), piece):
        plain.write(steps.feed(data[n : n + piece]))
        if plain.tell() > LARGEST:
            raise Undecodable(f"more than {LARGEST >> 20} MB when it is unpacked")
    return plain.getvalue()


def _why(error: Undecodable) -> str:
    return f"a body is {error}" if str(error).startswith(("packed", "more")) else f"a body cannot be unpacked: {error}"
