"""What was made of files, kept beside them as long as none of them changes.

Parsing the rules of a checkout takes as long as all the rest of a short run. Before what is kept stands a digest of the
path, size and times of each file and of what was made of them: where it does not fit, for whatever reason, they are
read anew. Knows no rules.
"""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from xxhash import xxh3_128_hexdigest

from wirecheck.data.atomic_write import write_bytes

SETTLED = 2_000_000_000  # ns: times go in steps, and a file that changed just now may change again within one


def kept(place: str, files: Iterable[str], make: Callable[[], bytes]) -> bytes:
    """What is made of the files; from `place`, where that was kept of these as they are."""
    stats = [(file, os.stat(file)) for file in files]
    state = repr([(path, at.st_size, at.st_mtime_ns, at.st_ctime_ns, at.st_ino) for path, at in stats]).encode()
    made = _found(place, state)
    if made is None:
        made = make()
        if max(max(at.st_mtime_ns, at.st_ctime_ns) for _, at in stats) < time.time_ns() - SETTLED:
            _keep(place, state, made)
    return made


def _found(place: str, state: bytes) -> bytes | None:
    try:
        with open(place, "rb") as file:
            sign, made = file.readline(), file.read()
    except OSError:
        return None
    return made if sign == _sign(state, made) else None


def _keep(place: str, state: bytes, made: bytes) -> None:
    with suppress(OSError):  # nobody may write there: then it is read each time
        os.makedirs(os.path.dirname(place), exist_ok=True)
        write_bytes(place, [_sign(state, made), made])


def _sign(state: bytes, made: bytes) -> bytes:
    return f"{xxh3_128_hexdigest(state)}{xxh3_128_hexdigest(made)}\n".encode()
