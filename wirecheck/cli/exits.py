"""How the program ends: its exit codes, and what it says to people beside its findings."""

import os
import sys
from contextlib import suppress
from threading import active_count
from typing import NoReturn, TextIO

import click

FINE, FOUND, FAILED = 0, 1, 2
INTERRUPTED = 130  # what shells give a program that Ctrl-C ended


class Refusal(click.ClickException):
    """Something that could not be done: what, where, and what to do, in one line or a few."""

    exit_code = FAILED

    def show(self, file: object = None) -> None:
        for line in self.message.splitlines():
            complain(line)


def complain(line: str) -> None:
    from wirecheck.report.screen import clean  # help needs no reports

    click.echo(f"wirecheck: {clean(line)}", err=True)


def standard_input() -> TextIO:
    if not sys.stdin.readable():
        raise Refusal("standard input is closed; pipe something into it, or name a file")
    return sys.stdin


def discard_output() -> None:
    """Whoever read our output has gone: what is still to be written, at exit too, goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def leave(code: int) -> NoReturn:
    """End at once: to take apart first what goes with the process takes as long as to judge ten requests."""
    with suppress(OSError, ValueError):  # what cannot be written is told of as ever
        sys.stdout.flush()
        sys.stderr.flush()
        if active_count() == 1:  # nothing goes on that would be waited for
            os._exit(code)
    sys.exit(code)
