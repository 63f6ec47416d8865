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
from wirecheck.talk.piece import Piece, pieces
from wirecheck.talk.plain import plain_digest

_ALIKE = 128  # conversations looked at that have all in common so far
_LATELY = 32  # conversations looked at where bytes do not tell
_MOST = 256  # contents with calls that are remembered, of one conversation
_LONG = 1 << 16  # contents longer than that are not kept to be compared
_PIECES = 512  # parts of one reply that are kept
BEGINS = 40  # characters of a reply that tell it from others
_WORD = (1 << 64) - 1
# What tells keys of one index apart: of the last words of a user, and of a reply.
_WORDS, _SIGN = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F


class Reply:
    """What a server said, as far as it helps to recognise it and to find its calls again."""

    __slots__ = ("calls", "doubtful", "failed", "finish", "pieces", "text")

    def __init__(self, *, doubtful: bool = False) -> None:
        self.calls: list[Call] = []
        self.pieces: list[Piece] = []
        self.text = ""
        self.failed = False
        self.finish: str | None = None
        self.doubtful = doubtful  # there is another reply that may be the one recited

    def __bool__(self) -> bool:
        return bool(self.calls or self.text)

    def add(self, content: Content) -> list[Piece]:
        """Its parts that must come back, which are kept as well."""
        self.calls.extend(content.calls)
        new = pieces(content)
        self.pieces.extend(new)
        self.doubtful = self.doubtful or len(self.pieces) > _PIECES
        for part in content.parts:
            if "text" in part.data and len(self.text) < 200 and not part.value.get("thought"):
                self.text += str(part.value["text"])
        return new

    def sign(self) -> int:
        """By what it may be known again: how it begins, or the id of its first call."""
        return sign(self.text, [call.id for call in self.calls[:1]])

    def made(self) -> tuple[Spot, ...]:
        """Where its calls stand."""
        return tuple(call.spot for call in self.calls)

    def likeness(self, content: Content) -> int:
        """How much a recited content looks like this reply."""
        calls = sum(any(same_call(mine, theirs) for mine in self.calls) for theirs in content.calls)
        texts = [str(part.value["text"]) for part in content.parts if "text" in part.data]
        return 4 * calls + 2 * any(text and text[:100] in self.text for text in texts)


class Echoed(Struct, frozen=True):
    """Of the calls of one content: where the server made them, whether with calls placed earlier, whether signed."""

    made: tuple[Spot | None, ...] = ()
    parallel: bool = False
    signed: str = "unknown"  # whether the server signed the first of them: signed, beside (another one), unsigned


NOTHING = Echoed()
NO_REPLY, SAID = Reply(), Reply()
SAID.text = "…"


def same_call(mine: Call, theirs: Call) -> bool:
    """Whether a recited call is this one: by id where both have one, else by name and arguments."""
    if mine.id and theirs.id and mine.id == theirs.id:
        return True
    return mine.name == theirs.name and (mine.args or {}) == (theirs.args or {})


class Kind(Struct, frozen=True):
    """What must be the same, besides the contents, for two histories to be one: as a number, and what of that tells
    conversations apart (the version, and whether it is a whole request, does not)."""

    thread: int
    exact: int


def kind_of(protocol: str, surface: str, band: str | None, *rest: object) -> Kind:
    return Kind(*(hash(key) & _WORD for key in ((protocol, surface, band), (protocol, surface, band, *rest))))


class Conversation(Struct, eq=False):
    """One thread of requests. `notes` belong to whoever keeps track of what was found in it."""

    name: str
    kind: int
    hashes: list[int] = []
    before: list[int] = []  # the hashes of the request before, while one is heard
    at: Callable[[int], Spot] | None = None  # the places of the contents of the last request
    chain: int = 0
    tail: tuple[bytes, ...] = ()  # the last two contents
    words: int = 0  # a hash of what the user said last
    sign: int = 0  # of the last reply
    plain: tuple[int, ...] | None = None  # the tail in any spelling, once somebody has asked
    model: str | None = None  # the last modelVersion heard
    reply: Reply = NO_REPLY
    echoes: dict[tuple[int, int], Echoed] = {}
    open_calls: int = 0
    notes: Any = None
    noted: int = 0  # how many there are
    sound: Kind | None = None  # of its last request, where all is well with it but what is noted in `path`
    state: str = "nothing"  # what stands last then
    path: tuple[Any, ...] = ()
    called: tuple[Any, ...] = ()  # the functions called so far
    dropped: int = 0  # contents that the client has left out at the front, so far
    wrong: bool = False  # whether anything was found in it that is worth telling
    line: int = 0  # where it was heard of last, for those who note that

    def marks(self) -> tuple[int, ...]:
        """By what it may be found: its history, its last content, and the last words of its user and of a reply."""
        kind = self.kind
        marks = (self.chain, kind ^ self.hashes[-1], kind ^ self.words ^ _WORDS)
        return (*marks, kind ^ self.sign ^ _SIGN) if self.sign else marks

    def ends(self, tail: tuple[bytes, ...]) -> None:
        self.tail, self.plain = tail, None
        if sum(map(len, tail)) > _LONG:
            self.tail = tuple([raw if len(raw) < _LONG else b"" for raw in tail])

    def forget(self) -> None:
        """It is let go. What it said is not kept by those prefixes that still name it, only that it was answered."""
        self.tail, self.at, self.echoes, self.sound = (), None, {}, None
        self.reply = SAID if self.reply else NO_REPLY

    def remembers(self, key: tuple[int, int], echoed: Echoed) -> None:
        """Where the server made the calls of a content that is recited."""
        self.echoes[key] = echoed
        if len(self.echoes) > _MOST:
            del self.echoes[next(iter(self.echoes))]

    def plain_tail(self) -> tuple[int, ...]:
        """What it said last, in any spelling."""
        if self.plain is None:
            self.plain = tuple(map(plain_digest, self.tail))
        return self.plain


class History(Struct, frozen=True):
    """A request as far as it tells its conversation: what kind it is, and its contents, hashed and read when needed."""

    kind: int
    hashes: list[int]
    chain: list[int]
    slices: tuple[bytes, ...]
    read: Callable[[int], Content]


class Taken(Struct, eq=False):
    """An exchange that is as usual, as far as its conversation goes on with it.

    `begin` counts the contents heard before in `conversation` (None for a new one), `tail` are those after them.
    `asked` are the words of its user in them, `signs` of the model.
    """

    kind: Kind
    conversation: Conversation | None
    begin: int
    tail: tuple[bytes, ...]
    hashes: list[int]
    chain: list[int]
    asked: list[int]
    signs: list[int]
    recites: bool  # calls of the reply before
    state: str
    reply: Any
    at: Callable[[int], Spot]  # the places of its contents
    calls: int  # of the reply, and what else it may be known by
    model: str
    sign: int
    signatures: list[int]
    called: tuple[Any, ...]


class Threads:
    """The conversations that may go on; those idle longest are let go."""

    def __init__(self, count: int = 0, most: int = 4096) -> None:
        self._most = most
        self._count = count
        self._let_go = 0  # calls still open in conversations that were let go
        self._idle: OrderedDict[str, Conversation] = OrderedDict()
        self._rows = Index()

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
        start = self._resumes(conversation, history)
        if start:
            conversation.dropped += len(conversation.hashes) - start
        self._move(conversation, history)
        return conversation, start

    def _known(self, history: History) -> Conversation | None:
        """By the bytes of its last words."""
        hashes, again, changed = history.hashes, None, None
        for n in range(len(hashes) - 1, -1, -1):
            exact = self._rows.latest(history.chain[n])
            if exact and n == len(hashes) - 1:
                if failed := next((one for one in exact if not one.reply), None):
                    return failed  # the same request once more: the first got no answer
                again = exact[0]
            elif exact:
                return _likeliest(exact, history.read(n + 1))
            elif changed is None:
                alike = self._rows.latest(history.kind ^ hashes[n])
                changed = next((one for one in alike if _shares(one, hashes)), None)
        return again if again is not None and len(hashes) > 1 else changed

    def _in_other_words(self, history: History) -> Conversation | None:
        """By its last reply, or by its last words in another spelling: some clients write a history anew each time."""
        if len(history.hashes) < 2:
            return None
        lately = self._akin(history)
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

    def _akin(self, history: History) -> list[Conversation]:
        """Those that said last what this one says at some time: their user, or the model in its reply."""
        for n in range(len(history.hashes) - 1, -1, -1):
            content = history.read(n)
            if content.speaker == "user":
                words = words_of(texts(content))
                alike = self._rows.latest(history.kind ^ words ^ _WORDS) if words else []
            else:
                alike = self._rows.latest(history.kind ^ sign_of(content) ^ _SIGN)
            if alike:
                return alike[:_LATELY]
        return self._rows.latest(history.kind ^ _WORDS)[:_LATELY]

    def said(self, conversation: Conversation, words: int) -> None:
        """What the user said last in it, by which it may be known again."""
        self._rows.remove(conversation.kind ^ conversation.words ^ _WORDS, conversation)
        conversation.words = words
        self._rows.add(conversation.kind ^ words ^ _WORDS, conversation)

    def replied(self, conversation: Conversation) -> None:
        """Its reply is known, by which it may be known again."""
        self._rows.remove(conversation.kind ^ conversation.sign ^ _SIGN, conversation)
        conversation.sign = conversation.reply.sign()
        if conversation.sign and conversation.name in self._idle:
            self._rows.add(conversation.kind ^ conversation.sign ^ _SIGN, conversation)

    def standing(self, chain: list[int], kind: Kind) -> tuple[int, Conversation] | None:
        """The conversation that stood at a part of this history, all being well, and how much of it that is."""
        rows = self._rows.rows
        if not rows.keys().isdisjoint(chain):
            for n in range(len(chain) - 1, -1, -1):
                if (row := rows.get(chain[n])) is not None:
                    return (n + 1, row) if isinstance(row, Conversation) and row.sound == kind else None
        return None

    def fresh(self, taken: Taken) -> bool:
        """Whether nothing that was heard tells of a request."""
        rows, hashes = self._rows.rows, taken.hashes
        if len(hashes) == 1:  # the same one alone goes on with nothing, unless that failed
            return taken.chain[0] not in rows or all([one.reply for one in self._rows.latest(taken.chain[0])])
        keys = keys_of(taken.kind.thread, hashes, taken.asked, taken.signs)
        return rows.keys().isdisjoint([*taken.chain, *keys])

    def extends(self, conversation: Conversation, chain: list[int]) -> bool:
        """Whether a request that goes on from its whole history can be of no other."""
        rows = self._rows.rows
        return rows.get(conversation.chain) is conversation and rows.keys().isdisjoint(chain)

    def go_on(self, taken: Taken) -> Conversation:
        """A request whose conversation is known, or known to be new, and its reply, as they would be taken in."""
        kind, conversation, tail = taken.kind.thread, taken.conversation, taken.tail
        if conversation is None:
            conversation = Conversation(self.name(), kind, taken.hashes)
            conversation.ends(tail[-2:])
        else:
            self._unlist(conversation)
            conversation.hashes += taken.hashes
            conversation.ends(tail[-2:] if len(tail) > 1 else (*conversation.tail[-1:], *tail))
        conversation.chain = taken.chain[-1]
        if taken.asked:
            conversation.words = taken.asked[-1]
        conversation.sound, conversation.state, conversation.called = taken.kind, taken.state, taken.called
        conversation.reply, conversation.open_calls = taken.reply, taken.calls
        conversation.model = taken.model or conversation.model
        conversation.sign = taken.sign
        self._list(conversation)
        return conversation

    def alone(self) -> Conversation:
        """A conversation of which no request is known."""
        conversation = self._new(0)
        self._keep(conversation)
        return conversation

    def name(self) -> str:
        self._count += 1
        return f"c{self._count}"

    def _new(self, kind: int) -> Conversation:
        return Conversation(self.name(), kind)

    @staticmethod
    def _resumes(conversation: Conversation, history: History) -> int:
        """The first content after the last words of the conversation's last request."""
        if not conversation.hashes:
            return 0
        hashes, count = history.hashes, len(conversation.hashes)
        if history.chain[count - 1 : count] == [conversation.chain]:  # the user may say the same again
            return count
        last = conversation.hashes[-1]
        return next((n + 1 for n in range(len(hashes) - 1, -1, -1) if hashes[n] == last), 0)

    def _move(self, conversation: Conversation, history: History) -> None:
        self._unlist(conversation)
        conversation.before = conversation.hashes
        conversation.hashes, conversation.chain = history.hashes, history.chain[-1] if history.chain else 0
        conversation.sign, conversation.sound = 0, None
        conversation.ends(history.slices[-2:])
        self._list(conversation)

    def _list(self, conversation: Conversation) -> None:
        if conversation.hashes:
            for key in conversation.marks():
                self._rows.add(key, conversation)
        self._keep(conversation)

    def _keep(self, conversation: Conversation) -> None:
        self._idle[conversation.name] = conversation
        self._idle.move_to_end(conversation.name)
        if len(self._idle) > self._most:
            _, idle = self._idle.popitem(last=False)
            self._unlist(idle)
            idle.forget()
            self._let_go += idle.open_calls

    def _unlist(self, conversation: Conversation) -> None:
        if conversation.hashes:
            for key in conversation.marks():
                self._rows.remove(key, conversation)


class Index:
    """Conversations by what they have in common: a history, or their last words. The latest come first."""

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


def keys_of(kind: int, hashes: list[int], words: list[int], signs: list[int]) -> list[int]:
    """By what the conversation of a request may be known that goes on from no history as a whole."""
    keys = [kind ^ one for one in hashes]
    keys += [kind ^ one ^ _WORDS for one in (0, *words)]
    keys += [kind ^ one ^ _SIGN for one in signs]
    return keys


def texts(content: Content) -> list[str]:
    """The texts of a content, empty ones left out."""
    return [text for part in content.parts if "text" in part.data and type(text := part.value["text"]) is str and text]


def sign_of(content: Content) -> int:
    said = [part.value["text"] for part in content.parts if "text" in part.data and not part.value.get("thought")]
    return sign("".join(map(str, said)), [call.id for call in content.calls[:1]])


def sign(text: str, ids: list[str | None]) -> int:
    """One number for the beginning of a text, or for a call that has an id: the same call is made again and again."""
    if text:
        return hash(text[:BEGINS])
    return hash(ids[0]) if ids and ids[0] else 0


def words_of(said: list[str]) -> int:
    return hash("\n".join(said)) if said else 0


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
