"""Which conversation a request belongs to.

Stateless requests carry no name for their conversation, only its history. A request goes on with the conversation
whose last words it recites: the last content of that conversation's last request. Clients change what the model said
on the way (ids added, thoughts dropped, old turns trimmed), seldom what they said themselves, so this holds where
comparing whole histories does not. Many conversations open alike; of those the one whose reply is recited is meant.
"""

from collections import OrderedDict
from collections.abc import Callable
from itertools import islice, pairwise
from typing import Any

from msgspec import Struct

from wirecheck.dialects.messages import Call, Content, Spot
from wirecheck.talk.plain import plain_digest

_ALIKE = 128  # conversations looked at that have all in common so far
_LATELY = 32  # conversations looked at where bytes do not tell
_LONG = 1 << 16  # contents longer than that are not kept to be compared


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

    __slots__ = ("_plain", "chain", "echoes", "hashes", "kind", "model", "name", "notes", "open_calls", "reply", "tail")

    def __init__(self, name: str, kind: object) -> None:
        self.name = name
        self.kind = kind
        self.hashes: list[int] = []
        self.chain = 0
        self.tail: tuple[bytes, ...] = ()  # the last two contents
        self._plain: tuple[int, ...] | None = None
        self.model: str | None = None  # the last modelVersion heard
        self.reply = Reply()
        self.echoes: dict[tuple[int, int], Echoed] = {}
        self.open_calls = 0
        self.notes: Any = None

    def ends(self, tail: tuple[bytes, ...]) -> None:
        self.tail, self._plain = tuple(raw if len(raw) < _LONG else b"" for raw in tail), None

    def plain_tail(self) -> tuple[int, ...]:
        """What it said last, in any spelling."""
        if self._plain is None:
            self._plain = tuple(map(plain_digest, self.tail))
        return self._plain


class History(Struct, frozen=True):
    """A request as far as it tells its conversation: what kind it is, and its contents, hashed and read when needed."""

    kind: object
    hashes: list[int]
    chain: list[int]
    slices: tuple[bytes, ...]
    read: Callable[[int], Content]


class Threads:
    """The conversations that may go on; those idle longest are let go."""

    def __init__(self, count: int = 0, most: int = 4096) -> None:
        self._most = most
        self._count = count
        self._let_go = 0  # calls still open in conversations that were let go
        self._idle: OrderedDict[str, Conversation] = OrderedDict()
        self._by_chain, self._by_last = Index(), Index()

    @property
    def open_calls(self) -> int:
        return self._let_go + sum(one.open_calls for one in self._idle.values())

    @property
    def count(self) -> int:
        return self._count

    def find(self, history: History, owner: Conversation | None) -> tuple[Conversation, int]:
        """The conversation a request goes on with, and where in the request its new part begins.

        `owner` is the conversation in which the longest known prefix of the request was heard.
        """
        found = self._known(history) or _reworded(owner, history.hashes) or self._in_other_words(history)
        conversation = found or self._new(history.kind)
        start = self._resumes(conversation, history.hashes)
        self._move(conversation, history)
        return conversation, start

    def _known(self, history: History) -> Conversation | None:
        """By the bytes of its last words."""
        hashes, again, changed = history.hashes, None, None
        for n in range(len(hashes) - 1, -1, -1):
            exact = self._by_chain.latest((history.kind, history.chain[n]))
            if exact and n == len(hashes) - 1:
                if failed := next((one for one in exact if not one.reply), None):
                    return failed  # the same request once more: the first got no answer
                again = exact[0]
            elif exact:
                return _likeliest(exact, history.read(n + 1))
            elif changed is None:
                alike = self._by_last.latest((history.kind, hashes[n]))
                changed = next((one for one in alike if _shares(one, hashes)), None)
        return again if again is not None and len(hashes) > 1 else changed

    def _in_other_words(self, history: History) -> Conversation | None:
        """By its last reply, or by its last words in another spelling: some clients write a history anew each time."""
        if len(history.hashes) < 2:
            return None
        lately = [one for one in islice(reversed(self._idle.values()), _LATELY) if one.kind == history.kind]
        for one in lately:
            at = len(one.hashes)
            if one.reply and 0 < at < len(history.hashes) and one.reply.likeness(history.read(at)):
                return one
        told = [plain_digest(raw) for raw in history.slices] if lately else []
        pairs = set(pairwise(told))
        return next((one for one in lately if one.plain_tail() in pairs), None)

    def resume(self, conversation: Conversation, history: History) -> None:
        """A request says itself which conversation it goes on with."""
        self._move(conversation, history)

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

    def _move(self, conversation: Conversation, history: History) -> None:
        self._unlist(conversation)
        conversation.hashes, conversation.chain = history.hashes, history.chain[-1] if history.chain else 0
        conversation.ends(history.slices[-2:])
        if history.hashes:
            self._by_chain.add((conversation.kind, conversation.chain), conversation)
            self._by_last.add((conversation.kind, history.hashes[-1]), conversation)
        self._keep(conversation)

    def _keep(self, conversation: Conversation) -> None:
        self._idle[conversation.name] = conversation
        self._idle.move_to_end(conversation.name)
        if len(self._idle) > self._most:
            _, idle = self._idle.popitem(last=False)
            self._unlist(idle)
            self._let_go += idle.open_calls

    def _unlist(self, conversation: Conversation) -> None:
        if conversation.hashes:
            self._by_chain.remove((conversation.kind, conversation.chain), conversation)
            self._by_last.remove((conversation.kind, conversation.hashes[-1]), conversation)


class Index:
    """Conversations by what they have in common: a history, or their last words. The latest come first."""

    def __init__(self) -> None:
        self._rows: dict[tuple[object, int], dict[str, Conversation]] = {}

    def latest(self, key: tuple[object, int]) -> list[Conversation]:
        row = self._rows.get(key)
        return list(islice(reversed(row.values()), _ALIKE)) if row else []

    def add(self, key: tuple[object, int], conversation: Conversation) -> None:
        self._rows.setdefault(key, {})[conversation.name] = conversation

    def remove(self, key: tuple[object, int], conversation: Conversation) -> None:
        row = self._rows.get(key, {})
        row.pop(conversation.name, None)
        if not row:
            self._rows.pop(key, None)


def _likeliest(alike: list[Conversation], recited: Content) -> Conversation:
    """Of conversations that were alike so far, the one whose reply is recited; else the one that waits longest."""
    if len(alike) == 1:
        return alike[0]
    return max(reversed(alike), key=lambda one: one.reply.likeness(recited))


def _reworded(owner: Conversation | None, hashes: list[int]) -> Conversation | None:
    """After a request that got no answer the user may try other last words."""
    if owner is None or owner.reply or len(owner.hashes) != len(hashes) or owner.hashes[:-1] != hashes[:-1]:
        return None
    return owner


def _shares(conversation: Conversation, hashes: list[int]) -> bool:
    """A changed history still has more than its last content in common with what was heard."""
    return len(set(conversation.hashes) & set(hashes)) > 1
