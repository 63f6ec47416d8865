"""Builds the records of an exchange, a session or a transcript that a reader found in a file."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.sources.bare_bodies import SERVER_ROLES
from wirecheck.wire.records import Body, Closed, Frame, Opened, Peer, Record, Replied, Site, Unread

SWITCHING = 101  # the status of a handshake


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
        # A body in a file of its own stands there, and is heard here.
        here = each.site.origin if each.site.origin.path == origin.path else origin
        yield Frame(channel=channel, origin=here, sender="server", body=each)
    yield Closed(channel=channel, origin=origin, recorded=status is not None or reply is not None)


class LoggedMessage(Struct):
    """A frame of a websocket, as a reader found it."""

    sender: Peer
    body: Body
    at: float | None = None
    binary: bool = False


def socket(
    site: Site,
    *,
    url: str,
    headers: Mapping[str, str],
    status_site: Site | None,
    messages: Iterable[LoggedMessage],
    end: Closed | None,
    at: float | None = None,
) -> Iterator[Record]:
    """A websocket, from its handshake on. Without `end` the file does not say how it was closed."""
    channel, origin = channel_at(site), site.origin
    url = f"ws{url[4:]}" if url.startswith("http") else url
    yield Opened(channel=channel, origin=origin, at=at, method="GET", url=url, headers=headers)
    if status_site is not None:
        yield Replied(channel=channel, origin=status_site.origin, status=SWITCHING, pointer=status_site.pointer)
    for each in messages:
        place, sender, body = each.body.site.origin, each.sender, each.body
        yield Frame(channel=channel, origin=place, at=each.at, sender=sender, body=body, binary=each.binary)
    yield Closed(channel=channel, origin=origin, recorded=False) if end is None else replace(end, channel=channel)


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


def skipped(site: Site, why: str) -> Unread:
    """What is no traffic, or none that is judged."""
    return Unread(channel="", origin=site.origin, kind="skipped", why=why)


def channel_at(site: Site) -> str:
    """The name of a channel that begins at this place: no other in the file has it."""
    return f"line {site.origin.line}{site.pointer}{site.inner_pointer}"
