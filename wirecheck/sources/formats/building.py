"""Builds the records of an exchange, a session or a transcript that a reader found in a file."""

import zlib
from collections.abc import Iterable, Iterator, Mapping

from wirecheck.sources.transcripts import SERVER_ROLES
from wirecheck.wire.records import Body, Closed, Frame, Opened, Peer, Record, Replied, Site

GZIPPED = 47  # zlib: gzip or deflate, whichever it is
LARGEST = 64 << 20  # bytes that a compressed body may have: what has more is left as it is


def exchange(
    site: Site,
    *,
    method: str = "POST",
    url: str = "",
    headers: Mapping[str, str] | None = None,
    body: Body | None = None,
    status: int | None = None,
    status_site: Site | None = None,
    reply: Iterable[Body] | None = None,
    at: float | None = None,
) -> Iterator[Record]:
    """One exchange. Without `status` and `reply` the file has no response to it."""
    channel, origin = channel_at(site), site.origin
    sent = body if body is not None and body.payload else None
    yield Opened(channel=channel, origin=origin, at=at, method=method, url=url, headers=headers or {}, body=sent)
    if status is not None:
        place = status_site or site
        yield Replied(channel=channel, origin=place.origin, status=status, pointer=place.pointer)
    for each in reply or ():
        yield Frame(channel=channel, origin=each.site.origin, sender="server", body=each)
    yield Closed(channel=channel, origin=origin, recorded=status is not None or reply is not None)


def transcript(site: Site, messages: Iterable[tuple[str, Body]], *, whole: bool = True) -> Iterator[Record]:
    """A conversation that an application wrote down: roles and messages. It is `whole` where all of it is there that
    there will be: then a call that nobody answered is a mistake, and not one that waits."""
    channel, last = channel_at(site), site
    yield Opened(channel=channel, origin=site.origin)
    for role, body in messages:
        sender: Peer = "server" if role in SERVER_ROLES else "client"
        last = body.site
        yield Frame(channel=channel, origin=body.site.origin, sender=sender, body=body)
    yield Closed(channel=channel, origin=last.origin, recorded=whole)


def channel_at(site: Site) -> str:
    """The name of a channel that begins at this place: no other in the file has it."""
    return f"line {site.origin.line}{site.pointer}{site.inner_pointer}"


def unpacked(data: bytes, encoding: str) -> bytes:
    """The bytes of a body that was compressed. As they are where that is not possible, which is said of the body."""
    if encoding.strip().lower() not in ("gzip", "deflate", "x-gzip") and data[:2] != b"\x1f\x8b":
        return data
    plain = zlib.decompressobj(GZIPPED)
    try:
        unzipped = plain.decompress(data, LARGEST)
    except zlib.error:
        return data
    return data if plain.unconsumed_tail else unzipped
