"""What a payload is: JSON, JSON as text, other text, or bytes that are neither.

Says it of a text in a log and of bytes off the wire alike; never decodes the JSON itself.
"""

from collections.abc import Callable

import msgspec
from msgspec import Raw

from wirecheck.wire.records import Body, Site
from wirecheck.wire.utf8 import utf8

LARGE = 1 << 22  # bytes of a body that is not copied where it may stay in its line
_raw = msgspec.json.Decoder(Raw).decode
Made = Callable[[bytes | Raw, Site], Body]  # of JSON in a line


def is_json(data: bytes) -> bool:
    """Whether this is a JSON object or list. A number or a word that happens to be JSON is text to us."""
    if data.lstrip()[:1] not in (b"{", b"["):
        return False
    try:
        _raw(data)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def copied(raw: bytes | Raw, site: Site) -> Body:
    return Body(bytes(raw), site)


def part(raw: bytes | Raw, site: Site) -> Body:
    """The same for those to whom a part of a line is as good as a copy."""
    return Body(b"", site, part=raw) if isinstance(raw, Raw) and len(raw) > LARGE else Body(bytes(raw), site)


def of_text(text: str, site: Site) -> Body:
    return of_written(text.encode(), site)


def of_written(data: bytes, site: Site) -> Body:
    """The payload of a text, as its bytes."""
    if is_json(data):
        return Body(data, within(site))
    return Body(data, site, "text")


def of_bytes(data: bytes, site: Site) -> Body:
    """The payload of bytes off the wire."""
    try:
        utf8(data)
    except UnicodeDecodeError:
        return Body(data, site, "bytes")
    return Body(data, site, "json" if is_json(data) else "text")


def within(site: Site, event: int | None = None) -> Site:
    """Into the string that stands at a site. A string in a string keeps the way to the outer one."""
    return Site(site.origin, site.pointer, True, event if site.event is None else site.event, site.inner_pointer)
