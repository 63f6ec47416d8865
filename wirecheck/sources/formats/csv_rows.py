"""The rows of a table in CSV as nodes: each an object of texts, with the names of the columns as keys."""

import csv
from collections.abc import Iterator
from itertools import repeat

import msgspec

from wirecheck.sources.formats.file_format import OpenedFile, UnreadableInput
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.lines import LIMIT, PassedOver, split
from wirecheck.wire.records import Origin, Site


def csv_rows(file: OpenedFile) -> Iterator[JsonNode]:
    """Each with the line it begins on. What is empty is not there. Raises UnreadableInput where it is no CSV."""
    csv.field_size_limit(LIMIT)  # of Python: a message is longer than it takes one to be
    reader, line = csv.reader(_lines(file), strict=True), 1
    try:
        names = next(reader, [])
        while True:
            line = reader.line_num + 1
            row = next(reader, None)
            if row is None:
                return
            values = {name: value for name, value in zip(names, row, strict=False) if value}
            yield JsonNode(msgspec.json.encode(values), Site(Origin(file.path, line)))
    except csv.Error as error:
        raise UnreadableInput(f"line {line}: not CSV: {error}") from None


def _lines(file: OpenedFile) -> Iterator[str]:
    due = 1
    for first, lines in split(file.stream, file.tally):
        yield from repeat("\n", first - due)  # blank lines, which stand in texts as well
        due = first + len(lines)
        if isinstance(lines, PassedOver):
            raise UnreadableInput(f"line {first}: {lines.why()}")
        for n, line in enumerate(lines, first):
            try:
                yield line.decode()
            except UnicodeDecodeError as error:
                raise UnreadableInput(f"line {n}: invalid UTF-8 at byte {error.start}") from None
