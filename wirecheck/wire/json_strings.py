"""Finds strings in JSON text, or in JSON within a JSON string: where they begin and end, and where they may be cut.

Searches for quotes and escapes only, so most bytes are never looked at.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

PIECE = 1 << 16  # bytes of a string that are decoded at a time
NEAR = 1 << 14  # bytes searched at a time for the end of a string that contains escaped quotes
LONGEST = 14  # bytes of the longest escape: two surrogates, in a string within a string
# After one of these bytes a cut is safe: none of them can stand inside an escape, except as its last byte.
CLEAR = rb"(?s:.*[^\\u0-9a-fA-F])"
AFTER_BACKSLASHES = rb"(?s:\\*+.)"
_compiled = cache(re.compile)


class StringLevel(NamedTuple):
    """How strings look at one level: in JSON, or in JSON within a JSON string."""

    quote: bytes  # begins and ends a string
    own: tuple[bytes, bytes]  # an escaped backslash and an escaped quote
    character: bytes  # pattern of one character; `text` of as many as are complete
    text: bytes

    def next(self, raw: bytes, begin: int, end: int) -> int:
        """Returns the next quote that begins or ends a string, or -1. `begin` must not be inside an escape."""
        at = raw.find(b'"', begin, end)
        if at < 0 or self._is_one(raw, at):
            return at
        begin = at + 1
        while begin < end:
            stop = min(unparted(raw, begin + NEAR), end)
            piece = raw[begin:stop]
            for own in self.own:
                piece = piece.replace(own, b"_" * len(own))
            if (at := piece.find(self.quote)) >= 0:
                return begin + at + len(self.quote) - 1
            begin = stop
        return -1

    def last(self, raw: bytes, begin: int, end: int) -> int:
        """Returns the last quote that begins or ends a string, or -1."""
        at = raw.rfind(b'"', begin, end)
        while at >= 0 and not self._is_one(raw, at):
            at = raw.rfind(b'"', begin, at)
        return at

    def pieces(self, raw: bytes, begin: int, end: int) -> Iterator[bytes]:
        """Yields a text in pieces, cutting neither escapes nor characters."""
        while end - begin > PIECE:
            at = max(self.before(raw, begin, begin + PIECE), begin + 1)
            yield raw[begin:at]
            begin = at
        yield raw[begin:end]

    def before(self, raw: bytes, begin: int, at: int) -> int:
        """Returns `at`, or a place shortly before it, where a cut splits neither an escape nor a character. `begin` is
        where the text begins."""
        if raw.rfind(b"\\", max(at - LONGEST, begin), at) >= 0:
            near = _compiled(CLEAR).match(raw, max(at - NEAR, begin), at)
            found = near or _compiled(self.text).match(raw, begin, at)
            at = found.end() if found else begin
        while raw[at] & 0xC0 == 0x80:
            at -= 1
        return at

    def after(self, raw: bytes, begin: int, count: int) -> int:
        """Returns where the first `count` characters of a longer text end."""
        if raw[begin : begin + count].isascii() and raw.find(b"\\", begin, begin + count) < 0:
            return begin + count
        found = _compiled(rb"(?:%b){%d}" % (self.character, count)).match(raw, begin)
        return found.end() if found else begin

    def rest(self, raw: bytes, begin: int, end: int, count: int) -> int:
        """Returns where its last `count` characters begin."""
        begin = self.before(raw, begin, end - LONGEST * count)
        return [found.start() for found in _compiled(self.character).finditer(raw, begin, end)][-count]

    def _is_one(self, raw: bytes, at: int) -> bool:
        """Whether this quote delimits a string. A quote inside a text has one more backslash before it; other
        backslashes of the text come in pairs."""
        count = len(self.quote)
        return _backslashes(raw, at) % (2 * count) == count - 1


def _level(quote: bytes, own: tuple[bytes, bytes], escape: bytes) -> StringLevel:
    return StringLevel(quote, own, rb"(?s:[^\\\x80-\xbf][\x80-\xbf]*+|%b)" % escape, rb"(?s:[^\\]++|%b)*+" % escape)


JSON = _level(b'"', (rb"\\", rb"\""), rb"\\(?:[^u]|u(?![dD][89abAB])....|u....\\u....)")
IN_JSON = _level(
    rb"\"",
    (rb"\\\\", rb"\\\""),
    rb"(?:\\{1,2}(?:[^u\\]|u(?![dD][89abAB])....|u....\\{1,2}u....)|\\\\\\.)",
)


def _backslashes(raw: bytes, at: int) -> int:
    """Counts the backslashes before this place."""
    size = LONGEST
    while True:
        before = raw[max(at - size, 0) : at]
        if (count := len(before) - len(before.rstrip(b"\\"))) < size:
            return count
        size *= LONGEST


def unparted(raw: bytes, at: int) -> int:
    """Returns `at`, or a place shortly after it, with no backslash before it."""
    if raw[at - 1 : at] != b"\\":
        return at
    found = _compiled(AFTER_BACKSLASHES).match(raw, at)
    return found.end() if found else len(raw)
