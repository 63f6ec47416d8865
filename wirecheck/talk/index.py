"""Conversations by numbers they have in common: of their histories, their last words, their last replies.

They stand in two generations. When the older one is let go, so is its part of the index, as a whole.
"""

from collections.abc import Collection
from itertools import chain, islice

from wirecheck.talk.conversation import Conversation

_ALIKE = 128  # conversations looked at that have all in common so far
Row = Conversation | dict[str, Conversation]  # most often it is one alone
Rows = dict[int, Row]


class Index:
    """Under each number the latest come first."""

    __slots__ = ("_before", "_lately")

    def __init__(self) -> None:
        self._lately: Rows = {}
        self._before: Rows = {}

    def turn(self) -> None:
        """Another generation begins."""
        self._before, self._lately = self._lately, {}

    def latest(self, key: int) -> list[Conversation]:
        lately, before = self._lately.get(key), self._before.get(key)
        if lately is None and before is None:
            return []
        return list(islice(chain(_of(lately), _of(before)), _ALIKE))

    def add(self, key: int, conversation: Conversation, *, lately: bool = True) -> None:
        rows = self._lately if lately else self._before
        row = rows.setdefault(key, conversation)
        if row is conversation:
            return
        if not isinstance(row, dict):
            rows[key] = row = {row.name: row}
        row[conversation.name] = conversation

    def remove(self, key: int, conversation: Conversation) -> None:
        for rows in (self._lately, self._before):
            row = rows.get(key)
            if row is conversation:
                del rows[key]
                return
            if isinstance(row, dict):
                row.pop(conversation.name, None)
                if not row:
                    del rows[key]


def _of(row: Row | None) -> Collection[Conversation]:
    return () if row is None else [*reversed(row.values())] if isinstance(row, dict) else (row,)
