"""Files written whole: who reads one never sees half of it."""

import os
from collections.abc import Iterable
from functools import partial


def write_whole(path: str, lines: Iterable[str], mode: int = 0o666) -> None:
    """All lines or none; `mode` as the umask leaves it. Raises OSError."""
    write_bytes(path, (f"{line}\n".encode(errors="backslashreplace") for line in lines), mode)


def write_bytes(path: str, pieces: Iterable[bytes], mode: int = 0o666) -> None:
    """The same of bytes."""
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
