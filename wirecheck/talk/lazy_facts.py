"""Facts that follow from a shape. Where rules had nothing to say of a shape, its facts are not made again.

A piece is a content where it stands, how the calls of a turn were settled, what stands around the contents, a chunk of
a reply, a reply as a whole. Its key holds all of it that the facts below hold, but for what SHAPED leaves out: what a
rule asks beyond that is asked of each piece.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Protocol

from msgspec import Struct

from wirecheck.dialects.vocabulary.stand_in_signatures import STAND_INS
from wirecheck.talk.facts import Context, Fact

SMALL = 8  # numbers that keys hold as they are; all larger ones are alike

# By kind of fact and by field, what a key tells: "value" (all of it), "size" (how many there are, up to SMALL),
# "presence" (whether it is there, and not empty), "small" (numbers below SMALL), "same" (whether it is there, and the
# same as the others told so), "written" (which of the fields that no regular message has it has: none), or the words
# that are told from others. A field that is missing here is asked each time; the name "" stands for all.
Told = str | frozenset[str]
_CONTENT: dict[str, Told] = dict.fromkeys(("sender", "role", "speaker", "container"), "value")
SHAPED: dict[str, dict[str, Told]] = {
    "content": {
        **_CONTENT,
        **dict.fromkeys(("shape", "keys", "after", "only", "last", "beside", "tail", "instead"), "value"),
        **dict.fromkeys(("parts", "calls", "answers"), "small"),
        **dict.fromkeys(("answered", "strays"), "size"),
        "value": "written",
    },
    "part": {
        **_CONTENT,
        **dict.fromkeys(("keys", "data", "meant", "instead", "strange"), "value"),
        "value": "written",
        "value.text": "presence",
        "value.thought": "value",
        "value.thoughtSignature": STAND_INS,
    },
    "call": {
        **_CONTENT,
        "keys": "value",
        **dict.fromkeys(("id", "name", "args", "value.name", "value.id", "value.args"), "presence"),
        "value": "written",
    },
    "answer": {
        **_CONTENT,
        **dict.fromkeys(("keys", "dangling"), "value"),
        **dict.fromkeys(("id", "name", "value.name", "value.id"), "presence"),
        "response": frozenset(("output", "error")),
        **dict.fromkeys(("response.scheduling", "response.willContinue"), "value"),  # no regular response has them
        "value": "written",
    },
    "call-placed": {"after": "value", "amid": "value", "calls": "small", "names": "size"},
    "call-turn": {
        **dict.fromkeys(("ordered", "contents", "calls", "answers", "call_contents", "ids"), "value"),
        **dict.fromkeys(("names", "unanswered", "surplus", "twins", "repeated_ids"), "size"),
    },
    "call-settled": {
        **dict.fromkeys(("how", "by", "siblings", "sibling_answers"), "value"),
        **dict.fromkeys(("id", "name"), "presence"),
    },
    "answer-settled": {
        **dict.fromkeys(("to", "counts", "ids", "names", "follows", "between", "keys", "held"), "value"),
        **dict.fromkeys(("answers", "calls"), "value"),
        **dict.fromkeys(("id", "name", "called_id", "called_name"), "presence"),
    },
    "unsigned": {**dict.fromkeys(("made", "later", "step"), "value"), "calls": "small", "name": "presence"},
    "ending": {
        **dict.fromkeys(("role", "speaker"), "value"),
        **dict.fromkeys(("contents", "parts", "calls", "answers"), "small"),
        "value": "written",
    },
    "request": {
        **dict.fromkeys(("streams", "keys", "tools", "functions", "undescribed", "strangers", "body"), "value"),
        "contents": "small",
        "body.systemInstruction": "presence",
    },
    **{kind: {"": "value"} for kind in ("tool", "declaration", "schema", "field")},
    "forgotten": {"how": "value", "contents": "small"},
    "candidate": {**dict.fromkeys(("finish", "late", "shape", "value.finishReason"), "value"), "value": "written"},
    "reply": {
        **dict.fromkeys(
            ("streamed", "candidates", "blocked", "error", "finish", "waiting", "empty", "complete"), "value"
        ),
        **dict.fromkeys(("keys", "missing", "snake", "odd"), "value"),
        **dict.fromkeys(("chunks", "parts", "calls", "call_chunks"), "small"),
        **dict.fromkeys(("counted", "total"), "same"),
        "finish_message": "presence",
        "turn": "small",
    },
}


class LazyFacts(Struct, frozen=True):
    """Facts that nobody has made yet. Without a key they are asked about in full.

    Where rules have nothing to say of it, they have nothing to say of what has one of the keys in `halves` either.
    """

    key: Hashable
    facts: Callable[[], Iterable[Fact]]
    halves: tuple[Hashable, ...] = ()


class Quiet(Protocol):
    """Of which pieces the rules have nothing to say."""

    remembers: bool  # whether a rule has a memory, so that it is noted after each content

    def context_class(self, context: Context) -> int | None:
        """A number for all that rules can see of a context; None where every piece is to be told."""

    def holds(self, key: Hashable) -> bool:
        """Whether no rule has anything to say of a piece with this key."""


class NeverQuiet:
    """All facts are made."""

    remembers = True

    def context_class(self, context: Context) -> int | None:
        return None

    def holds(self, key: Hashable) -> bool:
        return False


NEVER_QUIET = NeverQuiet()


def small(number: int) -> int:
    return number if number < SMALL else SMALL
