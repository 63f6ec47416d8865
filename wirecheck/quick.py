"""The quick lane beside the long way: which lines it takes, and what it learns of those that go the long way."""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial

from wirecheck.dialects import Dialects
from wirecheck.finding import Finding, Severity
from wirecheck.lane import AROUND, ENDING, GONE, OF_AROUND, REPLY, WHOLE, Frames, Lane, Place, Read, Source, Usual
from wirecheck.noting import Noting
from wirecheck.once import Once
from wirecheck.pictured import part_of
from wirecheck.rules import Ruleset
from wirecheck.rules.findings import renamed
from wirecheck.talk import Talk
from wirecheck.talk.conversation import LEFT_OUT, Conversation
from wirecheck.talk.facts import Fact
from wirecheck.talk.offer import Named
from wirecheck.talk.reply import NO_REPLY, SAID
from wirecheck.wire.record import Opened, Origin

# Facts that hang on one content or a part of it.
OF_CONTENTS = frozenset(("content", "part", "call", "answer"))
OF_PARTS = frozenset(("part", "call", "answer"))
OF_HISTORY = {"forgotten": GONE, "ending": ENDING}  # facts about several contents, which are recited with none


class Quick:
    """Lines come in their order, each before its records. Findings milder than others are counted, and not given."""

    def __init__(self, rules: Ruleset, milder: Collection[Severity], *, pictures: bool) -> None:
        # What is worse than a note may be what a rejection is put down to, with its place.
        self._milder = {"info"}.intersection(milder)
        self._rules = rules
        self._lane = Lane(rules.models, rules.kin, renamed)
        self._frames = None if rules.remembers else Frames(pictures=pictures)

    def begin(self, path: str | None, talk: Talk, dialects: Dialects, once: Once, counted: Counter[Severity]) -> None:
        """Another file begins. What is sound stays so."""
        self._path, self._talk, self._dialects = path, talk, dialects
        self._once, self._noting = once, Noting(once, counted)
        self._usual: Usual | None = None  # the exchange being read the long way, where its form is one to be learnt
        self._until = 0  # the line after it
        self._sound, self._mild = True, dict[Place, list[Finding]]()
        self._spared = set[Place | None]()  # what may be wrong in another band or on another surface; None: all of it
        self._chunks = dict[str, int]()  # by fingerprint: the chunk that was found wrong first
        self._lane.begin(talk, self._noting.tables)
        if self._frames is not None:
            self._frames.begin(talk)

    def passed(self, lines: Sequence[bytes], begin: int, path: str, number: int, source: Source) -> int:
        """See Inspector."""
        if path != self._path or number < self._until:
            return 0
        self.learn()
        at, number = begin, number - begin
        rests = not (self._talk.busy or self._dialects.busy)
        while at < len(lines):
            at += self._lane.run(lines, at, Origin(path, number + at), kept=rests)
            if at == len(lines) or not (count := self._passed(lines, at, path, number + at, source)):
                break
            at += count
        return at - begin

    def _passed(self, lines: Sequence[bytes], begin: int, path: str, number: int, source: Source) -> int:
        """The same of as many lines as belong together."""
        origin = Origin(path, number)
        if (read := self._lane.cut(lines[begin])) is not None:
            return self._takes(read, origin)
        if source.channel("", kept=True) is not None and (read := self._lane.cut_kept(lines, begin)):
            channel = read[0].channel  # in which something may go on
            going_on = self._talk.knows(channel) or self._dialects.knows(channel)
            return 0 if going_on else self._takes(read, origin)
        return self._frames.pass_by(lines, begin, path, number, source) if self._frames is not None else 0

    def opened(self, record: Opened) -> None:
        """A record goes the long way."""
        if self._frames is not None:
            self._frames.opened(record.channel)

    def learn(self) -> None:
        """The line before has been judged: if nothing was wrong with it, nothing is with others of its form."""
        one, self._usual = self._usual, None
        if one is not None:
            self._learn_of(one)
        elif self._frames is not None and self._frames.asks:
            self._frames.learn(sound=self._sound and not self._mild)
        self._sound, self._mild, self._chunks = True, {}, {}
        self._spared.clear()

    def hear(self, fact: Fact) -> None:
        """What is to be judged, and may be wrong elsewhere."""
        if self._usual is not None and self._rules.spares(fact):
            place = self._place(fact)
            all_of_it = place == AROUND and fact.kind not in OF_AROUND
            self._spared.add(None if all_of_it else self._usual.piece(place))

    def weigh(self, finding: Finding, fact: Fact) -> None:
        """Whether what was found leaves the form of its line a sound one."""
        mild = finding.severity in self._milder
        if not mild and self._once.reciting and self._talk.conversation is not None:
            self._talk.conversation.wrong = True
        if self._usual is None and not (self._frames is not None and self._frames.asks):
            return
        place = self._place(fact)
        if not self._once.reciting:
            chunk = self._chunk(fact)
            if self._chunks.setdefault(finding.fingerprint, chunk) != chunk:  # a reply has it once, see Inspector
                if place == REPLY:
                    return
                mild = False
        elif place == AROUND:
            mild = mild and fact.kind in OF_AROUND
        self._sound = self._sound and mild
        self._mild.setdefault(place, []).append(finding)

    def _place(self, fact: Fact) -> Place:
        """The piece of an exchange that a fact hangs on."""
        part = part_of(fact.spot)
        if not self._once.reciting:
            return (REPLY[0] - 1 - self._chunk(fact), part) if part is not None and fact.kind in OF_PARTS else REPLY
        if fact.turn is not None and fact.kind in OF_CONTENTS:
            return fact.turn, WHOLE if part is None else part
        return OF_HISTORY.get(fact.kind, AROUND)

    def _chunk(self, fact: Fact) -> int:
        """Which chunk of a reply a fact hangs on."""
        return 0 if self._usual is None else self._usual.chunk(fact.spot.site)

    def _takes(self, read: Read, origin: Origin) -> int:
        """How many lines an exchange takes up that is taken in at once."""
        if self._lane.takes(read, origin):
            return read[0].lines
        one = self._lane.usual(read, origin)
        return one.cut.lines if one is not None and self._takes_one(one, origin) else 0

    def _takes_one(self, one: Usual, origin: Origin) -> bool:
        """The same in Python. An exchange that is not taken is learnt from when its lines have been read."""
        known = self._lane.found(one)
        found = None if known is None else self._noting.new(one, known)
        noted = min([n for (n, _), _ in found if n >= 0], default=None) if found else None
        if found is not None and (taken := self._talk.go_on(one, noted)) is not None:
            conversation, new = taken
            if found or one.trimmed:
                if not one.trimmed:  # what comes before the first note is as it was
                    new = new[noted - len(one.hashes) :] if noted is not None else []
                self._talk.noted(one.kind, new, self._noting.note(one, found, conversation, len(new)), conversation)
            self._lane.went_on(one, conversation)
            return True
        self._usual, self._until = one, origin.line + one.cut.lines
        return False

    def _learn_of(self, one: Usual) -> None:
        conversation = self._talk.conversation
        if not self._sound or conversation is None or not self._lane.of_band(one, self._talk.band):
            return
        self._lane.learn(one, self._talk.heard, self._mild, partial(self._anywhere, one))
        noted = self._once.noted  # also of what another conversation has wrong, from which this one branched off
        mild = all([known.finding.severity in self._milder for known in noted])
        if mild and not conversation.wrong and _holds(conversation, one.told.called):
            conversation.sound, conversation.state, conversation.path = one.kind, one.told.state, noted
            one.reply.doubtful = conversation.reply.doubtful
            conversation.reply, conversation.called = one.reply, conversation.called or one.told.called
            self._lane.went_on(one, conversation)

    def _anywhere(self, one: Usual, place: Place, found: tuple[Finding, ...]) -> bool:
        """Whether this is found there in other bands and on other surfaces, too; and of functions of any name."""
        spared = self._spared
        if None in spared or place in spared or (spared and one.trimmed is not None):
            return False
        if place == AROUND:  # of which piece it is, is not known
            return not found
        named = place[1] >= 0
        return all(
            [self._rules.everywhere(each) and (each.call is None or (named and each.call.name)) for each in found]
        )


def _holds(conversation: Conversation, called: Collection[Named]) -> bool:
    """Whether it still has what its request and reply brought: for what is heavy there may be no room at all."""
    if conversation.reply in (SAID, NO_REPLY) or (called and not conversation.called):
        return False
    return {each for each in called if each.turn > LEFT_OUT}.issubset(conversation.called)
