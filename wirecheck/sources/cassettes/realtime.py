"""Cassettes of realtime sessions, as the tests of pydantic-ai record them: `kind`, `direction` and `data` in YAML.

A `close` has its code and reason. After one, or with a `setup`, the next session begins.
"""

from collections.abc import Iterator

from wirecheck.sources import lenient
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.node import number, text
from wirecheck.sources.formats.yaml_items import items
from wirecheck.sources.live_sessions import LoggedSessions
from wirecheck.wire.records import Record, Unread


def records(file: OpenedFile) -> Iterator[Record]:
    sessions = LoggedSessions()
    for item in items(file, ("interactions",)):
        at = item["at"].value()
        at = float(at) if isinstance(at, int | float) else None
        sender, body = lenient.sender(item["direction"].value()), item["data"].body()
        if text(item["kind"]) == "close":
            yield from sessions.hang_up(item.site, number(item["code"]), text(item["reason"]), at)
        elif sender is None or body is None:
            yield Unread(channel="", origin=item.site.origin, kind="skipped", why="a frame without direction or data")
        else:
            yield from sessions.frame(sender, body, item.site, at=at)
    yield from sessions.end()
