"""Recognises recited histories by their bytes, before anything is decoded.

Over HTTP every request recites all that was said before, mostly in the same bytes. If the contents of a line begin with
contents of an earlier line, these are elided: a token replaces them, and only the short line is decoded. Knows where
contents are in a line, not what is in them.
"""

from msgspec import Raw, Struct

from wirecheck.cache import Cache
from wirecheck.hashing import Hasher, digest, new_hasher

CONTENTS = b'"contents"'
HEAD, TAIL = 256, 16  # bytes: the first find candidate prefixes, the last rule out most of them
ALIKE = 32  # prefixes kept for one head
HEADS = 4096  # capacity of the cache
SHORT = 4096  # bytes: shorter contents are decoded as a whole


class Prefix(Struct, eq=False):
    """Known contents: their size in bytes with the bracket before them, their last bytes, and their digest."""

    size: int
    tail: bytes
    digest: bytes
    hasher: Hasher
    head: int
    hashes: list[int]  # of each content
    chain: list[int]  # of contents 0 to n, for each n


class Elided(Struct, eq=False):
    """A line whose contents begin at `start`, and the known `prefix` of them, if any."""

    finder: "PrefixFinder"
    line: bytes
    start: int
    head: int
    prefix: Prefix | None = None
    hasher: Hasher | None = None  # its state after the prefix

    @property
    def short(self) -> bytes:
        """The short line: a token in place of the prefix."""
        if self.prefix is None:
            return self.line
        return b"%b[%b%b" % (self.line[: self.start], self.finder.token, self.line[self.start + self.prefix.size :])

    def recited(self) -> bytes:
        """The elided contents as a JSON list."""
        return b"" if self.prefix is None else self.line[self.start : self.start + self.prefix.size] + b"]"

    def restored(self, short: bytes) -> bytes:
        """Puts the elided contents back into a part of the short line."""
        return short.replace(b"[" + self.finder.token, self.recited()[:-1], 1)

    def learn(self, contents: bytes | Raw, hashes: list[int], chain: list[int]) -> None:
        """Makes the contents of this line, given as they are in the short line, a known prefix."""
        self.finder.keep(self, contents, hashes, chain)


class PrefixFinder:
    """The known prefixes of one file.

    `token` is a random JSON string, so that no log can contain it on purpose.
    """

    def __init__(self, token: bytes) -> None:
        self.token = token
        self._heads: Cache[int, list[Prefix]] = Cache(HEADS)

    def find(self, line: bytes) -> Elided | None:
        """Finds the contents of a line and the longest known prefix of them. None where the line has no contents."""
        start = line.find(CONTENTS) + len(CONTENTS)
        if start < len(CONTENTS):
            return None
        start = line.find(b"[", start, start + 4)
        if start < 0 or len(line) - start < SHORT:
            return None
        head = digest(line[start : start + HEAD])
        elided = Elided(self, line, start, head)
        for prefix in self._heads.get(head) or ():
            stop = start + prefix.size
            if line[stop - TAIL : stop] == prefix.tail:
                hasher = new_hasher(memoryview(line)[start:stop])
                if hasher.digest() == prefix.digest:
                    elided.prefix, elided.hasher = prefix, hasher
                    break
        return elided

    def keep(self, elided: Elided, contents: bytes | Raw, hashes: list[int], chain: list[int]) -> None:
        """Keeps the contents as a prefix, in place of the one that was elided. If the line has other contents before
        these, none."""
        before, line, start = elided.prefix, elided.line, elided.start
        size = len(contents) - 1
        if before is not None and elided.hasher is not None:
            size += before.size - len(self.token) - 1
            stop, hasher = start + size, elided.hasher
            hasher.update(memoryview(line)[start + before.size : stop])
        else:
            stop = start + size
            hasher = new_hasher(memoryview(line)[start:stop])
            if hasher.digest() != new_hasher(memoryview(contents)[:-1]).digest():
                return
        prefix = Prefix(size, line[stop - TAIL : stop], hasher.digest(), hasher, elided.head, hashes, chain)
        alike = [other for other in self._heads.get(prefix.head) or () if other is not before]
        self._heads.put(prefix.head, sorted([*alike, prefix], key=_size, reverse=True)[:ALIKE])


def _size(prefix: Prefix) -> int:
    return prefix.size
