"""Memory while a log is read: large blocks go back to the system, and cycles are looked for seldom.

The allocator of glibc keeps blocks of any size it has seen before for the next time, and holds several times the
longest line of a log in the end. Told where to stop, it does not. Of other systems nothing is asked.
"""

import gc
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of mallopt(3)
LARGE = 1 << 20
KEPT = 16 << 20  # of small blocks, which are needed again at once
OBJECTS = 60_000  # that are made before cycles are looked for, more than are loaded: next to nothing of a log is one
REMEMBERED = 1_000_000  # the same while a log is read, more than is remembered of one
RECORDS = 10_000  # that are read until cycles are looked for: only what is read makes any


def seldom() -> None:
    """A twentieth of a run would go into looking for cycles."""
    gc.set_threshold(OBJECTS)


def for_good() -> None:
    """What was loaded until now stays: no cycle is looked for there. What is remembered of a log comes and goes, and
    would be looked through again and again, so cycles are looked for as records are `swept`."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.set_threshold(REMEMBERED)


def swept(records: Iterable[T]) -> Iterator[T]:
    """Cycles among what was made of them are let go now and then."""
    for number, record in enumerate(records, 1):
        yield record
        if number % RECORDS == 0:
            gc.collect(1)


def give_back() -> None:
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(M_TRIM_THRESHOLD, KEPT)
