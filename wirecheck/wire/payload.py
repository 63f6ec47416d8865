"""What a payload is: JSON, JSON as text, other text, or bytes that are neither.

The same for text in a log and bytes from the wire. Never decodes the JSON itself.
"""

from collections.abc import Callable

import msgspec
from msgspec import Raw

from wirecheck.wire.records import Body, Site
from wirecheck.wire.utf8 import utf8

LARGE = 1 << 22  # bytes: a larger body is not copied out of its line if the caller allows that
_raw = msgspec.json.Decoder(Raw).decode
Made = Callable[[bytes | Raw, Site], Body]  # makes the Body of JSON in a line


def is_json(data: bytes) -> bool:
    """Whether this is a JSON object or list. A bare number or word counts as text, though it is JSON."""
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
    """Like `copied`, but leaves a large body in its line, as `Body.part`."""
    return Body(b"", site, part=raw) if isinstance(raw, Raw) and len(raw) > LARGE else Body(bytes(raw), site)


def of_text(text: str, site: Site) -> Body:
    return of_written(text.encode(), site)


def of_written(data: bytes, site: Site) -> Body:
    """Makes the Body of a text, given as its UTF-8 bytes."""
    if is_json(data):
        return Body(data, within(site))
    return Body(data, site, "text")


def of_bytes(data: bytes, site: Site) -> Body:
    """Makes the Body of bytes from the wire."""
    try:
        utf8(data)
    except UnicodeDecodeError:
        return Body(data, site, "bytes")
    return Body(data, site, "json" if is_json(data) else "text")


def within(site: Site, event: int | None = None) -> Site:
    """Returns the site inside the string that stands at `site`. Within nested strings the outer place is kept."""
    return Site(site.origin, site.pointer, True, event if site.event is None else site.event, site.inner_pointer)
