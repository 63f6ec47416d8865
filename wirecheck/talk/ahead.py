"""A log heard from its middle on, before it is known what came before.

Whoever does that does not know the conversations that began earlier. From a certain line on it notes what it looks up:
histories, prefixes, last words, signatures. If one who has heard everything up to that line remembers the same under
each of these keys, both would go on alike (`agrees`).

It also has to let go of things as that one would. What it finds must be there for certain, so it remembers half as
much; what it looks up in vain must be gone for certain, so of what it lets go it keeps the keys for a while. And of
what is weighed it notes how much more came before it was used: the other one had more in the same room.
"""

from array import array
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from wirecheck.dialects.messages import Chunk, Connected, Message, Recited
from wirecheck.models import Models
from wirecheck.talk.conversation import SIGN, WORDS, Conversation, History
from wirecheck.talk.exchange import Exchange
from wirecheck.talk.facts import Fact
from wirecheck.talk.index import Index
from wirecheck.talk.memory import Kept, Left, Memory, Node
from wirecheck.talk.reply import NO_REPLY, SAID
from wirecheck.talk.retelling import Signatures
from wirecheck.talk.room import Room
from wirecheck.talk.talk import Talk
from wirecheck.talk.threads import CALLS, REPLIES, Threads

MOST = 1 << 21  # keys that are noted
SOME = 1 << 16  # of them that are compared at a time

Noted = Callable[[Any], int]  # a number for what is noted in a conversation, or up to a prefix


class Mixed(Exception):
    """Nobody can say what one who has heard everything would make of this."""


class Held(Struct, frozen=True):
    """What stands under which key; and how the conversations are named whose histories some of these are."""

    states: dict[int, int]
    names: dict[int, list[str]]


class Heard(Struct, frozen=True):
    """What one looked up who heard a part of a log: keys, in each memory; and for each room, what was there at the
    start under the name of a conversation and was used, and how much had come by then. `held` is what there was."""

    keys: tuple[bytes, ...]
    used: tuple[dict[str, int], ...]
    held: Held


class Asked:
    """What is looked up in one memory, and the keys of what it let go: until one who remembers `most` has let go of it
    as well.

    That one counts each thing once, until there are `most`, and then anew; it holds what came in this round or the
    last. When it began to count is not known, so two whole rounds have to go by.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._moved: dict[Hashable, int] = {}
        self._gone: deque[set[int]] = deque([set()], maxlen=3)  # by rounds
        self._rounds = self._last = 0
        self.keys, self.noted = array("Q"), array("Q")  # since they were heeded; since the start

    def turn(self, moved: Mapping[Any, int], keys: Iterable[int]) -> None:
        """These came or came again, with the places they take, and what has these keys is let go."""
        self.heed()
        self._gone[0].update(keys)
        self._moved.update(moved)
        if sum(self._moved.values()) >= self._most:
            self._moved.clear()
            self._gone.appendleft(set())
            self._rounds += 1

    def start(self) -> None:
        """From here on it is noted, as long as anything can still be known from before."""
        self.heed()
        self._last = self._rounds + 3

    def heed(self) -> None:
        """What was looked up may be known to one who remembers more."""
        looked = set(self.keys)
        if not all([gone.isdisjoint(looked) for gone in self._gone]):
            raise Mixed
        if self._rounds < self._last:
            self.noted.extend(self.keys)
            if len(self.noted) > MOST:
                raise Mixed
        del self.keys[:]


class Ahead(Talk):
    """Knows one kind of conversation only: what else is said is tied to what came before in other ways."""

    def __init__(self, models: Models, conversations: int = 0, sessions: int = 0, *, recognise: bool = True) -> None:
        super().__init__(models, conversations, sessions, recognise=recognise)
        self._threads: _Threads = _Threads(conversations, self._let_go_of)
        self._memory: _Memory = _Memory(self.heed)
        self._signatures: _Signatures = _Signatures(self.heed)
        self._all = self._threads.asked, self._memory.asked, self._signatures.asked
        self._held = Held({}, {})

    @property
    def memories(self) -> dict[str, Any]:
        keys = {"of_conversations": self._threads.asked.keys, "of_prefixes": self._memory.asked.keys}
        return {**super().memories, **keys}

    def hear(self, message: Message) -> Iterable[Fact]:
        other = isinstance(message, Recited) and message.protocol != "generate-content"
        named = isinstance(message, Chunk) and message.interaction is not None
        if other or named or isinstance(message, Connected):
            raise Mixed
        if isinstance(message, Recited) and self._channels.keys() - {message.seen.channel}:
            self._threads.overlaps()
        return super().hear(message)

    def start(self, noted: Noted) -> None:
        """From here on it is noted what is looked up."""
        self.heed()
        for asked in self._all:
            asked.start()
        for room in self._threads.noting:
            room.start()
        self._held = Held(_states(self, noted), _names(self))

    def heed(self) -> None:
        """Now and then, and before anything is let go."""
        for asked in self._all:
            asked.heed()

    def takes_over(self, heard: Heard) -> None:
        """What came after was heard by another: whoever is asked about this is asked about that as well."""
        for asked, keys in zip(self._all, heard.keys, strict=True):
            asked.keys.frombytes(keys)
        self.heed()

    def looked_up(self) -> Heard:
        """What was looked up since the start."""
        self.heed()
        keys = tuple([asked.noted.tobytes() for asked in self._all])
        return Heard(keys, tuple([room.used for room in self._threads.noting]), self._held)

    def _let_go_of(self, idle: list[Conversation]) -> None:
        """A conversation whose reply is still to come is not as one who keeps it longer knows it."""
        self.heed()
        waits = {one.conversation.name for one in self._channels.values() if isinstance(one, Exchange)}
        if waits and not waits.isdisjoint([one.name for one in idle]):
            raise Mixed


def agrees(talk: Talk, heard: Heard, noted: Noted) -> dict[str, str] | None:
    """How the conversations are named here that were named otherwise there; None where who heard this might have heard
    something else here."""
    if any([_differs(talk, keys, heard.held, noted) for keys in heard.keys]):
        return None
    here, there = _names(talk, set(heard.held.names)), heard.held.names
    names = dict([pair for key, row in here.items() for pair in zip(there[key], row, strict=False)])
    for room, used in zip(talk.remembered[0].rooms(), heard.used, strict=True):
        since = room.since() if used else {}
        if any([since.get(names.get(name, ""), room.most + 1) + came > room.most for name, came in used.items()]):
            return None
    return names


def _differs(talk: Talk, asked: bytes, there: Held, noted: Noted) -> bool:
    """Whether something else is remembered here than `there` under any of the keys asked for."""
    keys = memoryview(asked).cast("Q")
    return any(_differ(talk, set(keys[n : n + SOME]), there.states, noted) for n in range(0, len(keys), SOME))


def _differ(talk: Talk, keys: set[int], there: dict[int, int], noted: Noted) -> bool:
    here = _states(talk, noted, keys)
    return any([here.get(key, 0) != there.get(key, 0) for key in keys & (here.keys() | there.keys())])


def _states(talk: Talk, noted: Noted, keys: set[int] | None = None) -> dict[int, int]:
    """A number for what is remembered under each of these keys, or of all."""
    threads, memory, signatures = talk.remembered
    states: dict[int, int] = {}
    for index in threads.indexes():
        for key, row in index.rows(keys):
            states[key] = states.get(key, 0) + sum([_of_conversation(one, noted) for one in row])
    states.update([(key, _of_prefix(found, noted)) for key, found in memory.kept(keys)])
    states.update(dict.fromkeys(signatures.digests(keys), 1))
    return states


def _names(talk: Talk, keys: set[int] | None = None) -> dict[int, list[str]]:
    """Of the conversations whose histories have these keys, or of all."""
    names: dict[int, list[str]] = {}
    for key, row in talk.remembered[0].indexes()[0].rows(keys):
        names.setdefault(key, []).extend(one.name for one in row)
    return names


def _of_conversation(one: Conversation, noted: Noted) -> int:
    """What of a conversation what comes later can hang on, but for what is as it is because these are."""
    reply = one.reply
    return hash(
        (
            (one.kind, one.chain, one.hashes.tobytes(), one.words, one.opening, one.sign, one.model),
            (bool(reply), reply in (SAID, NO_REPLY), reply.failed, reply.doubtful),
            (one.open_calls, one.dropped, one.wrong, one.placed, one.lost, len(one.echoes or ()), len(one.called)),
            noted(one.notes),
        )
    )


def _of_prefix(kept: Kept, noted: Noted) -> int:
    """Whose it is, as far as that can be said of one that is let go; and what is wrong up to it."""
    owner, notes = (kept.owner, kept.notes) if isinstance(kept, Node | Left) else (kept, None)
    return hash((owner.kind, owner.chain, bool(owner.reply), noted(notes)))


class _Room(Room[str, Conversation]):
    """Notes of what was there at the start how much came until it was used."""

    def __init__(self, most: int, light: int) -> None:
        super().__init__(most, light)
        self._before = set[str]()
        self._came = 0
        self.used: dict[str, int] = {}

    def start(self) -> None:
        self._before, self._came = set(self.held), 0

    def keep(self, key: str, value: Conversation, weight: int) -> Sequence[Conversation]:
        self._use(key)
        self._came += weight
        return super().keep(key, value, weight)

    def drop(self, key: str) -> None:
        self._use(key)
        super().drop(key)

    def let_go(self, key: str) -> None:
        """It is not used any more."""
        self._before.discard(key)

    def _use(self, key: str) -> None:
        if key in self._before:
            self._before.remove(key)
            self.used[key] = self._came


class _Rows(Index):
    """Tells what is looked up."""

    def __init__(self, asked: Asked) -> None:
        super().__init__()
        self._asked = asked.keys
        self.overlap = False

    def __contains__(self, key: int) -> bool:
        self._asked.append(key)
        return super().__contains__(key)

    def holds_any(self, keys: Collection[int]) -> bool:
        self._asked.extend(keys)
        return super().holds_any(keys)

    def latest(self, key: int) -> list[Conversation]:
        """Which of several is the latest hangs on where a generation ended, if one was asked before another replied."""
        found = super().latest(key)
        if self.overlap and len(found) > 1:
            raise Mixed
        return found

    def alone(self, key: int) -> Conversation | None:
        self._asked.append(key)
        return super().alone(key)


class _Threads(Threads):
    def __init__(self, count: int, let_go_of: Callable[[list[Conversation]], None]) -> None:
        super().__init__(count)
        self.asked, self._let_go_of = Asked(self._most), let_go_of
        self._most = self._most * 7 // 16  # less than half: a long conversation takes several places
        self._stood: _Rows = _Rows(self.asked)
        self._marked: _Rows = _Rows(self.asked)
        self.noting = self._replies, self._echoes = _Room(*REPLIES), _Room(*CALLS)

    def overlaps(self) -> None:
        """Exchanges go on at the same time."""
        self._stood.overlap = self._marked.overlap = True

    def find(self, history: History, owner: Conversation | None) -> tuple[Conversation, int]:
        """The owner of a prefix is looked at, too."""
        if owner is not None:
            self.asked.keys.append(owner.chain)
        return super().find(history, owner)

    def _turn(self) -> None:
        everyone = self._idle()
        self._let_go_of(everyone)
        for room in self.noting:
            for one in everyone:
                room.let_go(one.name)
        idle = [one for one in everyone if one.hashes]
        keys = [one.chain for one in idle]  # and what Conversation.marks says, of many at once
        keys += [one.kind ^ one.hashes[-1] for one in idle]
        keys += [one.kind ^ one.words ^ WORDS for one in idle]
        keys += [one.kind ^ one.sign ^ SIGN for one in idle if one.sign]
        self.asked.turn({one.name: one.places for one in self._lately}, keys)
        super()._turn()


class _Memory(Memory):
    def __init__(self, heed: Callable[[], None]) -> None:
        super().__init__()
        self.asked, self.heed = Asked(self._most), heed
        self._most //= 2

    def longest(self, kind: int, chain: list[int]) -> tuple[int, Node | None]:
        found = super().longest(kind, chain)
        self.asked.keys.extend([kind ^ link for link in chain[max(found[0] - 1, 0) :]])
        return found

    def again(self, key: int) -> bool:
        self.asked.keys.append(key)
        return super().again(key)

    def _turn(self) -> None:
        _lets_go(self)
        super()._turn()


class _Signatures(Signatures):
    def __init__(self, heed: Callable[[], None]) -> None:
        super().__init__()
        self.asked, self.heed = Asked(self._most), heed
        self._most //= 2

    def _given(self, digest: int) -> bool:
        self.asked.keys.append(digest)
        return super()._given(digest)

    def _turn(self) -> None:
        _lets_go(self)
        super()._turn()


def _lets_go(one: _Memory | _Signatures) -> None:
    """Each of its keys takes one place."""
    one.heed()
    one.asked.turn(dict.fromkeys(one._lately, 1), one._before.keys() - one._lately.keys())
