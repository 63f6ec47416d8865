"""Memory while a log is read: large blocks go back to the system, and cycles are looked for seldom.

The allocator of glibc keeps blocks of any size it has seen before for the next time, and holds several times the
longest line of a log in the end. Told where to stop, it does not. Of other systems nothing is asked.
"""

import gc
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of mallopt(3)
LARGE = 1 << 20
KEPT = 16 << 20  # of small blocks, which are needed again at once
OBJECTS = 20_000  # that are made before cycles are looked for: next to nothing of a log is one


def seldom() -> None:
    """A twentieth of a run would go into looking for cycles."""
    gc.set_threshold(OBJECTS)


def for_good() -> None:
    """What was loaded until now stays: no cycle is looked for there."""
    if not gc.get_freeze_count():
        gc.freeze()


def give_back() -> None:
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(M_TRIM_THRESHOLD, KEPT)
