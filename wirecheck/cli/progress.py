"""Progress of a long run: a line on standard error, if that is a terminal and the run takes over a second."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Self

from wirecheck.sources import Reader
from wirecheck.wire.records import Record

PATIENCE, PAUSE = 1.0, 0.1  # seconds until the first update, and between updates
Tell = Callable[[int, int], None]  # so many more lines, with so many bytes


def told(reader: Reader, tell: Tell) -> Iterator[Record]:
    """Yields the reader's records, and reports now and then how much was read."""
    lines = size = 0
    again = time.monotonic() + PAUSE
    for record in reader:
        yield record
        if (now := time.monotonic()) > again:
            tell(reader.lines - lines, reader.size - size)
            lines, size, again = reader.lines, reader.size, now + PAUSE


class Progress:
    """The line itself. `size` is the total to read, if it is known."""

    def __init__(self, size: int | None) -> None:
        self._whole = size
        self._lines = self._size = 0
        self._first = time.monotonic() + PATIENCE
        self._shown = False
        self.watched = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._write("")

    def add(self, lines: int, size: int) -> None:
        self._lines += lines
        self._size += size
        if self.watched and time.monotonic() > self._first:
            self._shown = True
            part = f"{min(self._size * 100 // self._whole, 100):3} %, " if self._whole else ""
            self._write(f"{part}{self._lines:,} lines …")

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()
