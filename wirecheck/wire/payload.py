"""What a payload is: JSON, JSON as text, other text, or bytes that are neither.

Says it of a value of a log and of bytes off the wire alike; never decodes the JSON itself.
"""

import msgspec
from msgspec import Raw

from wirecheck.wire.record import Body, Site

_raw = msgspec.json.Decoder(Raw).decode
_text = msgspec.json.Decoder(str).decode


def is_json(data: bytes) -> bool:
    """Whether this is a JSON object or list. A number or a word that happens to be JSON is text to us."""
    if data.lstrip()[:1] not in (b"{", b"["):
        return False
    try:
        _raw(data)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def of_value(raw: bytes, site: Site) -> Body | None:
    """The payload in a JSON value: a string holds it as text, null holds none."""
    if raw[:1] == b'"':
        return of_text(_text(raw), site)
    return None if raw == b"null" else Body(raw, site)


def of_text(text: str, site: Site) -> Body:
    data = text.encode()
    if is_json(data):
        return Body(data, within(site))
    return Body(data, site, "text")


def of_bytes(data: bytes, site: Site) -> Body:
    """The payload of bytes off the wire."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return Body(data, site, "bytes")
    return Body(data, site, "json" if is_json(data) else "text")


def within(site: Site, event: int | None = None) -> Site:
    """Into the string that stands at a site. A string in a string keeps the way to the outer one."""
    return Site(site.origin, site.pointer, True, event if site.event is None else site.event, site.inner_pointer)
