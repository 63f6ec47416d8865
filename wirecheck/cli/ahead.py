"""One large file judged by several processes, each of which begins where it is not yet known what came before.

The first one judges from the beginning, as one process would. The others judge ahead: each from a place of its own on,
where it lets conversations go by that began earlier, and from then on keeps what it finds. Where the one before comes
to that line, it looks whether the next one has gone on from there as it would have itself (`talk/ahead.py`). If so, it
takes over what came of it; if not, it goes on, and nothing is lost but the other's work.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from io import BufferedReader
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.cli.blocks import swept
from wirecheck.cli.forks import Hears, Says
from wirecheck.cli.inspected import Inspected, checked, since, together
from wirecheck.cli.progress import Meter, Tell
from wirecheck.cli.workers import SILENCE, Row
from wirecheck.finding import Finding, Place
from wirecheck.inspector import Inspector
from wirecheck.library import recited
from wirecheck.once import noted
from wirecheck.report.report import Checked
from wirecheck.sources.earlier import Earlier
from wirecheck.sources.lines import BUFFER, LIMIT, Lines, Tally, lines, state
from wirecheck.sources.openings import SHARE
from wirecheck.sources.records import ends_within, records
from wirecheck.sources.stretch import Stretch
from wirecheck.talk import Talk
from wirecheck.talk.ahead import Ahead, Heard, Mixed, agrees

PATIENCE = 5.0  # seconds that one waits for another to have let go by what began earlier
FAR = 1 << 62  # beyond any file


class Log(Struct, frozen=True):
    """A file, and how it is read."""

    path: str
    size: int
    input_format: str | None


class Part(Struct, frozen=True):
    """What came of a file from a line on, counted from where the process began that judged it: so many lines and
    conversations were before it. `recited`: findings from before, and how often they were recited since."""

    line: int
    conversations: int
    inspected: Inspected
    recited: list[tuple[Finding, int]]
    heard: Heard | None  # None where that was all


class Start(Struct, frozen=True):
    """What there was where a process began to keep what it finds."""

    line: int = 0
    findings: tuple[int, ...] = ()  # how often each was recited
    checked: Checked = Checked()


class Taken(Struct, frozen=True):
    """A part that is taken over, as it is counted here; and how often each of the findings here is recited in it."""

    inspected: Inspected
    recited: dict[int, int]


def in_parts(inspector: Inspector, log: Log, places: Sequence[int], tell: Tell) -> Inspected:
    """What comes of a file: where one process has learnt enough, and others begin."""
    first = First(inspector, log, tell, places)
    try:
        return together([first.judged().inspected])
    finally:
        first.end()


class Next:
    """The process after this one, which is heard."""

    def __init__(self, pipe: Hears, begin: int, tell: Tell) -> None:
        self._pipe, self._begin, self._tell = pipe, begin, tell
        self._from: int | None = None
        self._part: Part | None = None
        self._told = 0, 0

    def until(self, at: int) -> int:
        """How far to read until this is to be asked again: at last to where its part begins. Raises EOFError or OSError
        where it is no more."""
        while self._part is None and self._pipe.poll():
            self._hear()
        if at < self._begin:
            return self._begin
        while self._from is None:
            if not self._pipe.poll(PATIENCE):
                raise EOFError
            self._hear()
        return self._from

    def part(self) -> Part:
        """What came of it. Waits for it as long as it says something. Raises EOFError or OSError as well."""
        while self._part is None:
            if not self._pipe.poll(SILENCE):
                raise EOFError
            self._hear()
        return self._part

    def leave(self) -> None:
        """What it does is of no use."""
        self._pipe.close()
        self._tell((-self._told[0], -self._told[1]))

    def _hear(self) -> None:
        said = self._pipe.recv()
        if isinstance(said, Part):
            self._part = said
        elif isinstance(said, int):
            self._from = said
        else:
            self._told = self._told[0] + said[0], self._told[1] + said[1]
            self._tell(said)


class Judge:
    """Judges a file from a place on: to its end, or to where the next one's part can be taken over."""

    def __init__(self, inspector: Inspector, log: Log, begin: int, tell: Tell) -> None:
        self._inspector, self._log = inspector, log
        self._stretch, self._tally = Stretch(log.path, begin, self._until), Tally()
        self._meter = Meter(inspector.passed, tell, inspector.brief)
        self._findings: list[Finding] = []
        self._start = Start()
        self._next: Next | None = None
        self._taken: Taken | None = None
        inspector.anew(self._talks)

    def _talks(self, *given: Any, **more: Any) -> Talk:
        """Made anew where a file begins, which is known with its first record."""
        self._talk = Talk(*given, **more)
        return self._talk

    def judged(self) -> Part:
        with BufferedReader(self._stretch) as stream:
            own = self._own(lines(stream, self._tally))
            log, meter = self._log, self._meter
            for record in swept(records(own, log.path, log.input_format, meter.passed, meter.brief)):
                if self._taken is None:
                    self._findings += self._inspector.feed(record)
        if self._taken is None:
            self._findings += self._inspector.close()
        return self._part()

    def _own(self, some: Iterator[Lines]) -> Iterator[Lines]:
        return some

    def _until(self) -> int:
        """How far to read. All that was read so far is judged."""
        if self._next is None:
            return FAR
        at = self._stretch.at
        with suppress(EOFError, OSError):
            until = self._next.until(at)
            if until == at:
                self._taken = self._takes_over(self._next.part())
            if until > at or self._taken is not None:
                return until
        self._next.leave()  # it is too late, or no more, or of no use
        self._next = None
        return FAR

    def _takes_over(self, part: Part) -> Taken | None:
        """None where one process would have gone on otherwise."""
        self._inspector.settle()
        names = None
        if part.heard is not None and not self._inspector.busy:
            names = agrees(self._talk, part.heard, noted(self._tally.last))
        if names is None:
            return None
        here = Here(self._tally.last - part.line, names, part.conversations, self._inspector.checked.conversations)
        stands = _by_place(self._findings)
        try:
            findings = list(map(here.as_named, part.inspected.findings))
            again = {stands[each.rule, each.fingerprint, here.place(each.place)]: n for each, n in part.recited}
        except KeyError:
            return None
        skipped = tuple(replace(each, line=here.line(each.line)) for each in part.inspected.checked.skipped)
        inspected = replace(part.inspected, findings=findings, checked=replace(part.inspected.checked, skipped=skipped))
        return Taken(inspected, again)

    def _part(self) -> Part:
        start, taken = self._start, self._taken
        told = recited(self._inspector, self._findings)
        for n, times in taken.recited.items() if taken is not None else ():
            told[n] = replace(told[n], repeated=told[n].repeated + times)
        seen = since(checked(1, self._tally.lines, self._inspector), start.checked)
        own = Inspected(told[len(start.findings) :], seen, [], dict(self._inspector.counted))
        before = [(each, each.repeated - times) for each, times in zip(told, start.findings, strict=False)]
        return Part(
            start.line,
            start.checked.conversations,
            own if taken is None else together([own, taken.inspected]),
            [(each, times) for each, times in before if times],
            self._heard(),
        )

    def _heard(self) -> Heard | None:
        return None


def _by_place(findings: Sequence[Finding]) -> dict[tuple[str, str, Place], int]:
    """Where each of them stands, of those that are alone in their place."""
    places = [(each.rule, each.fingerprint, each.place) for each in findings]
    count = Counter(places)
    return {place: n for n, place in enumerate(places) if count[place] == 1}


class Here(Struct, frozen=True):
    """How lines and conversations are counted here that somebody counted from another line on."""

    before: int  # lines
    names: dict[str, str]
    theirs: int  # conversations that both knew when the other's part began
    ours: int

    def line(self, line: int) -> int:
        return line + self.before

    def place(self, place: Place) -> Place:
        return replace(place, line=self.line(place.line))

    def as_named(self, finding: Finding) -> Finding:
        """Raises KeyError where it is of a conversation that nobody knows here."""
        name = finding.conversation
        related = tuple(replace(each, place=self.place(each.place)) for each in finding.related)
        if name:
            number = int(name[1:])
            name = f"c{number - self.theirs + self.ours}" if number > self.theirs else self.names[name]
        return replace(finding, place=self.place(finding.place), related=related, conversation=name)


class First(Judge):
    """Judges from the beginning. As soon as most forms are learnt, the others begin."""

    def __init__(self, inspector: Inspector, log: Log, tell: Tell, places: Sequence[int]) -> None:
        super().__init__(inspector, log, 0, tell)
        self._tell = tell
        self._learnt, *self._begins = places
        self._row: Row | None = None

    def end(self) -> None:
        if self._row is not None:
            self._row.end()

    def _until(self) -> int:
        if self._stretch.at < self._learnt:
            return self._learnt
        if self._row is None:
            ends = (*self._begins[1:], self._log.size)
            places = zip(self._begins, ends, strict=True)
            what = self._inspector, self._log, self._stretch.fileno()
            self._row = Row([partial(_judge, *what, *each) for each in places])
            self._next = Next(self._row.first, self._begins[0], self._tell)
        return super()._until()


def _judge(
    inspector: Inspector, log: Log, file: int, begin: int, end: int, says: Says, following: Hears | None
) -> None:
    """The work of another process."""
    judge = Later(inspector, log, begin, end, says)
    if not os.path.sameopenfile(judge.file, file):
        raise Mixed  # another has its name by now
    if following is not None:
        judge.hears(following, end)
    says.send(judge.judged())


class Later(Judge):
    """Judges from somewhere on. What it finds it keeps where all conversations have gone by that began earlier."""

    def __init__(self, inspector: Inspector, log: Log, begin: int, end: int, says: Says) -> None:
        with open(log.path, "rb", BUFFER) as stream:
            self._earlier = Earlier(stream, begin)
            stream.seek(begin)
            stream.readline(LIMIT)
            begin = stream.tell()
        super().__init__(inspector, log, begin, self._tell)
        self._says, self._latest = says, begin + (end - begin) // SHARE
        self._within, self._waits, self._first = False, True, True
        self._stretch.by_lines = True

    @property
    def file(self) -> int:
        return self._stretch.fileno()

    def hears(self, pipe: Hears, begin: int) -> None:
        self._next = Next(pipe, begin, self._says.send)

    def _talks(self, *given: Any, **more: Any) -> Talk:
        self._talk = self._ahead = Ahead(*given, **more)
        return self._talk

    def _tell(self, far: tuple[int, int]) -> None:
        if not self._waits:  # what comes before is counted by another
            self._says.send(far)

    def _own(self, some: Iterator[Lines]) -> Iterator[Lines]:
        for number, each in some:
            if self._waits:
                yield from self._others(number, each)
            else:
                yield number, each

    def _others(self, number: int, some: list[bytes]) -> Iterator[Lines]:
        """The lines but for those of conversations that began earlier."""
        self._within = ends_within(some)
        run: list[bytes] = []
        for n, line in enumerate(some, number):
            if not (self._misleads(line) or self._earlier.says(line)):
                run.append(line)
            elif run:
                yield n - len(run), run
                run = []
        if run:
            yield number + len(some) - len(run), run

    def _misleads(self, line: bytes) -> bool:
        """Whether a line would be taken for the beginning of a document, as the first one is by which that is told."""
        self._first = self._first and state(line) == "unfinished"
        return self._first

    def _until(self) -> int:
        self._ahead.heed()
        if not self._waits:
            return super()._until()
        rests = self._inspector.begun and not (self._within or self._inspector.busy)
        if self._earlier.over and self._stretch.whole and rests:
            self._begins()
            return super()._until()
        if self._stretch.at > self._latest:
            raise Mixed
        return FAR

    def _begins(self) -> None:
        inspector = self._inspector
        inspector.settle()
        inspector.uncounted()
        self._start = Start(
            self._tally.last,
            tuple(each.repeated for each in recited(inspector, self._findings)),
            checked(1, self._tally.lines, inspector),
        )
        self._ahead.start(noted(self._tally.last))
        self._waits = self._stretch.by_lines = False
        self._says.send(self._stretch.at)

    def _takes_over(self, part: Part) -> Taken | None:
        taken = super()._takes_over(part)
        if taken is not None and part.heard is not None:
            self._ahead.takes_over(part.heard)
        return taken

    def _heard(self) -> Heard | None:
        return self._ahead.looked_up()
