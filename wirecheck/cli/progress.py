"""How far a long run is: a line on standard error, where that is a terminal and the work takes over a second."""

import sys
import time
from collections.abc import Callable
from typing import Self

from wirecheck.sources.records import Brief, Passed, as_it_is
from wirecheck.sources.world import World

PATIENCE, PAUSE = 1.0, 0.1  # seconds until something is said, and from then on
Tell = Callable[[tuple[int, int]], None]  # so many more lines, of so many bytes


class Meter:
    """Stands before `passed` and `brief`, which get every line, and tells now and then how much went by."""

    def __init__(self, passed: Passed, tell: Tell, brief: Brief = as_it_is) -> None:
        self._passed, self._brief, self._tell = passed, brief, tell
        self._lines = self._size = 0
        self._next = time.monotonic() + PAUSE

    def passed(self, lines: list[bytes], begin: int, path: str, number: int, world: World) -> int:
        passed = self._passed(lines, begin, path, number, world)
        gone = lines[begin : begin + passed + 1]  # the next one is read
        self._count(len(gone), sum(map(len, gone)))
        return passed

    def brief(self, line: bytes) -> bytes:
        """What is left out of a line went by as well."""
        short = self._brief(line)
        self._size += len(line) - len(short)
        return short

    def _count(self, lines: int, size: int) -> None:
        self._lines += lines
        self._size += size
        if (now := time.monotonic()) > self._next:
            self._tell((self._lines, self._size))
            self._lines, self._size, self._next = 0, 0, now + PAUSE


class Progress:
    """The line itself. `size` is of all that is to be read, where that is known."""

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

    def add(self, more: tuple[int, int]) -> None:
        self._lines += more[0]
        self._size += more[1]
        if self.watched and time.monotonic() > self._first:
            self._shown = True
            self._write(self._said())

    def _said(self) -> str:
        part = f"{min(self._size * 100 // self._whole, 100):3} %, " if self._whole else ""
        return f"{part}{self._lines:,} lines …"

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()
