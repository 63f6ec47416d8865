"""Where a history stands: the turn being spoken, its open calls, and what answered them so far.

A HistoryState is frozen, so any prefix can be remembered by keeping one. talk/http/turns.py moves it on by one content,
talk/http/pairing.py says how the calls of a turn ended. Nothing here knows a protocol, a request or a file.

A turn is a run of contents of one speaker. A content that calls is the model's and one that answers is the user's,
whatever its role says: the role is another rule's business.
"""

from collections.abc import Callable, Hashable, Iterable

import msgspec
from msgspec import Struct

from wirecheck.dialects.messages import Answer, Call, Spot, Step
from wirecheck.talk.facts import Context, Fact
from wirecheck.talk.lazy_facts import NEVER_QUIET, LazyFacts, Quiet
from wirecheck.talk.recital.reply import NOTHING, ContentOrigin
from wirecheck.talk.schemas.offer import CalledFunction

Where = Callable[[int], Spot]  # the place of content n in the request at hand
HALF, NAME = 1 << 10, 1 << 8  # bytes that a call or an answer takes, besides what is written in it, and a name


class OpenCall(Struct, frozen=True):
    """A call that waits, where its content has it, and where the server first made it.

    `spot` is its place where that is not in the request at hand: the server keeps the history.
    """

    call: Call
    turn: int
    inside: tuple[Step, ...]
    made: Spot | None = None
    spot: Spot | None = None
    until: int = 0  # the last content that has a piece of it, where it is recited as it was streamed


class GivenAnswer(Struct, frozen=True):
    """An answer that came."""

    answer: Answer
    turn: int
    inside: tuple[Step, ...]
    bare: bool = False


class UnsignedCall(Struct, frozen=True):
    """The first call in the current turn that opens a step and has no signature; how many there are."""

    call: Call
    turn: int
    inside: tuple[Step, ...]
    made: Spot | None
    signed: str
    later: bool
    calls: int = 1


class HistoryState(Struct, frozen=True):
    """Where a history stands. `last` is what was heard last: nothing, user, answers, model, or unclear.

    `opened` says how the model began the current turn of an interaction: "" (not yet), signed or unsigned.
    """

    last: str = "nothing"
    calls: tuple[OpenCall, ...] = ()
    answers: tuple[GivenAnswer, ...] = ()
    follows: int | None = None  # the first content after the calls
    went_on: int | None = None  # in a transcript: a message of the model that goes on after its calls
    unsigned: UnsignedCall | None = None
    opened: str = ""
    words: int = 0  # a hash of what the user said last
    called: tuple[CalledFunction, ...] = ()  # each function that was called so far

    @property
    def weight(self) -> int:
        """What it takes to remember it."""
        return HALF * (len(self.calls) + len(self.answers) + (self.unsigned is not None)) + NAME * len(self.called)


class TurnContext:
    """What hearing needs besides the content: the context, places, and what the server's replies made of its calls."""

    __slots__ = ("context", "context_class", "quiet", "where")

    def __init__(
        self, context: Context, where: Where, context_class: int | None = None, quiet: Quiet = NEVER_QUIET
    ) -> None:
        self.context, self.where, self.context_class, self.quiet = context, where, context_class, quiet

    def origin_of(self, turn: int, calls: tuple[Call, ...]) -> ContentOrigin:
        """What is known of who made these calls."""
        return NOTHING

    def lazy(self, outline: Hashable, facts: Callable[[], Iterable[Fact]]) -> list[LazyFacts]:
        """These facts, where a rule may have something to say of them. Without an outline one may."""
        key = None if outline is None or self.context_class is None else (self.context_class, outline)
        return [] if key is not None and self.quiet.holds(key) else [LazyFacts(key, facts)]


def echo_of(call: Call) -> str:
    """What a response has to repeat of a call, as members of a JSON object."""
    said = (("id", call.id), ("name", call.name))
    return ", ".join([f'"{key}": {msgspec.json.encode(value).decode()}' for key, value in said if value])


def ties(call: Call, answer: Answer) -> bool:
    """Whether an answer may be meant for a call: by id where both have one, else by name."""
    return call.id == answer.id if call.id and answer.id else call.name == answer.name
