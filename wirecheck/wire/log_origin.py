"""Where the records of a converted log came from: the key `origin` of its lines.

Judging such a log is judging the files it came from. A finding names its place there, and each of the files is a world
of its own. Knows nothing of the other keys of a line.
"""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from wirecheck.wire.records import Frame, Opened, Origin, Record, Site, Unread


class LogOrigin(Struct, omit_defaults=True):
    """Where one record was read, and its payload, if it has one: the keys of `origin`, as they are written.

    `file` counts the files of the log from 0. The payload stands on the same line of the same file, or where
    `body_path` and `body_line` say. What the other keys mean is told of `Site`.
    """

    path: str
    line: int
    file: int = 0
    pointer: str = ""
    inner: bool = False
    event: int | None = None
    inner_pointer: str = ""
    body_path: str | None = None
    body_line: int | None = None
    places: list[tuple[list[str | int], str]] | None = None


decode = msgspec.json.Decoder(LogOrigin).decode


def of(record: Record, file: int) -> LogOrigin:
    """The origin of a record that is written to a log, as one of this file."""
    origin, site = record.origin, _site(record)
    return LogOrigin(
        _text(origin.path),
        origin.line,
        file,
        site.pointer,
        site.inner,
        site.event,
        site.inner_pointer,
        None if site.origin.path == origin.path else _text(site.origin.path),
        None if site.origin.line == origin.line else site.origin.line,
        None if site.places is None else [([*steps], pointer) for steps, pointer in site.places.items()],
    )


def placed(record: Record, came: LogOrigin, here: Origin) -> Record:
    """The record of a line, which is `here`, as it was read where it came from."""
    origin = Origin(came.path, came.line, f"{came.file} in {here.path}")
    if isinstance(record, Opened | Frame):
        if record.body is None:
            return replace(record, origin=origin)
        return replace(record, origin=origin, body=replace(record.body, site=_payload(came, origin)))
    if isinstance(record, Unread):
        return replace(record, origin=origin)
    return replace(record, origin=origin, pointer=came.pointer)


def _payload(came: LogOrigin, origin: Origin) -> Site:
    path = origin.path if came.body_path is None else came.body_path
    line = origin.line if came.body_line is None else came.body_line
    there = origin if path == origin.path and line == origin.line else Origin(path, line, origin.world)
    places = None if came.places is None else {tuple(steps): pointer for steps, pointer in came.places}
    return Site(there, came.pointer, came.inner, came.event, came.inner_pointer, places)


def _site(record: Record) -> Site:
    if isinstance(record, Opened | Frame):
        return Site(record.origin) if record.body is None else record.body.site
    return Site(record.origin, getattr(record, "pointer", ""))


def _text(path: str) -> str:
    """The name of a file may hold bytes that are no text."""
    return path.encode(errors="backslashreplace").decode()
