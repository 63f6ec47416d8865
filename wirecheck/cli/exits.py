"""Exit codes, and messages to people on stderr."""

import os
import sys
from contextlib import suppress
from threading import active_count
from typing import NoReturn, TextIO

import click

FINE, FOUND, FAILED = 0, 1, 2
INTERRUPTED = 130  # as shells report a program ended by Ctrl-C


class Refusal(click.ClickException):
    """Something could not be done. The message says what, where and what to do, in one line or a few."""

    exit_code = FAILED

    def show(self, file: object = None) -> None:
        for line in self.message.splitlines():
            complain(line)


def complain(line: str) -> None:
    from wirecheck.report.screen import clean, inert  # imported late: --help does not need it

    with suppress(OSError):  # nobody reads what went wrong
        click.echo(inert(f"wirecheck: {clean(line)}"), err=True)


def say_plainly(line: str) -> None:
    """The same for a line of our own, by as little as can fail."""
    with suppress(OSError):
        os.write(2, f"wirecheck: {line}\n".encode())


def standard_input() -> TextIO:
    if not sys.stdin.readable():
        raise Refusal("standard input is closed; pipe something into it, or name a file")
    return sys.stdin


def discard_output() -> None:
    """Sends further output to /dev/null, also that at exit: the reader of the pipe has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def leave(code: int) -> NoReturn:
    """Ends the process without tearing down the interpreter, which takes as long as judging ten requests."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, MemoryError):
            code = FAILED if stream is sys.stdout else code
    if active_count() == 1:  # no thread to wait for
        os._exit(code)
    sys.exit(code)
