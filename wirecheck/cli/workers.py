"""Tasks for several processes, and processes in a row. Knows no logs.

A worker is a fork of this process: it holds all that was loaded, and sends back what it makes of its tasks. What it
cannot do, for whatever reason, is left undone: whoever asked does that himself, and errors show as ever.
"""

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

R = TypeVar("R")
Tell = Callable[[Any], None]  # says, in the middle of a task, how far it is
Work = Callable[[int, Tell], R]
SILENCE = 60.0  # seconds after which nobody waits for who says nothing, as one that was stopped


class Worker:
    """A process and the pipe to it."""

    def __init__(self, work: Work[Any], others: Iterable[Connection]) -> None:
        context = get_context("fork")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, [self.pipe, *others], work), daemon=True)
        self._process.start()
        theirs.close()

    def end(self) -> None:
        self.pipe.close()
        self._process.kill()  # also one that was stopped
        self._process.join()


def spread(tasks: Sequence[int], jobs: int, work: Work[R], hear: Tell) -> dict[int, R]:
    """What came of each task, handed out in this order; those that no worker could do are missing."""
    workers: list[Worker] = []
    try:
        with suppress(OSError):  # no more processes to be had
            for _ in range(min(jobs, len(tasks))):
                workers.append(Worker(work, [worker.pipe for worker in workers]))
        return dict(_gathered([worker.pipe for worker in workers], iter(tasks), hear))
    finally:
        for worker in workers:
            worker.end()


def _gathered(pipes: list[Connection], tasks: Iterator[int], hear: Tell) -> Iterator[tuple[int, Any]]:
    busy = {pipe for pipe in pipes if _given(pipe, tasks)}
    while busy and (heard := wait(list(busy), SILENCE)):
        for pipe in heard:
            assert isinstance(pipe, Connection)
            try:
                word, task, said = pipe.recv()
            except (EOFError, OSError):  # it was killed
                busy.discard(pipe)
                continue
            if word == "far":
                hear(said)
                continue
            if word == "done":
                yield task, said
            if not _given(pipe, tasks):
                busy.discard(pipe)


def _given(pipe: Connection, tasks: Iterator[int]) -> bool:
    """Whether there was another task for this worker."""
    task = next(tasks, None)
    with suppress(OSError):
        pipe.send(task)
        return task is not None
    return False


def _serve(pipe: Connection, not_ours: Iterable[Connection], work: Work[Any]) -> None:
    """The life of a worker. It ends with the process that started it, which alone hears of Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for each in not_ours:
        each.close()
    with suppress(EOFError, OSError):
        while (task := pipe.recv()) is not None:
            pipe.send(_tried(work, task, pipe))


def _tried(work: Work[Any], task: int, pipe: Connection) -> tuple[str, int, Any]:
    try:
        return "done", task, work(task, lambda said: pipe.send(("far", task, said)))
    except Exception:  # it is met again where the task is done instead
        return "failed", task, None


Stand = Callable[[Connection, Connection | None], None]  # says, and hears the next one


class Row:
    """Processes in a row, of which each hears the one after it; this one hears the `first` of them. What one of them
    cannot do it ends with, and whoever hears it hears no more."""

    def __init__(self, works: Sequence[Stand]) -> None:
        context = get_context("fork")
        pipes = [context.Pipe(duplex=False) for _ in works]
        hears, says = [pipe[0] for pipe in pipes], [pipe[1] for pipe in pipes]
        self._processes = []
        for n, work in enumerate(works):
            next_one = hears[n + 1] if n + 1 < len(hears) else None
            others = [each for each in (*hears, *says) if each not in (says[n], next_one)]
            process = context.Process(target=_stand, args=(work, says[n], next_one, others), daemon=True)
            with suppress(OSError):  # no more processes to be had
                process.start()
                self._processes.append(process)
        for each in (*hears[1:], *says):
            each.close()
        self.first = hears[0]

    def end(self) -> None:
        self.first.close()
        for process in self._processes:
            process.kill()  # also one that was stopped
            process.join()


def _stand(work: Stand, says: Connection, next_one: Connection | None, others: Iterable[Connection]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for each in others:
        each.close()
    with suppress(Exception):  # it is met again where somebody goes on instead
        work(says, next_one)
