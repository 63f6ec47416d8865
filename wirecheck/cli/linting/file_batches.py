"""Divides files into batches, one a task, and decides how many processes are worth it. Looks at sizes only."""

import os
from collections.abc import Sequence
from stat import S_ISREG

from msgspec import Struct

LARGE = 20 << 20  # bytes: less is done by one process before others have started
TASKS = 6  # for each process, so that all finish at about the same time
PACKED = 8  # assumed ratio of a .gz


class FileBatch(Struct, frozen=True):
    """Files that one process reads in order, and their size in bytes."""

    files: Sequence[str]
    size: int


def divided(files: Sequence[str], jobs: int) -> list[FileBatch]:
    """One batch where one process is fastest, else batches of about equal size. `jobs` is the number of processes."""
    sizes = list(map(_size, files))
    size = sum(filter(None, sizes))
    jobs = min(jobs, len(files))
    if None in sizes or size < LARGE or jobs < 2:
        return [FileBatch(files, size)]
    batches, share = [], size // (jobs * TASKS)
    begin = size = 0
    for end, each in enumerate(sizes, 1):
        size += each or 0
        if size > share or end == len(files):
            batches.append(FileBatch(files[begin:end], size))
            begin, size = end, 0
    return batches


def known(files: Sequence[str]) -> int | None:
    """How many bytes there are to read, or None if that is unknown."""
    sizes = [None if file.endswith(".gz") else _size(file) for file in files]
    return None if None in sizes else sum(filter(None, sizes))


def _size(file: str) -> int | None:
    """The size of a file: None for standard input and pipes, which only one process can read, once; 0 for what cannot
    be read."""
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
    """The number of processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
