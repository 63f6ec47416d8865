"""Large blocks of memory go back to the system when they are let go.

The allocator of glibc keeps blocks of any size it has seen before for the next time, and holds several times the
longest line of a log in the end. Told where to stop, it does not. Of other systems nothing is asked.
"""

from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of mallopt(3)
LARGE = 1 << 20
KEPT = 16 << 20  # of small blocks, which are needed again at once


def give_back() -> None:
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(M_TRIM_THRESHOLD, KEPT)
