"""Live sessions: their frames one a line, all in one line, or as bare messages.

A frame that names its channel belongs to it. All others are one session after the other: each begins with
the client's `setup`, and what comes before the first one belongs to it.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw, Struct

from wirecheck.sources import loose
from wirecheck.sources.exchanges import channel_of
from wirecheck.sources.kinds import Value, items_of, keys_of
from wirecheck.wire import payload
from wirecheck.wire.record import Body, Closed, Frame, Opened, Peer, Record, Site, Unread

AT_ONCE = 10_000  # sessions that can be open at a time
_base64 = msgspec.json.Decoder(bytes).decode


class Session(Struct):
    """An open session: its channel, where its last frame stood, and whether it was set up."""

    channel: str
    site: Site
    set_up: bool = False


class Sessions:
    """The sessions of one file."""

    def __init__(self) -> None:
        self._open: dict[str | None, Session] = {}

    def line(self, value: Value) -> Iterator[Record]:
        """One frame that says who sent it."""
        keys, site = value.keys, value.site
        sender = sender_of(keys)
        if sender is None:
            yield _of_nobody(site)
            return
        body, binary = data_of(keys, site)
        channel, url = loose.name(keys.get("channel")), loose.text(keys.get("url")) or ""
        yield from self.frame(sender, body, site, channel, url, loose.seconds(keys.get("at")), binary)

    def frame(
        self,
        sender: Peer,
        body: Body,
        site: Site,
        channel: str | None = None,
        url: str = "",
        at: float | None = None,
        binary: bool = False,
    ) -> Iterator[Record]:
        setting_up = channel is None and sender == "client" and _sets_up(body)
        session = self._open.get(channel)
        if session is not None and setting_up and session.set_up:
            yield from self._close(channel)
            session = None
        if session is None:
            yield from self._let_go()
            session = Session(channel or channel_of(site), site)
            yield Opened(channel=session.channel, origin=site.origin, at=at, method="GET", url=url)
        session.site, session.set_up = site, session.set_up or setting_up
        self._open.pop(channel, None)
        self._open[channel] = session  # last in the order: the first is the one idle for longest
        yield Frame(channel=session.channel, origin=site.origin, at=at, sender=sender, body=body, binary=binary)

    def end(self) -> Iterator[Record]:
        for channel in list(self._open):
            yield from self._close(channel)

    def _let_go(self) -> Iterator[Record]:
        if len(self._open) >= AT_ONCE:
            yield from self._close(next(iter(self._open)))

    def _close(self, channel: str | None) -> Iterator[Record]:
        session = self._open.pop(channel)
        yield Closed(channel=session.channel, origin=session.site.origin, recorded=False)

    @property
    def speaking(self) -> bool:
        """Whether a session without a name is open."""
        return None in self._open


def whole(keys: dict[str, Raw], site: Site) -> Iterator[Record]:
    """A session in one value."""
    channel, origin = channel_of(site), site.origin
    yield Opened(channel=channel, origin=origin, method="GET", url=loose.text(keys.get("url")) or "")
    for n, item in enumerate(items_of(keys["frames"])):
        frame, place = keys_of(item), site.to(f"/frames/{n}")
        sender = sender_of(frame)
        if sender is not None and "data" in frame:
            body, binary = data_of(frame, place)
            at = loose.seconds(frame.get("at"))
            yield Frame(channel=channel, origin=origin, at=at, sender=sender, body=body, binary=binary)
        else:
            yield _of_nobody(place)
    yield _end(keys, site, channel)


def _end(keys: dict[str, Raw], site: Site, channel: str) -> Closed:
    """The end of a session where the line tells it: under `close` or `closed`, or by its own `code`."""
    for key in ("close", "closed", "code"):
        found = loose.value(keys.get(key))
        if isinstance(found, dict):
            return _closed(found, site, channel, key)
        if found is not None and found is not False:
            told = {"code": found, "reason": loose.text(keys.get("reason")), "by": loose.text(keys.get("by"))}
            return _closed(told, site, channel, key)
    return Closed(channel=channel, origin=site.origin, recorded=False)


def _closed(told: dict[str, Any], site: Site, channel: str, key: str) -> Closed:
    code, reason = told.get("code"), told.get("reason")
    return Closed(
        channel=channel,
        origin=site.origin,
        code=code if type(code) is int else None,
        reason=reason if type(reason) is str else "",
        by=loose.sender(told.get("by")),
        pointer=f"{site.pointer}/{key}",
    )


def _of_nobody(site: Site) -> Unread:
    return Unread(channel="", origin=site.origin, kind="skipped", why="a frame without data from client or server")


def sender_of(keys: dict[str, Raw]) -> Peer | None:
    found = (loose.sender(loose.value(keys.get(key))) for key in ("from", "dir", "direction"))
    return next(filter(None, found), None)


def data_of(keys: dict[str, Raw], site: Site) -> tuple[Body, bool]:
    """The payload of a frame, and whether it was a binary one: then it may stand in base64."""
    raw, place = bytes(keys["data"]), site.to("/data")
    binary = loose.integer(keys.get("opcode")) == 2 or loose.value(keys.get("binary")) is True
    body = payload.of_value(raw, place) or Body(raw, place)
    if body.form != "text":
        return body, binary
    try:
        found = payload.of_bytes(_base64(raw), place)
    except msgspec.ValidationError:
        return body, binary
    if found.form == "json":
        return Body(found.raw, payload.within(place)), True
    return (found, True) if binary else (body, False)


def _sets_up(body: Body) -> bool:
    return b'"setup"' in body.raw and body.form == "json" and "setup" in keys_of(Raw(body.raw.strip()))
