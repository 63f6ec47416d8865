"""Histories that are recited again, recognised by their bytes before anything is decoded.

Over HTTP every request recites all that was said before, most often in the same bytes. Where the contents of a line
begin with contents that were read before, these are left out of it: a token stands in their place, and only the rest
is decoded. Knows where contents stand in a line, and not what they say.
"""

from array import array

from msgspec import Struct
from xxhash import xxh3_64_intdigest, xxh3_128

from wirecheck.cache import Cache

CONTENTS = b'"contents"'
HEAD, TAIL = 256, 16  # bytes by which prefixes are looked for, and by which most are ruled out
ALIKE = 32  # prefixes with one head that are compared
HEADS = 4096  # that are held
SHORT = 4096  # bytes: less is not worth it


class Prefix(Struct, eq=False):
    """Contents that were read: how many bytes they take with the bracket before them, how these end, their digest."""

    size: int
    tail: bytes
    digest: bytes
    hasher: xxh3_128
    head: int
    hashes: "array[int]"  # of each of the contents
    chain: "array[int]"  # of each beginning of them


class Elided(Struct, eq=False):
    """A line with contents that begin at `start`, of which a `prefix` was left out if it was known."""

    finder: "PrefixFinder"
    line: bytes
    start: int
    head: int
    prefix: Prefix | None = None
    hasher: xxh3_128 | None = None  # has read the prefix

    @property
    def short(self) -> bytes:
        """The line without the prefix."""
        if self.prefix is None:
            return self.line
        return b"%b[%b%b" % (self.line[: self.start], self.finder.token, self.line[self.start + self.prefix.size :])

    def recited(self) -> bytes:
        """The contents that were left out, as a list."""
        return b"" if self.prefix is None else self.line[self.start : self.start + self.prefix.size] + b"]"

    def restored(self, short: bytes) -> bytes:
        """A part of the short line as it was written."""
        return short.replace(b"[" + self.finder.token, self.recited()[:-1], 1)

    def learn(self, size: int, hashes: "array[int]", chain: "array[int]") -> None:
        """The contents were read: in the short line they take so many bytes, with both brackets."""
        before = self.prefix
        if before is not None:
            size += before.size - len(self.finder.token) - 1
        self.finder.keep(self, size - 1, hashes, chain)


class PrefixFinder:
    """The prefixes of one file, the longest first where several begin alike. Those not seen for long are evicted.

    `token` is a JSON string that nobody who writes a log can know.
    """

    def __init__(self, token: bytes) -> None:
        self.token = token
        self._heads: Cache[int, list[Prefix]] = Cache(HEADS)

    def find(self, line: bytes) -> Elided | None:
        """Where the contents of a line begin, and which of them were read before; None where it has none."""
        start = line.find(CONTENTS) + len(CONTENTS)
        if start < len(CONTENTS):
            return None
        start = line.find(b"[", start, start + 4)
        if start < 0 or len(line) - start < SHORT:
            return None
        head = xxh3_64_intdigest(line[start : start + HEAD])
        elided = Elided(self, line, start, head)
        for prefix in self._heads.get(head) or ():
            stop = start + prefix.size
            if line[stop - TAIL : stop] == prefix.tail:
                hasher = xxh3_128(memoryview(line)[start:stop])
                if hasher.digest() == prefix.digest:
                    elided.prefix, elided.hasher = prefix, hasher
                    break
        return elided

    def keep(self, elided: Elided, size: int, hashes: "array[int]", chain: "array[int]") -> None:
        """The next request of this conversation is going to recite so many bytes."""
        before, line, start = elided.prefix, elided.line, elided.start
        stop = start + size
        if before is not None and elided.hasher is not None:
            hasher = elided.hasher
            hasher.update(memoryview(line)[start + before.size : stop])
        else:
            hasher = xxh3_128(memoryview(line)[start:stop])
        prefix = Prefix(size, line[stop - TAIL : stop], hasher.digest(), hasher, elided.head, hashes, chain)
        alike = [other for other in self._heads.get(prefix.head) or () if other is not before]
        self._heads.put(prefix.head, sorted([*alike, prefix], key=_size, reverse=True)[:ALIKE])


def _size(prefix: Prefix) -> int:
    return prefix.size
