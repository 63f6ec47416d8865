"""A share of a log, heard apart from the rest: what might have to do with conversations of others is noted.

Histories that begin alike are of one share. A request that no history leads to may still be known by the last words or
the reply of a conversation that somebody else hears; a signature may be one of another share; and what is found after a
long time may have been let go where all is heard. Whoever compares the notes of all shares can tell whether one process
would have heard the same.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct, field

from wirecheck.dialects.messages import Chunk, Connected, Message, Recited
from wirecheck.models import Models
from wirecheck.talk.conversation import Conversation, History, Kind, Taken, keys_of
from wirecheck.talk.facts import Fact
from wirecheck.talk.index import Index
from wirecheck.talk.memory import Kept, Memory
from wirecheck.talk.reply import sign_of, texts, words_of
from wirecheck.talk.retelling import Signatures
from wirecheck.talk.talk import Talk
from wirecheck.talk.threads import Threads

NEVER = 1 << 62  # a line that no log has


class Astray(Exception):
    """What was heard belongs to another share."""


def _keys() -> "array[int]":
    return array("Q")  # many of them go through a pipe


class Noted(Struct):
    """What happened in a memory of so many things: keys put in, or (`anew`) all that are there; those asked for that
    others may have put in; how many things were put in or moved up, and how many there are; the oldest line found."""

    most: int
    put: "array[int]" = field(default_factory=_keys)
    anew: bool = False
    asked: "array[int]" = field(default_factory=_keys)
    moved: int = 0
    size: int = 0
    oldest: int = NEVER

    def found(self, line: int) -> None:
        if 0 < line < self.oldest:  # 0: it was not there before
            self.oldest = line


class Apart(Talk):
    """`mine` says of a first content whether this share is its own; what has none is the `first` share's."""

    apart = True

    def __init__(
        self,
        mine: Callable[[bytes], bool],
        first: bool,
        models: Models,
        conversations: int = 0,
        sessions: int = 0,
        *,
        recognise: bool = True,
    ) -> None:
        super().__init__(models, conversations, sessions, recognise=recognise)
        self._mine, self._first = mine, first
        self._threads: _Threads = _Threads(conversations)
        self._memory: _Memory = _Memory()
        self._signatures: _Signatures = _Signatures()

    @property
    def births(self) -> Sequence[int]:
        """The lines in which the conversations were born, in order."""
        return self._threads.births

    def begin(self, line: int) -> None:
        """Another line is heard."""
        if self._threads.kept:
            self._threads.settle()
        self._threads.line = self._memory.line = self._signatures.line = line

    def tell(self, *, anew: bool) -> list[Noted]:
        """What was noted since this was asked last. Now and then all keys are told, for those taken out are not."""
        self._threads.settle()
        return [*self._threads.tell(anew), self._memory.tell(), self._signatures.tell(anew)]

    def hear(self, message: Message) -> Iterable[Fact]:
        if not self._ours(message):
            raise Astray
        return super().hear(message)

    def go_on(self, taken: Taken, noted: int | None = None) -> tuple[Conversation, list[int]] | None:
        if taken.conversation is None and not self._mine(bytes(taken.tail[0])):
            raise Astray
        return super().go_on(taken, noted)

    def _ours(self, message: Message) -> bool:
        if isinstance(message, Recited) and message.protocol == "generate-content":
            return not message.slices or self._mine(message.slices[0])
        named = isinstance(message, Chunk) and message.interaction is not None
        return self._first or not (named or isinstance(message, Recited | Connected))


class _Threads(Threads):
    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._stood: _Rows = _Rows()
        self._marked: _Rows = _Rows()
        self._noted = self._new_notes()
        self.births = array("Q")
        self.kept: list[Conversation] = []  # in this line
        self.line = 0

    def settle(self) -> None:
        """What a conversation was known by for a moment, nobody else could ask for."""
        for one in self.kept:
            if one.hashes:
                self._noted[0].put.extend((one.chain, *one.marks()))
        self.kept.clear()

    def _new_notes(self) -> list[Noted]:
        """Of the conversations, and of what is not kept of all of them: replies, and where calls were made."""
        self._moved: dict[str, int] = {}  # the conversations that went on, and the places that they took at most
        self._rooms = self._replies, self._echoes
        for room in self._rooms:
            room.moved = {}
        return [Noted(self._most), *[Noted(room.most) for room in self._rooms]]

    def tell(self, anew: bool) -> list[Noted]:
        told, moved = self._noted, (self._moved, *[room.moved or {} for room in self._rooms])
        held = sum([one.places for one in [*self._lately, *self._idle()]])
        for noted, some, size in zip(told, moved, (held, *[room.weight for room in self._rooms]), strict=True):
            noted.moved, noted.size = sum(some.values()), size
        self._noted = self._new_notes()
        told[0].anew = anew
        told[0].put.extend([*self._stood.keys(), *self._by_marks().keys()] if anew else ())
        return told

    def _found(self, conversation: Conversation) -> None:
        conversations, *others = self._noted
        if self._holds(conversation):
            conversations.found(conversation.line)
        for noted, room in zip(others, self._rooms, strict=True):
            if conversation.name in room.held:
                noted.found(conversation.line)

    def name(self) -> str:
        self.births.append(self.line)
        return super().name()

    def find(self, history: History, owner: Conversation | None) -> tuple[Conversation, int]:
        """Where its whole history leads to none, others might be meant. A single content is known by nothing else."""
        asks = len(history.hashes) > 1 and not self._stood.holds_any(history.chain)
        seen = list[Conversation]()
        self._stood.seen = self._marked.seen = seen
        found = super().find(history, owner)
        if asks:
            contents = list(map(history.read, range(len(history.hashes))))
            words = [words_of(texts(one)) for one in contents if one.speaker == "user"]
            signs = [sign_of(one) for one in contents if one.speaker != "user"]
            self._noted[0].asked.extend(keys_of(history.kind, history.hashes, words, signs))
            for one in seen:
                self._found(one)
        self._stood.seen = self._marked.seen = None
        return found

    def trimmed(self, hashes: "array[int]", chain: list[int], kind: Kind) -> tuple[int, Conversation] | None:
        found = super().trimmed(hashes, chain, kind)
        if found is not None:
            self._noted[0].asked.extend([kind.thread ^ one for one in hashes])
        return found

    def fresh(self, taken: Taken) -> bool:
        if len(taken.hashes) > 1:
            keys = keys_of(taken.kind.thread, taken.hashes, taken.told.asked, taken.told.signs)
            self._noted[0].asked.extend(keys)
        return super().fresh(taken)

    def extends(self, conversation: Conversation, chain: list[int]) -> bool:
        self._found(conversation)
        return super().extends(conversation, chain)

    def replied(self, conversation: Conversation) -> None:
        self._found(conversation)
        self.kept.append(conversation)  # it has one key more
        super().replied(conversation)

    def _move(self, conversation: Conversation, history: History) -> None:
        self._found(conversation)
        super()._move(conversation, history)

    def _keep(self, conversation: Conversation) -> None:
        conversation.line = self.line
        self.kept.append(conversation)
        super()._keep(conversation)
        self._moved[conversation.name] = max(conversation.places, self._moved.get(conversation.name, 0))


class _Rows(Index):
    """`seen` are the conversations that were looked at, where somebody wants to know."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Conversation] | None = None

    def latest(self, key: int) -> list[Conversation]:
        found = super().latest(key)
        if self.seen is not None:
            self.seen += found
        return found


class _Memory(Memory):
    """Its keys are whole histories: those of other shares are never found here."""

    def __init__(self) -> None:
        super().__init__()
        self._noted = self._new_note()
        self._lines: dict[int, int] = {}
        self._lines_before: dict[int, int] = {}
        self.line = 0

    def _new_note(self) -> Noted:
        return Noted(self._most // 2)  # on the long way a line puts in more, and not every process takes that

    def tell(self) -> Noted:
        told, self._noted = self._noted, self._new_note()
        told.size = len(self._lately) + len(self._before)
        return told

    def again(self, key: int) -> bool:
        heard = self._lines.get(key) or self._lines_before.get(key, 0)
        if not super().again(key):
            return False
        self._noted.found(heard)
        self._lines[key] = self.line
        self._noted.moved += 1
        return True

    def _put(self, key: int, node: Kept) -> None:
        """It is known of each in which line it was heard last."""
        if len(self._lately) >= self._most:  # another generation begins
            self._lines_before, self._lines = self._lines, {}
        super()._put(key, node)
        self._lines[key] = self.line
        self._noted.moved += 1


class _Signatures(Signatures):
    def __init__(self) -> None:
        super().__init__()
        self._noted = Noted(self._most)

    def tell(self, anew: bool) -> Noted:
        told, self._noted = self._noted, Noted(self._most)
        told.anew, told.size = anew, len(self._lately) + len(self._before)
        told.put.extend([*self._lately, *self._before] if anew else ())
        return told

    def add(self, digests: Iterable[int]) -> None:
        new = list(digests)
        super().add(new)
        self._noted.put.extend(new)
        self._noted.moved += len(new)

    def _given(self, digest: int) -> int | None:
        line = super()._given(digest)
        self._noted.asked.append(digest)
        self._noted.found(line or 0)
        return line
