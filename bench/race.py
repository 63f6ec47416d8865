"""Commands that take turns, so that whatever else the machine does falls on all alike. It knows no log and no rival."""

import os
import time
from typing import NamedTuple

OUT = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]


class Run(NamedTuple):
    seconds: float
    memory: int  # of its largest process at its peak, in bytes


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
    return Run(took, used.ru_maxrss * 1024)


def race(commands: dict[str, list[str]], rounds: int, patience: float = float("inf")) -> dict[str, Run]:
    """The best time and the most memory of each; one that has taken so many seconds does not run again."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            if sum(each.seconds for each in runs[name]) < patience:
                runs[name].append(run(command))
    return {name: Run(min(each.seconds for each in of), max(each.memory for each in of)) for name, of in runs.items()}
