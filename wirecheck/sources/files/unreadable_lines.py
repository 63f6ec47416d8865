"""Lines of a file that cannot be read: each is told while they are few, the rest is counted.

A file of which no line can be read is no log, and told as that: what it is, and what to do. Where a format was named,
the lines are what is wrong.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.sources.files.file_kinds import UNKNOWN_TEXT, no_log
from wirecheck.sources.files.file_notes import FileNotes
from wirecheck.sources.formats.beginning import Beginning
from wirecheck.sources.formats.file_format import UnreadableInput
from wirecheck.wire.records import Unread

SINGLY = 20  # lines in a row
MOST = 60  # lines of a file
ENOUGH = 1 << 16  # bytes, and SINGLY lines: what holds no value until there is not read on
TEXT = "a line of text"


class UnreadableLine(Struct, frozen=True):
    """`index` counts the lines of a file that are not blank. `text`: it was not meant as JSON, or holds some that is no
    traffic (then the record says so)."""

    record: Unread
    index: int = 0
    size: int = 0  # bytes
    text: bool = False


class UnreadableLines:
    """Those of one file, in order. The first ones wait until a value has been read."""

    def __init__(self, notes: FileNotes, beginning: Beginning | None) -> None:
        """Without `beginning` all lines are told as findings, also if none can be read."""
        self._notes, self._beginning = notes, beginning
        self._waiting: list[UnreadableLine] = []
        self._size = 0  # bytes of those that wait
        self._run, self._next = 0, -1  # lines in a row, and the index of the line that would go on with it
        self._told = 0
        self._first: Unread | None = None  # of those that are counted
        self._count, self._last = 0, 0

    @property
    def undecided(self) -> bool:
        """Whether no value was read yet."""
        return self._beginning is not None

    def hear(self, line: UnreadableLine) -> Iterator[Unread]:
        """Raises UnreadableInput where enough was read to know that the file is no log."""
        if self._beginning is None:
            yield from self._tell(line)
            return
        self._waiting.append(line)
        self._size += line.size
        if self._size > ENOUGH and len(self._waiting) >= SINGLY:
            raise UnreadableInput(self._no_log(self._beginning))

    def told(self) -> Iterator[Unread]:
        """Those that waited: a value has been read."""
        waiting, self._waiting = self._waiting, []
        self._beginning = None
        for line in waiting:
            yield from self._tell(line)

    def end(self) -> Iterator[Unread]:
        """Raises UnreadableInput where the file held nothing else, and no line of it was meant as JSON."""
        if self._beginning is not None and self._waiting:
            if len(self._waiting) > SINGLY or all(line.text for line in self._waiting):
                raise UnreadableInput(self._no_log(self._beginning))
            yield from self.told()
        if self._first is not None:
            rest = f"{self._count} more lines cannot be read either, the last is line {self._last}"
            yield replace(self._first, why=f"{self._first.why}; {rest}") if self._count else self._first

    def _tell(self, line: UnreadableLine) -> Iterator[Unread]:
        record = line.record
        if record.kind == "skipped":
            yield record
            return
        if line.text and self._notes.prefixed:
            yield replace(record, kind="skipped", why=TEXT)
            return
        self._run = self._run + 1 if line.index == self._next else 1
        self._next = line.index + 1
        if self._run <= SINGLY and self._told < MOST:
            self._told += 1
            yield record
        elif self._first is None:
            self._first = record
        else:
            self._count, self._last = self._count + 1, record.origin.line

    def _no_log(self, beginning: Beginning) -> str:
        first, lines = self._waiting[0], len(self._waiting)
        why = f"line {first.record.origin.line}: {first.record.why}"
        if first.text:
            other = no_log(beginning)
            return f"{other.said} ({why})" if other is UNKNOWN_TEXT else other.said
        return f"none of its first {lines} lines can be read, {why}; write one complete JSON value a line"
