"""Memory while a log is read: large blocks go back to the system, and cycles are looked for seldom.

The allocator of glibc keeps blocks of any size it has seen before for the next time, and holds several times the
longest line of a log in the end. Told where to stop, it does not. Of other systems nothing is asked.
"""

import gc
from collections.abc import Mapping
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of mallopt(3)
LARGE = 1 << 20
KEPT = 16 << 20  # of small blocks, which are needed again at once
OBJECTS, MOST = 20_000, 320_000  # that are made before cycles are looked for: at first, and where there are none
FEW = 10  # one in so many is few


def seldom() -> None:
    """A twentieth of a run would go into looking for cycles."""
    gc.set_threshold(OBJECTS)


def for_good() -> None:
    """What was loaded until now stays: no cycle is looked for there. Most logs have none, and what is remembered of a
    log is as much as MOST: looking through that again and again would be most of it."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.callbacks.append(_looked)


def _looked(phase: str, info: Mapping[str, int]) -> None:
    """Where there were few cycles, it is longer until the next time; else no longer than at first."""
    if phase == "stop" and (objects := gc.get_threshold()[0]):
        few = info["collected"] * FEW < objects
        gc.set_threshold(min(objects * 4, MOST) if few else OBJECTS)


def give_back() -> None:
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(M_TRIM_THRESHOLD, KEPT)
