"""pair: the given fact must have its partner.

A field with equal values ties partners; a fact where it is null is ignored. A turn lasts until another speaker begins.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from wirecheck.rules.checks.base import Fault, Listens, Watch, Watching, options
from wirecheck.rules.checks.pair_watch import PairTerms, PairWatch
from wirecheck.rules.language.fields import UnknownName, fields, path
from wirecheck.rules.language.where import faults, lines, where_schema
from wirecheck.talk.facts import FACTS

FACT = {
    "type": ["string", "object"],
    "properties": {"given": {"enum": list(FACTS)}, "where": where_schema("Which of them.")},
    "required": ["given"],
    "additionalProperties": False,
    "if": {"type": "string"},
    "then": {"enum": list(FACTS)},
}
BY = {
    "type": ["string", "object"],
    "properties": {"given": {"type": "string"}, "with": {"type": "string"}},
    "required": ["given", "with"],
    "additionalProperties": False,
    "description": "What ties the two: a field both have, or one of each.",
}


class Pair(Watching):
    """The given fact must have its partner."""

    OPTIONS = options(
        ("with",),
        with_={**FACT, "description": "The kind of the partner, or `{given: kind, where: {…}}`."},
        by=BY,
        comes={"enum": ["after", "before"], "description": "Whether the partner comes after (default) or before."},
        times={"enum": ["exactly-one", "at-most-one"], "description": "How many partners; exactly-one by default."},
        within={"enum": ["conversation", "next-turn"], "description": "Where the partner must be."},
        role={"type": "string", "description": "The role, as written, in which the partner must stand."},
        same={
            "type": "array",
            "items": {"enum": ["count", "order"]},
            "minItems": 1,
            "description": "What the partners in the next turn share with the given facts of this one.",
        },
        cancelled_by={**FACT, "description": "The fact that takes the given one back."},
        cancel_by={"type": "string", "description": "Its field that ties it, where that is not the one of `by`."},
    )
    FOUND = ("why", "count", "wanted")

    def __init__(self, given: str, options: Any) -> None:
        super().__init__(given, options)
        self._terms = PairTerms(
            ties={tag: path(kind, field) if field else None for tag, (kind, field) in _ties(given, options).items()},
            before=options.get("comes") == "before",
            needed=options.get("times") != "at-most-one",
            next_turn=options.get("within") == "next-turn",
            role=options.get("role"),
            same=tuple(options.get("same", ())),
        )

    @classmethod
    def faults(cls, given: str, options: Any) -> Iterator[Fault]:
        for tag, (kind, field) in _ties(given, options).items():
            try:
                _ = field and path(kind, field)
            except UnknownName as unknown:
                yield _place(tag, options), str(unknown)
        for key in ("with", "cancelled-by"):
            if key in options:
                yield from (((key, "where", *place), what) for place, what in faults(*_reference(options[key])))
        yield from _speaking(given, options)

    def listens(self) -> Iterator[Listens]:
        for tag, key in (("with", "with"), ("cancel", "cancelled-by")):
            if key in self.options:
                name, where = _reference(self.options[key])
                yield Listens(tag, name, tuple(lines(name, where)))
        if self._terms.next_turn:
            yield Listens("content", "content")

    def watch(self) -> Watch:
        return PairWatch(self._terms)


def _reference(option: Any) -> tuple[str, Mapping[str, Any]]:
    """Schema of a kind of fact with conditions."""
    return (option, {}) if isinstance(option, str) else (option["given"], option.get("where", {}))


def _ties(given: str, options: Any) -> dict[str, tuple[str, str | None]]:
    """Yields each role of the pair, its kind of fact, and the field that ties it."""
    by = options.get("by")
    mine, theirs = (by["given"], by["with"]) if isinstance(by, dict) else (by, by)
    ties = {"given": (given, mine), "with": (_reference(options["with"])[0], theirs)}
    if "cancelled-by" in options:
        ties["cancel"] = (_reference(options["cancelled-by"])[0], options.get("cancel-by", mine))
    return ties


def _place(tag: str, options: Any) -> tuple[str, ...]:
    """The place in the options that names the tie of a fact."""
    if tag == "cancel" and "cancel-by" in options:
        return ("cancel-by",)
    return ("by", tag) if isinstance(options["by"], dict) and tag in options["by"] else ("by",)


def _speaking(given: str, options: Any) -> Iterator[Fault]:
    """Mistakes where an option about turns is used with facts that have no speaker."""
    if options.get("within") != "next-turn":
        if "same" in options:
            yield ("same",), "same needs 'within: next-turn'"
        return
    if options.get("comes") == "before":
        yield ("within",), "what comes before is looked for in the whole conversation"
    for kind in (given, _reference(options["with"])[0]):
        if "speaker" not in fields(kind):
            yield ("within",), f"next-turn asks who speaks, and a fact '{kind}' does not say"
