"""Writes files atomically: a reader never sees half of one.

What is written stands aside until it is whole, in a new file whose name nobody can foresee: a link planted there would
lead the writing elsewhere.
"""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)  # EXCL: follows no link, takes no file there

EXECUTABLE = 0o111


def write_whole(path: str, lines: Iterable[str], mode: int = 0o666) -> None:
    """Writes all lines or none. Raises OSError."""
    write_bytes(path, (f"{line}\n".encode(errors="backslashreplace") for line in lines), mode)


def write_bytes(path: str, pieces: Iterable[bytes], mode: int = 0o666) -> None:
    """Writes all bytes or none. A file that is replaced keeps its owner, where that may be, and its mode, as far as
    `mode` goes; that is the mode of a new file, too, subject to the umask. Raises OSError."""
    path = os.path.realpath(path)
    before = _status(path)
    if before is not None and not stat.S_ISREG(before.st_mode):  # a device or a pipe
        with open(path, "wb") as out:
            out.writelines(pieces)
        return
    aside = f"{path}.{os.urandom(8).hex()}.tmp"
    try:
        with open(os.open(aside, NEW, 0o600 if before else mode), "wb") as out:
            if before is not None:
                _like(out.fileno(), before, mode)
            out.writelines(pieces)
        os.replace(aside, path)
    except BaseException:  # Ctrl-C, too
        with suppress(OSError):
            os.unlink(aside)
        raise


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _like(file: int, before: os.stat_result, mode: int) -> None:
    with suppress(OSError, AttributeError):  # only root may give files away, and Windows has neither
        os.fchown(file, before.st_uid, before.st_gid)
    with suppress(AttributeError):
        os.fchmod(file, stat.S_IMODE(before.st_mode) & (mode | EXECUTABLE))
