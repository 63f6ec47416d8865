"""What was said, as far as it helps to recognise it: a reply of a server, and the words of either side as numbers."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from wirecheck.dialects.messages import Call, Content, Spot
from wirecheck.hashing import text_digest
from wirecheck.talk.made_calls import alike
from wirecheck.talk.recital.signed_parts import SignedPart, pieces

MANY = 512  # parts of one reply that are kept
PIECE = 1 << 10  # bytes that a call or a signed part takes, besides what is written in it
ENOUGH = 200  # characters of a reply that it is known by, at least
_TEXT = 512  # characters of a part that are kept: it is known by how it begins
BEGINS = 40  # characters of a reply that tell it from others
_ENCODE = msgspec.json.Encoder().encode


class Reply:
    """What a server said, as far as it helps to recognise it and to find its calls again."""

    __slots__ = (
        *("_calls", "answers", "calls", "doubtful", "failed", "finish"),
        *("many", "pieces", "size", "speaks", "text"),
    )

    def __init__(self, *, doubtful: bool = False) -> None:
        self.calls: list[Call] = []
        self._calls: KnownCalls | None = None
        self.pieces: list[SignedPart] = []
        self.answers = False  # it has responses as well: the server executed what it called
        self.text = ""
        self.speaks = False  # it calls or says something
        self.failed = False
        self.finish: str | None = None
        self.doubtful = doubtful  # there is another reply that may be the one recited
        self.many = False  # it has more parts than are compared
        self.size = 0  # of the arguments of its calls

    def __bool__(self) -> bool:
        return self.speaks

    def add(self, content: Content, texts: Iterable[str]) -> list[SignedPart]:
        """One more content, and what it says. Its parts that must come back are given, and kept as well."""
        if content.calls:
            self.calls.extend(content.calls)
            self.size += size_of([call.args for call in content.calls])
        if content.answers:
            self.answers = True
        new = pieces(content)
        if new and not self.many:
            self.pieces.extend(new)
            if len(self.pieces) > MANY:
                self.many, self.doubtful, self.pieces = True, True, []
        for text in texts:
            if len(self.text) < ENOUGH:
                self.text += text[:_TEXT]
        self.speaks = self.speaks or bool(self.calls or self.text)
        return new

    @property
    def weight(self) -> int:
        """What it takes to remember its calls and its signatures."""
        return PIECE * (len(self.calls) + sum([piece.signature is not None for piece in self.pieces])) + self.size

    def sign(self) -> int:
        """By what it may be known again: how it begins, or the id of its first call."""
        return sign(self.text, [call.id for call in self.calls[:1]])

    def made(self) -> tuple[Spot, ...]:
        """Where its calls stand."""
        return tuple(call.spot for call in self.calls)

    def likeness(self, content: Content) -> int:
        """How much a recited content looks like this reply. Of two alike it is that with as many calls."""
        if self is SAID:  # nothing but that there was one
            return 0
        calls = sum([self._known().likeness(call) for call in content.calls]) if self.calls else 0
        alike = 4 * calls + 2 * any([text[:100] in self.text for text in content.texts])
        return alike + (alike > 0 and len(self.calls) == len(content.calls))

    def _known(self) -> "KnownCalls":
        if self._calls is None or self._calls.count != len(self.calls):
            self._calls = KnownCalls(self.calls)
        return self._calls


class KnownCalls:
    """The calls of a reply, by what tells them: an id tells more than what is called."""

    __slots__ = ("_alike", "_ids", "count")

    def __init__(self, calls: list[Call]) -> None:
        self.count = len(calls)
        self._ids = {call.id for call in calls if call.id}
        self._alike = set(map(alike, calls))

    def likeness(self, call: Call) -> int:
        return 2 if call.id in self._ids else int(alike(call) in self._alike)


def size_of(several: Iterable[Any]) -> int:
    """How long these arguments are, written."""
    try:
        return sum([len(_ENCODE(args)) for args in several if args])
    except (ValueError, TypeError, RecursionError):
        return MANY * PIECE


class ContentOrigin(Struct, frozen=True):
    """Of the calls of one content: where the server made them, whether with calls placed earlier, whether signed.

    `executed`: with responses, so that it executed calls itself.
    """

    made: tuple[Spot | None, ...] = ()
    parallel: bool = False
    executed: bool = False
    signed: str = "unknown"  # whether the server signed the first of them: signed, beside (another one), unsigned


NOTHING = ContentOrigin()
NO_REPLY, SAID = Reply(), Reply()
SAID.text, SAID.speaks = "…", True


def sign_of(content: Content) -> int:
    return sign(content.beginning, [call.id for call in content.calls[:1]])


def sign(text: str, ids: list[str | None]) -> int:
    """One number for the beginning of a text, or for a call that has an id: the same call is made again and again."""
    if text:
        return text_digest(text[:BEGINS])
    return text_digest(ids[0]) if ids and ids[0] else 0
