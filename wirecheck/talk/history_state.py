"""The state of a history after any of its contents: the current turn, its open calls, and their answers so far.

A HistoryState is frozen, so it is a snapshot for any prefix. talk/http/turns.py moves it on by one content,
talk/http/pairing.py settles the calls of a turn. Nothing here knows a protocol, a request or a file.

A turn is a run of contents of one speaker. A content with calls counts as the model's and one with responses as the
user's, whatever its role: wrong roles are for other rules.
"""

from collections.abc import Callable, Hashable, Iterable

import msgspec
from msgspec import Struct

from wirecheck.dialects.messages import Answer, Call, Spot, Step
from wirecheck.talk.append_only import AppendOnly
from wirecheck.talk.facts import Context, Fact
from wirecheck.talk.lazy_facts import NEVER_QUIET, LazyFacts, Quiet
from wirecheck.talk.recital.reply import NOTHING, ContentOrigin
from wirecheck.talk.schemas.offer import NEVER_CALLED, CalledFunctions

Key = tuple[str, str | None]
Where = Callable[[int], Spot]  # the place of content n in the current request
HALF, NAME = 1 << 10, 1 << 8  # bytes of memory for a call or an answer without its payload, and for a name


class OpenCall(Struct, frozen=True):
    """An open call, its place in its content, and the place where the server first made it.

    `spot` is set where the call is not in the current request, because the server keeps the history.
    """

    call: Call
    turn: int
    inside: tuple[Step, ...]
    made: Spot | None = None
    spot: Spot | None = None
    until: int = 0  # the last content with a piece of it, if a streamed call is recited in pieces


class GivenAnswer(Struct, frozen=True):
    """An answer in the current turn."""

    answer: Answer
    turn: int
    inside: tuple[Step, ...]
    bare: bool = False


class UnsignedCall(Struct, frozen=True):
    """The first call in the current turn that begins a step without a signature, and the number of such calls."""

    call: Call
    turn: int
    inside: tuple[Step, ...]
    made: Spot | None
    signed: str
    later: bool
    calls: int = 1
    stand_in: bool = False


NO_CALLS, NO_ANSWERS = AppendOnly[OpenCall](), AppendOnly[GivenAnswer]()


class HistoryState(Struct, frozen=True):
    """The state of a history. `last` is what the last content was: nothing, user, answers, model, or unclear.

    `opened` says how the model began the current turn of an interaction: "" (not yet), signed or unsigned.
    """

    last: str = "nothing"
    calls: AppendOnly[OpenCall] = NO_CALLS
    answers: AppendOnly[GivenAnswer] = NO_ANSWERS
    follows: int | None = None  # the first content after the calls
    went_on: int | None = None  # in a transcript: a message of the model that continues after its calls
    unsigned: UnsignedCall | None = None
    opened: str = ""
    words: int = 0  # a hash of what the user said last
    called: CalledFunctions = NEVER_CALLED  # all functions called so far

    @property
    def weight(self) -> int:
        """Its weight in the cache, in bytes."""
        return HALF * (len(self.calls) + len(self.answers) + (self.unsigned is not None)) + NAME * len(self.called)


class TurnContext:
    """What moving a state on needs besides the content: the context, places, and where calls were made."""

    __slots__ = ("context", "context_class", "quiet", "where")

    def __init__(
        self, context: Context, where: Where, context_class: int | None = None, quiet: Quiet = NEVER_QUIET
    ) -> None:
        self.context, self.where, self.context_class, self.quiet = context, where, context_class, quiet

    def origin_of(self, turn: int, calls: tuple[Call, ...]) -> ContentOrigin:
        """Where the server made these calls, as far as known."""
        return NOTHING

    def declares(self, name: str | None) -> bool:
        """Whether a function of this name may be called, as far as known."""
        return True

    def lazy(self, outline: Hashable, facts: Callable[[], Iterable[Fact]]) -> list[LazyFacts]:
        """The facts as LazyFacts, empty if rules are known to report nothing of this outline.

        Without an outline there is no key, and all facts are judged.
        """
        key = None if outline is None or self.context_class is None else (self.context_class, outline)
        return [] if key is not None and self.quiet.holds(key) else [LazyFacts(key, facts)]


def echo_of(call: Call) -> str:
    """What a response must repeat of a call, as members of a JSON object."""
    said = (("id", call.id), ("name", call.name))
    return ", ".join([f'"{key}": {msgspec.json.encode(value).decode()}' for key, value in said if value])


def call_keys(call: Call) -> tuple[Key, ...]:
    """By what an answer may be meant for this call; see `answer_keys`."""
    named: Key = "name", call.name
    return (("id", call.id), named) if call.id else (("no id", call.name), named)


def answer_keys(answer: Answer) -> tuple[Key, ...]:
    """Of which calls an answer may be one: by id where both have one, else by name."""
    return (("id", answer.id), ("no id", answer.name)) if answer.id else (("name", answer.name),)
