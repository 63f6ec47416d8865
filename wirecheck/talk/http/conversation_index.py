"""Conversations by numbers they have in common: of their histories, their last words, their last replies.

They stand in two generations. When the older one is evicted, so is its part of the index, as a whole.
"""

from collections.abc import Collection, Iterable
from itertools import islice

from wirecheck.talk.http.conversation import Conversation

ALIKE = 128  # conversations looked at that have all in common so far
Rows = dict[int, Conversation | dict[Conversation, None]]  # most often it is one alone
NOBODY: list[Conversation] = []


class ConversationIndex:
    """Under each number the latest come first."""

    __slots__ = ("_old", "_young")

    def __init__(self) -> None:
        self._young: Rows = {}
        self._old: Rows = {}

    def turn(self) -> None:
        """Another generation begins."""
        self._old, self._young = self._young, {}

    def lacks(self, keys: Collection[int]) -> bool:
        """Whether nobody stands under any of these."""
        return self._young.keys().isdisjoint(keys) and self._old.keys().isdisjoint(keys)

    def latest(self, key: int) -> list[Conversation]:
        young, old = self._young.get(key), self._old.get(key)
        if young is None and old is None:
            return NOBODY
        several = [*(_of(young) if young is not None else ()), *(_of(old) if old is not None else ())]
        return several if len(several) < ALIKE else list(islice(several, ALIKE))

    def add(self, keys: Iterable[int], conversation: Conversation, *, young: bool = True) -> None:
        rows = self._young if young else self._old
        for key in keys:
            row = rows.setdefault(key, conversation)
            if row is conversation:
                continue
            if type(row) is not dict:
                rows[key] = row = {row: None}  # type: ignore[dict-item]
            row[conversation] = None

    def remove(self, keys: Iterable[int], conversation: Conversation) -> None:
        for key in keys:
            for rows in (self._young, self._old):
                row = rows.get(key)
                if row is conversation:
                    del rows[key]
                    break
                if type(row) is dict:
                    row.pop(conversation, None)
                    if not row:
                        del rows[key]


def _of(row: Conversation | dict[Conversation, None]) -> Iterable[Conversation]:
    return reversed(row) if type(row) is dict else (row,)  # type: ignore[return-value]
