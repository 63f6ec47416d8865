"""Whose a file is: what another user of this machine wrote is not to be believed.

root could do anything anyway, so its files are as good as one's own. Where files have no owners as POSIX knows them
(Windows), nothing is private, and nothing another's.
"""

import os
import stat
from contextlib import suppress

ROOT = 0
OTHERS = stat.S_IWGRP | stat.S_IWOTH


def anothers(path: str) -> bool:
    """Whether another user owns this file or folder, or the link at this path. Raises OSError."""
    return hasattr(os, "geteuid") and not _owners(path) <= {os.geteuid(), ROOT}


def _owners(path: str) -> set[int]:
    return {os.lstat(path).st_uid, os.stat(path).st_uid}


def private(found: os.stat_result) -> bool:
    """Whether this user alone owns it and may write to it."""
    return hasattr(os, "geteuid") and found.st_uid == os.geteuid() and not found.st_mode & OTHERS


def private_folder(path: str) -> bool:
    """Creates the folder if it is missing. Whether it is private, and no link. Raises OSError."""
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)
    found = os.lstat(path)
    return stat.S_ISDIR(found.st_mode) and private(found)
