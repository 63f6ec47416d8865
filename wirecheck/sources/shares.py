"""One large file, read by several processes: whose a line is, told from its bytes, and the lines that are one's own.

A conversation is known by how the first of its contents begins; a channel of our log, by the line that opened it. This
is a guess that nobody has to trust: whoever reads a line asks whether the history in it is indeed his (`holds`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

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


class Mixed(Exception):
    """The conversations of a file cannot be told apart after all."""


def opening(line: bytes) -> bytes:
    """How the first content in a line begins, or nothing."""
    at = line.find(CONTENTS) + len(CONTENTS)
    if at < len(CONTENTS) or not line.startswith(KEY_ENDS, at):
        return b""
    return _beginning(line[at : at + AROUND])


def _beginning(raw: bytes) -> bytes:
    """Of a content no more than itself: it ends with a brace, if not before."""
    raw, _, _ = raw.partition(b"}")
    return raw.replace(b"\\", b"").lstrip(b'":[ ')[:OPENING]


class Shares:
    """Every process asks of every line in turn, so that all agree. What has no contents is the first one's."""

    def __init__(self, count: int) -> None:
        self._loads, self._counts = [0] * count, [0] * count  # work, and conversations
        self._openings: dict[bytes, int] = {}
        self._channels: dict[bytes, int] = {}  # those that are open

    def of(self, line: bytes) -> int:
        share = self._of_record(line) if line.startswith(PREFIX) else self._of_opening(opening(line))
        self._loads[share] += len(line) + LINE
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

    def _of_record(self, line: bytes) -> int:
        kind = len(PREFIX)
        name = line.find(CHANNEL, kind, kind + 40) + len(CHANNEL)
        channel = line[name : line.find(b'"', name)]
        if line.startswith(b"closed", kind):
            return self._channels.pop(channel, 0)
        opens = line.startswith(b"opened", kind)
        share = self._of_opening(opening(line)) if opens else 0
        if self._channels.setdefault(channel, share) != share and opens:
            raise Mixed  # its name is taken anew before its end
        return self._channels[channel]


def own_lines(
    stream: Iterable[bytes],
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
    for number, line in enumerate(_all(stream, size), 1):
        own = shares.of(line) == share if line[0] > SPACE or not line.isspace() else False
        if run and (not own or held > BUFFER or number % every == 0):
            yield number - len(run), run
            run, held = [], 0
        if number % every == 0:
            passing()
        if own:
            run.append(line)
            if not tally.lines and state(line) == "unfinished":  # it would be taken for a document
                raise Mixed
            tally.lines, held = tally.lines + 1, held + len(line)
    if run:
        yield number + 1 - len(run), run
    passing()


def _all(stream: Iterable[bytes], size: int) -> Iterator[bytes]:
    """What was there when it was divided. Raises Mixed where it changed, or where its lines are read in pieces."""
    for line in stream:
        size -= len(line)
        if size < 0 or len(line) > LIMIT:
            raise Mixed
        yield line
        if not size:
            return
    raise Mixed


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
