"""Writes files atomically: a reader never sees half of one."""

import os
from collections.abc import Iterable
from functools import partial


def write_whole(path: str, lines: Iterable[str], mode: int = 0o666) -> None:
    """Writes all lines or none. `mode` is subject to the umask. Raises OSError."""
    write_bytes(path, (f"{line}\n".encode(errors="backslashreplace") for line in lines), mode)


def write_bytes(path: str, pieces: Iterable[bytes], mode: int = 0o666) -> None:
    """Writes all bytes or none."""
    path = os.path.realpath(path)
    aside = path if os.path.exists(path) and not os.path.isfile(path) else f"{path}.{os.getpid()}.tmp"
    try:
        opener = partial(os.open, mode=mode)
        with open(aside, "wb", opener=opener) as out:
            out.writelines(pieces)
        if aside != path:
            os.replace(aside, path)
    except OSError:
        if aside != path and os.path.exists(aside):
            os.unlink(aside)
        raise
