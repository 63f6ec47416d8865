"""One large file of many conversations, looked at here and there: where it may be divided.

A conversation is known by how the first of its contents begins. This is a guess that nobody has to trust.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from wirecheck.sources.lines import LIMIT, state

CONTENTS, KEY_ENDS = b'"contents', (b'":', b'\\":')  # the key, also where the body is JSON in a string
OPENING = 96  # bytes that tell conversations apart
AROUND = 2 * OPENING + 80  # as many at most hold them, signs before them and escapes included
LOOKS, LOOK = 32, 1 << 16  # how often and how far one looks into a file first
NEAR = 16 << 20  # bytes in which a conversation that goes on has been heard of
SHARE = 2  # of what one process reads another may read one in so many bytes, too


def opening(line: bytes) -> bytes:
    """How the first content in a line begins, or nothing. It ends with a brace, if not before."""
    at = line.find(CONTENTS) + len(CONTENTS)
    if at < len(CONTENTS) or not line.startswith(KEY_ENDS, at):
        return b""
    raw, _, _ = line[at : at + AROUND].partition(b"}")
    return raw.replace(b"\\", b"").lstrip(b'":[ ')[:OPENING]


def openings(lines: Iterable[bytes]) -> set[bytes]:
    return set(map(opening, lines)) - {b""}


def near(stream: BinaryIO, at: int) -> set[bytes]:
    """Of the conversations that went on shortly before this place."""
    stream.seek(max(at - NEAR, 0))
    return openings(stream.read(min(at, NEAR)).splitlines())


def told_apart(stream: BinaryIO, size: int) -> bool:
    """Whether a look here and there shows conversations, and none that makes up most of the file."""
    stream.seek(0)
    first = stream.readline(LIMIT)
    if not first.startswith(b"{") or state(first) == "unfinished":  # packed, or a document
        return False
    seen = Counter(opening(block) for block in _blocks(stream, 0, size))
    return max(seen.values()) <= LOOKS * 3 // 4


def crossing(stream: BinaryIO, at: int, size: int) -> int:
    """How far beyond this place conversations go on that began before it."""
    before = near(stream, at)
    seen = [not before.isdisjoint(openings(block.splitlines())) for block in _blocks(stream, at, size)]
    last = max((n for n, one in enumerate(seen, 1) if one), default=0)
    return (size - at) * last // LOOKS


def _blocks(stream: BinaryIO, begin: int, end: int) -> Iterator[bytes]:
    for n in range(LOOKS):
        stream.seek(begin + (end - begin) * n // LOOKS)
        stream.readline(LIMIT)
        yield stream.read(LOOK)


def divided(stream: BinaryIO, begin: int, size: int, count: int) -> Sequence[int]:
    """Where each of so many processes begins to read what comes after `begin`, that all have as much to do: each reads
    on for as long as conversations of its part go on in the next. As many as are of use."""
    overlap = crossing(stream, (begin + size) // 2, size)
    while count > 1:
        part = (size - begin + (count - 1) * overlap) // count
        if part > SHARE * overlap:
            return [begin + n * (part - overlap) for n in range(1, count)]
        count -= 1
    return []
