"""Record in, findings out: dialects, talk and rules strung together. No I/O.

A finding is final when given. Those of an HTTP request are held until the server's word on it is known (given at once
with `predict`); all others are given at once.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.dialects import Dialects
from wirecheck.dialects.generate import error_code
from wirecheck.dialects.messages import Chunk, Hangup, Message, Recited, Spot, Status, Unreadable
from wirecheck.finding import Finding, Line, Repeated, ServerWord, Severity
from wirecheck.lane import AROUND, REPLY, WHOLE, Frames, Lane, Source, Usual
from wirecheck.lately import Lately
from wirecheck.once import Known, Once
from wirecheck.rules import Ruleset
from wirecheck.rules.blame import Asked, rejection, silence
from wirecheck.rules.closed import closing_word
from wirecheck.rules.rule import Rule
from wirecheck.rules.verdict import apply, word
from wirecheck.talk import Mark, Recital, Talk
from wirecheck.talk.facts import EndedFact, Fact, ReplyFact
from wirecheck.talk.memory import Node
from wirecheck.talk.scene import Shown
from wirecheck.wire.record import Opened, Origin, Record

_Mark = tuple[int, int | None, Literal["here", "related"], str]  # turn, part of it, what it is, label
# Facts that hang on one content or a part of it, and those that hang on what stands around the contents alone.
OF_CONTENTS = frozenset(("content", "part", "call", "answer"))
OF_PARTS = frozenset(("part", "call", "answer"))
OF_AROUND = frozenset(("request", "tool", "declaration", "schema"))
REJECTED = 400
_PARTS = ("parts", "functionCalls", "functionResponses", "function_calls", "function_responses")


class Checked(Struct):
    """What was looked at. `skipped`: JSON that is no traffic, as (path, first line, why, how often)."""

    exchanges: int = 0
    frames: int = 0
    conversations: int = 0
    sessions: int = 0
    open_calls: int = 0
    unjudged: dict[str, int] = {}
    skipped: list[tuple[str, int, str, int]] = []

    @property
    def traffic(self) -> bool:
        """Whether anything was traffic at all, judged or not."""
        return bool(self.conversations or self.sessions or self.unjudged)


class Held(Struct):
    """The findings of a request that waits for its answer."""

    findings: list[tuple[Rule, Known]]
    status: int | None = None


class Inspector:
    """Judges records in the order they come. Each file is a world of its own.

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
        recognise: bool = True,
        pictures: bool = True,
        counted: Collection[Severity] = (),
    ) -> None:
        self._rules = rules
        self._milder = frozenset(counted)  # findings so mild are counted and not given
        quick = recognise and listen is None and not predict and rules.builtin
        self._lane = Lane(rules) if quick else None
        self._frames = Frames(pictures=pictures) if quick and not rules.remembers else None
        self._pictures = pictures  # the turns around each finding
        self._predict = predict
        self._listen = listen
        self._recognise = recognise
        self.anew()

    def anew(self, talk: Callable[..., Talk] = Talk) -> None:
        """Other logs begin, and are counted from nothing. Which forms are sound is still known."""
        self._new_talk = talk
        self.counted: Counter[Severity] = Counter()
        self._usual: Usual | None = None  # the exchange being read the long way, where its form is one to be learnt
        self._until = 0  # the line after it
        self._sound, self._mild = True, dict[tuple[int, int], list[Finding]]()
        self._once = Once()
        self._lately = Lately()
        self._held: dict[str, Held] = {}
        self._asked: dict[str, Asked] = {}  # by channel: requests that are being answered
        self._told: dict[str, dict[str, Spot]] = {}  # by channel and fingerprint: the chunk that was found wrong
        self._path: str | None = None
        self._before = Checked()
        self._skipped: dict[tuple[str, str], tuple[int, int]] = {}
        self._unjudged: dict[str, int] = {}
        self._begin()

    def _begin(self) -> None:
        models, before = self._rules.models, self._before
        self._dialects = Dialects(models)
        self._talk = self._new_talk(models, before.conversations, before.sessions, recognise=self._recognise)
        if self._lane is not None:
            self._lane.begin(self._talk)
        if self._frames is not None:
            self._frames.begin(self._talk)

    @property
    def repeats(self) -> list[Repeated]:
        """The findings that later requests recited again, and how often."""
        return self._once.repeats

    @property
    def checked(self) -> Checked:
        before, talk = self._before, self._talk
        return Checked(
            exchanges=before.exchanges + talk.exchanges,
            frames=before.frames + talk.frames,
            conversations=talk.conversations,
            sessions=talk.sessions,
            open_calls=before.open_calls + talk.open_calls,
            unjudged=dict(self._unjudged),
            skipped=[(path, line, why, count) for (path, why), (line, count) in self._skipped.items()],
        )

    def heard(self, line: bytes, origin: Origin) -> bool:
        """Whether a line holds nothing that was not heard before, in all but the wording: then there is no more to it.

        Lines come in their order, each before its records.
        """
        if self._lane is None or origin.line < self._until:
            return False
        self._learn()
        if origin.path != self._path or (one := self._lane.take(line, origin)) is None:
            return False
        return self._takes(one, self._lane, origin)

    def passed(self, lines: Sequence[bytes], begin: int, path: str, number: int, source: Source) -> int:
        """How many of these lines, from this one on, hold exchanges or frames of sessions in which nothing is new.

        They come in their order, each before its records and after it was asked whether it was `heard`; `number` is
        that of the first of them.
        """
        lane, origin = self._lane, Origin(path, number)
        if lane is None or path != self._path or self._usual is not None:
            return 0
        if source.channel("", kept=True) is not None and (one := lane.take_kept(lines, begin, origin)) is not None:
            known = self._talk.knows(one.channel) or self._dialects.knows(one.channel)
            return one.lines if not known and self._takes(one, lane, origin) else 0
        return self._frames.pass_by(lines, begin, path, number, source) if self._frames is not None else 0

    def _takes(self, one: Usual, lane: Lane, origin: Origin) -> bool:
        """Whether an exchange is taken in at once. One that is not is learnt from when its lines have been read."""
        found = lane.found(one)
        if found is not None and not (found and _unclear(one)) and (node := self._talk.go_on(one)) is not None:
            self._note(one, found, node)
            lane.went_on(one, node.owner)
            return True
        self._usual, self._until = one, origin.line + one.lines
        return False

    def _note(self, one: Usual, found: list[tuple[int, Finding]], node: Node) -> None:
        conversation = node.owner
        for n, finding in found:
            if n == AROUND[0] and self._once.again(finding, node.owner):
                continue
            self.counted[finding.severity] += 1
            if n >= 0:
                conversation.path += (self._once.note(finding, one.hashes[n], one.begin + n, conversation),)
        node.notes = conversation.path or None

    def _learn(self) -> None:
        """The line before has been judged: if nothing was wrong with it, nothing is with others of its form."""
        one, self._usual = self._usual, None
        if one is not None:
            self._learn_of(one)
        elif self._frames is not None and self._frames.asks:
            self._frames.learn(sound=self._sound and not self._mild)
        self._sound, self._mild = True, {}

    def _learn_of(self, one: Usual) -> None:
        conversation = self._talk.conversation
        if self._lane is None or not self._sound or conversation is None:
            return
        self._lane.learn(one, self._talk.heard, self._mild)
        if not conversation.wrong:
            conversation.sound, conversation.state, conversation.path = one.kind, one.state, self._once.noted
            conversation.reply = one.reply
            self._lane.went_on(one, conversation)

    def feed(self, record: Record) -> list[Finding]:
        """What this record shows to be wrong."""
        given = self._turn_page(record) if record.origin.path != self._path else []
        if self._frames is not None and isinstance(record, Opened):
            self._frames.opened(record.channel)
        for message in self._dialects.read(record):
            given += self._hear(message)
        return self._told_apart(given)

    def close(self) -> list[Finding]:
        """The log is over: what was held or waited for is given now."""
        given = [finding for held in self._held.values() for finding in _release(held, None)]
        self._held.clear()
        self._asked.clear()
        given += [known.finding for fact in self._talk.close() for _, known in self._judge(fact, None)]
        for conversation in self._rules.watched:
            given += [self._rules.finding(miss) for miss in self._rules.end(conversation, cut=True)]
        return self._told_apart(given)

    def _told_apart(self, given: list[Finding]) -> list[Finding]:
        """Those to be given; the milder ones are counted."""
        if not given or not self._milder:
            return given
        self.counted.update(finding.severity for finding in given if finding.severity in self._milder)
        return [finding for finding in given if finding.severity not in self._milder]

    def _turn_page(self, record: Record) -> list[Finding]:
        self._learn()
        given = self.close() if self._path is not None else []
        self._told.clear()
        self._until = 0
        self._path, self._before = record.origin.path, self.checked
        self._begin()
        return given

    def _hear(self, message: Message) -> list[Finding]:
        if isinstance(message, Unreadable) and not self._counts(message):
            return []
        if self._predict and isinstance(message, Hangup):
            message = replace(message, code=None, reason="")
        given, waits = self._verdict(message), Held([])
        # Of a transcript no server has the last word.
        holds = isinstance(message, Recited) and message.protocol != "transcript" and not self._predict
        for fact in self._talk.hear(message):
            if isinstance(fact, EndedFact):
                fact, confirmed = self._lately.explain(fact)
                given += confirmed
            for rule, known in self._judge(fact, message.seen.at):
                if fact.context.protocol == "live":
                    self._live(rule, fact, known, message)
                if holds and self._once.reciting:
                    waits.findings.append((rule, known))
                elif self._first_of_reply(message, known.finding):
                    given.append(known.finding)
        self._heed(message)
        self._once.end()
        if holds:
            self._held[message.seen.channel] = waits
        return given

    def _live(self, rule: Rule, fact: Fact, known: Known, message: Message) -> None:
        """What is found with the close of a session has the server's word at once; else the close may confirm it."""
        closing = isinstance(message, Hangup)
        if isinstance(message, Hangup):
            known.finding = apply(known.finding, closing_word(rule, message.code, message.reason))
        self._lately.note(rule, fact, known.finding, closing=closing)

    def _heed(self, message: Message) -> None:
        """What was asked is kept as long as it is being answered."""
        channel, recital = message.seen.channel, self._once.recital
        if isinstance(message, Recited) and recital is not None:
            self._asked[channel] = Asked(recital, message.around, message.slices, self._once.recited)
        elif isinstance(message, Hangup):
            self._asked.pop(channel, None)

    def _first_of_reply(self, message: Message, finding: Finding) -> bool:
        """A mistake that a stream makes in every chunk is one."""
        if isinstance(message, Hangup | Recited):
            self._told.pop(message.seen.channel, None)
        if not isinstance(message, Chunk):
            return True
        told = self._told.setdefault(message.seen.channel, {})
        return told.setdefault(finding.fingerprint, message.spot) is message.spot

    def _counts(self, message: Unreadable) -> bool:
        """What is no traffic, or not judged, is counted and no more."""
        origin = message.seen.origin
        if message.kind == "skipped":
            line, count = self._skipped.get((origin.path, message.why), (origin.line, 0))
            self._skipped[origin.path, message.why] = (line, count + 1)
        elif message.kind == "unjudged":
            self._unjudged[message.why] = self._unjudged.get(message.why, 0) + 1
        return message.kind not in ("skipped", "unjudged")

    def _judge(self, fact: Fact, at: float | None) -> Iterator[tuple[Rule, Known]]:
        if isinstance(fact, Recital):
            self._once.begin(fact)
            self._recall(fact)
            return
        if isinstance(fact, Mark):
            self._once.mark(fact)
            self._remember(fact)
            return
        if isinstance(fact, ReplyFact) and fact.empty:
            asked = next((one for one in self._asked.values() if one.recital.context is fact.context), None)
            fact = replace(fact, causes=silence(asked, fact, self._rules.named))
        if self._listen is not None:
            self._listen(fact)
        misses = self._rules.judge(fact, at)
        if isinstance(fact, EndedFact):
            misses += self._rules.end(fact.context.conversation, cut=not fact.recorded)
        for miss in misses:
            finding = self._rules.finding(miss)
            self._weigh(finding, miss.fact)
            if known := self._once.sift(finding):
                if self._pictures and finding.severity not in self._milder:
                    known.finding = replace(known.finding, around=self._around(miss.fact))
                yield miss.rule, known

    def _weigh(self, finding: Finding, fact: Fact) -> None:
        """Whether what was found in a usual line leaves its form a sound one."""
        mild = finding.severity in self._milder
        if not mild and self._once.reciting and self._talk.conversation is not None:
            self._talk.conversation.wrong = True
        if self._usual is None and not (self._frames is not None and self._frames.asks):
            return
        part = _part(fact.spot)
        if not self._once.reciting:
            chunk = 0 if self._usual is None else self._usual.chunk(fact.spot.site)
            place = (REPLY[0] - 1 - chunk, part) if part is not None and fact.kind in OF_PARTS else REPLY
        elif fact.turn is not None and (fact.kind in OF_CONTENTS or fact.kind == "ending"):
            place = fact.turn, WHOLE if part is None else part
        else:
            place, mild = AROUND, mild and fact.kind in OF_AROUND
        self._sound = self._sound and mild
        self._mild.setdefault(place, []).append(finding)

    def _recall(self, fact: Recital) -> None:
        """Checks that remember stand where they stood after the part that was heard."""
        if self._rules.remembers:
            memory = fact.node.memory if fact.node is not None and fact.skips else None
            self._rules.restore(fact.context.conversation, memory or {})

    def _remember(self, fact: Mark) -> None:
        if self._rules.remembers:
            fact.node.memory = self._rules.save(fact.context.conversation)

    def _around(self, fact: Fact) -> tuple[Line, ...]:
        """The turns around a mistake, what is wrong and what belongs to it marked."""
        marks = list(_marks(fact))
        turns = list(dict.fromkeys(turn for turn, *_ in marks))
        return tuple(_line(shown, marks) for shown in self._talk.around(turns))

    def _verdict(self, message: Message) -> list[Finding]:
        """The held findings that this message lets go, with the server's word on them."""
        held = self._held.get(message.seen.channel)
        if held is None:
            return []
        if isinstance(message, Status):  # what it means comes with the body: a 200 may hold nothing but an error
            held.status = message.code
        if not isinstance(message, Chunk | Hangup | Recited):
            return []
        del self._held[message.seen.channel]
        text = message.error if isinstance(message, Chunk) else None
        return _release(held, text) + self._rejected(message, held.status, text)

    def _rejected(self, message: Message, status: int | None, text: str | None) -> list[Finding]:
        """A rejection that nothing found in the request explains."""
        asked = self._asked.get(message.seen.channel)
        code = error_code(message.value) if isinstance(message, Chunk) else None
        if asked is None or (text is None and status != REJECTED):
            return []
        fact = rejection(asked, code or status, text or "", self._rules.named)
        if fact is None:
            return []
        if self._listen is not None:
            self._listen(fact)
        said = ServerWord("confirmed", fact.status, fact.text or None)
        found = [self._rules.finding(miss, said) for miss in self._rules.judge(fact, message.seen.at)]
        return [each for each in found if self._once.answered(each, asked.recital)]


def _unclear(one: Usual) -> bool:
    """Whether something was noted in the conversation that this history does not hold: it may be told anew."""
    return one.conversation is not None and one.conversation.noted != len(one.conversation.path)


def _release(held: Held, text: str | None) -> list[Finding]:
    for rule, known in held.findings:
        known.finding = apply(known.finding, word(rule, held.status, text))
    return [known.finding for _, known in held.findings]


def _marks(fact: Fact) -> Iterator[_Mark]:
    if fact.turn is not None:
        yield fact.turn, _part(fact.spot), "here", ""
    for each in fact.related:
        if each.turn is not None:
            yield each.turn, _part(each.spot), "related", each.label


def _part(spot: Spot) -> int | None:
    """Which part of a content, or call or response of a frame, a place is in."""
    return next((n for of, n in pairwise(spot.steps) if of in _PARTS and type(n) is int), None)


def _line(shown: Shown, marks: list[_Mark]) -> Line:
    for turn, part, mark, label in marks:
        if shown.holds(turn, part):
            return Line(shown.turn, shown.role, shown.text, mark, label)
    return Line(shown.turn, shown.role, shown.text)
