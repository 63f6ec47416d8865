"""Writes reports to the terminal, a pipe or files. The only module that determines colour and width."""

import os
import sys
from collections.abc import Iterable, Mapping
from typing import TextIO

from wirecheck.cli.exits import Refusal, discard_output
from wirecheck.data.atomic_write import write_bytes, write_whole
from wirecheck.report.screen import Screen, inert

PIPED_WIDTH = 100


def screen(stream: TextIO, color: str = "auto", environ: Mapping[str, str] = os.environ) -> Screen:
    colour, root = _colour(stream, color, environ), environ.get("GITHUB_WORKSPACE", "")
    return Screen(_width(stream, environ), colour, root, terminal=stream.isatty())


def page(color: str = "auto", environ: Mapping[str, str] = os.environ) -> Screen:
    """The Screen for a report in a file."""
    return Screen(PIPED_WIDTH, color == "always", environ.get("GITHUB_WORKSPACE", ""))


def _width(stream: TextIO, environ: Mapping[str, str]) -> int:
    # COLUMNS overrides the terminal, as in other programs.
    if not stream.isatty() and not environ.get("COLUMNS"):
        return PIPED_WIDTH
    import shutil

    return max(shutil.get_terminal_size((80, 24)).columns, 20)


def _colour(stream: TextIO, color: str, environ: Mapping[str, str]) -> bool:
    """Whether to use colour: by the flag, else NO_COLOR, else FORCE_COLOR, else if it is a terminal. Empty is unset."""
    if color != "auto":
        return color == "always"
    if environ.get("NO_COLOR"):
        return False
    if forced := environ.get("FORCE_COLOR"):
        return forced != "0"
    return stream.isatty() and environ.get("TERM") != "dumb"


def auto(stream: TextIO, environ: Mapping[str, str] = os.environ) -> str:
    """The format by reader: GitHub's runner, a person at a terminal, or a program."""
    if environ.get("GITHUB_ACTIONS") == "true":
        return "github"
    return "full" if stream.isatty() else "concise"


def write(lines: Iterable[str], stream: TextIO | None = None, *, commands: bool = False) -> None:
    """Writes lines to standard output, or to standard error. A reader that stops early does not change the verdict.
    Unless they are meant as `commands` to the runner of a CI job, none is one."""
    stream = stream or sys.stdout
    encoding = stream.encoding or "utf-8"
    try:
        for line in lines if commands else map(inert, lines):
            stream.write(f"{line}\n".encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except OSError as error:
        if stream is sys.stderr:
            return  # nobody reads what would be said
        discard_output()
        if isinstance(error, BrokenPipeError):
            return
        raise Refusal(f"standard output: cannot be written: {error.strerror or error}") from None


def write_log(path: str | None, lines: Iterable[bytes]) -> None:
    """Writes a log to standard output, or as a whole to a file that nobody else may read."""
    if path is None:
        sys.stdout.buffer.writelines(lines)
        sys.stdout.flush()
        return
    try:
        write_bytes(path, lines, 0o600)
    except OSError as error:
        raise Refusal(f"{path}: cannot be written: {error.strerror or error}") from None


def write_file(path: str, lines: Iterable[str]) -> None:
    """Writes a file as a whole: a reader never sees half a report."""
    try:
        write_whole(path, lines)
    except OSError as error:
        raise Refusal(f"{path}: cannot be written: {error.strerror or error}") from None


def append_summary(lines: Iterable[str], environ: Mapping[str, str] = os.environ) -> None:
    """Appends to the summary of the GitHub job, if there is one."""
    if not (path := environ.get("GITHUB_STEP_SUMMARY")):
        return
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as out:
            out.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise Refusal(f"{path}: cannot be written: {error.strerror or error}") from None


def check_writable(path: str) -> None:
    """Refuses, before any work, a path that cannot be written."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path or folder):
        raise Refusal(f"{path}: cannot be written: is a directory; name a file in it")
    if not os.path.isdir(folder):
        raise Refusal(f"{path}: cannot be written: there is no directory {folder}")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise Refusal(f"{path}: cannot be written: permission denied")
