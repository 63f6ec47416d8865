"""Writes the log: one complete line a record, secrets scrubbed, by one recorder at a time.

`write` returns the record read back from its line, so that judging it live and linting the log later cannot differ.
Once the log cannot be written any more, every call raises JournalLost. Knows no mitmproxy.
"""

import fcntl
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import NoReturn

from wirecheck.secrets.redaction import Redaction, Written
from wirecheck.wire import log
from wirecheck.wire.records import Origin, Record

NOWHERE = "(not recorded)"  # the path where there is no log
BLOCK = 1 << 20
FLAGS = os.O_RDWR | os.O_APPEND


class JournalLost(Exception):
    """The log cannot be written, or not any more. The message says why."""


class Journal:
    """One log: a new file, or one that wirecheck wrote, which is continued. Without a path nothing is written, and all
    else is the same.

    `run` is the prefix of channel names in this run, which keeps them unique in the log.
    """

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = NOWHERE if path is None else os.fspath(path)
        self._absolute = os.path.abspath(self.path)
        self._secrets = Redaction()
        self._why = ""  # why it was lost
        self._fd, self._lines, self._kept = -1, 0, path is not None
        if self._kept:
            self._begin()
        self.run = f"{self._lines}." if self._lines else ""

    def write(self, record: Written) -> Record:
        """Scrubs and writes a record. Returns the record of the written line, with its place."""
        line, read = log.written(self._secrets.scrubbed(record), Origin(self.path, self._lines + 1))
        if self._why:
            raise JournalLost(self._why)
        if self._kept:
            self._append(line)
        self._lines += 1
        return read

    def learn(self, headers: Mapping[str, str]) -> None:
        """Treats credentials in these headers as secrets from now on."""
        self._secrets.learn(headers)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)  # releases the lock, too
        self._fd, self._why = -1, self._why or f"{self.path} was closed"

    def _begin(self) -> None:
        try:
            self._fd = _open(self._absolute)
            self._lines = self._claim()
        except OSError as error:
            self.close()
            raise JournalLost(f"cannot write {self.path}: {error.strerror or error}") from error
        except JournalLost:
            self.close()
            raise

    def _claim(self) -> int:
        """Locks the file. Returns how many lines it has."""
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalLost(f"{self.path} is being written by another recorder") from None
        status = os.fstat(self._fd)
        self._identity, self._size = (status.st_dev, status.st_ino), status.st_size
        lines, torn = _survey(self._fd, self.path)
        os.fchmod(self._fd, 0o600)  # its mode may have been changed
        if torn:  # a recorder was killed while it wrote this line
            self._size -= torn
            os.ftruncate(self._fd, self._size)
        return lines

    def _append(self, line: bytes) -> None:
        self.look()
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._fd, self._size)  # part of the line may have been written
            self._lose(f"cannot be written: {error.strerror or error}")
        self._size += len(line)

    def look(self) -> None:
        """Checks that the file is still there and unchanged; else raises JournalLost."""
        if self._why or not self._kept:
            return
        try:
            status = os.stat(self._absolute)
        except OSError as error:
            self._lose(f"is gone: {error.strerror or error}")
        if (status.st_dev, status.st_ino) != self._identity:
            self._lose("was replaced by another file")
        if status.st_size != self._size:
            self._lose("was changed by another program")

    def _lose(self, why: str) -> NoReturn:
        self._why = f"{self.path} {why}"
        raise JournalLost(self._why)


def _open(path: str) -> int:
    """Creates a file with mode 600, or opens an existing one."""
    try:
        return os.open(path, FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if not os.path.isfile(path):  # a pipe or device may block or discard
            raise JournalLost(f"{path} is not a file") from None
        return os.open(path, FLAGS)


def _survey(fd: int, path: str) -> tuple[int, int]:
    """Counts the lines of a log, and the bytes after the last line end."""
    head = os.pread(fd, len(log.PREFIX), 0)
    if not log.PREFIX.startswith(head):
        raise JournalLost(f"{path} is there already, and is no log that wirecheck wrote; it stays as it is")
    lines = torn = offset = 0
    while block := os.pread(fd, BLOCK, offset):
        lines += block.count(b"\n")
        end = block.rfind(b"\n")
        torn = torn + len(block) if end < 0 else len(block) - end - 1
        offset += len(block)
    return lines, torn
