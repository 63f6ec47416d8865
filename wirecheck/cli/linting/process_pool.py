"""Runs tasks in several processes. Knows no logs.

A task whose process is killed, stopped or raises gives no result. The caller then runs it itself, so that the outcome,
or the traceback, is the same as with one process.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
MOST = 61  # the limit of Windows
PATIENCE = 2.0  # seconds until a worker that is stopped is waited for no longer: Ctrl-Z stops us, too

_work: Callable[[Any], Any]  # set in a worker


def spread(tasks: Mapping[int, T], jobs: int, work: Callable[[T], R], hear: Callable[[int, R], None]) -> None:
    """Runs the tasks in this order, and calls `hear` with the number and result of each as it finishes.

    A process that is forked inherits `work`; for one that is spawned it is pickled, as are tasks and results.
    """
    context = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
    executor = ProcessPoolExecutor(min(jobs, len(tasks), MOST), context, _begin, (work,))
    try:
        with _ctrl_c_held():
            futures = {executor.submit(_do, task): n for n, task in tasks.items()}
        for future in _finished(set(futures)):
            if future.exception() is None:
                hear(futures[future], future.result())
    except (OSError, RuntimeError):  # no processes or threads to be had, or none left (BrokenProcessPool)
        _kill()
    except BaseException:
        _kill()
        raise
    finally:
        with suppress(RuntimeError):  # its thread was never started
            executor.shutdown()


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Holds Ctrl-C back while workers are started, who would show a traceback until they ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _finished(futures: set[Future[R]]) -> Iterator[Future[R]]:
    """Yields the futures as they finish. Kills the workers when one of them was stopped all the time between two
    looks, for it may never go on; what they had not finished is then broken."""
    stopped: set[int] = set()
    while futures:
        done, futures = wait(futures, PATIENCE, FIRST_COMPLETED)
        yield from done
        if not done:
            before, stopped = stopped, _stopped()
            if before & stopped:
                _kill()


def _stopped() -> set[int]:
    """The workers that a signal has stopped."""
    if not hasattr(os, "waitid"):
        return set()
    found: set[int] = set()
    for pid in (process.pid for process in multiprocessing.active_children()):
        with suppress(ChildProcessError):  # it has ended meanwhile
            if pid and os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None:
                found.add(pid)
    return found


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
