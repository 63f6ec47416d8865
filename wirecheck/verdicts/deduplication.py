"""Each mistake once: what a conversation is known to have wrong, and how often that was recited again.

A request recites its history, and with it every mistake in it. A finding is the same as one before if it has the same
fingerprint and stands in the same content, or, where the client wrote that content anew, at the same turn.
"""

from collections.abc import Collection, Container, Iterable, Iterator

from msgspec import Struct

from wirecheck.finding import Finding, Repeated, Severity
from wirecheck.talk import PrefixMarked, Request

MANY = 1 << 13  # findings that are kept until it is looked which of them are only counted


class Reported(Struct, eq=False):
    """A finding, as it was or will be given; where it stood, and how often it was recited since.

    `turn` counts from the first content of the conversation. `rejected`: told once more, with a rejection for it.
    """

    finding: Finding
    digest: int
    turn: int | None
    times: int = 0
    rejected: bool = False
    anew: dict[int, Finding] | None = None  # by content: what it would be told as, where the client wrote that anew
    told: int = 0  # the number of the request that told it last

    def stands(self, request: Request) -> tuple[Finding, int | None]:
        """As this request has it, and in which of its contents."""
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
        """It is told of this content, too."""
        said = self.finding.message, self.finding.place.pointer
        if digest != self.digest and said != (finding.message, finding.place.pointer):
            self.anew = {**(self.anew or {}), digest: finding}


class Notes(Struct, eq=False):
    """What a history has wrong up to one of its contents: what it had wrong before, and what came with that content.

    `times` is how often just this much was recited, since that was last told to the findings.
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
    """The findings of one fingerprint in a conversation: by the content they stand in, and by its turn."""

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
        """In these words at this turn; without a digest all at this turn, without a turn all in these words."""
        if digest is None:
            return iter([*self.turns.get(turn, ())])
        return iter([known for known in self.contents.get(digest, ()) if turn is None or known.turn == turn])


class Deduplication:
    """Tells the findings of a request that are new from those that were given before."""

    def __init__(self) -> None:
        self.all: list[Reported] = []  # of requests
        self._many = MANY
        self.request: Request | None = None  # that is being heard
        self._number = 0  # of the request
        self._marked: Notes | None = None  # what it has wrong up to the content before
        self._new: list[Reported] = []  # since then
        self._told = False  # whether it is known of all in `_marked` that this request tells them
        # What this request may tell again, by fingerprint, content and turn.
        self._candidates: dict[tuple[str, int | None, int | None], Iterator[Reported]] = {}
        self._again: dict[str, list[Reported]] = {}  # by fingerprint: what a heard part that is read again will tell
        self._recited: list[Notes] = []  # that have `times`

    @property
    def repeats(self) -> list[Repeated]:
        self._tell_times()
        return [Repeated(known.finding, known.times) for known in self.all if known.times]

    @property
    def full(self) -> bool:
        """Whether it is time to let some go."""
        return len(self.all) > self._many

    def evict(self, counted: Collection[Severity], held: Container[int]) -> None:
        """How often these were recited nobody asks, but for those `held`, by identity, that may yet be graver."""
        self.all = [known for known in self.all if known.finding.severity not in counted or id(known) in held]
        self._many = 2 * len(self.all) + MANY
        self._tell_times()

    def begin(self, request: Request) -> None:
        """A request begins: what its heard part has wrong is recited again."""
        self.request, prefix = request, request.prefix
        self._number += 1
        self._marked = marked = prefix.notes if prefix is not None else None
        self._new, self._told = [], marked is None
        if marked is not None:
            if not marked.times:
                self._recited.append(marked)
            marked.times += 1
        self._again = {} if request.skips or marked is None else _by_fingerprint(marked)
        self._candidates = {}

    def mark(self, mark: PrefixMarked) -> None:
        if self._new:
            depth = self._marked.depth + 1 if self._marked is not None else 0
            self._marked, self._new = Notes(self._marked, tuple(self._new), depth), []
        mark.prefix.notes = self._marked

    def end(self) -> tuple[Notes | None, list[Reported]]:
        """All that the request has wrong, new or recited again."""
        self.request = None
        return self._marked, self._new

    def sift(self, finding: Finding) -> Reported | None:
        """A finding that was not given before, to be given; None for one that was. Outside of a request each is new."""
        request = self.request
        if request is None:
            return Reported(finding, 0, finding.turn)
        conversation, digest = request.conversation, self._digest(finding.turn, request)
        # The turn counts from the first of the conversation, though the client may have left that out by now.
        turn = None if finding.turn is None else finding.turn + conversation.dropped
        if conversation.notes is None:
            conversation.notes = {}
        if (alike := conversation.notes.get(finding.fingerprint)) is None:
            alike = conversation.notes[finding.fingerprint] = Alike()
        if (known := self._find(finding, alike, digest, turn)) is not None:
            known.told_of(finding, digest)
            return None
        known = Reported(finding, digest, turn, told=self._number)
        self.all.append(known)
        alike.add(known)
        self._new.append(known)
        return known

    def answered(self, finding: Finding, request: Request) -> bool:
        """Whether what an answer shows of its request is new to the conversation; told once more, it is counted."""
        conversation = request.conversation
        if conversation.notes is None:
            conversation.notes = {}
        alike = conversation.notes.setdefault(finding.fingerprint, Alike())
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
        """One that this request has not told yet: the same words at the same turn, the same words, the same turn."""
        if again := self._again.get(finding.fingerprint):
            return again.pop(0)  # it was counted with all that was recited
        if digest not in alike.contents and turn not in alike.turns:
            return None
        self._tell_marked()
        for place in ((digest, turn), (digest, None), (None, turn)):
            key = finding.fingerprint, *place
            if (candidates := self._candidates.get(key)) is None:
                candidates = self._candidates[key] = alike.candidates(*place)
            for known in candidates:  # those passed over are told by this request, and stay so
                if known.told != self._number:
                    known.told = self._number
                    known.times += 1
                    self._new.append(known)
                    return known
        return None

    def _tell_marked(self) -> None:
        """What the heard part has wrong is told by this request."""
        if not self._told:
            self._told = True
            for known in self._marked or ():
                known.told = self._number

    def _tell_times(self) -> None:
        """How often what was recited is told to the findings: each with what was recited of all that came after it."""
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


def _by_fingerprint(several: Iterable[Reported]) -> dict[str, list[Reported]]:
    rows: dict[str, list[Reported]] = {}
    for known in several:
        rows.setdefault(known.finding.fingerprint, []).append(known)
    return rows
