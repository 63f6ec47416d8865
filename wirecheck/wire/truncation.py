"""Lines in short: of a text, or of media, of many megabytes nobody looks at more than how it begins and ends.

What is long in a line is found without reading the line. In place of the middle of such a text stand a hash and how
long it is, so that two of them are the same where they were. What is no text, or asked for as a whole, stays.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw
from xxhash import xxh3_64

from wirecheck.wire.json_strings import IN_JSON, JSON, StringLevel, unparted
from wirecheck.wire.utf8 import utf8

LONG = 1 << 19  # bytes of a text: of what is longer the middle is left out
HEAD, TAIL = 1 << 16, 1 << 6  # characters that stay: more than is shown, or of a content that is kept to compare
MARK = "TheMiddleIsLeftOut00"  # base64 that has this in it is base64 still
LEFT_OUT = re.compile(MARK + r"[0-9a-f]{16}(\d{16})")
# What stands between strings in JSON, or in a stream of events, be it in a string itself.
BETWEEN = re.compile(rb"[\s\d.,:eE+\-\[\]{}truefalsndivy\\]*+")
KEY = re.compile(rb"\s*+:")
# How a text begins that may hold JSON or a stream of events; and base64 of JSON.
HOLDS = re.compile(rb"(?:\\[nrt]|\s)*+(?:[{\[:]|data:|event:|id:|retry:)")
IN_BASE64 = re.compile(rb"e(?:y[A-DI-L]|w[o-r0-3])|W(?:[yw]|3[s-v]|1[s-v])")
ODD = (rb"\u0022", rb"\u005")
# What stands before a text that is asked for as a whole.
WHOLE = re.compile(rb'(?:[sS]ignature|"(?:arguments|bytes))\\*"\s*+:\s*+\\*"$')
_raw = msgspec.json.Decoder(Raw).decode
_text = msgspec.json.Decoder(str).decode

Span = tuple[int, int]
Cut = tuple[int, int, bytes]  # from where to where, and what stands there instead


def truncated(raw: bytes) -> bytes:
    """A line in short. One that is no JSON stays as it is, for it is told where it is wrong."""
    if len(raw) <= LONG or not (spans := list(_long(raw, 0, len(raw), JSON))):
        return raw
    try:
        _raw(utf8(raw))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return raw
    cuts = [cut for span in spans for cut in _cuts(raw, *span)]
    return b"".join(_pieces(raw, cuts)) if cuts else raw


def length(text: str) -> int:
    """How long it was, in bytes."""
    cut = LEFT_OUT.match(text, HEAD)
    return int(cut[1]) if cut is not None else len(text)


def _pieces(raw: bytes, cuts: Iterable[Cut]) -> Iterator[bytes | memoryview]:
    view, at = memoryview(raw), 0
    for begin, end, instead in cuts:
        yield view[at:begin]
        yield instead
        at = end
    yield view[at:]


def _long(raw: bytes, begin: int, end: int, level: StringLevel) -> Iterator[Span]:
    """Where two quotes are far from each other: one looks here and there for places without any near."""
    at = begin
    while at < end:
        place, stop = unparted(raw, at), min(at + LONG // 2, end)
        if level.next(raw, place, stop) >= 0:
            at = stop
            continue
        left, right = level.last(raw, begin, place), level.next(raw, place, end)
        if left < 0 or right < 0:
            return
        if right - left > LONG:
            yield left + 1, right + 1 - len(level.quote)
        at = right + 1


def _cuts(raw: bytes, begin: int, end: int) -> Iterator[Cut]:
    """What is left out between two quotes; of a string that may hold JSON, what is of the strings in that."""
    if not HOLDS.match(raw, begin, end):
        yield from _cut(raw, begin, end, JSON)
    elif IN_JSON.next(raw, begin, end) >= 0:
        for inner in _long(raw, begin, end, IN_JSON):
            if not HOLDS.match(raw, *inner) and not _is_odd(raw, *inner):
                yield from _cut(raw, *inner, IN_JSON)
    elif not _is_odd(raw, begin, end):
        yield from _cut(raw, begin, end, JSON)


def _is_odd(raw: bytes, begin: int, end: int) -> bool:
    """Whether there are quotes or backslashes as few write them."""
    return any(raw.find(sign, begin, end) >= 0 for sign in ODD) if raw.find(b"\\", begin, end) >= 0 else False


def _cut(raw: bytes, begin: int, end: int, level: StringLevel) -> Iterator[Cut]:
    is_key = KEY.match(raw, end + len(level.quote))
    whole = WHOLE.search(raw, max(begin - 50, 0), begin) or IN_BASE64.match(raw, begin, end)
    if is_key or whole or BETWEEN.fullmatch(raw, begin, end):
        return
    count, digest = 0, xxh3_64()
    try:
        for piece in _told(raw, begin, end, level):
            count += len(piece)
            digest.update(piece)
    except msgspec.DecodeError:  # it is no text in JSON: this is not to be left out
        return
    if count > LONG:
        instead = f"{MARK}{digest.hexdigest()}{count:016}"
        yield level.after(raw, begin, HEAD), level.rest(raw, begin, end, TAIL), instead.encode()


def _told(raw: bytes, begin: int, end: int, level: StringLevel) -> Iterator[bytes | memoryview]:
    """The text, in pieces. In a string in a string there may be anything."""
    if raw.find(b"\\", begin, end) < 0:
        yield memoryview(raw)[begin:end]
        return
    for piece in level.pieces(raw, begin, end):
        text = _text(b'"%b"' % piece)
        yield (text if level is JSON else _text(f'"{text}"')).encode()
