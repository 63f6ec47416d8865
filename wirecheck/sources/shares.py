"""One large file, read by several processes: whose a line is, told from its bytes, and the lines that are one's own.

A conversation is known by how the first of its contents begins; a channel of our log, by the line that opened it. This
is a guess that nobody has to trust: whoever reads a line asks whether the history in it is indeed his (`holds`).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO, FileIO

from wirecheck.sources.lines import BUFFER, LIMIT, Lines, Tally, state
from wirecheck.wire.log import PREFIX

CONTENTS, KEY_ENDS = b'"contents', (b'":', b'\\":')  # the key, also where the body is JSON in a string
CHANNEL = b',"channel":"'
OPENING = 96  # bytes that tell conversations apart
AROUND = 2 * OPENING + 80  # as many at most hold them, signs before them and escapes included
KNOWN = 1 << 14  # conversations that are given to whoever has least to do; those after them go by a hash
LINE = 20_000  # a line is as much work as so many bytes, besides its own
SPACE = 32  # and what comes before it may be blank
LOOKS, LOOK = 32, 1 << 16  # how often and how far one looks into a file first


Room = bytes | bytearray
Unbuffered = FileIO | BytesIO


class Mixed(Exception):
    """The conversations of a file cannot be told apart after all."""


def opening(data: Room, begin: int = 0, end: int | None = None) -> bytes:
    """How the first content in a line begins, or nothing."""
    at = data.find(CONTENTS, begin, end) + len(CONTENTS)
    if at < len(CONTENTS) or not data.startswith(KEY_ENDS, at, end):
        return b""
    return _beginning(data[at : at + AROUND if end is None else min(at + AROUND, end)])


def _beginning(raw: Room) -> bytes:
    """Of a content no more than itself: it ends with a brace, if not before."""
    raw, _, _ = bytes(raw).partition(b"}")
    return raw.replace(b"\\", b"").lstrip(b'":[ ')[:OPENING]


class Shares:
    """Every process asks of every line in turn, so that all agree. What has no contents is the first one's."""

    def __init__(self, count: int) -> None:
        self._loads, self._counts = [0] * count, [0] * count  # work, and conversations
        self._openings: dict[bytes, int] = {}
        self._channels: dict[bytes, int] = {}  # those that are open

    def of(self, data: Room, begin: int, end: int) -> int:
        """Whose the line is that stands there."""
        kept = data.startswith(PREFIX, begin, end)
        share = self._of_record(data, begin, end) if kept else self._of_opening(opening(data, begin, end))
        self._loads[share] += end - begin + LINE
        return share

    def holds(self, share: int, content: bytes) -> bool:
        """Whether a conversation that begins with this content was given to this share."""
        return self._of_opening(_beginning(content[:AROUND])) == share

    def _of_opening(self, key: bytes) -> int:
        if not key:
            return 0
        share = self._openings.get(key)
        if share is None:
            if len(self._openings) >= KNOWN:
                return hash(key) % len(self._loads)
            self._openings[key] = share = self._least()
        return share

    def _least(self) -> int:
        """Who has least to do, if every conversation has about as much to come as one had on average so far."""
        each = sum(self._loads) / (len(self._openings) or 1)
        ahead = [load + each * count for load, count in zip(self._loads, self._counts, strict=True)]
        share = ahead.index(min(ahead))
        self._counts[share] += 1
        return share

    def _of_record(self, data: Room, begin: int, end: int) -> int:
        kind = begin + len(PREFIX)
        name = data.find(CHANNEL, kind, min(kind + 40, end)) + len(CHANNEL)
        channel = bytes(data[name : data.find(b'"', name, end)])
        if data.startswith(b"closed", kind, end):
            return self._channels.pop(channel, 0)
        opens = data.startswith(b"opened", kind, end)
        share = self._of_opening(opening(data, begin, end)) if opens else 0
        if self._channels.setdefault(channel, share) != share and opens:
            raise Mixed  # its name is taken anew before its end
        return self._channels[channel]


def own_lines(
    stream: Unbuffered,
    size: int,
    shares: Shares,
    share: int,
    tally: Tally,
    every: int,
    passing: Callable[[], None],
) -> Iterator[Lines]:
    """The lines of one share. `passing` is called after `every` so many lines of all, when one's own were taken."""
    run: list[bytes] = []
    number = held = 0
    for number, (room, begin, end) in enumerate(_spans(stream, size), 1):
        own = shares.of(room, begin, end) == share if room[begin] > SPACE or not room[begin:end].isspace() else False
        if run and (not own or held > BUFFER or number % every == 0):
            yield number - len(run), run
            run, held = [], 0
        if number % every == 0:
            passing()
        if own:
            run.append(line := bytes(memoryview(room)[begin:end]))
            if not tally.lines and state(line) == "unfinished":  # it would be taken for a document
                raise Mixed
            tally.lines, held = tally.lines + 1, held + len(line)
    if run:
        yield number + 1 - len(run), run
    passing()


def _spans(stream: Unbuffered, size: int) -> Iterator[tuple[bytearray, int, int]]:
    """Where each line stands of what was there when it was divided, in room that is used again. Raises Mixed where that
    changed, or where lines are read in pieces."""
    room, held = bytearray(BUFFER), 0
    while size:
        if held == len(room):
            room.extend(bytes(held))
        got = stream.readinto(memoryview(room)[held : held + size])
        if not got or held > LIMIT:
            raise Mixed
        begin, searched, held, size = 0, held, held + got, size - got
        while end := room.find(b"\n", searched, held) + 1:
            yield room, begin, end
            begin = searched = end
        room[: held - begin], held = room[begin:held], held - begin
    if held and stream.read(1):  # its last line has gone on
        raise Mixed
    if held:
        yield room, 0, held


def told_apart(path: str, size: int) -> bool:
    """Whether a look here and there shows conversations, and none that makes up most of the file."""
    seen: Counter[bytes] = Counter()
    with open(path, "rb") as stream:
        first = stream.readline(LIMIT)
        if not first.startswith(b"{") or state(first) == "unfinished":  # packed, or a document
            return False
        for n in range(LOOKS):
            stream.seek(size * n // LOOKS)
            stream.readline(LIMIT)
            block = stream.read(LOOK)
            seen[opening(block)] += 1
    return max(seen.values()) <= LOOKS * 3 // 4
