"""Each mistake once: what a conversation is known to have wrong, and how often that was recited again.

A request recites its history, and with it every mistake in it. A finding is the same as one before if it has the same
fingerprint and stands in the same content, or, where the client wrote that content anew, at the same turn.
"""

from collections import deque
from collections.abc import Collection, Container, Iterable, Iterator

from msgspec import Struct

from wirecheck.finding import Finding, Repeated, Severity
from wirecheck.talk import Mark, Request
from wirecheck.talk.conversation import Conversation

MANY = 1 << 13  # findings that are kept until it is looked which of them are only counted


class Known(Struct):
    """A finding, as it was or will be given; where it stood, and how often it was recited since.

    `turn` counts from the first content of the conversation. `rejected`: told once more, with a rejection for it.
    """

    finding: Finding
    digest: int
    turn: int | None
    times: int = 0
    rejected: bool = False
    anew: dict[int, Finding] | None = None  # by content: what it would be told as, where the client wrote that anew

    def stands(self, recital: Request) -> tuple[Finding, int | None]:
        """As this request has it, and in which of its contents."""
        if self.turn is None:
            return self.finding, None
        forms = {self.digest: self.finding, **(self.anew or {})}
        near = self.turn - recital.conversation.dropped - recital.first
        places = [n for n, digest in enumerate(recital.hashes) if digest in forms]
        n = min(places, key=lambda n: abs(n - near), default=near)
        if not 0 <= n < len(recital.hashes):
            return self.finding, None
        return forms.get(recital.hashes[n], self.finding), n

    def told_of(self, finding: Finding, digest: int) -> None:
        """It is told of this content, too."""
        said = self.finding.message, self.finding.place.pointer
        if digest != self.digest and said != (finding.message, finding.place.pointer):
            self.anew = {**(self.anew or {}), digest: finding}


class Notes(Struct, frozen=True, eq=False):
    """What a history has wrong up to one of its contents: what it had wrong before, and what came with that content."""

    before: "Notes | None"
    new: tuple[Known, ...]

    def __iter__(self) -> Iterator[Known]:
        """The oldest first."""
        rows, notes = [self.new], self.before
        while notes is not None:
            rows.append(notes.new)
            notes = notes.before
        for row in reversed(rows):
            yield from row


class Waiting:
    """Findings of one fingerprint that may be told again, each once."""

    def __init__(self, several: Iterable[Known]) -> None:
        self._rows: dict[tuple[int | None, ...], deque[Known]] = {}
        self._taken = set[int]()
        for known in several:
            for key in _keys(known.digest, known.turn):
                self._rows.setdefault(key, deque()).append(known)

    def take(self, digest: int, turn: int | None) -> Known | None:
        """The first in these words at this turn, in these words, or at this turn."""
        for key in _keys(digest, turn):
            row = self._rows.get(key)
            while row:
                known = row.popleft()
                if id(known) not in self._taken:
                    self._taken.add(id(known))
                    return known
        return None


def _keys(digest: int, turn: int | None) -> tuple[tuple[int | None, ...], ...]:
    return (digest, turn), (digest,), (None, turn)


class Once:
    """Tells the findings of a request that are new from those that were given before."""

    def __init__(self) -> None:
        self.all: list[Known] = []  # of requests
        self._many = MANY
        self._recital: Request | None = None
        self._marked: Notes | None = None  # what the request has wrong up to the content before
        self._new: list[Known] = []  # since then
        self._counted: set[int] = set()
        self._told: set[int] = set()
        self._again: dict[str, list[Known]] = {}  # by fingerprint: what a heard part that is read again will tell
        self._waiting: dict[str, Waiting] = {}  # by fingerprint: what the rest of the request may tell again

    @property
    def repeats(self) -> list[Repeated]:
        return [Repeated(known.finding, known.times) for known in self.all if known.times]

    @property
    def recital(self) -> Request | None:
        """The request that is being heard."""
        return self._recital

    @property
    def recited(self) -> tuple[Known, ...]:
        """All that it has wrong, new or recited again."""
        return *(self._marked or ()), *self._new

    @property
    def reciting(self) -> bool:
        """Whether a request is being heard."""
        return self._recital is not None

    @property
    def full(self) -> bool:
        """Whether it is time to let some go."""
        return len(self.all) > self._many

    def let_go(self, counted: Collection[Severity], held: Container[int]) -> None:
        """How often these were recited nobody asks, but for those `held`, by identity, that may yet be graver."""
        self.all = [known for known in self.all if known.finding.severity not in counted or id(known) in held]
        self._many = 2 * len(self.all) + MANY

    def begin(self, recital: Request) -> None:
        """A request begins: what its heard part has wrong is recited again."""
        self._recital = recital
        self._marked = recital.node.notes if recital.node is not None else None
        self._new = []
        self._counted, self._waiting = set(), {}
        marked = [*(self._marked or ())]
        for known in marked:
            self._count(known)
        self._told = set(self._counted)
        self._again = {} if recital.skips else _by_fingerprint(marked)
        if recital.conversation.notes is None:
            recital.conversation.notes = {}

    def mark(self, mark: Mark) -> None:
        if self._new:
            self._marked, self._new = Notes(self._marked, tuple(self._new)), []
        mark.node.notes = self._marked

    def end(self) -> None:
        self._recital = None

    def sift(self, finding: Finding) -> Known | None:
        """A finding that was not given before, to be given; None for one that was. Outside of a request each is new."""
        digest = self._digest(finding.turn)
        if self._recital is None:
            return Known(finding, digest, finding.turn)
        known = self._find(finding, digest, self._recital)
        if known is not None:
            known.told_of(finding, digest)
            self._count(known)
            self._tell(known)
            return None
        conversation = self._recital.conversation
        known = Known(finding, digest, self._place(finding, conversation))
        self.all.append(known)
        conversation.notes.setdefault(finding.fingerprint, []).append(known)
        self._counted.add(id(known))
        self._tell(known)
        return known

    def answered(self, finding: Finding, recital: Request) -> bool:
        """Whether what an answer shows of its request is new to the conversation; told once more, it is counted."""
        before: list[Known] = recital.conversation.notes.setdefault(finding.fingerprint, [])
        for known in before:
            if known.finding.server.text == finding.server.text:
                known.times += 1
                return False
        known = Known(finding, 0, finding.turn)
        before.append(known)
        self.all.append(known)
        return True

    def _count(self, known: Known) -> None:
        if id(known) not in self._counted:
            self._counted.add(id(known))
            known.times += 1

    def _tell(self, known: Known) -> None:
        if id(known) not in self._told:
            self._told.add(id(known))
            self._new.append(known)

    def _digest(self, turn: int | None) -> int:
        if self._recital is None or turn is None:
            return 0
        hashes, n = self._recital.hashes, turn - self._recital.first
        return hashes[n] if 0 <= n < len(hashes) else 0

    @staticmethod
    def _place(finding: Finding, conversation: Conversation) -> int | None:
        """The turn, counted from the first of the conversation, though the client may have left that out by now."""
        return None if finding.turn is None else finding.turn + conversation.dropped

    def _find(self, finding: Finding, digest: int, recital: Request) -> Known | None:
        """One that this request has not told yet: the same words at the same turn, the same words, the same turn."""
        mark = finding.fingerprint
        if again := self._again.get(mark):
            return again.pop(0)
        if mark not in self._waiting:
            untold = [known for known in recital.conversation.notes.get(mark, ()) if id(known) not in self._told]
            self._waiting[mark] = Waiting(untold)
        return self._waiting[mark].take(digest, self._place(finding, recital.conversation))


def _by_fingerprint(several: Iterable[Known]) -> dict[str, list[Known]]:
    rows: dict[str, list[Known]] = {}
    for known in several:
        rows.setdefault(known.finding.fingerprint, []).append(known)
    return rows
