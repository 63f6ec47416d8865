"""One large file of many conversations, looked at here and there: where it may be divided.

A conversation is known by how the first of its contents begins. This is a guess that nobody has to trust.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from wirecheck.sources.lines import LIMIT, state

CONTENTS, KEY_ENDS = b'"contents', (b'":', b'\\":')  # the key, also where the body is JSON in a string
OPENING = 96  # bytes that tell conversations apart
AROUND = 2 * OPENING + 80  # as many at most hold them, signs before them and escapes included
LEARNT = 1 << 20  # bytes that one process judges first, so that all know most forms
LOOKS, LOOK, FAR = 32, 1 << 16, 1 << 19  # how often and how far one looks into a file first, from the next line on
NEAR, SOME = 16 << 20, 4  # bytes in which a conversation that goes on has been heard of, and most of them in a quarter
SHARE = 2  # of what one process reads another may read one in so many bytes, too
FEWEST = 1000  # requests: of fewer nobody sees in time that what began earlier has gone by
BY, AHEAD = 0.5, 1.125  # what a byte costs that goes by, and one judged ahead, where more is noted


def opening(line: bytes) -> bytes:
    """How the first content in a line begins, or nothing. It ends with a brace, if not before."""
    at = line.find(CONTENTS) + len(CONTENTS)
    if at < len(CONTENTS) or not line.startswith(KEY_ENDS, at):
        return b""
    raw, _, _ = line[at : at + AROUND].partition(b"}")
    return raw.replace(b"\\", b"").lstrip(b'":[ ')[:OPENING]


def near(stream: BinaryIO, at: int, part: int = 1) -> list[bytes]:
    """How the conversations begin that went on shortly before this place, or in a part of that: each as often as it
    did."""
    seen, begin = list[bytes](), max(at - NEAR // part, 0)
    stream.seek(begin)
    while line := stream.readline(at - begin):
        seen.append(opening(line))
        begin += len(line)
    return [begins for begins in seen if begins]


def places(path: str, size: int, count: int) -> Sequence[int]:
    """Where one process has learnt enough for all, and where the others begin; nothing where that is not worth it."""
    learnt = min(LEARNT, size // (4 * count))
    with open(path, "rb", LOOK) as stream:
        begins = beginnings(stream, learnt, size, count) if told_apart(stream, size) else ()
    return [learnt, *begins] if begins else ()


def told_apart(stream: BinaryIO, size: int) -> bool:
    """Whether a look here and there shows conversations, and none that makes up most of the file."""
    stream.seek(0)
    first = stream.readline(LIMIT)
    if not first.startswith(b"{") or state(first) == "unfinished":  # packed, or a document
        return False
    seen = Counter(opening(block) for block in _blocks(stream, 0, size))
    return max(seen.values()) <= LOOKS * 3 // 4


def beginnings(stream: BinaryIO, begin: int, size: int, count: int) -> Sequence[int]:
    """Where others of so many processes begin to read what comes after `begin`, that all are done at a time: each lets
    go by what the one before it judges, for as long as conversations of that part go on. No more of them than are of
    use."""
    middle = (begin + size) // 2
    seen = near(stream, middle, SOME)
    often = len(seen) / max(min(middle, NEAR // SOME), 1)
    overlap = crossing(stream, set(seen), middle, size)
    goes_by = overlap * BY
    count = min(count, int((size - begin) * often / FEWEST))
    while count > 1:
        part = ((size - begin) * AHEAD + (count - 1) * goes_by) / (AHEAD + count - 1)
        if part > SHARE * overlap and part * often > FEWEST:
            return [int(begin + part - overlap + n * (part - goes_by) / AHEAD) for n in range(count - 1)]
        count -= 1
    return []


def crossing(stream: BinaryIO, before: set[bytes], at: int, size: int) -> int:
    """How far beyond this place these conversations go on."""
    seen = [not before.isdisjoint(map(opening, block.splitlines())) for block in _blocks(stream, at, size)]
    last = max((n for n, one in enumerate(seen, 1) if one), default=0)
    return (size - at) * last // LOOKS


def _blocks(stream: BinaryIO, begin: int, end: int) -> Iterator[bytes]:
    for n in range(LOOKS):
        stream.seek(begin + (end - begin) * n // LOOKS)
        stream.readline(FAR)
        yield stream.read(LOOK)
