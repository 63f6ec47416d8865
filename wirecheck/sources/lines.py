"""Splits a stream of bytes into values: its lines, or the JSON documents in it.

It holds documents if the first line is the beginning of a JSON value and not a complete one. A log whose first line
was cut off begins like that too. So lines are gathered and tried as one document as they grow; once they cannot become
JSON any more and one of them is a JSON object by itself, they are yielded line by line.
"""

import io
import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain
from typing import TYPE_CHECKING, BinaryIO, TypeVar, Union

import msgspec
from msgspec import Raw, Struct

from wirecheck.sources.surrogates import mend

if TYPE_CHECKING:
    import gzip

STATES = {"truncated": "unfinished", "trailing": "several"}  # by a word of msgspec's error
GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")  # byte order marks, as older PowerShells write them
BUFFER = 1 << 20
FEW = 32  # lines of a block that are split one by one
LIMIT = 512 << 20  # the longest line, and the largest document
FOLLOWS = r"trailing characters \(byte (\d+)\)"  # msgspec's error where one value follows another

T = TypeVar("T")
Stream = Union[io.BufferedReader, "gzip.GzipFile"]
Line = tuple[int, bytes]  # its number and its bytes, the line end included
Lines = tuple[int, list[bytes]]  # lines that follow one another, and the number of the first


class TruncatedStream(OSError):
    """A compressed stream breaks off. The lines before that have been yielded."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(f"the gzip stream is {why} {f'after line {line}' if line else 'in its first line'}")


class ForeignEncoding(OSError):
    """The file is in another encoding: none of its lines could be read."""

    def __init__(self) -> None:
        super().__init__("written in UTF-16, and UTF-8 is read: `iconv -f UTF-16 -t UTF-8` makes it so")


class LineCount(Struct):
    """How many lines were read, and how many bytes are in them."""

    lines: int = 0
    size: int = 0


def lines(stream: BinaryIO, tally: LineCount) -> Iterator[Lines]:
    """Yields all lines that are not blank, of a stream that may be gzipped. A line above the limit comes in pieces."""
    return split(unpacked(stream), tally)


def split(stream: Stream, tally: LineCount) -> Iterator[Lines]:
    """The same of a stream that is unpacked."""
    number, ended = 0, True
    try:
        for some in _blocks(stream):
            first = number + ended
            number, ended = first + len(some) - 1, some[-1].endswith(b"\n")
            spoken = _spoken(first, some)
            tally.lines += sum(len(each) for _, each in spoken)
            tally.size += sum(sum(map(len, each)) for _, each in spoken)
            yield from spoken
            del some, spoken  # frees a large line before the next one is read
    except EOFError:
        raise TruncatedStream("cut short", number) from None
    except _broken():
        raise TruncatedStream("broken", number) from None


def unbroken(found: Iterator[T]) -> Iterator[T]:
    """Raises OSError where the stream they are read from breaks off."""
    try:
        yield from found
    except EOFError:
        raise OSError("the gzip stream is cut short") from None
    except _broken():
        raise OSError("the gzip stream is broken") from None


def _blocks(stream: Stream) -> Iterator[list[bytes]]:
    """Yields lines as they arrive, without waiting for more once there is one. All are read into the same buffer."""
    room = bytearray(BUFFER)
    view, held = memoryview(room), 0  # bytes at the start of the buffer: a line without its end
    long = io.BytesIO()  # what did not fit: BytesIO grows in place, joining pieces needs twice the memory
    head = stream.read1(BUFFER)  # empties what peek() buffered, or `readinto1` would wait for more
    view[: len(head)], got = head, len(head)
    while got:
        end, held = room.rfind(b"\n", held, held + got) + 1, held + got
        if end:
            some = _split(room, view, end, long)
            view[: held - end], held, long = view[end:held], held - end, io.BytesIO()
            yield some
            del some
        elif held > BUFFER // 2:  # with less room left the stream would buffer by itself
            long.write(view[:held])
            held = 0
            if long.tell() + BUFFER > LIMIT:
                yield [long.getvalue()]
                long = io.BytesIO()
        got = stream.readinto1(view[held:])
    if held or long.tell():
        yield [_whole(long, view[:held])]


def _split(room: bytearray, view: memoryview, end: int, long: io.BytesIO) -> list[bytes]:
    """The lines up to `end`. The first ones are split one by one: where lines are long, there are no more than
    those."""
    begin = room.find(b"\n") + 1
    some = [_whole(long, view[:begin])]
    while begin < end and len(some) < FEW:
        at, begin = begin, room.find(b"\n", begin) + 1
        some.append(bytes(view[at:begin]))
    return some + io.BytesIO(view[begin:end]).readlines() if begin < end else some


def _whole(long: io.BytesIO, rest: memoryview) -> bytes:
    """A line with its rest. The bytes already in `long` are not copied."""
    if not long.tell():
        return bytes(rest)
    long.write(rest)
    return long.getvalue()


def _spoken(first: int, some: list[bytes]) -> list[Lines]:
    """The lines without blank ones."""
    if not any(map(bytes.isspace, some)):
        return [(first, some)]
    return [(number, [line]) for number, line in enumerate(some, first) if not line.isspace()]


def unpacked(stream: BinaryIO) -> Stream:
    """The stream, unzipped and after its byte order mark. Raises ForeignEncoding and TruncatedStream."""
    plain = _peekable(stream)
    head = plain.peek(2)[:2]
    opened: Stream = _unzipped(plain) if head and GZIP.startswith(head) else plain
    try:
        begin = opened.peek(3)
    except EOFError:
        raise TruncatedStream("cut short", 0) from None
    except _broken():
        raise TruncatedStream("broken", 0) from None
    if begin[:2] in UTF16:
        raise ForeignEncoding
    if begin[:3] == BOM:
        opened.read(3)
    return opened


def _unzipped(packed: io.BufferedReader) -> "gzip.GzipFile":
    import gzip

    return gzip.GzipFile(fileobj=packed)


def _broken() -> tuple[type[Exception], ...]:
    """What gzip raises for a broken stream."""
    import gzip
    import zlib

    return gzip.BadGzipFile, zlib.error


def _peekable(stream: BinaryIO) -> io.BufferedReader:
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)  # type: ignore[arg-type]


def values(stream: Iterator[Lines], *, document: bool = False) -> Iterator[Lines]:
    """Yields the lines, or the documents; with `document` the whole stream is one."""
    first = next(stream, None)
    if first is None:
        return
    if not document and state(first[1][0]) != "unfinished":
        yield first
        del first
        yield from stream
        return
    yield from _one_by_one(_values(_singly(chain((first,), stream)), document))


def _singly(stream: Iterable[Lines]) -> Iterator[Line]:
    return (line for first, some in stream for line in enumerate(some, first))


def _one_by_one(stream: Iterable[Line]) -> Iterator[Lines]:
    return ((number, [line]) for number, line in stream)


def _values(stream: Iterator[Line], document: bool) -> Iterator[Line]:
    """Yields the values of a stream that begins like a document."""
    first = next(stream)
    gathered, cut = [first], None
    try:
        whole = _gather(gathered, stream, document)
    except OSError as error:
        whole, cut = True, error
    if document:
        yield first[0], _joined(gathered).rstrip()
    else:
        yield from _documents(gathered) if whole else gathered
    yield from stream
    if cut is not None:
        raise cut


def _gather(gathered: list[Line], stream: Iterator[Line], document: bool) -> bool:
    """Gathers lines from the stream as long as they may be a document. Whether all of them may."""
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


def _documents(gathered: list[Line]) -> Iterator[Line]:
    """Yields one document after the other, each with the line it begins on. The rest may be lines after all."""
    ends = list(accumulate(len(line) for _, line in gathered))
    data, begin = memoryview(mend(_joined(gathered))), 0
    while begin < len(data):
        end = _ends(data, begin)
        first = bisect(ends, begin)
        rest = gathered[first:] if end == len(data) else []
        if len(gathered) == 1 or _are_lines(rest, at_end=True):
            yield from rest
        else:  # without a line end: an incomplete document means that the file ends within it
            yield gathered[first][0], bytes(data[begin:end]).strip()
        begin = end


def _ends(data: memoryview, begin: int) -> int:
    """Where the next value begins, after a complete one; else the end of the data."""
    try:
        msgspec.json.decode(data[begin:], type=Raw)
    except msgspec.DecodeError as error:
        follows = re.search(FOLLOWS, str(error))
        return begin + int(follows[1]) - 1 if follows else len(data)  # it counts from 1
    except RecursionError:
        pass
    return len(data)


def _joined(gathered: list[Line]) -> bytes:
    return b"".join(line for _, line in gathered)


def _alone(line: bytes) -> bool:
    """Whether a line is a JSON object with members by itself: a line of pretty-printed JSON is not."""
    return line.lstrip()[:1] == b"{" and line.strip() != b"{}" and state(line) == "complete"


def state(data: bytes) -> str:
    """What the data is: `complete` JSON, the beginning of it (`unfinished`), more than one value (`several`), or
    `broken`."""
    try:
        msgspec.json.decode(data, type=Raw)
    except msgspec.DecodeError as error:
        mended = mend(data)
        if mended != data:
            return state(mended)
        return next((state for sign, state in STATES.items() if sign in str(error)), "broken")
    except RecursionError:
        return "broken"
    return "complete"
