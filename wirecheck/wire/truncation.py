"""Truncates very long texts and media in a line: no built-in rule looks at more than their beginning and end.

Long strings are found without decoding the line. A hash and the length replace their middle, so that two truncated
texts are equal if the texts were. Strings that hold JSON, and those that rules read as a whole, are kept.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw

from wirecheck.hashing import new_hasher
from wirecheck.wire.json_strings import IN_JSON, JSON, StringLevel, unparted
from wirecheck.wire.utf8 import utf8

LONG = 1 << 19  # bytes: of a longer text the middle is left out
HEAD, TAIL = 1 << 16, 1 << 6  # characters that are kept: more than is ever shown or compared
MARK = "TheMiddleIsLeftOut00"  # valid base64, so that truncated base64 still is
LEFT_OUT = re.compile(MARK + r"[0-9a-f]{32}(\d{16})")
# What can stand between two strings, in JSON or a stream of events, also nested in a string.
BETWEEN = re.compile(rb"[\s\d.,:eE+\-\[\]{}truefalsndivy\\]*+")
KEY = re.compile(rb"\s*+:")
# How a text begins that may hold JSON or a stream of events; how base64 of JSON begins.
HOLDS = re.compile(rb"(?:\\[nrt]|\s)*+(?:[{\[:]|data:|event:|id:|retry:)")
IN_BASE64 = re.compile(rb"e(?:y[A-DI-L]|w[o-r0-3])|W(?:[yw]|3[s-v]|1[s-v])")
ODD = (rb"\u0022", rb"\u005")
# Keys whose texts rules read as a whole.
WHOLE = re.compile(rb'(?:[sS]ignature|"(?:arguments|bytes))\\*"\s*+:\s*+\\*"$')
_raw = msgspec.json.Decoder(Raw).decode
_text = msgspec.json.Decoder(str).decode

Span = tuple[int, int]
Cut = tuple[int, int, bytes]  # begin, end, and the replacement


def truncated(raw: bytes) -> bytes:
    """Returns the line, truncated. A line that is not JSON is kept as it is: its finding says where it is broken."""
    if len(raw) <= LONG or not (spans := list(_long(raw, 0, len(raw), JSON))):
        return raw
    try:
        _raw(utf8(raw))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return raw
    cuts = [cut for span in spans for cut in _cuts(raw, *span)]
    return b"".join(_pieces(raw, cuts)) if cuts else raw


def length(text: str) -> int:
    """Returns how long a text was before truncation, in bytes."""
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
    """Yields the spans between quotes that are far apart. Probes the line at intervals instead of reading it."""
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
    """Yields what to cut between two quotes. Of a string that may hold JSON only strings in that JSON are cut."""
    if not HOLDS.match(raw, begin, end):
        yield from _cut(raw, begin, end, JSON)
    elif IN_JSON.next(raw, begin, end) >= 0:
        for inner in _long(raw, begin, end, IN_JSON):
            if not HOLDS.match(raw, *inner) and not _is_odd(raw, *inner):
                yield from _cut(raw, *inner, IN_JSON)
    elif not _is_odd(raw, begin, end):
        yield from _cut(raw, begin, end, JSON)


def _is_odd(raw: bytes, begin: int, end: int) -> bool:
    """Whether quotes or backslashes are written as \\u escapes, which is rare."""
    return any(raw.find(sign, begin, end) >= 0 for sign in ODD) if raw.find(b"\\", begin, end) >= 0 else False


def _cut(raw: bytes, begin: int, end: int, level: StringLevel) -> Iterator[Cut]:
    is_key = KEY.match(raw, end + len(level.quote))
    whole = WHOLE.search(raw, max(begin - 50, 0), begin) or IN_BASE64.match(raw, begin, end)
    if is_key or whole or BETWEEN.fullmatch(raw, begin, end):
        return
    count, hasher = 0, new_hasher()
    try:
        for piece in _told(raw, begin, end, level):
            count += len(piece)
            hasher.update(piece)
    except msgspec.DecodeError:  # not a JSON string after all: cut nothing
        return
    if count > LONG:
        instead = f"{MARK}{hasher.hexdigest()}{count:016}"
        yield level.after(raw, begin, HEAD), level.rest(raw, begin, end, TAIL), instead.encode()


def _told(raw: bytes, begin: int, end: int, level: StringLevel) -> Iterator[bytes | memoryview]:
    """Yields the decoded text in pieces. Raises DecodeError where a nested string is not one."""
    if raw.find(b"\\", begin, end) < 0:
        yield memoryview(raw)[begin:end]
        return
    for piece in level.pieces(raw, begin, end):
        text = _text(b'"%b"' % piece)
        yield (text if level is JSON else _text(f'"{text}"')).encode()
