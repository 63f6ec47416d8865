"""Strings as they stand in JSON, or in JSON that is a string itself: where they begin, end, and may be cut.

Nothing is looked at but quotes and escapes, and of these few.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

PIECE = 1 << 16  # bytes of a string that are read at a time
NEAR = 1 << 14  # the same where its end is looked for among quotes of its own
LONGEST = 14  # bytes of an escape: two surrogates, in a string in a string
# After these nothing is parted: if one of them stands in an escape, it ends that.
CLEAR = rb"(?s:.*[^\\u0-9a-fA-F])"
AFTER_BACKSLASHES = rb"(?s:\\*+.)"
_compiled = cache(re.compile)


class StringLevel(NamedTuple):
    """Strings of JSON, or of JSON in a string."""

    quote: bytes  # what begins and ends them
    own: tuple[bytes, bytes]  # a backslash of their own, and a quote
    character: bytes  # the pattern of one of their characters, and of all that are complete
    text: bytes

    def next(self, raw: bytes, begin: int, end: int) -> int:
        """The next quote that begins or ends a string, or -1. This place parts no escape."""
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
        """The same from behind."""
        at = raw.rfind(b'"', begin, end)
        while at >= 0 and not self._is_one(raw, at):
            at = raw.rfind(b'"', begin, at)
        return at

    def pieces(self, raw: bytes, begin: int, end: int) -> Iterator[bytes]:
        """A text in pieces that part nothing."""
        while end - begin > PIECE:
            at = max(self.before(raw, begin, begin + PIECE), begin + 1)
            yield raw[begin:at]
            begin = at
        yield raw[begin:end]

    def before(self, raw: bytes, begin: int, at: int) -> int:
        """This place in a text that begins there, or one before it, where neither an escape nor a character is
        parted."""
        if raw.rfind(b"\\", max(at - LONGEST, begin), at) >= 0:
            near = _compiled(CLEAR).match(raw, max(at - NEAR, begin), at)
            found = near or _compiled(self.text).match(raw, begin, at)
            at = found.end() if found else begin
        while raw[at] & 0xC0 == 0x80:
            at -= 1
        return at

    def after(self, raw: bytes, begin: int, count: int) -> int:
        """Where so many characters of a text end, of which there are more."""
        if raw[begin : begin + count].isascii() and raw.find(b"\\", begin, begin + count) < 0:
            return begin + count
        found = _compiled(rb"(?:%b){%d}" % (self.character, count)).match(raw, begin)
        return found.end() if found else begin

    def rest(self, raw: bytes, begin: int, end: int, count: int) -> int:
        """Where the last so many of them begin."""
        begin = self.before(raw, begin, end - LONGEST * count)
        return [found.start() for found in _compiled(self.character).finditer(raw, begin, end)][-count]

    def _is_one(self, raw: bytes, at: int) -> bool:
        """A quote of a text has a backslash more; other backslashes of a text stand before it in pairs."""
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
    """How many there are before this place."""
    size = LONGEST
    while True:
        before = raw[max(at - size, 0) : at]
        if (count := len(before) - len(before.rstrip(b"\\"))) < size:
            return count
        size *= LONGEST


def unparted(raw: bytes, at: int) -> int:
    """This place, or one soon after it, with no backslash before it."""
    if raw[at - 1 : at] != b"\\":
        return at
    found = _compiled(AFTER_BACKSLASHES).match(raw, at)
    return found.end() if found else len(raw)
