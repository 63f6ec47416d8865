"""`wirecheck redact`: the same files without secrets, to be given away."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from secrets import token_bytes
from tempfile import TemporaryFile
from typing import BinaryIO

import click

from wirecheck.cli import output
from wirecheck.cli.exits import FAILED, FINE, Refusal, complain, standard_input
from wirecheck.cli.rule_selection import each_once
from wirecheck.data.atomic_write import write_bytes
from wirecheck.redacting.redacted_file import redacted
from wirecheck.report.screen import clean
from wirecheck.report.summary import number
from wirecheck.secrets.counted_marks import SecretMarks
from wirecheck.sources.files.file_notes import ReadProblem
from wirecheck.sources.lines import BUFFER
from wirecheck.sources.reader import found

OWN = 0o600  # what nobody has looked over yet is for its owner
EPILOG = """\b
Examples:
  wirecheck redact log.jsonl -o for-the-report      for-the-report/log.jsonl
  wirecheck redact tests/cassettes -o cassettes     all of them, by the same names
  wirecheck redact log.jsonl -o out --hash          equal secrets stay equal
  my-app --dump | wirecheck redact - -o - > clean.jsonl

What is no secret stays as it is. Look a file over before you give it away: a password in a sentence is not recognised.

Exit codes: 0 written, 2 could not redact something, which is not written then."""


@click.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH|-]...")
@click.option("-o", "--output", "target", metavar="DIR", help="Where files are written; - is standard output, for one.")
@click.option("--hash", "hashed", is_flag=True, help="Mark equal secrets alike, as [redacted:3fa9c1].")
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], target: str | None, hashed: bool) -> None:
    """Write the same files without secrets. Directories are searched; - is standard input."""
    if not paths:
        raise click.UsageError("Say what to redact: a file, a directory, or - for standard input.")
    if not target:
        raise click.UsageError("Say where to: -o DIR, or -o - for standard output.")
    marks, problems = SecretMarks(token_bytes(16) if hashed else b""), list[ReadProblem]()
    if target == "-":
        done = _to_output(paths, marks, problems)
    else:
        done = _to_folder(_named(paths, target, problems), marks, problems)
    for problem in problems:
        complain(f"{problem.path}: {problem.why}")
    if done:
        where = "standard output" if target == "-" else target
        line = f"{number(done, 'file')} written to {where}: {told(marks.counts)}"
        output.write([clean(line)], sys.stderr if target == "-" else sys.stdout)
    ctx.exit(FAILED if problems else FINE)


def _named(paths: tuple[str, ...], target: str, problems: list[ReadProblem]) -> dict[str, str]:
    """Each file that is written, and what it is made of. Refuses, before anything is read, to write over a file."""
    named: dict[str, str] = {}
    passed: list[str] = []
    for path in each_once(paths):
        if path == "-":
            raise click.UsageError("standard input has no name in a directory: -o - writes it to standard output")
        is_folder = os.path.isdir(path)
        for file in found([path], problems, passed):
            if is_folder and _is_within(file, target):
                continue  # what was written there before
            name = os.path.join(target, os.path.relpath(file, path) if is_folder else os.path.basename(file))
            if name in named and not os.path.samefile(named[name], file):
                raise Refusal(f"{file} and {named[name]} would both be {name}; redact them to directories of their own")
            named[name] = file
    if passed := [file for file in passed if not _is_within(file, target)]:
        complain(f"{number(len(passed), 'file')} in the searched directories not written, as no logs: {_few(passed)}")
    for name in named:
        if os.path.lexists(name):
            raise Refusal(f"{name}: is there already, and is not written over; name another directory, or remove it")
    return named


def _few(files: list[str]) -> str:
    return ", ".join(files[:3]) + (", …" if len(files) > 3 else "")


def _is_within(file: str, folder: str) -> bool:
    whole = os.path.realpath(folder)
    return os.path.commonpath((whole, os.path.realpath(file))) == whole


def _to_folder(named: dict[str, str], marks: SecretMarks, problems: list[ReadProblem]) -> int:
    done = 0
    for name, file in named.items():
        before = dict(marks.counts)
        try:
            with _opened(file) as stream:
                whole = redacted(stream, file, marks)
                first = next(whole, b"")
                _make_folder(name)
                write_bytes(name, _together(first, whole), OWN)
        except OSError as error:
            problems.append(ReadProblem(file, f"not redacted, and not written: {error.strerror or error}"))
            marks.counts.clear()
            marks.counts.update(before)
            continue
        done += 1
        cut = {kind: many - before.get(kind, 0) for kind, many in marks.counts.items()}
        output.write([clean(f"{name}: {told(cut)}")])
    return done


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    """The file, which is read twice; what comes through a pipe is kept aside for that."""
    with nullcontext(standard_input().buffer) if path == "-" else open(path, "rb") as source:
        if path != "-" and source.seekable():
            yield source
            return
        with TemporaryFile() as stream:
            stream.writelines(iter(lambda: source.read(BUFFER), b""))
            yield stream


def _together(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _make_folder(name: str) -> None:
    folder = os.path.dirname(name)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise Refusal(f"{folder}: cannot be made: {error.strerror or error}") from None


def _to_output(paths: tuple[str, ...], marks: SecretMarks, problems: list[ReadProblem]) -> int:
    if len(paths) > 1 or os.path.isdir(paths[0]):
        raise click.UsageError("-o - takes one file; -o DIR takes more")
    with ExitStack() as opened:
        try:
            stream = opened.enter_context(_opened(paths[0]))
            made = opened.enter_context(TemporaryFile())  # nothing of a file is written that cannot be redacted
            made.writelines(redacted(stream, paths[0], marks))
        except OSError as error:
            problems.append(ReadProblem(paths[0], f"not redacted, and not written: {error.strerror or error}"))
            return 0
        made.seek(0)
        sys.stdout.buffer.writelines(iter(lambda: made.read(BUFFER), b""))
        return 1


def told(counts: dict[str, int]) -> str:
    """How many of each kind, the most frequent first."""
    kinds = sorted((kind for kind, many in counts.items() if many), key=lambda kind: (-counts[kind], kind))
    return ", ".join(number(counts[kind], kind) for kind in kinds) or "no secret found"
