"""Splits a stream of bytes into lines. However long one is, no more of it is held than LIMIT."""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, Union

from msgspec import Struct

if TYPE_CHECKING:
    import gzip

GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")  # byte order marks, as older PowerShells write them
MARKS = (GZIP, BOM, *UTF16)
BUFFER = 1 << 20
FEW = 32  # lines of a block that are split one by one
MEGABYTE = 1 << 20
LIMIT = 256 * MEGABYTE  # the longest line, and the largest document


T = TypeVar("T")
Stream = Union[io.BufferedReader, "gzip.GzipFile"]


class PassedOver(list[bytes]):
    """Stands in place of a line or document that is too large to be read, and holds nothing of it."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def why(self) -> str:
        return f"of {-(-self.size // MEGABYTE)} MB: no more than {LIMIT // MEGABYTE} MB are read as one value"


Lines = tuple[int, list[bytes]]  # lines that follow one another, their ends included, and the number of the first


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
    """Yields all lines that are not blank, of a stream that may be gzipped. In place of one above the limit stands its
    length."""
    return split(unpacked(stream), tally)


def split(stream: Stream, tally: LineCount) -> Iterator[Lines]:
    """The same of a stream that is unpacked."""
    number = 0
    try:
        for some in _blocks(stream):
            first, number = number + 1, number + max(len(some), 1)
            spoken = _spoken(first, some)
            tally.lines += sum(max(len(each), 1) for _, each in spoken)
            tally.size += sum(map(size_of, spoken))
            yield from spoken
            del some, spoken  # frees a large line before the next one is read
    except EOFError:
        raise TruncatedStream("cut short", number) from None
    except _broken():
        raise TruncatedStream("broken", number) from None


def size_of(block: Lines) -> int:
    some = block[1]
    return some.size if isinstance(some, PassedOver) else sum(map(len, some))


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
    passed = 0  # bytes of a line that is too long: they are counted and not kept
    head = stream.read1(BUFFER)  # empties what peek() buffered, or `readinto1` would wait for more
    view[: len(head)], got = head, len(head)
    while got:
        if passed:
            end = room.find(b"\n", held, held + got) + 1
            passed += (end or held + got) - held
            if not end:
                got = stream.readinto1(view)
                continue
            yield PassedOver(passed)
            view[: held + got - end], got, held, passed = view[end : held + got], held + got - end, 0, 0
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
                passed, long = long.tell(), io.BytesIO()
        got = stream.readinto1(view[held:])
    if passed:
        yield PassedOver(passed)
    elif held or long.tell():
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
    if not some or not any(map(bytes.isspace, some)):
        return [(first, some)]
    return [(number, [line]) for number, line in enumerate(some, first) if not line.isspace()]


def unpacked(stream: BinaryIO) -> Stream:
    """The stream, unzipped and after its byte order mark. Raises ForeignEncoding and TruncatedStream."""
    try:
        plain = _marked(_peekable(stream))
        head = plain.peek(2)[:2]
        opened = _marked(_unzipped(plain)) if head and GZIP.startswith(head) else plain
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


def _marked(stream: Stream) -> Stream:
    """The stream, of which a mark that it begins with can be peeked as a whole. On a pipe it may arrive in pieces."""
    if not _may_grow(stream.peek(3)):
        return stream
    head = stream.read1(1)
    while _may_grow(head) and (more := stream.read1(1)):
        head += more
    return io.BufferedReader(_PushedBack(head, stream))


def _may_grow(head: bytes) -> bool:
    """Whether these bytes are the beginning of a mark, and not all of it."""
    return any(mark.startswith(head) and mark != head for mark in MARKS) if head else False


class _PushedBack(io.RawIOBase):
    """A stream with bytes in front of it that were read already."""

    def __init__(self, head: bytes, rest: Stream) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        if not self._head:
            return self._rest.readinto1(room)
        got = self._head[: len(room)]
        room[: len(got)], self._head = got, self._head[len(got) :]
        return len(got)


def _unzipped(packed: Stream) -> "gzip.GzipFile":
    import gzip

    return gzip.GzipFile(fileobj=packed)


def _broken() -> tuple[type[Exception], ...]:
    """What gzip raises for a broken stream."""
    import gzip
    import zlib

    return gzip.BadGzipFile, zlib.error


def _peekable(stream: BinaryIO) -> io.BufferedReader:
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)  # type: ignore[arg-type]
