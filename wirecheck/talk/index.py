"""Conversations by numbers they have in common: of their histories, their last words, their last replies."""

from itertools import islice

from wirecheck.talk.conversation import Conversation

_ALIKE = 128  # conversations looked at that have all in common so far


class Index:
    """Under each number the latest come first."""

    def __init__(self) -> None:
        self.rows: dict[int, Conversation | dict[str, Conversation]] = {}  # most often it is one alone

    def latest(self, key: int) -> list[Conversation]:
        row = self.rows.get(key)
        if row is None:
            return []
        return list(islice(reversed(row.values()), _ALIKE)) if type(row) is dict else [row]  # type: ignore[list-item]

    def add(self, key: int, conversation: Conversation) -> None:
        row = self.rows.setdefault(key, conversation)
        if row is conversation:
            return
        if not isinstance(row, dict):
            self.rows[key] = row = {row.name: row}
        row[conversation.name] = conversation

    def remove(self, key: int, conversation: Conversation) -> None:
        row = self.rows.get(key)
        if row is conversation:
            del self.rows[key]
        elif isinstance(row, dict):
            row.pop(conversation.name, None)
            if not row:
                del self.rows[key]
