"""Runs tasks in several processes. Knows no logs.

A task whose process is killed or raises gives no result. The caller then runs it itself, so that the outcome, or the
traceback, is the same as with one process.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
MOST = 61  # the limit of Windows

_work: Callable[[Any], Any]  # set in a worker


def spread(tasks: Mapping[int, T], jobs: int, work: Callable[[T], R], hear: Callable[[int, R], None]) -> None:
    """Runs the tasks in this order, and calls `hear` with the number and result of each as it finishes.

    A process that is forked inherits `work`; for one that is spawned it is pickled, as are tasks and results.
    """
    context = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
    executor = ProcessPoolExecutor(min(jobs, len(tasks), MOST), context, _begin, (work,))
    try:
        futures = {executor.submit(_do, task): n for n, task in tasks.items()}
        for future in as_completed(futures):
            if future.exception() is None:
                hear(futures[future], future.result())
    except (OSError, BrokenProcessPool):  # no processes to be had, or none left
        _kill()
    except BaseException:
        _kill()
        raise
    finally:
        executor.shutdown()


def _kill() -> None:
    """Kills the workers: their results are not needed any more."""
    processes = multiprocessing.active_children()
    for process in processes:
        process.kill()
    for process in processes:
        process.join()


def _begin(work: Callable[[Any], Any]) -> None:
    """Sets up a worker. It ignores Ctrl-C, which the parent handles, and ends when the parent ends."""
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_outlive_nobody, daemon=True).start()
    _work = work


def _outlive_nobody() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _do(task: Any) -> Any:
    return _work(task)
