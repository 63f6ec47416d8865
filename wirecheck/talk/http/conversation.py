"""One conversation, and what requests bring to it: which kind they are, their history, and what they go on with."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct, field

from wirecheck.dialects.messages import Content, Contents, Spot
from wirecheck.finding import Place
from wirecheck.talk.http.normalized_content import plain_digest
from wirecheck.talk.recital.reply import NO_REPLY, NOTHING, SAID, ContentOrigin, Reply

MOST, CALLS = 256, 2048  # contents with calls that are remembered, of one conversation, and the calls in them
LONG = 1 << 16  # contents longer than that are not kept to be compared
_WORD = (1 << 64) - 1
# What tells keys of one index apart: of the last words of a user, and of a reply.
WORDS, SIGN = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F


class HistoryKind(Struct, frozen=True):
    """What must be the same, besides the contents, for two histories to be one: as a number, and what of that tells
    conversations apart (the version, whether it is a whole request, and how the log holds it, do not)."""

    thread: int
    exact: int


def layout_of(place: Place) -> tuple[str, str, bool]:
    """How a log holds a request: what is wrong in it is told by another place where that is another way."""
    return *place.pattern, place.inner is not None


def kind_of(protocol: str, surface: str, band: str | None, *rest: object) -> HistoryKind:
    return HistoryKind(*(hash(key) & _WORD for key in ((protocol, surface, band), (protocol, surface, band, *rest))))


def no_hashes() -> "array[int]":
    return array("Q")


GONE = no_hashes()  # of conversations that are let go, with which nothing goes on in place


class Conversation(Struct, eq=False, gc=False):  # nothing that it holds leads back to it
    """One thread of requests. `notes` belong to whoever keeps track of what was found in it."""

    name: str
    kind: int
    hashes: "array[int]" = field(default_factory=no_hashes)
    before: Sequence[int] = ()  # the hashes of the request before, while one is heard
    at: Callable[[int], Spot] | None = None  # the places of the contents of the last request
    chain: int = 0
    tail: tuple[bytes | int, ...] = ()  # the last two contents, or what they are in any spelling; nothing if it has one
    words: int = 0  # a hash of what the user said last
    opening: int = 0  # and first
    sign: int = 0  # of the last reply
    model: str | None = None  # the last modelVersion heard
    reply: Reply = NO_REPLY
    echoes: dict[tuple[int, int], ContentOrigin] | None = None  # most make no calls
    placed: int = 0  # calls in these
    lost: bool = False  # whether some of these were forgotten
    open_calls: int = 0
    notes: Any = None
    dropped: int = 0  # contents that the client has left out at the front, so far
    age: int = 0  # the generation it went on in, and the places that it takes there
    places: int = 0

    def marks(self) -> tuple[int, ...]:
        """By what it may be found besides its history: its last content, the last words of its user and of a reply."""
        kind = self.kind
        marks = kind ^ self.hashes[-1], kind ^ self.words ^ WORDS
        return (*marks, kind ^ self.sign ^ SIGN) if self.sign else marks

    def ends(self, slices: Contents) -> int:
        """What it said last, and how long that is. It is known by two contents, not by one."""
        if len(slices) < 2:
            self.tail = ()
            return 0
        tail = [slices[-2], slices[-1]]
        size = sum([len(raw) for raw in tail])
        if size > LONG:
            tail = [raw if len(raw) < LONG else b"" for raw in tail]
        self.tail = tuple(tail)
        return size

    def forget(self) -> None:
        """It is let go. What it said is not kept by those prefixes that still name it, only that it was answered."""
        self.tail, self.hashes, self.placed, self.echoes = (), GONE, 0, None
        self.reply, self.at = SAID if self.reply.speaks else NO_REPLY, None

    def forget_reply(self) -> None:
        """Only that there was one is still known."""
        self.reply = SAID if self.reply else NO_REPLY

    def forget_echoes(self) -> None:
        """Where its calls were made is not known any more, only which of them were made together."""
        echoes = self.echoes or {}
        self.echoes = {key: ContentOrigin(parallel=True) for key, echoed in echoes.items() if echoed.parallel}
        self.placed, self.lost = 0, True

    def remembers(self, key: tuple[int, int], echoed: ContentOrigin) -> None:
        """Where the server made the calls of a content that is recited."""
        self.echoes = echoes = self.echoes or {}
        echoes[key] = echoed
        self.placed += len(echoed.made)
        while len(echoes) > MOST or (self.placed > CALLS and len(echoes) > 1):
            self.placed -= len(echoes.pop(next(iter(echoes))).made)

    def remembers_all(self, made: Iterable[tuple[int, Spot | None]]) -> bool:
        """Whether it still knows where these calls were made, each of them in a content of this number."""
        return all([self.echoed((n, self.hashes[n])).made for n in {n for n, spot in made if spot}])

    def echoed(self, key: tuple[int, int]) -> ContentOrigin:
        """Where the calls of this content were made."""
        return (self.echoes or {}).get(key, NOTHING)

    def plain_tail(self) -> tuple[int, ...]:
        """What it said last, in any spelling."""
        told = tuple([raw if isinstance(raw, int) else plain_digest(raw) for raw in self.tail])
        self.tail = told
        return told


class History(Struct, frozen=True):
    """A request as far as it tells its conversation: what kind it is, and its contents, hashed and read when needed."""

    kind: int
    hashes: "array[int]"
    chain: Sequence[int]
    slices: Contents
    read: Callable[[int], Content]
