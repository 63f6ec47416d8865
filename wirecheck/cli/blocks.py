"""Large blocks of memory go back to the system when they are let go.

The allocator of glibc keeps blocks of any size it has seen before for the next time, and holds several times the
longest line of a log in the end. Told where to stop, it does not. Of other systems nothing is asked.
"""

from contextlib import suppress

M_MMAP_THRESHOLD = -3  # of mallopt(3)
LARGE = 1 << 20


def give_back() -> None:
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
