"""Histories that were heard, found again in a line without reading it.

A request recites its history in the same bytes each time. Of each conversation the length of its history is kept, the
bytes that begin and end it, and a hash of it all. Whether a line begins its contents with one shows in a look at a few
bytes for each length that would fit, longest first, and one pass of hashing.
"""

from bisect import bisect_right, insort
from collections import OrderedDict
from typing import Any

from msgspec import Struct
from xxhash import xxh3_128, xxh3_128_digest

SHORT = 4096  # bytes of contents that are read rather than looked for
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


class Alike:
    """Several histories that begin alike."""

    def __init__(self) -> None:
        self._lengths: list[int] = []  # in their order
        self._by_end: dict[tuple[int, bytes], Heard] = {}

    def put(self, heard: Heard) -> Heard | None:
        """One more; given back is the one in whose place it is."""
        other = self._by_end.get((heard.length, heard.ends))
        if other is None:
            insort(self._lengths, heard.length)
        self._by_end[heard.length, heard.ends] = heard
        return other

    def take(self, heard: Heard) -> bool:
        """One less; whether there are others."""
        del self._by_end[heard.length, heard.ends]
        del self._lengths[bisect_right(self._lengths, heard.length) - 1]
        return bool(self._lengths)

    def longest(self, line: bytes, start: int) -> Heard | None:
        lengths, by_end = self._lengths, self._by_end
        at = bisect_right(lengths, len(line) - start)
        for n in range(at - 1, max(at - LOOKS, 0) - 1, -1):
            end = start + lengths[n]
            heard = by_end.get((lengths[n], line[end - ENDS : end]))
            if heard is not None and _stands(heard, line, start):
                return heard
        return None


class Prefixes:
    """The histories heard last, of each conversation one; the oldest are let go."""

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._by_opening: dict[bytes, Heard | Alike] = {}
        self._all: OrderedDict[str, Heard] = OrderedDict()

    def find(self, line: bytes, start: int) -> Heard | None:
        """The longest known history that stands at this place."""
        for size in OPENINGS:
            alike = self._by_opening.get(line[start : start + size])
            if type(alike) is Heard:
                ends = start + alike.length - ENDS
                heard = alike if line.startswith(alike.ends, ends) and _stands(alike, line, start) else None
            else:
                heard = alike.longest(line, start) if type(alike) is Alike else None
            if heard is not None:
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
        digest = xxh3_128_digest(memoryview(line)[start:end])
        self._put(Heard(name, opening, length, line[end - ENDS : end], digest, known))
        if len(self._all) > self._most:
            self.drop(next(iter(self._all.values())))

    def _put(self, heard: Heard) -> None:
        alike = self._by_opening.setdefault(heard.opening, heard)
        if type(alike) is Heard and alike is not heard:
            self._by_opening[heard.opening], one = (several := Alike()), alike
            several.put(one)
            alike = several
        if type(alike) is Alike and (other := alike.put(heard)) is not None:
            del self._all[other.name]
        self._all[heard.name] = heard

    def move(self, heard: Heard, line: bytes, start: int, end: int) -> None:
        """A history that was found in this line ends further on in it now."""
        alike = self._by_opening[heard.opening]
        if type(alike) is Alike:
            alike.take(heard)
        heard.hashed.update(line[start + heard.length : end])
        heard.length, heard.ends, heard.digest = end - start, line[end - ENDS : end], heard.hashed.digest()
        heard.hashed = None
        if type(alike) is Alike and (other := alike.put(heard)) is not None:
            del self._all[other.name]
        self._all.move_to_end(heard.name)

    def drop(self, heard: Heard) -> None:
        if self._all.get(heard.name) is not heard:
            return
        del self._all[heard.name]
        alike = self._by_opening[heard.opening]
        if alike is heard or (type(alike) is Alike and not alike.take(heard)):
            del self._by_opening[heard.opening]


def _stands(heard: Heard, line: bytes, start: int) -> bool:
    """Whether it stands there, of which the beginning and the end are known to be the same."""
    heard.hashed = xxh3_128(memoryview(line)[start : start + heard.length])
    return bool(heard.hashed.digest() == heard.digest)
