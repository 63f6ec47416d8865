"""What is found in lines that take the quick way: noted in their conversations, as the long way would.

What a content has wrong is known again where it is recited, and not counted anew. The quick way does not look at what
is recited: it has to be sure that nothing of it would be told once more, or for the first time.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from wirecheck.finding import Finding, Severity
from wirecheck.lane import AROUND, ENDING, GONE, SEAM, Found, Place, Usual
from wirecheck.once import Known, Once, Several
from wirecheck.talk.conversation import Conversation, Trimmed
from wirecheck.talk.shared import Shared

Placed = list[tuple[int, Known]]  # and how many contents after the front


class Noting:
    """Of one file. What is found is mild, and only counted."""

    def __init__(self, once: Once, counted: Counter[Severity]) -> None:
        self._once, self._counted = once, counted

    @property
    def tables(self) -> dict[str, Any]:
        """Where it is noted, and as what."""
        return {"counted": self._counted, "again": self._once.again, "known": Known, "several": Several}

    def new(self, one: Usual, found: Found) -> Found | None:
        """What of this was not found in its conversation before; None where that is not sure: something was noted there
        that this history does not hold, and may be told anew."""
        conversation, trimmed = one.conversation, one.trimmed
        if conversation is None:
            return found
        told: Sequence[Known] = conversation.path
        rest = found
        if trimmed is not None:
            kept = self._kept(conversation, trimmed)
            left = None if kept is None else _without(found, kept)
            if kept is None or left is None:
                return None
            trimmed.kept, told, rest = kept, (*trimmed.front, *[known for _, known in kept]), left
        return None if any([self._again(one, place, finding, told) for place, finding in rest]) else rest

    def note(self, one: Usual, found: Found, conversation: Conversation, count: int) -> list[Shared]:
        """What is found is counted, and noted with the contents that have it. Of the last so many, what is wrong up to
        each."""
        notes: list[list[Known]] = [[] for _ in range(count)]
        if one.trimmed is not None:
            _keep(one.trimmed, conversation, notes)
        first = len(one.hashes) - count
        for place, finding in found:
            if place == AROUND and self._once.again(finding, conversation):
                continue
            self._counted[finding.severity] += 1
            if (stands := _stands(one, place)) is not None:
                known = self._once.note(finding, *stands, conversation)
                if place not in (GONE, ENDING):  # nothing recites those
                    notes[0 if place == SEAM else place[0] - first].append(known)
        paths = [*accumulate(notes, Shared.__add__, initial=conversation.path)]
        conversation.path = paths[-1]
        return paths[1:]

    def _kept(self, conversation: Conversation, trimmed: Trimmed) -> Placed | None:
        """What is noted of the contents that are kept after the front; None where it is not clear of which."""
        front, begin, kept = {id(known) for known in trimmed.front}, trimmed.head + trimmed.gone, Placed()
        for known in conversation.path:
            if id(known) not in front:
                if (n := self._once.place(known, conversation)) is None:
                    return None
                kept.append((n - begin, known))
        return [(n, known) for n, known in kept if n >= 0]

    def _again(self, one: Usual, place: Place, finding: Finding, told: Sequence[Known]) -> bool:
        """Whether this may be what was noted of something else."""
        if (stands := _stands(one, place)) is None or one.conversation is None:
            return False
        shift = one.conversation.dropped + (0 if one.trimmed is None else one.trimmed.gone)
        alike = self._once.alike(finding, stands[0], stands[1] + shift, one.conversation)
        return any([place == SEAM or all([known is not each for each in told]) for known in alike])


def _stands(one: Usual, place: Place) -> tuple[int, int] | None:
    """The hash of the content that has it, and its turn in the request."""
    if one.trimmed is not None and place in (SEAM, GONE):
        return one.trimmed.hashes[one.trimmed.head], one.trimmed.head
    n = len(one.hashes) - 1 if place == ENDING else place[0]
    return (one.hashes[n], one.begin + n) if n >= 0 else None


def _without(found: Found, kept: Placed) -> Found | None:
    """What is found that the content at the seam did not have before. None where it does not have all of that now."""
    rest = list(found)
    for known in [known for n, known in kept if n == 0]:
        same = [each for each in rest if each[0] == SEAM and each[1].fingerprint == known.finding.fingerprint]
        if not same:
            return None
        rest.remove(same[0])
    return rest


def _keep(trimmed: Trimmed, conversation: Conversation, notes: list[list[Known]]) -> None:
    """What is noted of the contents that are kept, noted with them where they stand now."""
    conversation.path = trimmed.front
    for n, known in trimmed.kept:
        notes[n].append(known)
