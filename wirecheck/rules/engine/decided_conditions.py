"""Which conditions of rules are decided by the key of a piece (talk/lazy_facts.py), according to SHAPED.

A condition is decided if it has the same result for all pieces with that key. If all conditions of a rule are, and it
found nothing in one piece, it finds nothing in any other with the same key: the shape memo relies on this.
"""

from typing import Any

from wirecheck.dialects.live.live_regular import FIELDS
from wirecheck.dialects.strict_types import REPLY_FIELDS
from wirecheck.rules.language.fields import FieldPath, path
from wirecheck.rules.language.modifiers import REFERENCES, listed
from wirecheck.rules.language.where import Condition
from wirecheck.talk.lazy_facts import SHAPED, SMALL

COMPARES = ("", "in", "not", "not-in")
EQUAL = ("same-as", "other-than")
SIZES = ("size", "min-size", "max-size")
ROOTS = {
    **dict.fromkeys(("content", "ending"), "content"),
    "part": "part",
    "call": "functionCall",
    "answer": "functionResponse",
    "frame": "frame",
}


def decided(given: str, line: Condition) -> bool:
    """Whether a condition has the same result for all pieces with the same key."""
    told = _told(given, line.path)
    if line.modifier in REFERENCES:
        other = _told(given, path(given, line.argument))
        return told == other and (told == "value" or (told == "same" and line.modifier in EQUAL))
    if told == "value":
        return True
    if told is None:
        return False
    if line.modifier in ("exists", "type"):
        return True
    if line.modifier in SIZES:
        return _sized(told, line)
    words = listed(line.argument)
    if line.modifier in COMPARES:
        return all([_compared(told, word) for word in words])
    if line.modifier in ("min", "max"):
        return told == "small" and line.argument < SMALL
    return isinstance(told, frozenset) and line.modifier in ("contains", "lacks") and told.issuperset(words)


def _told(given: str, where: FieldPath) -> str | frozenset[str] | None:
    """How much of the value at a path is in the key: a word of SHAPED, or None. What lies below the path of a row is in
    the key where that says "value", and where no regular message has such a field."""
    if where.attributes[0] == "context":
        return "value"  # but for the conversation, for which no condition asks
    known, names = SHAPED.get(given, {}), where.text.split(".")
    own, *above = [known.get(".".join(names[:length])) for length in range(len(names), -1, -1)]
    nearest = next((told for told in above if told is not None), None)
    if own is None and (nearest == "value" or ("written" in above and _is_absent(given, where))):
        return "value"
    return own


def _is_absent(given: str, where: FieldPath) -> bool:
    """Whether a path leads to a field that no regular (strictly decoded) message has."""
    message = ROOTS.get(given)
    if message is None:
        return given == "candidate" and where.steps[0].key not in REPLY_FIELDS
    for step in where.steps:
        if step.key not in FIELDS.get(message, (step.key,)):
            return True
        message = step.key
        if message not in FIELDS:
            return False
    return False


def _sized(told: str | frozenset[str], line: Condition) -> bool:
    if told == "size":
        return bool(line.argument < SMALL + (line.modifier == "min-size"))
    return (line.modifier, line.argument) in (("min-size", 1), ("max-size", 0), ("size", 0))


def _compared(told: str | frozenset[str], word: Any) -> bool:
    if word is None:
        return True
    if told == "small":
        return type(word) is int and word < SMALL
    return word == "" if told == "presence" else isinstance(told, frozenset) and word in told
