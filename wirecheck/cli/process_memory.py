"""Memory settings for reading logs: large blocks return to the system, and garbage collection is rare.

glibc's allocator raises its thresholds with each large block that is freed, and in the end keeps several times the
longest line of a log. Fixed thresholds prevent that. On other systems nothing is set.
"""

from __future__ import annotations

import gc

TYPE_CHECKING = False  # nothing is loaded before garbage collection is rare
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wirecheck.wire.records import Record

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of mallopt(3)
LARGE = 1 << 20
KEPT = 16 << 20  # bytes of small blocks that stay allocated, since they are needed again
OBJECTS = 60_000  # the threshold of the collector: more objects than loading creates
REMEMBERED = 1_000_000  # the same while a log is read: more than all caches hold
AS_PYTHON = gc.get_threshold()
RECORDS = 10_000  # records or frames between two collections while a log is read


def collect_rarely() -> None:
    """Makes garbage collection rare: it would take a twentieth of a run."""
    gc.set_threshold(OBJECTS)


def collect_as_python_does() -> None:
    """For a process that lives long and must not pause: small collections often, and none of what is loaded."""
    gc.freeze()
    gc.set_threshold(*AS_PYTHON)


def freeze_loaded() -> None:
    """Freezes everything loaded so far, so that the collector never scans it. It would also scan all caches again and
    again; from now on it runs in `collecting`."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.set_threshold(REMEMBERED)


def collecting(records: Iterable[Record]) -> Iterator[Record]:
    """Yields the records, and collects garbage after every RECORDS of them; each of several frames counts."""
    from wirecheck.wire.records import Frames

    number = 0
    for record in records:
        yield record
        number += len(record) if type(record) is Frames else 1
        if number >= RECORDS:
            gc.collect(1)
            number = 0


def return_memory() -> None:
    """Has the allocator return large blocks to the system as soon as they are freed."""
    from contextlib import suppress

    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(M_TRIM_THRESHOLD, KEPT)
