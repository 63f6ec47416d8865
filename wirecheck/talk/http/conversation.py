"""One conversation over stateless requests: its last request, by what it may be known again, its last reply."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, field

from wirecheck.dialects.messages import Content, Contents, Spot
from wirecheck.finding import Place
from wirecheck.hashing import text_digest
from wirecheck.talk.http.call_origins import KnownOrigins
from wirecheck.talk.http.normalized_content import plain_digest
from wirecheck.talk.recital.reply import NO_REPLY, SAID, Reply

LONG = 1 << 16  # contents longer than that are not kept to be compared
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
    return HistoryKind(
        *(text_digest(repr(key)) for key in ((protocol, surface, band), (protocol, surface, band, *rest)))
    )


class History(Struct, frozen=True):
    """A request as far as it tells its conversation: what kind it is, and its contents, hashed and read when needed."""

    kind: int
    hashes: list[int]
    chain: Sequence[int]
    slices: Contents
    read: Callable[[int], Content]


class LastRequest(Struct, frozen=True):
    """The last request of a conversation: the hashes of its contents, a number for all of them, and their places."""

    hashes: list[int]
    chain: int = 0
    at: Callable[[int], Spot] | None = None


NO_REQUEST = LastRequest([])


class Marks(Struct):
    """By what a conversation may be known again where its history is another now.

    `tail` are its last two contents, as bytes or as what they are in any spelling; none where it has but one.
    """

    opening: int = 0  # hashes of what its user said first and last
    words: int = 0
    sign: int = 0  # of the last reply
    tail: tuple[bytes | int, ...] = ()

    def ends(self, slices: Contents) -> int:
        """What it said last, and how long that is."""
        if len(slices) < 2:
            self.tail = ()
            return 0
        tail = [slices[-2], slices[-1]]
        size = sum(map(len, tail))
        self.tail = tuple(tail if size <= LONG else [raw if len(raw) < LONG else b"" for raw in tail])
        return size

    def plain_tail(self) -> tuple[int, ...]:
        """What it said last, in any spelling. The bytes are not kept any longer."""
        plain = tuple([raw if isinstance(raw, int) else plain_digest(raw) for raw in self.tail])
        self.tail = plain
        return plain


class Conversation(Struct, eq=False, gc=False):  # nothing that it holds leads back to it
    """One thread of requests. `notes` belong to whoever keeps track of what was found in it."""

    name: str
    kind: int
    marks: Marks
    last: LastRequest = NO_REQUEST
    dropped: int = 0  # contents that the client has left out at the front, so far
    reply: Reply = NO_REPLY
    origins: KnownOrigins = field(default_factory=KnownOrigins)
    model: str | None = None  # the last modelVersion heard
    open_calls: int = 0
    at: float | None = None  # when its last request was sent
    notes: Any = None

    def keys(self) -> list[int]:
        """By what it may be found besides its history: its last content, the last words of its user and of a reply."""
        kind, marks = self.kind, self.marks
        keys = [kind ^ marks.words ^ WORDS]
        if self.last.hashes:
            keys.append(kind ^ self.last.hashes[-1])
        if marks.sign:
            keys.append(kind ^ marks.sign ^ SIGN)
        return keys

    def evicted(self) -> None:
        """Prefixes that still name it keep none of what it said, only that it was answered."""
        self.marks, self.last, self.origins = Marks(), NO_REQUEST, KnownOrigins()
        self.reply = SAID if self.reply.speaks else NO_REPLY

    def forget_reply(self) -> None:
        """Only that there was one is still known."""
        self.reply = SAID if self.reply else NO_REPLY
