"""Forks of this process, and what is said between them. Python's own way to do that takes as long to load as a small
log takes to judge."""

import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

SIZE = 8  # bytes that say how many more there are


class End:
    """Of a pipe."""

    def __init__(self, file: int) -> None:
        self._file = file

    def close(self) -> None:
        """Its number may be another's afterwards, so that it is closed once."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)


class Says(End):
    """The end to which anything is sent that can be pickled."""

    def send(self, thing: Any) -> None:
        """Raises OSError where nobody hears it."""
        data = pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)
        view = memoryview(len(data).to_bytes(SIZE, "little") + data)
        while view:
            view = view[os.write(self._file, view) :]


class Hears(End):
    """The other one."""

    def fileno(self) -> int:
        return self._file

    def poll(self, seconds: float = 0.0) -> bool:
        """Whether something is there within this time, be it the end."""
        return bool(heard([self], seconds))

    def recv(self) -> Any:
        """Raises EOFError where no more will come."""
        return pickle.loads(self._read(int.from_bytes(self._read(SIZE), "little")))

    def _read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            if not (some := os.read(self._file, size - len(data))):
                raise EOFError
            data += some
        return bytes(data)


def pipe() -> tuple[Hears, Says]:
    reads, writes = os.pipe()
    return Hears(reads), Says(writes)


def heard(pipes: Iterable[Hears], seconds: float) -> list[Hears]:
    """Those that have something within this time."""
    by_file = {each.fileno(): each for each in pipes}
    poll = select.poll()
    for file in by_file:
        poll.register(file, select.POLLIN)
    return [by_file[file] for file, _ in poll.poll(seconds * 1000)]


class Fork:
    """A fork at its work, and all that it holds but these ends of pipes. Ctrl-C is heard by the process that it comes
    from, and what it cannot do it leaves without a word. Raises OSError where there are no more processes to be had."""

    def __init__(self, work: Callable[[], object], not_ours: Iterable[End]) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        self._process = os.fork()
        if self._process == 0:
            code = 1
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                for each in not_ours:
                    each.close()
                work()
                code = 0
            finally:
                os._exit(code)  # whatever it met: no more of this program is to run here

    def end(self) -> None:
        """Also of one that was stopped."""
        with suppress(OSError):
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
