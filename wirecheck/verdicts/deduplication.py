"""Deduplicates findings: each mistake of a conversation is reported once, and counted each time it is recited.

A request recites its history, and with it every mistake in it. A finding is a duplicate if the same mistake was
reported in the same content or, where the client rewrote that content, at the same turn.
"""

from collections.abc import Collection, Container, Iterator

from msgspec import Struct

from wirecheck.finding import Finding, Repeated, Severity
from wirecheck.talk import PrefixMarked, Request

Mistake = tuple[str, ...]  # what findings of one mistake have in common
MANY = 1 << 13  # findings that are kept before those that are only counted are evicted


def mistake(finding: Finding) -> Mistake:
    """A fingerprint is a short hash that anybody can work out, so that one mistake could be written to hide another;
    within a log the texts themselves are compared. What stands around the contents is recited with its value, so
    another value is another mistake."""
    call = finding.call.name if finding.call is not None else None
    value = finding.message if finding.turn is None else ""
    return finding.rule, finding.surface or "", call or "", value, *finding.place.pattern


class Reported(Struct, eq=False):
    """A reported or pending finding: the content it was in, and how often it was recited since.

    `turn` counts from the first content of the conversation. `rejected`: it was reported once more when a request was
    rejected for it.
    """

    finding: Finding
    digest: int
    turn: int | None
    times: int = 0
    rejected: bool = False
    anew: dict[int, Finding] | None = None  # by digest of a rewritten content: the finding as it reads there
    told: int = 0  # the number of the last request that had it

    def stands(self, request: Request) -> tuple[Finding, int | None]:
        """The finding as it reads in this request, and the index of its content there."""
        if self.turn is None:
            return self.finding, None
        forms = {self.digest: self.finding, **(self.anew or {})}
        near = self.turn - request.conversation.dropped - request.first
        places = [n for n, digest in enumerate(request.hashes) if digest in forms]
        n = min(places, key=lambda n: abs(n - near), default=near)
        if not 0 <= n < len(request.hashes):
            return self.finding, None
        return forms.get(request.hashes[n], self.finding), n

    def told_of(self, finding: Finding, digest: int) -> None:
        """Notes how the finding reads in another content."""
        said = self.finding.message, self.finding.place.pointer
        if digest != self.digest and said != (finding.message, finding.place.pointer):
            self.anew = {**(self.anew or {}), digest: finding}


class Notes(Struct, eq=False):
    """The mistakes of a history up to one of its contents: a linked list of those before, and those of that content.

    `times` is how often exactly this prefix was recited since `_tell_times` last added it to the findings.
    """

    before: "Notes | None"
    new: tuple[Reported, ...]
    depth: int
    times: int = 0

    def __iter__(self) -> Iterator[Reported]:
        """The oldest first."""
        rows, notes = [self.new], self.before
        while notes is not None:
            rows.append(notes.new)
            notes = notes.before
        for row in reversed(rows):
            yield from row


class Alike:
    """The findings of one mistake in a conversation, by content and by turn."""

    __slots__ = ("all", "contents", "turns")

    def __init__(self) -> None:
        self.all: list[Reported] = []
        self.contents: dict[int, list[Reported]] = {}
        self.turns: dict[int | None, list[Reported]] = {}

    def add(self, known: Reported) -> None:
        self.all.append(known)
        self.contents.setdefault(known.digest, []).append(known)
        self.turns.setdefault(known.turn, []).append(known)

    def candidates(self, digest: int | None, turn: int | None) -> Iterator[Reported]:
        """The findings with this digest and turn; without a digest all of the turn, without a turn all of the
        digest."""
        if digest is None:
            return iter([*self.turns.get(turn, ())])
        return iter([known for known in self.contents.get(digest, ()) if turn is None or known.turn == turn])


class Deduplication:
    """Separates the new findings of a request from those that were reported before."""

    def __init__(self) -> None:
        self.all: list[Reported] = []  # of requests
        self._many = MANY
        self.request: Request | None = None  # the current one
        self._number = 0  # of the request
        self._marked: Notes | None = None  # the mistakes in it, up to the content before
        self._new: list[Reported] = []  # since then
        self._told = False  # whether all in `_marked` have this request's number
        # What this request may tell again, by mistake, content and turn.
        self._candidates: dict[tuple[Mistake, int | None, int | None], Iterator[Reported]] = {}
        self._again: dict[Mistake, list[Reported]] = {}  # findings of a known prefix that is judged again
        self._recited: list[Notes] = []  # those with `times`

    @property
    def repeats(self) -> list[Repeated]:
        self._tell_times()
        return [Repeated(known.finding, known.times) for known in self.all if known.times]

    @property
    def full(self) -> bool:
        """Whether to evict findings."""
        return len(self.all) > self._many

    def evict(self, counted: Collection[Severity], held: Container[int]) -> None:
        """Evicts findings of the severities that are only counted, except those `held` (by `id()`), whose severity may
        still rise."""
        self.all = [known for known in self.all if known.finding.severity not in counted or id(known) in held]
        self._many = 2 * len(self.all) + MANY
        self._tell_times()

    def begin(self, request: Request) -> None:
        """Begins a request: the mistakes of its known prefix are recited again."""
        self.request, prefix = request, request.prefix
        self._number += 1
        self._marked = marked = prefix.notes if prefix is not None else None
        self._new, self._told = [], marked is None
        if marked is not None:
            if not marked.times:
                self._recited.append(marked)
            marked.times += 1
        self._again = {}
        for known in () if request.skips or marked is None else marked:
            self._again.setdefault(mistake(known.finding), []).append(known)
        self._candidates = {}

    def mark(self, mark: PrefixMarked) -> None:
        if self._new:
            depth = self._marked.depth + 1 if self._marked is not None else 0
            self._marked, self._new = Notes(self._marked, tuple(self._new), depth), []
        mark.prefix.notes = self._marked

    def end(self) -> tuple[Notes | None, list[Reported]]:
        """Ends the request. Returns all mistakes in it, recited and new."""
        self.request = None
        return self._marked, self._new

    def sift(self, finding: Finding) -> Reported | None:
        """Returns the finding as Reported if it is new, None for a duplicate. Outside of requests every finding is
        new."""
        request = self.request
        if request is None:
            return Reported(finding, 0, finding.turn)
        digest, alike = self._digest(finding.turn, request), _alike(finding, request)
        # Counted from the first content of the conversation, which the client may have dropped by now.
        turn = None if finding.turn is None else finding.turn + request.conversation.dropped
        if (known := self._find(finding, alike, digest, turn)) is not None:
            known.told_of(finding, digest)
            return None
        known = Reported(finding, digest, turn, told=self._number)
        self.all.append(known)
        alike.add(known)
        self._new.append(known)
        return known

    def answered(self, finding: Finding, request: Request) -> bool:
        """Whether a finding about the reply to a request is new to the conversation. A duplicate is counted."""
        alike = _alike(finding, request)
        for known in alike.all:
            if known.finding.server.text == finding.server.text:
                known.times += 1
                return False
        known = Reported(finding, 0, finding.turn)
        alike.add(known)
        self.all.append(known)
        return True

    @staticmethod
    def _digest(turn: int | None, request: Request) -> int:
        if turn is None:
            return 0
        hashes, n = request.hashes, turn - request.first
        return hashes[n] if 0 <= n < len(hashes) else 0

    def _find(self, finding: Finding, alike: Alike, digest: int, turn: int | None) -> Reported | None:
        """A known finding that this request has not had yet: by content and turn, else by content, else by turn."""
        if again := self._again.get(mistake(finding)):
            return again.pop(0)  # `begin` has counted it with the whole prefix
        if digest not in alike.contents and turn not in alike.turns:
            return None
        if not self._told:
            self._told = True
            for known in self._marked or ():  # the findings of the known prefix are all in this request
                known.told = self._number
        for place in ((digest, turn), (digest, None), (None, turn)):
            key = mistake(finding), *place
            if (candidates := self._candidates.get(key)) is None:
                candidates = self._candidates[key] = alike.candidates(*place)
            for known in candidates:  # those passed over are told by this request, and stay so
                if known.told != self._number:
                    known.told = self._number
                    known.times += 1
                    self._new.append(known)
                    return known
        return None

    def _tell_times(self) -> None:
        """Adds `times` of all prefixes to their findings. A finding was recited with each prefix that continues its
        own."""
        reached: dict[int, Notes] = {}
        for tip in self._recited:
            notes: Notes | None = tip
            while notes is not None and id(notes) not in reached:
                reached[id(notes)] = notes
                notes = notes.before
        for notes in sorted(reached.values(), key=lambda each: -each.depth):
            for known in notes.new:
                known.times += notes.times
            if notes.before is not None:
                notes.before.times += notes.times
            notes.times = 0
        self._recited = []


def _alike(finding: Finding, request: Request) -> Alike:
    """The findings of the same mistake in the conversation."""
    conversation, key = request.conversation, mistake(finding)
    if conversation.notes is None:
        conversation.notes = {}
    alike: Alike | None = conversation.notes.get(key)
    if alike is None:
        alike = conversation.notes[key] = Alike()
    return alike
