"""Caches on disk what was parsed from files, as long as none of them changes.

Parsing the rules of a checkout takes as long as all the rest of a short run. A cached value begins with a digest of the
path, size and times of each file and of the value; if it does not match, the files are parsed again. Knows no rules.
"""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from xxhash import xxh3_128_hexdigest

from wirecheck.data.atomic_write import write_bytes

SETTLED = 2_000_000_000  # ns: file times have a resolution, and a file may change twice within it


def kept(place: str, files: Iterable[str], make: Callable[[], bytes]) -> bytes:
    """What `make` makes of the files, from the cache at `place` if that is valid."""
    stats = [(file, os.stat(file)) for file in files]
    state = repr([(path, at.st_size, at.st_mtime_ns, at.st_ctime_ns, at.st_ino) for path, at in stats]).encode()
    made = _found(place, state)
    if made is None:
        made = make()
        if max(max(at.st_mtime_ns, at.st_ctime_ns) for _, at in stats) < time.time_ns() - SETTLED:
            with suppress(OSError):  # not writable: the files are parsed each time
                os.makedirs(os.path.dirname(place), exist_ok=True)
                write_bytes(place, [_sign(state, made), made])
    return made


def _found(place: str, state: bytes) -> bytes | None:
    try:
        with open(place, "rb") as file:
            sign, made = file.readline(), file.read()
    except OSError:
        return None
    return made if sign == _sign(state, made) else None


def _sign(state: bytes, made: bytes) -> bytes:
    return f"{xxh3_128_hexdigest(state)}{xxh3_128_hexdigest(made)}\n".encode()
