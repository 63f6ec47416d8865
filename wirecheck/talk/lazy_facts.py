"""Lazy facts: created only if a rule could report them. Whether one could is known by the key of the piece.

Its key is an outline of it (its shape without the wording) and its context. If rules reported nothing of one piece,
they report nothing of others with the same key, as far as the key decides their conditions. SHAPED says what a key
decides; a condition on anything else is evaluated for each piece (rules/engine/decided_conditions.py). The pieces, and
what makes their outlines:

- a content in its place, its calls and answers: `outline_of` (dialects/regular_content.py), turns.py, pairing.py
- missing signatures, tools and settings of a request, lost contents: signatures.py, surroundings.py, forgotten.py
- a chunk of a reply, and all of it: exchange.py
- the tools in a Live setup: session.py; a Live frame: `outline` (dialects/live/live_regular.py), `Session.memo_key`
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Protocol

from msgspec import Struct

from wirecheck.dialects.vocabulary.stand_in_signatures import STAND_INS
from wirecheck.talk.facts import Context, Fact

SMALL = 8  # keys contain smaller numbers; all larger ones count as equal

# By kind of fact and by field, how much of the value the outlines above put into the key: "value" (all of it), "size"
# (the length, up to SMALL), "presence" (whether there is one, and not empty), "small" (numbers below SMALL), "same"
# (whether there is one, and equal to the other fields marked so), "written" (that it has only fields of regular
# messages), or a set of words (which of these it is, if any). Conditions on a field without a row are evaluated each
# time; "" is for all fields.
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
        **dict.fromkeys(("keys", "references", "dangling"), "value"),
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
        **dict.fromkeys(("to", "counts", "ids", "names", "declared", "follows", "between", "keys", "held"), "value"),
        **dict.fromkeys(("answers", "calls"), "value"),
        **dict.fromkeys(("id", "name", "called_id", "called_name"), "presence"),
    },
    "unsigned": {**dict.fromkeys(("made", "later", "stand_in", "step"), "value"), "calls": "small", "name": "presence"},
    "ending": {
        **dict.fromkeys(("role", "speaker"), "value"),
        **dict.fromkeys(("contents", "parts", "calls", "answers"), "small"),
        "value": "written",
    },
    "request": {
        **dict.fromkeys(
            ("streams", "broken", "keys", "tools", "functions", "undescribed", "strangers", "body"), "value"
        ),
        "contents": "small",
        **dict.fromkeys(("body.systemInstruction", "body.tools", "body.tools.0"), "presence"),
    },
    **{kind: {"": "value"} for kind in ("tool", "declaration", "schema", "setting", "field")},
    "forgotten": {"how": "value", "contents": "small"},
    "candidate": {**dict.fromkeys(("finish", "late", "shape", "value.finishReason"), "value"), "value": "written"},
    "frame": {
        **dict.fromkeys(("sender", "keys", "says", "enveloped", "state", "form"), "value"),
        "value": "written",
        **{f"value.{key}": "presence" for key in ("realtimeInput", "serverContent", "usageMetadata")},
        **{f"value.realtimeInput.{key}": "value" for key in ("audio.mimeType", "video.mimeType")},
        **{f"value.serverContent.{key}": "value" for key in ("generationComplete", "turnComplete", "interrupted")},
    },
    "input": {"what": "value", "name": "value"},
    "untimely": dict.fromkeys(("sender", "what", "came", "state"), "value"),
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
    """A piece whose facts are not created yet. Without a key all of them are judged.

    `halves` are keys of parts of the piece: if rules report nothing of it, they report nothing of these parts either.
    """

    key: Hashable
    facts: Callable[[], Iterable[Fact]]
    halves: tuple[Hashable, ...] = ()


class Quiet(Protocol):
    """What talk may know of the rules: which pieces they report nothing of."""

    def context_class(self, context: Context) -> int | None:
        """A number for everything rules can see of a context. None if all facts are to be created."""

    def holds(self, key: Hashable) -> bool:
        """Whether rules are known to report nothing of a piece with this key."""


class NeverQuiet:
    """Creates all facts."""

    def context_class(self, context: Context) -> int | None:
        return None

    def holds(self, key: Hashable) -> bool:
        return False


NEVER_QUIET = NeverQuiet()


def small(number: int) -> int:
    return number if number < SMALL else SMALL
