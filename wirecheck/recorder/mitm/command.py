"""Runs the recorded command: it has our terminal, gets our signals, and is ended when the recording is lost."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

# Signals that a terminal sends to all processes in the foreground; passing them on would send them twice.
FROM_TERMINAL = tuple(getattr(signal, name) for name in ("SIGINT", "SIGQUIT") if hasattr(signal, name))
PASSED_ON = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2") if hasattr(signal, name)
)
PATIENCE = 5.0  # seconds a command has to end once the recording is lost
NOT_RUNNABLE = 126  # as shells say it


class CannotRun(Exception):
    """The command exists and cannot be run. The message says why."""


async def run_command(command: Sequence[str], environ: Mapping[str, str], lost: Callable[[], Awaitable[None]]) -> int:
    """Runs the command and returns its exit code as a shell would. `lost` returns when recording has to stop. Raises
    CannotRun."""
    try:
        child = await asyncio.create_subprocess_exec(*command, env=dict(environ))
    except OSError as error:
        raise CannotRun(f"{command[0]}: {error.strerror or error}") from None
    with _signals(child):
        ended, stopped = asyncio.ensure_future(child.wait()), asyncio.ensure_future(lost())
        await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            await _end(child)
        stopped.cancel()
        code = await ended
    return code if code >= 0 else 128 - code


async def _end(child: asyncio.subprocess.Process) -> None:
    """Ends the command: with SIGTERM, later with SIGKILL."""
    with suppress(ProcessLookupError):
        child.terminate()
        try:
            await asyncio.wait_for(asyncio.shield(child.wait()), PATIENCE)
        except TimeoutError:
            child.kill()


@contextmanager
def _signals(child: asyncio.subprocess.Process) -> Iterator[None]:
    """Passes our signals on to the command."""
    loop = asyncio.get_running_loop()

    def pass_on(number: int) -> None:
        if number not in FROM_TERMINAL or not _in_front():
            with suppress(ProcessLookupError):
                child.send_signal(number)

    for number in FROM_TERMINAL + PASSED_ON:
        loop.add_signal_handler(number, pass_on, number)
    try:
        yield
    finally:
        for number in FROM_TERMINAL + PASSED_ON:
            loop.remove_signal_handler(number)


def _in_front() -> bool:
    """Whether we are in the foreground of a terminal, which then signals the command, too."""
    try:
        terminal = os.open(os.ctermid(), os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
