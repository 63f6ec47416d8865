"""Tasks for several processes, and processes in a row. Knows no logs.

A worker is a fork of this process: it holds all that was loaded, and sends back what it makes of its tasks. What it
cannot do, for whatever reason, is left undone: whoever asked does that himself, and errors show as ever.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from wirecheck.cli.forks import End, Fork, Hears, Says, heard, pipe

R = TypeVar("R")
Tell = Callable[[Any], None]  # says, in the middle of a task, how far it is
Work = Callable[[int, Tell], R]
SILENCE = 60.0  # seconds after which nobody waits for who says nothing, as one that was stopped


class Worker:
    """A process, and the pipes to it and from it."""

    def __init__(self, work: Work[Any], others: Sequence["Worker"]) -> None:
        told, self.says = pipe()
        self.hears, says = pipe()
        theirs: list[End] = [end for each in others for end in (each.says, each.hears)]
        try:
            self._fork = Fork(partial(_serve, told, says, work), [self.says, self.hears, *theirs])
        finally:
            told.close()
            says.close()

    def given(self, tasks: Iterator[int]) -> bool:
        """Whether there was another task for it."""
        task = next(tasks, None)
        with suppress(OSError):
            self.says.send(task)
            return task is not None
        return False

    def end(self) -> None:
        self.says.close()
        self.hears.close()
        self._fork.end()


def spread(tasks: Sequence[int], jobs: int, work: Work[R], hear: Tell) -> dict[int, R]:
    """What came of each task, handed out in this order; those that no worker could do are missing."""
    workers: list[Worker] = []
    try:
        with suppress(OSError):  # no more processes to be had
            for _ in range(min(jobs, len(tasks))):
                workers.append(Worker(work, workers))
        return dict(_gathered(workers, iter(tasks), hear))
    finally:
        for worker in workers:
            worker.end()


def _gathered(workers: list[Worker], tasks: Iterator[int], hear: Tell) -> Iterator[tuple[int, Any]]:
    busy = {worker.hears: worker for worker in workers if worker.given(tasks)}
    while busy and (some := heard(busy, SILENCE)):
        for hears in some:
            try:
                word, task, said = hears.recv()
            except (EOFError, OSError):  # it was killed
                del busy[hears]
                continue
            if word == "far":
                hear(said)
                continue
            if word == "done":
                yield task, said
            if not busy[hears].given(tasks):
                del busy[hears]


def _serve(told: Hears, says: Says, work: Work[Any]) -> None:
    """The life of a worker. It ends with the process that started it."""
    while (task := told.recv()) is not None:
        says.send(_tried(work, task, says))


def _tried(work: Work[Any], task: int, says: Says) -> tuple[str, int, Any]:
    try:
        return "done", task, work(task, lambda said: says.send(("far", task, said)))
    except Exception:  # it is met again where the task is done instead
        return "failed", task, None


Stand = Callable[[Says, Hears | None], None]  # says, and hears the next one


class Row:
    """Processes in a row, of which each hears the one after it; this one hears the `first` of them. What one of them
    cannot do it ends with, and whoever hears it hears no more."""

    def __init__(self, works: Sequence[Stand]) -> None:
        pipes = [pipe() for _ in works]
        hears, says = [pair[0] for pair in pipes], [pair[1] for pair in pipes]
        ends: list[End] = [*hears, *says]
        self._forks: list[Fork] = []
        for n, work in enumerate(works):
            next_one = hears[n + 1] if n + 1 < len(hears) else None
            others = [each for each in ends if each not in (says[n], next_one)]
            with suppress(OSError):  # no more processes to be had
                self._forks.append(Fork(partial(work, says[n], next_one), others))
        for end in ends[1:]:
            end.close()
        self.first = hears[0]

    def end(self) -> None:
        self.first.close()
        for each in self._forks:
            each.end()
