"""One large file judged by several processes: each reads all of it, and takes in the conversations of its share.

Shares are a guess (`sources/shares.py`). While they work, the workers tell what they note of what might be another's
(`talk/apart.py`). As soon as that shows something that one process might have heard otherwise, all of them stop.
"""

from array import array
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import Any

from msgspec import Struct

from wirecheck.cli.blocks import swept
from wirecheck.cli.inspected import Inspected, Part, checked, whole
from wirecheck.cli.progress import Meter, Tell
from wirecheck.cli.workers import Tell as TellAll
from wirecheck.cli.workers import spread
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.library import repeated
from wirecheck.sources.lines import Tally, lines
from wirecheck.sources.records import records
from wirecheck.sources.shares import Mixed, Shares, own_lines
from wirecheck.sources.world import World
from wirecheck.talk.apart import Apart, Noted
from wirecheck.wire.log import PREFIX
from wirecheck.wire.record import Closed, Opened, Record

LOOK = 4 << 20  # bytes
LINES = 256  # from one time to the next that notes are compared
ANEW = 32  # times, until all keys are told
MEMORIES = 5  # see Apart


class Log(Struct, frozen=True):
    """A file, and how much of it is read."""

    path: str
    size: int
    input_format: str | None


class Note(Struct):
    """What a share tells of its memories."""

    share: int
    told: list[Noted]


def one_is_faster(inspector: Inspector, log: Log) -> bool:
    """Whether one process has judged a log before several have each read all of it: where most of it is taken in
    directly. A look at its beginning tells; what is learnt of forms there is of use in any case."""
    with open(log.path, "rb") as stream:
        some, tally = BytesIO(stream.read(LOOK) + stream.readline()), Tally()
    for record in records(lines(some, tally), log.path, log.input_format, inspector.passed):
        inspector.feed(record)
    return inspector.directly > tally.lines / 2


def in_shares(inspector: Inspector, log: Log, count: int, tell: Tell) -> Inspected | None:
    """What comes of a file; None where its conversations cannot be told apart."""
    compared, far = Compared(count), [0, 0]

    def hear(said: Note | tuple[int, int] | None) -> None:
        if isinstance(said, Note):
            compared.add(said)
        elif said is None:
            raise Mixed
        else:
            far[:] = far[0] + said[0], far[1] + said[1]
            tell(said)

    came: dict[int, Part] = {}
    with suppress(Mixed):
        came = spread(range(count), count, partial(_work, inspector, log, count), hear)
    found = whole([came[n] for n in range(count)]) if len(came) == count else None
    if found is None:
        tell((-far[0], -far[1]))
    return found


def _work(inspector: Inspector, log: Log, count: int, share: int, tell: TellAll) -> Part:
    try:
        return Worker(inspector, log, Shares(count), share, tell).judged()
    except Exception:  # whatever it is, one process meets it again
        tell(None)
        raise


class Worker:
    """Judges one share."""

    def __init__(self, inspector: Inspector, log: Log, shares: Shares, share: int, tell: TellAll) -> None:
        self._inspector, self._log, self._shares, self._share, self._tell = inspector, log, shares, share, tell
        self._open = 0  # channels that a line has opened and not closed
        self._kept = False  # whether it is one of our log, where that is as it should be
        self._line = self._told = 0
        self._lines = array("Q")
        inspector.anew(self._apart)

    def _apart(self, *given: Any, **more: Any) -> Apart:
        """Made anew where a file begins, which is known with its first record."""
        self._talk = Apart(partial(self._shares.holds, self._share), self._share == 0, *given, **more)
        self._talk.begin(self._line)
        return self._talk

    def judged(self) -> Part:
        inspector, log, tally = self._inspector, self._log, Tally()
        with open(log.path, "rb", buffering=0) as stream:
            own = own_lines(stream, log.size, self._shares, self._share, tally, LINES, self._passing)
            meter = Meter(self._passed, self._tell)
            read = records(own, log.path, log.input_format, meter.passed)
            findings = repeated(inspector, [finding for record in swept(read) for finding in self._feed(record)])
        inspected = Inspected(findings, checked(1, tally.lines, inspector), [], inspector.counted)
        return Part(inspected, self._lines, self._talk.births)

    def _passed(self, lines: list[bytes], begin: int, path: str, number: int, world: World) -> int:
        self._check()
        passed = self._inspector.passed(lines, begin, path, number, world)
        if begin + passed < len(lines):  # the next one is read
            self._kept = lines[begin + passed].startswith(PREFIX)
            self._line = number + passed
            self._talk.begin(self._line)
        return passed

    def _feed(self, record: Record) -> list[Finding]:
        if not self._kept:
            self._open += isinstance(record, Opened) - isinstance(record, Closed)
        given = self._inspector.feed(record)
        self._lines.extend([record.origin.line] * len(given))
        return given

    def _passing(self) -> None:
        self._check()
        self._told += 1
        self._tell(Note(self._share, self._talk.tell(anew=self._told % ANEW == 0)))

    def _check(self) -> None:
        if self._open:  # lines that belong together: bare bodies, frames
            raise Mixed


class Compared:
    """Puts side by side what all shares told of the same lines. Raises Mixed."""

    def __init__(self, count: int) -> None:
        self._waiting: list[deque[list[Noted]]] = [deque() for _ in range(count)]
        self._memories = [Memory(count) for _ in range(MEMORIES)]

    def add(self, note: Note) -> None:
        self._waiting[note.share].append(note.told)
        while all(self._waiting):
            told = [each.popleft() for each in self._waiting]
            for memory, noted in zip(self._memories, zip(*told, strict=True), strict=True):
                memory.compare(noted)


class Memory:
    """One memory of all shares: what is in it, and since when nothing can have been let go."""

    def __init__(self, count: int) -> None:
        self._there = [Keys() for _ in range(count)]
        self._moved: deque[int] = deque()
        self._all = self._first = 0  # what was moved since this stretch of lines

    def compare(self, several: Sequence[Noted]) -> None:
        most = several[0].most
        self._moved.append(sum(noted.moved for noted in several))
        self._all += self._moved[-1]
        while self._all > most:
            self._all -= self._moved.popleft()
            self._first += 1
        full = sum(noted.size for noted in several) >= most
        if full and min(noted.oldest for noted in several) // LINES < self._first:
            raise Mixed
        for keys, noted in zip(self._there, several, strict=True):
            keys.add(noted.put)
        for n, noted in enumerate(several):
            if noted.asked and any(keys.hold(noted.asked) for m, keys in enumerate(self._there) if m != n):
                raise Mixed
        self._there = [
            Keys(noted.put) if noted.anew else keys for keys, noted in zip(self._there, several, strict=True)
        ]


class Keys:
    """What was put in, as it came. A set is made of it once somebody asks, which is seldom where histories are long."""

    def __init__(self, *came: Sequence[int]) -> None:
        self._keys: set[int] = set()
        self._came = [*came]

    def add(self, more: Sequence[int]) -> None:
        self._came.append(more)

    def hold(self, asked: Sequence[int]) -> bool:
        """Any of these."""
        self._keys.update(*self._came)
        self._came.clear()
        return not self._keys.isdisjoint(asked)
