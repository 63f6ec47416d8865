"""A stream of bytes as the values to read: its lines, or the whole of it where it is one document.

Whether it is a document shows in the first line: no complete JSON value, but the beginning of one. A log whose
first line was cut off begins like that too, so what has been read is tried again as it grows, and given line by
line as soon as it cannot become JSON any more and one of its lines says something by itself.
"""

import gzip
import io
import zlib
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

import msgspec
from msgspec import Raw, Struct

from wirecheck.sources.mend import mend

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
    """All lines that are not blank, of a stream that may be packed. One above the limit comes in pieces."""
    number, ended = 0, True
    try:
        for line in iter(partial(_unpacked(stream).readline, LIMIT), b""):
            number += ended
            ended = line.endswith(b"\n")
            if not line.isspace():
                tally.lines += 1
                yield number, line
            del line  # or a large one would be held while the next one is read
    except EOFError:
        raise Cut(number + 1, "the gzip stream is cut short") from None
    except BROKEN as error:
        raise Cut(number + 1, f"the gzip stream is broken: {error}") from None


def _unpacked(stream: BinaryIO) -> "io.BufferedReader | gzip.GzipFile":
    """The stream without gzip and without a byte order mark."""
    opened: io.BufferedReader | gzip.GzipFile = _peekable(stream)
    if opened.peek(2)[:2] == GZIP:
        opened = gzip.GzipFile(fileobj=opened)
    if opened.peek(3)[:3] == BOM:
        opened.read(3)
    return opened


def _peekable(stream: BinaryIO) -> io.BufferedReader:
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)  # type: ignore[arg-type]


def values(stream: Iterator[Line], *, document: bool = False) -> Iterator[Line]:
    """The lines, or one document."""
    first = next(stream, None)
    if first is None:
        return
    if not document and state(first[1]) != "unfinished":
        yield first
        del first
        yield from stream
        return
    gathered, cut = [first], None
    try:
        whole = _gather(gathered, stream, document)
    except Cut as error:
        whole, cut = True, error
    if document or (whole and len(gathered) > 1 and not _are_lines(gathered, at_end=True)):
        yield first[0], _joined(gathered).rstrip()  # no line end: the file ends within it, where it is not complete
    else:
        yield from gathered
    yield from stream
    if cut is not None:
        raise cut


def _gather(gathered: list[Line], stream: Iterator[Line], document: bool) -> bool:
    """Takes lines from the stream as long as they may be one document, and says whether all of them may."""
    size = next_try = 0
    for line in stream:
        gathered.append(line)
        size += len(line[1])
        if size > next_try and not document:
            if size > LIMIT or _are_lines(gathered):
                return False
            next_try = 2 * size
    return True


def _are_lines(gathered: list[Line], at_end: bool = False) -> bool:
    found = state(_joined(gathered))
    return (found == "broken" or (at_end and found == "unfinished")) and any(_alone(line) for _, line in gathered)


def _joined(gathered: list[Line]) -> bytes:
    return b"".join(line for _, line in gathered)


def _alone(line: bytes) -> bool:
    """Whether a line says something by itself: a piece of pretty-printed JSON does not."""
    return line.lstrip()[:1] == b"{" and line.strip() != b"{}" and state(line) == "complete"


def state(data: bytes) -> str:
    """Whether this is `complete` JSON, the beginning of some (`unfinished`), or neither (`broken`)."""
    try:
        msgspec.json.decode(data, type=Raw)
    except msgspec.DecodeError as error:
        mended = mend(data)
        if mended != data:
            return state(mended)
        return "unfinished" if "truncated" in str(error) else "broken"
    except RecursionError:
        return "broken"
    return "complete"
