"""Which conversation a request belongs to.

Stateless requests carry no name for their conversation, only its history. A request goes on with the conversation
whose last words it recites: the last content of that conversation's last request. Clients change what the model said
on the way (ids added, thoughts dropped, old turns trimmed), seldom what they said themselves, so this holds where
comparing whole histories does not. Many conversations open alike; of those the one whose reply is recited is meant.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from wirecheck.dialects.messages import Call, Content, Spot


class Reply:
    """What a server said, as far as it helps to recognise it and to find its calls again."""

    __slots__ = ("calls", "failed", "text")

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.text = ""
        self.failed = False

    def __bool__(self) -> bool:
        return bool(self.calls or self.text)

    def add(self, content: Content) -> None:
        self.calls.extend(content.calls)
        for part in content.parts:
            if "text" in part.data and len(self.text) < 200 and not part.value.get("thought"):
                self.text += str(part.value["text"])

    def likeness(self, content: Content) -> int:
        """How much a recited content looks like this reply."""
        calls = sum(any(same_call(mine, theirs) for mine in self.calls) for theirs in content.calls)
        texts = [str(part.value["text"]) for part in content.parts if "text" in part.data]
        return 4 * calls + 2 * any(text and text[:100] in self.text for text in texts)


class Echoed(Struct, frozen=True):
    """Of the calls of one content: where the server made them, and whether it made them with calls placed earlier."""

    made: tuple[Spot | None, ...] = ()
    parallel: bool = False


NOTHING = Echoed()


def same_call(mine: Call, theirs: Call) -> bool:
    """Whether a recited call is this one: by id where both have one, else by name and arguments."""
    if mine.id and theirs.id and mine.id == theirs.id:
        return True
    return mine.name == theirs.name and (mine.args or {}) == (theirs.args or {})


class Conversation:
    """One thread of requests. `notes` belong to whoever keeps track of what was found in it."""

    __slots__ = ("chain", "echoes", "hashes", "kind", "model", "name", "notes", "open_calls", "reply")

    def __init__(self, name: str, kind: object) -> None:
        self.name = name
        self.kind = kind
        self.hashes: list[int] = []
        self.chain = 0
        self.model: str | None = None  # the last modelVersion heard
        self.reply = Reply()
        self.echoes: dict[tuple[int, int], Echoed] = {}
        self.open_calls = 0
        self.notes: Any = None


class Threads:
    """The conversations that may go on; those idle longest are let go."""

    def __init__(self, count: int = 0, most: int = 4096) -> None:
        self._most = most
        self._count = count
        self._let_go = 0  # calls still open in conversations that were let go
        self._idle: OrderedDict[str, Conversation] = OrderedDict()
        self._by_last: dict[tuple[object, int], list[Conversation]] = {}

    @property
    def open_calls(self) -> int:
        return self._let_go + sum(one.open_calls for one in self._idle.values())

    @property
    def count(self) -> int:
        return self._count

    def find(
        self,
        kind: object,
        hashes: list[int],
        chain: list[int],
        read: Callable[[int], Content],
        owner: Conversation | None,
    ) -> tuple[Conversation, int]:
        """The conversation a request goes on with, and where in the request its new part begins.

        `owner` is the conversation in which the longest known prefix of the request was heard.
        """
        found = self._known(kind, hashes, chain, read) or _reworded(owner, hashes)
        conversation = found or self._new(kind)
        start = self._resumes(conversation, hashes)
        self._move(conversation, hashes, chain[-1] if chain else 0)
        return conversation, start

    def _known(
        self, kind: object, hashes: list[int], chain: list[int], read: Callable[[int], Content]
    ) -> Conversation | None:
        again: Conversation | None = None
        changed: Conversation | None = None
        last = len(hashes) - 1
        for n in range(last, -1, -1):
            waiting = self._by_last.get((kind, hashes[n]))
            if not waiting:
                continue
            exact = [one for one in waiting if one.chain == chain[n]]
            if exact and n == last:
                if failed := next((one for one in exact if not one.reply), None):
                    return failed  # the same request once more: the first got no answer
                again = exact[-1]
            elif exact:
                return _likeliest(exact, read(n + 1))
            elif changed is None:
                changed = next((one for one in reversed(waiting) if _shares(one, hashes)), None)
        return again if again is not None and len(hashes) > 1 else changed

    def alone(self) -> Conversation:
        """A conversation of which no request is known."""
        conversation = self._new(None)
        self._keep(conversation)
        return conversation

    def name(self) -> str:
        self._count += 1
        return f"c{self._count}"

    def _new(self, kind: object) -> Conversation:
        return Conversation(self.name(), kind)

    @staticmethod
    def _resumes(conversation: Conversation, hashes: list[int]) -> int:
        """The first content after the last words of the conversation's last request."""
        if not conversation.hashes:
            return 0
        last = conversation.hashes[-1]
        return next((n + 1 for n in range(len(hashes) - 1, -1, -1) if hashes[n] == last), 0)

    def _move(self, conversation: Conversation, hashes: list[int], link: int) -> None:
        self._unlist(conversation)
        conversation.hashes, conversation.chain = hashes, link
        if hashes:
            self._by_last.setdefault((conversation.kind, hashes[-1]), []).append(conversation)
        self._keep(conversation)

    def _keep(self, conversation: Conversation) -> None:
        self._idle[conversation.name] = conversation
        self._idle.move_to_end(conversation.name)
        if len(self._idle) > self._most:
            _, idle = self._idle.popitem(last=False)
            self._unlist(idle)
            self._let_go += idle.open_calls

    def _unlist(self, conversation: Conversation) -> None:
        if not conversation.hashes:
            return
        key = (conversation.kind, conversation.hashes[-1])
        alike = self._by_last.get(key, [])
        if conversation in alike:
            alike.remove(conversation)
        if not alike:
            self._by_last.pop(key, None)


def _likeliest(alike: list[Conversation], recited: Content) -> Conversation:
    """Of conversations that were alike so far, the one whose reply is recited; else the one that waits longest."""
    if len(alike) == 1:
        return alike[0]
    return max(alike, key=lambda one: one.reply.likeness(recited))


def _reworded(owner: Conversation | None, hashes: list[int]) -> Conversation | None:
    """After a request that got no answer the user may try other last words."""
    if owner is None or owner.reply or len(owner.hashes) != len(hashes) or owner.hashes[:-1] != hashes[:-1]:
        return None
    return owner


def _shares(conversation: Conversation, hashes: list[int]) -> bool:
    """A changed history still has more than its last content in common with what was heard."""
    return len(set(conversation.hashes) & set(hashes)) > 1
