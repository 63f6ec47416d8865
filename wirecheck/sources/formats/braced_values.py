"""Values of several lines, one after the other: each begins and ends with a bracket in the first column.

So exporters write that print one value at a time, in JSON or another notation. A value of one line is one as well.
"""

from collections.abc import Iterator

from msgspec import Struct

from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.lines import PassedOver, split
from wirecheck.wire.records import Origin, Unread

OPENING, CLOSING = (b"{", b"["), (b"}", b"]")


class BracedValue(Struct, frozen=True):
    """The lines of a value. What is not `whole` breaks off, or is lines that stand between values."""

    origin: Origin
    written: bytes
    whole: bool


def braced_values(file: OpenedFile) -> Iterator[BracedValue | Unread]:
    """The values in order. What is broken ends where the next one begins."""
    gathered, first = list[bytes](), 1
    for begin, lines in split(file.stream, file.tally):
        if isinstance(lines, PassedOver):
            yield Unread(channel="", origin=Origin(file.path, begin), kind="unreadable", why=lines.why())
        for n, line in enumerate(lines, begin):
            opens = line.startswith(OPENING)
            if opens and gathered:
                yield BracedValue(Origin(file.path, first), b"".join(gathered), False)
                gathered = []
            first = first if gathered else n
            gathered.append(line)
            if line.startswith(CLOSING) or (opens and line.rstrip().endswith(CLOSING)):
                yield BracedValue(Origin(file.path, first), b"".join(gathered), gathered[0].startswith(OPENING))
                gathered = []
    if gathered:
        yield BracedValue(Origin(file.path, first), b"".join(gathered), False)
