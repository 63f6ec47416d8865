"""Record in, findings out: runs dialects, talk, rules and verdicts in order. No I/O.

A finding is final when given. Findings of an HTTP request are pending until its reply shows whether the server accepted
it; with `predict`, and for everything else, they are given at once.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from wirecheck.dialects import Dialects
from wirecheck.dialects.live.live_regular import LiveFrames, RegularFrame
from wirecheck.dialects.messages import Chunk, Hangup, Message, Recited, Said, Spot, Status, Unreadable
from wirecheck.dialects.regular_content import AnyChunk, RegularChunk
from wirecheck.faults import Crashed, Fault, fault
from wirecheck.finding import Finding, Repeated, ServerWord, Severity
from wirecheck.rules import Ruleset
from wirecheck.rules.engine.shape_memo import ShapeMemo
from wirecheck.rules.language.rule import Miss, Rule
from wirecheck.rules.server_word.close_confirmation import closing_word
from wirecheck.rules.server_word.confirmation import apply
from wirecheck.talk import PrefixMarked, Request, Talk
from wirecheck.talk.facts import EndedFact, Fact, ReplyFact
from wirecheck.talk.lazy_facts import NEVER_QUIET, LazyFacts
from wirecheck.talk.sessions.pending_call import HeldCall
from wirecheck.talk.talk import LIVE, Event
from wirecheck.verdicts.close_verdicts import CloseVerdicts
from wirecheck.verdicts.deduplication import Deduplication, Mistake, Reported, mistake
from wirecheck.verdicts.excerpts import around
from wirecheck.verdicts.pending import Pending, PendingVerdicts
from wirecheck.verdicts.statistics import IgnoredTraffic, Statistics
from wirecheck.wire.records import OWN_REFUSAL, Frames, Record, Replied

UNTOLD = 0  # in place of the status with `predict`


class Inspector:
    """Judges records in the order they come. Files are independent of each other.

    With `memo=False` everything is decoded leniently and judged in full, also what was seen before: the findings are
    the same, only slower. `listen` is called with every fact that is judged.

    An exception that judging a record raises is a fault in wirecheck. Where a list of `faults` is given it is added to
    that: what was known of the channel is given up, and judging goes on with the next record. Else it is raised.

    >>> from wirecheck import Inspector, Reader, load
    >>> inspector = Inspector(load(select=["WC301"]))
    >>> for record in Reader(["fixtures/recited-twenty-times/log.jsonl"]):
    ...     for finding in inspector.feed(record):
    ...         print(finding.place.line, finding.message)
    1 add_item (no id) was called and never answered
    >>> inspector.close()
    []
    >>> [repeated.times for repeated in inspector.repeats]
    [19]
    """

    def __init__(
        self,
        rules: Ruleset,
        *,
        predict: bool = False,
        listen: Callable[[Fact], None] | None = None,
        memo: bool = True,
        pictures: bool = True,
        counted: Collection[Severity] = (),
        faults: list[Fault] | None = None,
    ) -> None:
        self._rules = rules
        self._shapes = ShapeMemo(rules)
        self._milder = frozenset(counted)  # findings of these severities are counted and not given
        self._pictures = pictures  # whether findings have excerpts
        self._predict = predict
        self._listen = listen
        self._memo = memo
        self._faults = faults
        self._so_far: list[Reported | Finding] = []  # what this record gave, for the case that judging it fails
        self.counted: Counter[Severity] = Counter()
        self._deduplication = Deduplication()
        self._close_verdicts = CloseVerdicts(self._rules.unasked)
        self._pending = PendingVerdicts(self._rules)
        self._ignored = IgnoredTraffic()
        self._told: dict[str, dict[Mistake, Spot]] = {}  # by channel and mistake: the first chunk with it
        self._path = ""
        self._world: str | None = None  # what is judged by itself: a file, or one of those in a converted log
        self._before = Statistics()
        self._begin()

    def _begin(self) -> None:
        models, before = self._rules.models, self._before
        self._dialects = Dialects(models, typed=self._memo and self._listen is None)
        quiet = self._shapes if self._memo and self._listen is None else NEVER_QUIET
        self._talk = Talk(models, before.conversations, before.sessions, memo=self._memo, quiet=quiet)

    @property
    def repeats(self) -> list[Repeated]:
        """The findings that later requests recited again, and how often. Incomplete for those that are only counted."""
        return self._deduplication.repeats

    @property
    def pieces(self) -> ShapeMemo:
        """How many pieces of traffic were `heard`, and how many of them were `regular`: no fact of them was made."""
        return self._shapes

    @property
    def checked(self) -> Statistics:
        before, talk = self._before, self._talk
        return Statistics(
            exchanges=before.exchanges + talk.exchanges,
            frames=before.frames + talk.frames,
            conversations=talk.conversations,
            sessions=talk.sessions,
            open_calls=before.open_calls + talk.open_calls,
            unjudged=self._ignored.unjudged,
            skipped=self._ignored.skipped,
        )

    def brief(self, line: bytes) -> bytes:
        """Truncates a long line to what built-in rules look at. With a listener or other rules it is returned
        unchanged."""
        if self._listen is not None or not self._rules.builtin:
            return line
        from wirecheck.wire.truncation import truncated

        return truncated(line)

    def feed(self, record: Record) -> list[Finding]:
        """Judges a record and returns the findings it gives."""
        origin = record.origin
        given = self._next_file(record) if (origin.world or origin.path) != self._world else []
        if self._predict and type(record) is Replied:
            record = replace(record, status=UNTOLD)
        while True:
            try:
                for message in self._dialects.read(record):
                    if (hear := HEARERS.get(type(message))) is not None:
                        given += hear(self, message)
                break
            except Exception as error:
                rest = self._give_up(error, record, given)
                if rest is None:
                    break
                record = rest
        if self._so_far:
            self._so_far.clear()
        if given and self._milder and self._deduplication.full:
            self._deduplication.evict(self._milder, self._pending.held)
        return self._counted(given) if given else given

    def held_up(self, channel: str) -> Iterable[HeldCall]:
        """The calls of an open Live session that hold its turn up: a finding only if no response comes."""
        return self._talk.held_up(channel)

    def close(self) -> list[Finding]:
        """Ends the log and returns the pending findings, and those of conversations that end with it."""
        given = self._pending.rest() + self._close_verdicts.rest()
        for _ in range(self._talk.channels + 2):
            try:
                given.extend(self._last())
                break
            except Exception as error:  # what failed is over; the rest is left
                self._note(error, self._path, 0)
        return self._counted(given)

    def _last(self) -> Iterator[Finding]:
        """What ends with the log. Each ends once, also if this is asked for again."""
        for fact in self._facts(self._talk.close()):
            for _, known in self._judge(fact, None):
                yield known.finding

    def _next_file(self, record: Record) -> list[Finding]:
        given = self.close() if self._world is not None else []
        self._told.clear()
        self._path, self._world = record.origin.path, record.origin.world or record.origin.path
        self._before = self.checked
        self._begin()
        return given

    def _note(self, error: Exception, path: str, line: int) -> None:
        """Adds a fault to the list, or raises the exception where there is none."""
        if self._faults is None:
            raise error
        self._faults.append(error.fault if isinstance(error, Crashed) else fault(error, path, line))

    def _give_up(self, error: Exception, record: Record, given: list[Finding]) -> Record | None:
        """Forgets the channel of a record that could not be judged, and gives what was found until then.

        Returns the rest, where the record was one of several frames.
        """
        rest = None
        if type(record) is Frames:
            n, frames = self._dialects.at, record
            record, rest = frames.read(n), frames.rest(n + 1) if n + 1 < len(frames) else None
        self._note(error, record.origin.path, record.origin.line)
        channel, so_far = record.channel, self._so_far[:]
        self._so_far.clear()
        self._dialects.give_up(channel)
        self._talk.give_up(channel)
        self._told.pop(channel, None)
        if self._deduplication.request is not None:
            self._deduplication.end()
        given += self._pending.give_up(channel)
        given += [known.finding if isinstance(known, Reported) else known for known in so_far]
        return rest

    def _counted(self, given: list[Finding]) -> list[Finding]:
        """Counts findings of mild severities, and returns the others."""
        if not self._milder:
            return given
        self.counted.update([finding.severity for finding in given if finding.severity in self._milder])
        return [finding for finding in given if finding.severity not in self._milder]

    def _facts(self, events: Iterable[Event]) -> Iterator[Fact]:
        """Yields the facts to judge. On the way, the findings of known prefixes are looked up and noted."""
        for event in events:
            if isinstance(event, LazyFacts):
                yield from self._shapes.worth_asking(event)
            elif isinstance(event, Request):
                self._deduplication.begin(event)
            elif isinstance(event, PrefixMarked):
                self._deduplication.mark(event)
            else:
                yield event

    def _unreadable(self, message: Unreadable) -> list[Finding]:
        if message.kind == "fault":
            origin = message.seen.origin
            raise Crashed(Fault(origin.path, origin.line, message.why, message.trace))
        return self._heard(message) if self._ignored.counts(message) else []

    def _recited(self, message: Recited) -> list[Finding]:
        """Judges a request. Its findings are pending until the server's reply."""
        channel, at = message.seen.channel, message.seen.at
        self._told.pop(channel, None)
        given = self._verdict(message)
        # A transcript has no reply to wait for.
        holds, waits = message.protocol != "transcript" and not self._predict, list[tuple[Rule, Reported]]()
        for fact in self._facts(self._talk.hear(message)):
            found = self._judge(fact, at)
            if holds and self._deduplication.request is not None:
                waits += found
            else:  # about the exchange before in this channel
                given += [known.finding for _, known in found]
        if (request := self._deduplication.request) is not None:
            self._pending.wait(channel, Pending(request, self._deduplication.end(), waits, holds))
        return given

    def _status(self, message: Status) -> list[Finding]:
        if not self._predict:
            self._pending.status(message.seen.channel, message.code)
        return []

    def _chunk(self, message: AnyChunk) -> list[Finding]:
        """Judges a chunk. A mistake that is in every chunk of a stream is reported once."""
        given, told = self._verdict(message), self._told.get(message.seen.channel)
        for fact in self._facts(self._talk.hear(message)):
            for _, known in self._judge(fact, message.seen.at):
                told = self._told.setdefault(message.seen.channel, {}) if told is None else told
                if told.setdefault(mistake(known.finding), message.spot) is message.spot:
                    given.append(known.finding)
        return given

    def _hangup(self, message: Hangup) -> list[Finding]:
        """Judges the end of a channel."""
        channel = message.seen.channel
        if self._predict or message.reason.startswith(OWN_REFUSAL):
            message = replace(message, code=None, reason="")
        self._told.pop(channel, None)
        given = self._heard(message, self._verdict(message))
        self._pending.over(channel)
        return given

    def _heard(self, message: Message, given: Sequence[Finding] = ()) -> list[Finding]:
        """Judges messages of a session or transcript, and the end of any channel."""
        found = list(given)
        for fact in self._facts(self._talk.hear(message)):
            if type(fact) is EndedFact:
                fact, found = self._close_verdicts.explain(fact, found)
            for rule, known in self._judge(fact, message.seen.at):
                if fact.context.protocol == "live":
                    self._live(rule, fact, known, message)
                found.append(known.finding)
        return found if self._predict else self._close_verdicts.heard(message, found)

    def _frames(self, frames: LiveFrames) -> list[Finding]:
        """Most of them are only counted."""
        given, judged = list[Finding](), 0
        for n in self._talk.pass_by(frames):
            judged += 1
            try:
                for message in frames.messages(n):
                    given += HEARERS[type(message)](self, message)
            except Exception as error:
                self._give_up(error, frames.record.read(n), given)
            if self._so_far:
                self._so_far.clear()
        self._shapes.count_regular(len(frames.record) - judged)
        return given

    def _live(self, rule: Rule, fact: Fact, known: Reported, message: Message) -> None:
        """Notes a finding of a Live session, which the close may confirm. One found with the close has its verdict at
        once."""
        closing = type(message) is Hangup
        if type(message) is Hangup:
            known.finding = apply(known.finding, closing_word(rule, message.code, message.reason))
        self._close_verdicts.note(rule, fact, known.finding, closing=closing)

    def _judge(self, fact: Fact, at: float | None) -> list[tuple[Rule, Reported]]:
        """Asks the rules about a fact, and returns the findings that are new."""
        if type(fact) is ReplyFact and fact.empty:
            from wirecheck.rules.server_word.likely_causes import silence

            fact = replace(fact, causes=silence(self._pending.asked(fact.context), fact, self._rules.named))
        if self._listen is not None:
            self._listen(fact)
        misses = self._rules.judge(fact, at)
        return [(miss.rule, known) for miss in misses if (known := self._known(miss))] if misses else []

    def _known(self, miss: Miss) -> Reported | None:
        """Turns a miss into a finding with its excerpt. None if it was reported before."""
        finding = self._rules.finding(miss)
        known = self._deduplication.sift(finding)
        if known is not None and self._faults is not None:
            self._so_far.append(known)
        if known is not None and self._pictures and finding.severity not in self._milder:
            known.finding = replace(known.finding, around=around(miss.fact, self._talk))
        return known

    def _verdict(self, message: Message | AnyChunk) -> list[Finding]:
        """Returns the pending findings this message releases, and a finding for a rejection that none of them
        explains."""
        channel = message.seen.channel
        given, fact = self._pending.verdict(channel, message)
        if given and self._faults is not None:
            self._so_far += given
        if fact is None:
            return given
        if self._listen is not None:
            self._listen(fact)
        said, request = ServerWord("confirmed", fact.status, fact.text or None), self._pending.request(channel)
        found = [self._rules.finding(miss, said) for miss in self._rules.judge(fact, message.seen.at)]
        return given + [each for each in found if self._deduplication.answered(each, request)]


HEARERS: dict[type[object], Callable[[Inspector, Any], list[Finding]]] = {
    Recited: Inspector._recited,
    Status: Inspector._status,
    Chunk: Inspector._chunk,
    RegularChunk: Inspector._chunk,
    Hangup: Inspector._hangup,
    Unreadable: Inspector._unreadable,
    **dict.fromkeys((Said, *LIVE, RegularFrame), Inspector._heard),
    LiveFrames: Inspector._frames,
}
