"""Each mistake once: what a conversation is known to have wrong, and how often that was recited again.

A request recites its history, and with it every mistake in it. A finding is the same as one before if it has the same
fingerprint and stands in the same content, or, where the client wrote that content anew, at the same turn.
"""

from msgspec import Struct

from wirecheck.finding import Finding, Repeated
from wirecheck.talk import Mark, Recital


class Known(Struct):
    """A finding that was given, where it stood, and how often it was recited since."""

    finding: Finding
    digest: int
    turn: int | None
    times: int = 0


class Once:
    """Tells the findings of a request that are new from those that were given before."""

    def __init__(self) -> None:
        self._all: list[Known] = []
        self._heard: tuple[Known, ...] = ()
        self._counted: set[int] = set()
        self._recital: Recital | None = None

    @property
    def repeats(self) -> list[Repeated]:
        return [Repeated(known.finding, known.times) for known in self._all if known.times]

    def begin(self, recital: Recital) -> None:
        """A request begins: what its heard part has wrong is recited again."""
        self._recital = recital
        self._heard = recital.node.notes or () if recital.node is not None else ()
        self._counted = set()
        if recital.conversation.notes is None:
            recital.conversation.notes = []
        for known in self._heard:
            self._count(known)

    def mark(self, mark: Mark) -> None:
        mark.node.notes = self._heard or None

    def end(self) -> None:
        self._recital = None

    def is_new(self, finding: Finding) -> bool:
        """Whether a finding was not given before. Outside of a request each is new."""
        if self._recital is None:
            return True
        digest = self._digest(finding.turn)
        again = self._find(finding, digest)
        if again is None:
            again = Known(finding, digest, finding.turn)
            self._all.append(again)
            self._recital.conversation.notes.append(again)
            self._counted.add(id(again))
            self._heard = (*self._heard, again)
            return True
        self._count(again)
        self._heard = (*self._heard, again)
        return False

    def _count(self, known: Known) -> None:
        if id(known) not in self._counted:
            self._counted.add(id(known))
            known.times += 1

    def _digest(self, turn: int | None) -> int:
        hashes = self._recital.hashes if self._recital is not None else []
        return hashes[turn] if turn is not None and turn < len(hashes) else 0

    def _find(self, finding: Finding, digest: int) -> Known | None:
        """One that this request has not had yet; the same words first, then the same turn."""
        assert self._recital is not None
        alike = [
            known
            for known in self._recital.conversation.notes
            if known.finding.fingerprint == finding.fingerprint and id(known) not in self._counted
        ]
        same = [known for known in alike if known.digest == digest]
        return next(iter(same or [known for known in alike if known.turn == finding.turn]), None)
