"""Caches on disk what was parsed from files, as long as none of them changes.

Parsing the rules of a checkout takes as long as all the rest of a short run. A cached value begins with a digest of the
path, size and times of each file and of the value; if it does not match, the files are parsed again. Values are data,
never code, and lie where only this user may write: in a folder for caches, never in the checkout, which may be shared.
Where there is no such folder nothing is cached. Knows no rules.
"""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from xxhash import xxh3_64_hexdigest, xxh3_128_hexdigest

from wirecheck.data.atomic_write import write_bytes
from wirecheck.data.ownership import private, private_folder

SETTLED = 2_000_000_000  # ns: file times have a resolution, and a file may change twice within it
MOST = 24  # files that stay cached: of eight checkouts


def kept(name: str, root: str, files: Iterable[str], make: Callable[[], bytes]) -> bytes:
    """What `make` makes of the files of the checkout at `root`: from the cache if that is valid."""
    place = _place(name, root)
    stats = [(file, os.stat(file)) for file in files]
    state = repr([(path, at.st_size, at.st_mtime_ns, at.st_ctime_ns, at.st_ino) for path, at in stats]).encode()
    made = _found(place, state) if place else None
    if made is None:
        made = make()
        if place and max(max(at.st_mtime_ns, at.st_ctime_ns) for _, at in stats) < time.time_ns() - SETTLED:
            with suppress(OSError):  # not writable: the files are parsed each time
                write_bytes(place, [_sign(state, made), made], 0o600)
                _evict(os.path.dirname(place))
    return made


def _place(name: str, root: str) -> str | None:
    """The path of a cached value, in the user's folder for caches; None if there is none, or not the user's alone."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(folder):
        return None
    with suppress(OSError):
        os.mkdir(folder, 0o700)
    folder = os.path.join(folder, "wirecheck")
    with suppress(OSError):
        if private_folder(folder):
            return os.path.join(folder, f"{name}-{xxh3_64_hexdigest(os.fsencode(root))}.json")
    return None


def _found(place: str, state: bytes) -> bytes | None:
    try:
        with open(place, "rb") as file:
            if not private(os.fstat(file.fileno())):
                return None
            sign, made = file.readline(), file.read()
    except OSError:
        return None
    return made if sign == _sign(state, made) else None


def _sign(state: bytes, made: bytes) -> bytes:
    return f"{xxh3_128_hexdigest(state)}{xxh3_128_hexdigest(made)}\n".encode()


def _evict(folder: str) -> None:
    """Removes all but the newest files, among them what a run that was killed left behind."""
    with os.scandir(folder) as entries:
        files = sorted(entries, key=lambda entry: -entry.stat(follow_symlinks=False).st_mtime_ns)
    for file in files[MOST:]:
        os.unlink(file)
