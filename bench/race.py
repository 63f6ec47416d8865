"""Commands that take turns, so that whatever else the machine does falls on all alike. It knows no log and no rival."""

import os
import time
from collections.abc import Collection
from typing import NamedTuple

OUT = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]


class Run(NamedTuple):
    """What a process and those it started took. Memory is that of the largest one at its peak, in bytes."""

    wall: float
    cpu: float
    memory: int

    def without(self, idle: "Run") -> "Run":
        """Less what it takes to start and end. What is left of a log that is too short is noise, and never nothing."""
        return Run(max(self.wall - idle.wall, 1e-4), max(self.cpu - idle.cpu, 1e-4), self.memory)


class Failed(Exception):
    pass


def run(command: list[str]) -> Run:
    """A process of its own. Linux counts the memory of who starts it as its own: so this process stays small."""
    began = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=OUT)
    _, status, used = os.wait4(process, 0)
    took = time.perf_counter() - began
    if status:
        raise Failed(f"exit code {os.waitstatus_to_exitcode(status)}: {' '.join(command)}")
    return Run(took, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def race(
    commands: dict[str, list[str]], rounds: int, patience: float = float("inf"), may_fail: Collection[str] = ()
) -> dict[str, Run]:
    """The best times and the most memory of each; one that has taken so many seconds does not run again."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name in [name for name in runs if sum(each.wall for each in runs[name]) < patience]:
            try:
                runs[name].append(run(commands[name]))
            except Failed:
                if name not in may_fail:
                    raise
                del runs[name]
    return {name: best(each) for name, each in runs.items() if each}


def best(runs: list[Run]) -> Run:
    return Run(min(each.wall for each in runs), min(each.cpu for each in runs), max(each.memory for each in runs))
