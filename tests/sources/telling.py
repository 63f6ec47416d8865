"""Records as short lines, for tables: channels by letters in the order they come, payloads with their places."""

import io
from collections.abc import Iterable, Iterator

from wirecheck.sources import read_file
from wirecheck.wire.records import Body, Closed, Frame, Frames, Opened, Record, Replied, Unread

PATH = "log.jsonl"


def singly(records: Iterable[Record]) -> Iterator[Record]:
    """Yields each of Frames as a Frame."""
    for record in records:
        if isinstance(record, Frames):
            yield from map(record.read, range(len(record)))
        else:
            yield record


def read(*lines: str | bytes, input_format: str | None = None) -> list[Record]:
    data = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    return list(singly(read_file(io.BytesIO(data), PATH, input_format)))


def tell(*lines: str | bytes, input_format: str | None = None) -> list[str]:
    return told(read(*lines, input_format=input_format))


def told(records: Iterable[Record]) -> list[str]:
    letters = {"": "-"}
    return [_told(record, letters.setdefault(record.channel, chr(ord("a") + len(letters) - 1))) for record in records]


def _told(record: Record, channel: str) -> str:
    match record:
        case Opened():
            words = ["opened", record.method, record.url, _at(record.body)]
        case Replied():
            words = ["replied", str(record.status), record.pointer]
        case Frame():
            words = [record.sender + ("!" if record.binary else ""), _at(record.body)]
        case Closed():
            code = "" if record.code is None else str(record.code)
            words = ["closed" if record.recorded else "left", code, record.reason, record.by or "", record.pointer]
        case Unread():
            words = [record.kind, record.why]
        case _:
            raise AssertionError(record)
    return " ".join(filter(None, [f"{record.origin.line}{channel}", *words]))


def _at(body: Body | None) -> str:
    if body is None:
        return ""
    site, raw = body.site, body.raw.decode(errors="replace")
    event = "" if site.event is None else f"#{site.event}"
    inner = f"»{event}{site.inner_pointer}" if site.inner else ""
    return f"{site.pointer}{inner} {'' if body.form == 'json' else body.form + ':'}{raw}".strip()
