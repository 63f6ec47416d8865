"""Histories that were heard, found again in a line without reading it.

A request recites its history in the same bytes each time. Of each conversation the length of its history is kept, the
bytes that begin and end it, and a hash of it all. Whether a line begins its contents with one shows in a look at a few
bytes for each length that would fit, longest first, and one pass of hashing.
"""

from bisect import bisect_right, insort
from collections import OrderedDict
from typing import Any

from msgspec import Struct
from xxhash import xxh3_128

OPENINGS = (128, 36)  # how many bytes at the beginning tell most histories apart; the shorter for short ones
ENDS = 24  # bytes that tell histories of one length apart, as good as always
LOOKS = 256  # lengths tried, where many histories begin alike


class Heard(Struct, eq=False):
    """A history that was heard, whose it is, and whatever is known of it."""

    name: str
    opening: bytes
    length: int
    ends: bytes
    digest: bytes
    known: Any
    hashed: Any = None  # the hash of it, to go on with, where it was found in a line


class Alike(Struct, eq=False):
    """Histories that begin alike."""

    lengths: list[int]
    by_end: dict[tuple[int, bytes], Heard]


class Prefixes:
    """The histories heard last, of each conversation one; the oldest are let go."""

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._alike: dict[bytes, Alike] = {}
        self._all: OrderedDict[str, Heard] = OrderedDict()

    def find(self, line: bytes, start: int) -> Heard | None:
        """The longest known history that stands at this place."""
        for size in OPENINGS:
            alike = self._alike.get(line[start : start + size])
            if alike is not None and (heard := _longest(alike, line, start)) is not None:
                return heard
        return None

    def add(self, name: str, line: bytes, start: int, end: int, known: Any) -> None:
        """A history was heard; one of a few bytes is not worth it."""
        if (before := self._all.get(name)) is not None:
            self.drop(before)
        length = end - start
        opening = line[start : start + next((size for size in OPENINGS if size <= length), length)]
        if len(opening) < OPENINGS[-1]:
            return
        digest = xxh3_128(memoryview(line)[start:end]).digest()
        heard = Heard(name, opening, length, line[end - ENDS : end], digest, known)
        alike = self._alike.get(opening)
        if alike is None:
            self._alike[opening] = Alike([length], {(length, heard.ends): heard})
        else:
            if (before := alike.by_end.get((length, heard.ends))) is not None:
                self.drop(before)
                alike = self._alike.setdefault(opening, alike)
            insort(alike.lengths, length)
            alike.by_end[length, heard.ends] = heard
        self._all[name] = heard
        if len(self._all) > self._most:
            self.drop(next(iter(self._all.values())))

    def move(self, heard: Heard, line: bytes, start: int, end: int) -> None:
        """A history that was found in this line ends further on in it now."""
        alike = self._alike[heard.opening]
        del alike.by_end[heard.length, heard.ends]
        del alike.lengths[bisect_right(alike.lengths, heard.length) - 1]
        heard.hashed.update(memoryview(line)[start + heard.length : end])
        heard.length, heard.ends, heard.digest = end - start, line[end - ENDS : end], heard.hashed.digest()
        heard.hashed = None
        if (other := alike.by_end.get((heard.length, heard.ends))) is not None:
            del self._all[other.name]
        else:
            insort(alike.lengths, heard.length)
        alike.by_end[heard.length, heard.ends] = heard
        self._all.move_to_end(heard.name)

    def drop(self, heard: Heard) -> None:
        if self._all.get(heard.name) is not heard:
            return
        del self._all[heard.name]
        alike = self._alike[heard.opening]
        del alike.by_end[heard.length, heard.ends]
        del alike.lengths[bisect_right(alike.lengths, heard.length) - 1]
        if not alike.lengths:
            del self._alike[heard.opening]


def _longest(alike: Alike, line: bytes, start: int) -> Heard | None:
    lengths, by_end = alike.lengths, alike.by_end
    at = bisect_right(lengths, len(line) - start)
    for n in range(at - 1, max(at - LOOKS, 0) - 1, -1):
        end = start + lengths[n]
        heard = by_end.get((lengths[n], line[end - ENDS : end]))
        if heard is not None:
            heard.hashed = xxh3_128(memoryview(line)[start:end])
            if heard.hashed.digest() == heard.digest:
                return heard
    return None
