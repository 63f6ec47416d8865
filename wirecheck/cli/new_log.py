"""The log of a recording: its name, where none is given, and that none is left which holds nothing."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count

import click

from wirecheck.cli.exits import Refusal


@contextmanager
def new_log(asked: str | None) -> Iterator[str]:
    """The path of the log. A new one that stayed empty is taken away again."""
    new = asked is None or not os.path.lexists(asked)
    path = _unused() if asked is None else asked
    try:
        yield path
    finally:
        with suppress(OSError):
            if new and os.path.getsize(path) == 0:
                os.unlink(path)


def check_name(path: str) -> None:
    """A name that would mislead is refused."""
    if path == "-":
        raise click.UsageError("-o takes a file: standard output belongs to COMMAND; `-o log.jsonl`, then read that")
    if path.endswith((".gz", ".zst", ".br")):
        raise click.UsageError(f"-o: a log is written unpacked; name it {path.rpartition('.')[0]} and pack it later")


def _unused() -> str:
    """Named by the time, and made at once: whoever starts in the same second has another."""
    name = time.strftime("wirecheck-%Y%m%d-%H%M%S")
    for number in count(1):
        path = f"{name}.jsonl" if number == 1 else f"{name}-{number}.jsonl"
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            return path
        except FileExistsError:
            continue
        except OSError as error:
            raise Refusal(f"{path}: cannot be written: {error.strerror or error}") from None
    raise AssertionError  # for mypy: there is always another number
