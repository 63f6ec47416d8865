"""Conversations by numbers they have in common: of their histories, their last words, their last replies."""

from collections.abc import Collection, Iterable
from itertools import islice

from wirecheck.talk.http.conversation import Conversation

ALIKE = 128  # conversations looked at that have all in common so far
NOBODY: list[Conversation] = []


class ConversationIndex:
    """Under each number the latest come first. Most often there is one alone."""

    __slots__ = ("_rows",)

    def __init__(self) -> None:
        self._rows: dict[int, Conversation | dict[Conversation, None]] = {}

    def lacks(self, keys: Collection[int]) -> bool:
        """Whether nobody is under any of these."""
        return self._rows.keys().isdisjoint(keys)

    def latest(self, key: int) -> list[Conversation]:
        row = self._rows.get(key)
        if row is None:
            return NOBODY
        return list(islice(reversed(row), ALIKE)) if isinstance(row, dict) else [row]

    def add(self, keys: Iterable[int], conversation: Conversation) -> None:
        rows = self._rows
        for key in keys:
            row = rows.setdefault(key, conversation)
            if row is conversation:
                continue
            if not isinstance(row, dict):
                rows[key] = row = {row: None}
            row[conversation] = None

    def remove(self, keys: Iterable[int], conversation: Conversation) -> None:
        for key in keys:
            row = self._rows.get(key)
            if row is conversation:
                del self._rows[key]
            elif isinstance(row, dict):
                row.pop(conversation, None)
                if not row:
                    del self._rows[key]
