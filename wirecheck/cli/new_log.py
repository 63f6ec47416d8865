"""Names the log of a recording where no name is given, and removes one that stayed empty."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count

import click

from wirecheck.cli.exits import Refusal


@contextmanager
def new_log(asked: str | None) -> Iterator[str]:
    """Yields the path of the log, and afterwards removes a new one that stayed empty."""
    new = asked is None or not os.path.lexists(asked)
    path = _unused() if asked is None else asked
    try:
        yield path
    finally:
        with suppress(OSError):
            if new and os.path.getsize(path) == 0:
                os.unlink(path)


def check_name(path: str) -> None:
    """Refuses a misleading name."""
    if path == "-":
        raise click.UsageError("-o takes a file: standard output belongs to COMMAND; `-o log.jsonl`, then read that")
    check_unpacked(path)


def check_unpacked(path: str) -> None:
    """Refuses a name that says the log is packed."""
    if path.endswith((".gz", ".zst", ".br")):
        raise click.UsageError(f"-o: a log is written unpacked; name it {path.rpartition('.')[0]} and pack it later")


def _unused() -> str:
    """Creates a file named by the time, so that another recorder started in the same second takes another name."""
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
