"""Each mistake once: what a conversation is known to have wrong, and how often that was recited again.

A request recites its history, and with it every mistake in it. A finding is the same as one before if it has the same
fingerprint and stands in the same content, or, where the client wrote that content anew, at the same turn.
"""

from collections import deque
from collections.abc import Callable, Collection, Container, Iterable
from typing import Any

from msgspec import Struct

from wirecheck.finding import Finding, Repeated, Severity
from wirecheck.talk import Mark, Recital
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.shared import NONE, Shared

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

    def stands(self, recital: Recital) -> tuple[Finding, int | None]:
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


class Several(Struct):
    """The findings of one fingerprint in a conversation. Where they stand is only asked on the quick way."""

    all: list[Known] = []
    _contents: dict[int, list[Known]] | None = None
    _turns: set[int | None] = set()

    def add(self, known: Known) -> None:
        self.all.append(known)
        if self._contents is not None:
            self._place(known, self._contents)

    def alike(self, digest: int, turn: int) -> list[Known]:
        """Those in this content, or at this turn."""
        here = self.of(digest)
        if turn in self._turns:
            return [known for known in self.all if known.digest == digest or known.turn == turn]
        return here

    def of(self, digest: int) -> list[Known]:
        """Those in this content."""
        if self._contents is None:
            self._contents = {}
            for known in self.all:
                self._place(known, self._contents)
        return self._contents.get(digest, [])

    def _place(self, known: Known, contents: dict[int, list[Known]]) -> None:
        contents.setdefault(known.digest, []).append(known)
        self._turns.add(known.turn)


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
        self.all: list[Known] = []  # of requests; those taken in at once are only counted, and not among them
        self._many = MANY
        self._recital: Recital | None = None
        self._marked = NONE  # what the request has wrong up to the content before
        self._new: list[Known] = []  # since then
        self._counted: set[int] = set()
        self._told: set[int] = set()
        self._again: dict[str, list[Known]] = {}  # by fingerprint: what a heard part that is read again will tell
        self._waiting: dict[str, Waiting] = {}  # by fingerprint: what the rest of the request may tell again

    @property
    def repeats(self) -> list[Repeated]:
        return [Repeated(known.finding, known.times) for known in self.all if known.times]

    @property
    def recital(self) -> Recital | None:
        """The request that is being heard."""
        return self._recital

    @property
    def recited(self) -> tuple[Known, ...]:
        """All that it has wrong, new or recited again."""
        return *self._marked, *self._new

    @property
    def reciting(self) -> bool:
        """Whether a request is being heard."""
        return self._recital is not None

    @property
    def noted(self) -> Shared:
        """What the history heard last has wrong."""
        return self._marked

    @property
    def full(self) -> bool:
        """Whether it is time to let some go."""
        return len(self.all) > self._many

    def let_go(self, counted: Collection[Severity], held: Container[int]) -> None:
        """How often these were recited nobody asks, but for those `held`, by identity, that may yet be graver."""
        self.all = [known for known in self.all if known.finding.severity not in counted or id(known) in held]
        self._many = 2 * len(self.all) + MANY

    def note(self, finding: Finding, digest: int, turn: int | None, conversation: Conversation) -> Known:
        """What a content of known form has wrong, in a conversation that goes on with it."""
        known = Known(finding, digest, None if turn is None else turn + conversation.dropped)
        if conversation.notes is None:
            conversation.notes = {}
        conversation.notes.setdefault(finding.fingerprint, Several()).add(known)
        return known

    def again(self, finding: Finding, conversation: Conversation) -> bool:
        """Whether what a request as a whole has wrong was said in its conversation before; else it is noted."""
        noted = (conversation.notes or {}).get(finding.fingerprint)
        if noted is not None and noted.all:
            noted.all[0].times += 1
            return True
        self.note(finding, 0, None, conversation)
        return False

    @staticmethod
    def alike(finding: Finding, digest: int, turn: int, conversation: Conversation) -> list[Known]:
        """What this may be, told once more. The turn counts as in Known."""
        noted = (conversation.notes or {}).get(finding.fingerprint)
        return noted.alike(digest, turn) if noted is not None else []

    @staticmethod
    def place(known: Known, conversation: Conversation) -> int | None:
        """Which content this was noted of in this conversation, where that still stands in its place."""
        hashes, n = conversation.hashes, -1 if known.turn is None else known.turn - conversation.dropped
        noted = (conversation.notes or {}).get(known.finding.fingerprint)
        if noted is None or not 0 <= n < len(hashes) or hashes[n] != known.digest:
            return None
        return n if any([one is known for one in noted.of(known.digest)]) else None

    def begin(self, recital: Recital) -> None:
        """A request begins: what its heard part has wrong is recited again."""
        self._recital = recital
        self._marked = recital.node.notes or NONE if recital.node is not None else NONE
        self._new = []
        self._counted, self._waiting = set(), {}
        for known in self._marked:
            self._count(known)
        self._told = set(self._counted)
        self._again = {} if recital.skips else _by_fingerprint(self._marked)
        if recital.conversation.notes is None:
            recital.conversation.notes = {}

    def mark(self, mark: Mark) -> None:
        self._marked, self._new = self._marked + self._new, []
        mark.node.notes = self._marked or None

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
        conversation.notes.setdefault(finding.fingerprint, Several()).add(known)
        self._counted.add(id(known))
        self._tell(known)
        return known

    def answered(self, finding: Finding, recital: Recital) -> bool:
        """Whether what an answer shows of its request is new to the conversation; told once more, it is counted."""
        before = recital.conversation.notes.setdefault(finding.fingerprint, Several())
        for known in before.all:
            if known.finding.server.text == finding.server.text:
                known.times += 1
                return False
        before.add(known := Known(finding, 0, finding.turn))
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

    def _find(self, finding: Finding, digest: int, recital: Recital) -> Known | None:
        """One that this request has not told yet: the same words at the same turn, the same words, the same turn."""
        mark = finding.fingerprint
        if again := self._again.get(mark):
            return again.pop(0)
        if mark not in self._waiting:
            before = recital.conversation.notes.get(mark)
            untold = [known for known in (before.all if before else ()) if id(known) not in self._told]
            self._waiting[mark] = Waiting(untold)
        return self._waiting[mark].take(digest, self._place(finding, recital.conversation))


def noted(line: int) -> Callable[[Any], int]:
    """One number for what is noted in a conversation or up to a prefix, for whom lines begin with this one. Most is
    noted up to many prefixes."""
    numbers: dict[int, int] = {}  # by identity

    def told(notes: Any) -> int:
        several = [known for each in notes.values() for known in each.all] if isinstance(notes, dict) else notes or ()
        new = {id(known): known for known in several if id(known) not in numbers}
        numbers.update({own: _known(known, line) for own, known in new.items()})
        return sum([numbers[id(known)] for known in several])

    return told


def _known(known: Known, line: int) -> int:
    """Where one that is only counted was found, and what the server said there, is that of another of its form."""
    finding = known.finding
    told = finding.fingerprint, finding.severity, known.digest, known.turn, known.rejected, *sorted(known.anew or ())
    if finding.severity == "info":
        return hash(told)
    places = [finding.place, *[each.place for each in finding.related]]
    return hash((told, finding.server, *[(place.line - line, place.pointer) for place in places]))


def _by_fingerprint(several: Iterable[Known]) -> dict[str, list[Known]]:
    rows: dict[str, list[Known]] = {}
    for known in several:
        rows.setdefault(known.finding.fingerprint, []).append(known)
    return rows
