"""Makes sure that no output overwrites an input or another output, so that no log is lost.

Files are compared by identity (device and inode), however their paths are spelled. Knows no content.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations
from typing import Any

from wirecheck.cli.exits import Refusal
from wirecheck.cli.linting.lint_options import LintOptions
from wirecheck.data.shipped import rule_files
from wirecheck.sources.files.folder_search import searched


def check(asked: LintOptions, settings: str | None) -> None:
    """Refuses, before anything is read, outputs that would overwrite something."""
    outputs = [path for path in (asked.output, *(path for _, path in asked.report)) if path is not None]
    baseline = [] if asked.baseline is None else [asked.baseline]
    for first, second in combinations([*baseline, *outputs], 2):
        if _may_be_lost(second) and _identity(first) == _identity(second):
            raise Refusal(f"{second}: would be written over {first}, which is the same file; name another one")
    if outputs:
        check_not_read(outputs, _read(asked, settings))
    # A baseline inside a searched folder is no problem: its content shows that it is no log.
    check_not_read(baseline, asked.paths)


def check_not_read(outputs: Iterable[str], inputs: Iterable[str]) -> None:
    """Refuses outputs that would overwrite an input."""
    read = {_identity(path): path for path in inputs}
    for path in filter(_may_be_lost, outputs):
        if (source := read.get(_identity(path))) is not None:
            spelled = "" if source == path else f" as {source}"
            raise Refusal(f"{path}: would be overwritten, and is an input{spelled}; name another file to write to")


def files(paths: Iterable[str]) -> Iterator[str]:
    """The files that are read where these paths are named."""
    for path in paths:
        yield from searched(path, lambda error: None) if os.path.isdir(path) else [path]


def _read(asked: LintOptions, settings: str | None) -> Iterator[str]:
    from pathlib import Path

    yield from files(asked.paths)
    for path in asked.rules:
        yield from rule_files(str(Path(path))) if os.path.isdir(path) else [path]
    if settings is not None:
        yield settings


def _identity(path: str) -> Any:
    """A key that is equal for all spellings of a path and all links to a file."""
    with suppress(OSError, ValueError):  # not there yet, or standard input that is no file
        known = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
        return known.st_dev, known.st_ino
    return os.path.realpath(path)


def _may_be_lost(path: str) -> bool:
    """Whether a path is a file, or would be: not /dev/null or a terminal."""
    return os.path.isfile(path) or not os.path.exists(path)
