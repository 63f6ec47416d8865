"""Splits a stream of lines into values: the lines themselves, or the JSON documents in them.

It holds documents if the first line is the beginning of a JSON value and not a complete one. A log whose first line
was cut off begins like that too. So lines are gathered and tried as documents as they grow; once they cannot become
JSON any more and one of them is a JSON object by itself, they are yielded line by line.
"""

import io
import re
from array import array
from bisect import bisect
from collections.abc import Iterable, Iterator
from itertools import chain

import msgspec
from msgspec import Raw

from wirecheck.sources import lines
from wirecheck.sources.lines import Lines, PassedOver, size_of
from wirecheck.sources.surrogates import mend

STATES = {"truncated": "unfinished", "trailing": "several"}  # by a word of msgspec's error
FOLLOWS = r"trailing characters \(byte (\d+)\)"  # msgspec's error where one value follows another


def values(stream: Iterator[Lines], *, document: bool = False) -> Iterator[Lines]:
    """Yields the lines, or the documents; with `document` the whole stream is one."""
    first = next(stream, None)
    if first is None:
        return
    if not document and (isinstance(first[1], PassedOver) or state(first[1][0]) != "unfinished"):
        yield first
        del first
        yield from stream
        return
    gathered, cut, stream = GatheredLines(), None, chain((first,), stream)
    del first
    try:
        yield from _as_one(gathered, stream) if document else _documents(gathered, stream)
    except OSError as error:
        cut = error
    if gathered.size:
        yield from gathered.whole() if document else gathered.documents()
    if cut is not None:
        raise cut


def _as_one(gathered: "GatheredLines", stream: Iterator[Lines]) -> Iterator[Lines]:
    for block in stream:
        gathered.add(block)
        if isinstance(block[1], PassedOver) or gathered.size > lines.LIMIT:
            yield gathered.passed_over(chain((block,) if isinstance(block[1], PassedOver) else (), stream))


def _documents(gathered: "GatheredLines", stream: Iterator[Lines]) -> Iterator[Lines]:
    """Yields documents once others follow them, and lines once it is clear that there are no documents. What is left
    in the end is gathered."""
    next_try = 0
    for block in stream:
        if isinstance(block[1], PassedOver):
            yield from gathered.documents()
            yield block
            yield from stream
            return
        gathered.add(block)
        if gathered.size > next_try:
            found = state(gathered.data)
            if found == "broken" and gathered.holds_a_line():
                yield from gathered.lines()
                yield from stream
            elif found == "several":
                yield from gathered.documents(follow=True)
            next_try = 2 * gathered.size
        if gathered.size > lines.LIMIT:
            yield gathered.passed_over(stream)


class GatheredLines:
    """Lines in one piece. What is yielded of them is not held any longer."""

    def __init__(self) -> None:
        self._all = True  # nothing of the stream was yielded yet
        self._clear()

    def _clear(self) -> None:
        self._bytes = io.BytesIO()
        # Where lines begin that follow no other, and their numbers. As Python objects they could be most of it.
        self._offsets, self._numbers = array("Q"), array("Q")

    def _taken(self) -> "NumberedLines":
        taken = NumberedLines(self.data, self._offsets, self._numbers)
        self._clear()
        return taken

    @property
    def size(self) -> int:
        return self._bytes.tell()

    @property
    def data(self) -> bytes:
        return self._bytes.getvalue()

    def add(self, block: Lines) -> None:
        number, some = block
        self._offsets.append(self.size)
        self._numbers.append(number)
        self._bytes.writelines(some)

    def holds_a_line(self) -> bool:
        return any(map(_alone, io.BytesIO(self.data)))

    def lines(self) -> Iterator[Lines]:
        return self._taken().begin(0)

    def whole(self) -> Iterator[Lines]:
        yield self._numbers[0], [self._taken().data.rstrip()]

    def passed_over(self, stream: Iterable[Lines]) -> Lines:
        """What is gathered and what follows are too large a document."""
        number, size = self._numbers[0], self.size
        self._clear()
        return number, PassedOver(size + sum(map(size_of, stream)))

    def documents(self, *, follow: bool = False) -> Iterator[Lines]:
        """Yields one document after the other, each with the line it begins on. The last may be lines after all. With
        `follow` it stays, for more of it may come."""
        taken = self._taken()
        data, begin, number = taken.data, 0, taken.number
        one = self._all and data.find(b"\n") in (-1, len(data) - 1)
        written = memoryview(mend(data))
        while begin < len(data):
            end = _ends(written, begin)
            if end == len(data) and follow:
                self.add((number(begin), [data[begin:]]))
                self._all = False
            elif end == len(data) and (one or _are_lines(data[data.rfind(b"\n", 0, begin) + 1 :])):
                yield from taken.begin(data.rfind(b"\n", 0, begin) + 1)
            else:  # without a line end: an incomplete document means that the file ends within it
                yield number(begin), [bytes(written[begin:end]).strip()]
            begin = end


class NumberedLines:
    """Lines in one piece, where those begin in it that follow no other, and the numbers of these."""

    def __init__(self, data: bytes, offsets: "array[int]", numbers: "array[int]") -> None:
        self.data = data
        self._offsets, self._numbers = offsets, numbers
        self._block, self._place, self._line = -1, 0, 0  # that was asked for last: from there on lines are counted

    def number(self, place: int) -> int:
        """The number of the line at this place."""
        block = bisect(self._offsets, place) - 1
        if block != self._block or place < self._place:
            self._block, self._place, self._line = block, self._offsets[block], self._numbers[block]
        self._line += self.data.count(b"\n", self._place, place)
        self._place = place
        return self._line

    def begin(self, place: int) -> Iterator[Lines]:
        """The lines from this place on."""
        for n in range(bisect(self._offsets, place) - 1, len(self._offsets)):
            first = max(self._offsets[n], place)
            end = self._offsets[n + 1] if n + 1 < len(self._offsets) else len(self.data)
            yield self.number(first), io.BytesIO(self.data[first:end]).readlines()


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


def _are_lines(data: bytes) -> bool:
    """Whether what is left at the end is no document, and one of its lines is a value by itself."""
    return state(data) in ("broken", "unfinished") and any(map(_alone, io.BytesIO(data)))


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
