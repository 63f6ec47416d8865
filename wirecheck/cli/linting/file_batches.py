"""Files in runs, one run a task: how many processes help with them. It looks at sizes only."""

import os
from collections.abc import Iterator, Sequence
from stat import S_ISREG

from msgspec import Struct

LARGE = 20 << 20  # bytes; of less one process makes an end before others have begun
TASKS = 6  # for each process, so that none waits long for the last
PACKED = 8  # times as much is in a gz


class FileBatch(Struct, frozen=True):
    """Files that one process reads in their order, and how much is in them."""

    files: Sequence[str]
    size: int


def divided(files: Sequence[str], jobs: int) -> list[FileBatch]:
    """In one run where one process does best, else in runs of about one size. `jobs`: how many may work at a time."""
    sizes = list(map(_size, files))
    size = sum(filter(None, sizes))
    jobs = min(jobs, len(files))
    if None in sizes or size < LARGE or jobs < 2:
        return [FileBatch(files, size)]
    return list(_runs(files, [each or 0 for each in sizes], size // (jobs * TASKS)))


def _runs(files: Sequence[str], sizes: list[int], share: int) -> Iterator[FileBatch]:
    begin, size = 0, 0
    for end, each in enumerate(sizes, 1):
        size += each
        if size > share or end == len(files):
            yield FileBatch(files[begin:end], size)
            begin, size = end, 0


def known(files: Sequence[str]) -> int | None:
    """How many bytes there are to be read, where that can be known."""
    sizes = [None if file.endswith(".gz") else _size(file) for file in files]
    return None if None in sizes else sum(filter(None, sizes))


def _size(file: str) -> int | None:
    """None for standard input and pipes: they can be read by one process, once. Of what cannot be read, 0."""
    if file == "-":
        return None
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return 0
    if not S_ISREG(found.st_mode):
        return None
    return found.st_size * (PACKED if file.endswith(".gz") else 1)


def processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
