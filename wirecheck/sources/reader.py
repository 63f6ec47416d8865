"""Reads files, folders and standard input as one sequence of Records. Problems are collected, not raised."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from wirecheck.sources.files.file_kinds import no_text
from wirecheck.sources.files.file_notes import FileNotes, ReadProblem
from wirecheck.sources.files.folder_search import listed, searched
from wirecheck.sources.formats.beginning import HEAD, Beginning
from wirecheck.sources.formats.file_format import OpenedFile, UnreadableInput
from wirecheck.sources.formats.known_formats import BY_NAME
from wirecheck.sources.formats.recognition import reader, recognise
from wirecheck.sources.lines import LineCount, lines, split, unbroken, unpacked
from wirecheck.sources.record_stream import Brief, as_it_is, contained, records
from wirecheck.wire.records import Record

STDIN = "<stdin>"


class Reader:
    """The records of all paths, in order. `files`, `lines`, `size`, `problems` and `notes` fill up as it is read.

    `brief` truncates long lines (wire/truncation.py).
    """

    def __init__(
        self,
        paths: Sequence[str],
        *,
        input_format: str | None = None,
        stdin: BinaryIO | None = None,
        brief: Brief = as_it_is,
    ) -> None:
        self._paths, self._format, self._stdin = paths, input_format, stdin
        self._brief = brief
        self.files = 0
        self._tally = LineCount()
        self.problems: list[ReadProblem] = []
        self.passed: list[str] = []  # files in folders that are no logs
        self.notes: list[FileNotes] = []

    @property
    def lines(self) -> int:
        return self._tally.lines

    @property
    def size(self) -> int:
        """Bytes read, blank lines not counted."""
        return self._tally.size

    def __iter__(self) -> Iterator[Record]:
        for file in found(self._paths, self.problems, self.passed):
            yield from self._file(file)

    def _file(self, path: str) -> Iterator[Record]:
        notes = FileNotes(STDIN if path == "-" else path)
        try:
            if path == "-":
                yield from self._stream(self._stdin or sys.stdin.buffer, notes)
            else:
                with open(path, "rb", HEAD) as stream:
                    yield from self._stream(stream, notes)
        except OSError as error:
            self.problems.append(_problem(error, notes.path))
        if notes.guessed or notes.prefixed:
            self.notes.append(notes)

    def _stream(self, stream: BinaryIO, notes: FileNotes) -> Iterator[Record]:
        self.files += 1
        opened = unpacked(stream)
        beginning = None if self._format else Beginning(opened.peek(HEAD))
        known = BY_NAME.get(self._format or "") if beginning is None else recognise(beginning.head)
        if known is not None:
            return contained(unbroken(reader(known)(OpenedFile(notes.path, opened, self._tally))), notes.path)
        if beginning is not None and (other := no_text(beginning)) is not None:
            raise UnreadableInput(other.said)
        return records(split(opened, self._tally), notes.path, self._format, self._brief, notes, beginning)


def read_file(stream: BinaryIO, path: str, input_format: str | None = None) -> Iterator[Record]:
    """The records of an open stream. Raises OSError where it cannot be read to its end."""
    return records(lines(stream, LineCount()), path, input_format)


def found(paths: Iterable[str], problems: list[ReadProblem], passed: list[str]) -> Iterator[str]:
    """Yields the named files and the logs in named folders. What is wrong with a folder is added to `problems`, and the
    files in it that are no logs to `passed`."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        empty, others = True, list[str]()
        for file in searched(path, lambda error: problems.append(_problem(error)), others.append):
            empty = False
            yield file
        passed += others
        if empty:
            problems.append(ReadProblem(path, listed(others), empty=True))


def _problem(error: OSError, path: str = "") -> ReadProblem:
    return ReadProblem(path or str(error.filename), error.strerror or str(error))
