"""Messages one by one: each is a line of a file or an item of a list, and all of them are one conversation."""

from collections.abc import Iterator

from msgspec import Raw

from wirecheck.sources import lenient
from wirecheck.sources.detect import object_of
from wirecheck.wire.records import Body, Closed, Frame, Opened, Peer, Record, Site

SERVER_ROLES = ("model", "assistant")


class LoggedTranscript:
    def __init__(self, channel: str = "messages") -> None:
        self._channel = channel
        self._last: Site | None = None

    def message(self, raw: bytes | Raw, site: Site) -> Iterator[Record]:
        if self._last is None:
            yield Opened(channel=self._channel, origin=site.origin)
        self._last = site
        role = lenient.text(object_of(raw).get("role"))
        sender: Peer = "server" if role in SERVER_ROLES else "client"
        yield Frame(channel=self._channel, origin=site.origin, sender=sender, body=Body(bytes(raw), site))

    def end(self) -> Iterator[Record]:
        if self._last is not None:
            yield Closed(channel=self._channel, origin=self._last.origin, recorded=False)
        self._last = None
