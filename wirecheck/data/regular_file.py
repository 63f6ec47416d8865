"""Reads files whose path somebody else may have chosen: regular ones, of a bounded size, and nothing that blocks."""

import os
import stat

CAREFULLY = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
UNITS = ((1 << 20, "MB"), (1 << 10, "KB"))


class UnfitFile(OSError):
    """Not a regular file, or too large a one."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.strerror = why


def read_regular(path: str, most: int) -> bytes:
    """The bytes of a regular file, `most` of them at most. Links are followed. Raises OSError."""
    _fit(os.stat(path), most)  # before it is opened: that may block, or do something to a device
    with open(os.open(path, CAREFULLY), "rb") as file:
        _fit(os.fstat(file.fileno()), most)  # it may be another one now
        data = file.read(most + 1)  # what /proc holds says that it is empty
    if len(data) > most:
        raise _too_large(most)
    return data


def _fit(found: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(21, "Is a directory")
    if not stat.S_ISREG(found.st_mode):
        raise UnfitFile("not a regular file")
    if found.st_size > most:
        raise _too_large(most)


def _too_large(most: int) -> UnfitFile:
    size, unit = next((size, unit) for size, unit in UNITS if most >= size)
    return UnfitFile(f"larger than {most // size} {unit}")
