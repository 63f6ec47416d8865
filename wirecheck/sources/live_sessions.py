"""Live sessions: their frames one a line, all in one line, or as bare messages.

A frame that names its channel belongs to it. All others are one session after the other: each begins with
the client's `setup`, and what comes before the first one belongs to it.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, takewhile
from typing import Any

import msgspec
from msgspec import Raw, Struct

from wirecheck.sources import frames, json_texts, lenient
from wirecheck.sources.detect import DetectedValue, items_of, keys_of, object_of
from wirecheck.sources.exchanges import channel_of
from wirecheck.wire import payload
from wirecheck.wire.records import Body, Closed, Frame, Frames, Opened, Origin, Peer, Record, Site, Unread

AT_ONCE = 10_000  # sessions that can be open at a time
NO_FRAMES = "a session without frames"
OF_NOBODY = "a session whose frames have no data from client or server"
CODES = range(1000, 5000)  # of a websocket's close
NAMES = ("close", "closed")
_base64 = msgspec.json.Decoder(bytes).decode


class LoggedSession(Struct):
    """An open session: its channel, where its last frame stood, and whether it was set up."""

    channel: str
    site: Site
    set_up: bool = False


class LoggedSessions:
    """The sessions of one file."""

    def __init__(self) -> None:
        self._open: dict[str | None, LoggedSession] = {}

    def line(self, value: DetectedValue) -> Iterator[Record]:
        """One frame that says who sent it."""
        keys, site = value.keys, value.site
        sender = sender_of(keys)
        if sender is None:
            yield _of_nobody(site)
            return
        body, binary = data_of(keys, site)
        channel, url = lenient.name(keys.get("channel")), lenient.text(keys.get("url")) or ""
        yield from self.frame(sender, body, site, channel, url, lenient.seconds(keys.get("at")), binary)

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
            session = LoggedSession(channel or channel_of(site), site)
            # Without a URL nothing says that the log begins where the session does.
            yield Opened(channel=session.channel, origin=site.origin, at=at, method="GET" if url else "", url=url)
        session.site, session.set_up = site, session.set_up or setting_up
        self._open.pop(channel, None)
        self._open[channel] = session  # last in the order: the first is the one idle for longest
        yield Frame(channel=session.channel, origin=site.origin, at=at, sender=sender, body=body, binary=binary)

    def frames(self, lines: Sequence[bytes], some: list[frames.LoggedFrame], first: Origin) -> Frames | None:
        """The first of these frames, as far as their sessions are open."""
        last = {each.channel: n for n, each in enumerate(some)}
        known = {name: None if name is None else str(name) for name in last}
        if not self._open.keys() >= set(known.values()):
            some = list(takewhile(lambda each: known[each.channel] in self._open, some))
            last = {each.channel: n for n, each in enumerate(some)}
        if not some:
            return None
        for name in sorted(last, key=last.__getitem__):
            self._open[known[name]] = session = self._open.pop(known[name])
            session.site = Site(Origin(first.path, first.line + last[name]))
        named = {name: self._open[known[name]].channel for name in last}
        channels = [named[each.channel] for each in some]
        site, read = partial(frames.site_of, first), partial(_single, lines, channels, first)
        return frames.together(some, channels, first, site, read)

    def closed(self, value: DetectedValue) -> Closed | None:
        """The end of an open session, where that is what a line tells."""
        channel = lenient.name(value.keys.get("channel"))
        session = self._open.get(channel)
        end = _alone(value.keys, value.site, session.channel) if session is not None else None
        if end is not None:
            del self._open[channel]
        return end

    def hang_up(self, site: Site, code: int | None, reason: str, at: float | None = None) -> Iterator[Record]:
        """The end of the session that has no name, where one is open."""
        if (session := self._open.pop(None, None)) is not None:
            told = {"code": code, "reason": reason, "at": at}
            yield _closed(told, site, session.channel, "")

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
    """A session in one value, or several of them, one after the close of the other. One that says nothing is none."""
    channel, items = channel_of(site), items_of(keys["frames"])
    told = list(_insides(items, site, channel))
    end = _end(keys, site, channel) or next((each for each in told if isinstance(each, Closed)), None)
    if not any(isinstance(each, Frame | Frames) for each in told):
        told = [_skipped(site, NO_FRAMES if not items else OF_NOBODY)] if items or end is None else []
        if end is None:
            yield from told
            return
    opened = Opened(channel=channel, origin=site.origin, method="GET", url=lenient.text(keys.get("url")) or "")
    yield opened
    is_open = True
    for each in told:
        if not is_open and isinstance(each, Frame | Frames):
            yield opened
            is_open = True
        if is_open or not isinstance(each, Closed):
            yield each
        is_open = is_open and not isinstance(each, Closed)
    if is_open:
        yield end or Closed(channel=channel, origin=site.origin, recorded=False)


def _insides(items: list[Raw], site: Site, channel: str) -> Iterator[Frame | Frames | Closed | Unread]:
    """What a session holds; frames that follow one another are one record."""
    begin, decode = 0, None
    while begin < len(items):
        if decode is not None and (some := frames.beginning(islice(items, begin, None), decode)):
            at, read = partial(_at, site, begin), partial(_nth, items, begin, site, channel)
            yield frames.together(some, [channel] * len(some), site.origin, at, read)
            begin += len(some)
        if begin < len(items):
            keys = keys_of(items[begin])
            yield _inside(keys, site.to(f"/frames/{begin}"), channel)
            begin, decode = begin + 1, frames.decoder(keys)


def _inside(keys: dict[str, Raw], site: Site, channel: str) -> Frame | Closed | Unread:
    if (end := _alone(keys, site, channel)) is not None:
        return end
    if sender_of(keys) is None or "data" not in keys:
        return _of_nobody(site)
    return _frame(keys, channel, site)


def _at(site: Site, begin: int, n: int) -> Site:
    return site.to(f"/frames/{begin + n}/data")


def _nth(items: list[Raw], begin: int, site: Site, channel: str, n: int) -> Frame:
    """One of the frames of a session."""
    return _frame(keys_of(items[begin + n]), channel, site.to(f"/frames/{begin + n}"))


def _single(lines: Sequence[bytes], channels: list[str], first: Origin, n: int) -> Frame:
    """One of the frames that lines begin with."""
    return _frame(object_of(lines[n]), channels[n], Site(Origin(first.path, first.line + n)))


def _frame(keys: dict[str, Raw], channel: str, site: Site) -> Frame:
    sender, (body, binary), at = sender_of(keys), data_of(keys, site), lenient.seconds(keys.get("at"))
    assert sender is not None
    return Frame(channel=channel, origin=site.origin, at=at, sender=sender, body=body, binary=binary)


def _end(keys: dict[str, Raw], site: Site, channel: str, at: float | None = None) -> Closed | None:
    """The end of a session where it is told: under `close` or `closed`, or by a `code` beside."""
    beside = {"by": lenient.text(keys.get("by")) or sender_of(keys), "at": at}
    for key in ("close", "closed", "code"):
        found = lenient.value(keys.get(key))
        if isinstance(found, dict):
            return _closed({**beside, **found}, site, channel, key)
        if found is not None and found is not False:
            return _closed({**beside, "reason": lenient.text(keys.get("reason")), "code": found}, site, channel, key)
    return None


def _alone(keys: dict[str, Raw], site: Site, channel: str) -> Closed | None:
    """The end of a session where something tells of nothing else: as above, by a code of closes, or by its own name."""
    if lenient.value(keys.get("data")) is not None:
        return None
    at = lenient.seconds(keys.get("at"))
    named = any(lenient.text(keys.get(key)) in NAMES for key in ("type", "kind", "event"))
    coded = _is_code(lenient.integer(keys.get("code")))
    if named or coded or not {"close", "closed"}.isdisjoint(keys):
        end = _end(keys, site, channel, at)
        return end or (_closed({"by": sender_of(keys), "at": at}, site, channel, "") if named else None)
    return None


def is_close(keys: dict[str, Raw]) -> bool:
    """Whether a code of closes stands here, under `close` or beside its reason."""
    told = [lenient.value(keys.get(key)) for key in ("close", "closed", *(("code",) if "reason" in keys else ()))]
    return any(_is_code(each.get("code") if isinstance(each, dict) else each) for each in told)


def _is_code(found: Any) -> bool:
    return type(found) is int and found in CODES  # anything but an integer is compared with each of a range


def _closed(told: dict[str, Any], site: Site, channel: str, key: str) -> Closed:
    code, reason, at = told.get("code"), told.get("reason"), told.get("at")
    return Closed(
        channel=channel,
        origin=site.origin,
        at=float(at) if isinstance(at, int | float) and at is not True else None,
        code=code if type(code) is int else None,
        reason=reason if type(reason) is str else "",
        by=lenient.sender(told.get("by")),
        pointer=site.to(f"/{key}").pointer if key else site.pointer,
    )


def _of_nobody(site: Site) -> Unread:
    return _skipped(site, "a frame without data from client or server")


def _skipped(site: Site, why: str) -> Unread:
    return Unread(channel="", origin=site.origin, kind="skipped", why=why)


def sender_of(keys: dict[str, Raw]) -> Peer | None:
    found = (lenient.sender(lenient.value(keys.get(key))) for key in ("from", "dir", "direction"))
    return next(filter(None, found), None)


def data_of(keys: dict[str, Raw], site: Site) -> tuple[Body, bool]:
    """The payload of a frame, and whether it was a binary one: then it may stand in base64."""
    raw, place = keys["data"], site.to("/data")
    binary = lenient.integer(keys.get("opcode")) == 2 or lenient.value(keys.get("binary")) is True
    body = json_texts.of_value(raw, place) or Body(bytes(raw), place)
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
