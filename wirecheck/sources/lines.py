"""A stream of bytes as the values to read: its lines, or the whole of it where it is one document.

Whether it is a document shows in the first line: no complete JSON value, but the beginning of one. A log whose
first line was cut off begins like that too, so what has been read is tried again as it grows, and given line by
line as soon as it cannot become JSON any more.
"""

import gzip
import io
import zlib
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO

import msgspec
from msgspec import Raw, Struct

GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
LIMIT = 512 << 20  # the longest line, and the largest document
BROKEN = (gzip.BadGzipFile, zlib.error)

Line = tuple[int, bytes]  # its number and its bytes, the line end included


class Cut(Exception):
    """A compressed stream that breaks off after a line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


class Tally(Struct):
    """How many lines were read."""

    lines: int = 0


def lines(stream: BinaryIO, tally: Tally) -> Iterator[Line]:
    """All lines that are not blank, of a stream that may be packed."""
    number = 0
    try:
        for line in iter(partial(_unpacked(stream).readline, LIMIT), b""):
            number += 1
            if not line.isspace():
                tally.lines += 1
                yield number, line
    except EOFError:
        raise Cut(number + 1, "the gzip stream is cut short") from None
    except BROKEN as error:
        raise Cut(number + 1, f"the gzip stream is broken: {error}") from None


def _unpacked(stream: BinaryIO) -> BinaryIO:
    """The stream without gzip and without a byte order mark."""
    buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)  # type: ignore[type-var]
    if buffered.peek(2)[:2] == GZIP:
        buffered = io.BufferedReader(gzip.GzipFile(fileobj=buffered))
    if buffered.peek(3)[:3] == BOM:
        buffered.read(3)
    return buffered


def values(stream: Iterator[Line], *, document: bool = False) -> Iterator[Line]:
    """The lines, or one document."""
    first = next(stream, None)
    if first is None:
        return
    if document or state(first[1]) == "unfinished":
        yield from _gathered(first, stream, document)
    else:
        yield first
        yield from stream


def _gathered(first: Line, stream: Iterator[Line], document: bool) -> Iterator[Line]:
    gathered, size, next_try = [first], len(first[1]), 0
    for line in stream:
        gathered.append(line)
        size += len(line[1])
        if size > next_try and not document:
            if size > LIMIT or state(_joined(gathered)) == "broken":
                yield from chain(gathered, stream)
                return
            next_try = 2 * size
    whole = _joined(gathered)
    if len(gathered) == 1:
        yield first
    elif document or state(whole) == "complete" or not any(_alone(line) for _, line in gathered):
        yield first[0], whole.rstrip()  # without its line end: the file ends within it, if it is not complete
    else:
        yield from gathered


def _joined(gathered: list[Line]) -> bytes:
    return b"".join(line for _, line in gathered)


def _alone(line: bytes) -> bool:
    """Whether a line says something by itself: a piece of pretty-printed JSON does not."""
    return line.lstrip()[:1] == b"{" and state(line) == "complete" and line.strip() != b"{}"


def state(data: bytes) -> str:
    """Whether this is `complete` JSON, the beginning of some (`unfinished`), or neither (`broken`)."""
    try:
        msgspec.json.decode(data, type=Raw)
    except msgspec.DecodeError as error:
        return "unfinished" if "truncated" in str(error) else "broken"
    except RecursionError:
        return "broken"
    return "complete"
