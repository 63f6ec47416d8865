"""pair: the given fact must have its partner.

Partners are tied by a field; what has no tie is not asked. A turn is what one speaker says until another one does.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from wirecheck.rules.checks.base import Fault, Found, Listens, Watch, Watching, options, tie
from wirecheck.rules.fields import Unknown, fields, path, pick
from wirecheck.rules.where import faults, lines, where_schema
from wirecheck.talk.facts import FACTS, Fact, Linked

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


class Open(Struct, frozen=True):
    """A given fact that has no partner yet, and the turn it was made in."""

    fact: Fact
    turn: int


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
        by = options.get("by")
        self.mine, self.theirs = (by["given"], by["with"]) if isinstance(by, dict) else (by, by)
        kinds = {"given": given, "with": _reference(options["with"])[0]}
        ties = {"given": self.mine, "with": self.theirs}
        if "cancelled-by" in options:
            kinds["cancel"], _ = _reference(options["cancelled-by"])
            ties["cancel"] = options.get("cancel-by", self.mine)
        self.ties = {tag: path(kinds[tag], text) if text else None for tag, text in ties.items()}
        self.comes_before = options.get("comes") == "before"
        self.needed = options.get("times") != "at-most-one"
        self.next_turn = options.get("within") == "next-turn"
        self.role = options.get("role")
        self.same = options.get("same", ())

    @classmethod
    def faults(cls, given: str, options: Any) -> Iterator[Fault]:
        by = options.get("by")
        mine, theirs = (
            ((by["given"], ("given",)), (by["with"], ("with",))) if isinstance(by, dict) else ((by, ()), (by, ()))
        )
        partner, _ = _reference(options["with"])
        yield from _field(given, mine[0], ("by", *mine[1]))
        yield from _field(partner, theirs[0], ("by", *theirs[1]))
        yield from _where(options, "with")
        if "cancelled-by" in options:
            canceller, _ = _reference(options["cancelled-by"])
            yield from _field(canceller, options.get("cancel-by", mine[0]), ("cancelled-by",))
            yield from _where(options, "cancelled-by")
        yield from _speaking(given, partner, options)

    def listens(self) -> Iterator[Listens]:
        for tag, key in (("with", "with"), ("cancel", "cancelled-by")):
            if key in self.options:
                name, where = _reference(self.options[key])
                yield Listens(tag, name, tuple(lines(name, where)))
        if self.next_turn:
            yield Listens("content", "content")

    def watch(self) -> Watch:
        return PairWatch(self)


class PairWatch(Watch):
    """The pairs of one conversation."""

    def __init__(self, check: Pair) -> None:
        self._check = check
        self._turn = 0
        self._speaker = ""
        self._open: dict[Any, tuple[Open, ...]] = {}
        self._partners: dict[Any, Fact] = {}  # the first partner of each tie
        self._asked: tuple[tuple[Any, Open], ...] = ()  # the given facts of the last turn that had some
        self._answered: tuple[Any, ...] = ()  # the ties of the partners in the turn after it

    def see(self, tag: str, fact: Fact) -> Iterator[Found]:
        yield from self._turns(getattr(fact, "speaker", ""))
        if tag == "content":
            return
        by = self._check.ties[tag]
        key = tie(pick(fact, by)) if by is not None else ""
        if key is not None:
            yield from SEEN[tag](self, key, fact)

    def end(self, cut: bool) -> Iterator[Found]:
        if not cut:
            yield from self._compare()
            yield from self._missing(sum(self._open.values(), ()))

    def given(self, key: Any, fact: Fact) -> Iterator[Found]:
        if self._check.comes_before:
            partner = self._partners.get(key)
            yield from (_miss(fact, "missing"),) if partner is None else self._placed(fact, partner)
            return
        if self._asked and self._asked[-1][1].turn != self._turn:
            yield from self._compare()
        opened = Open(fact, self._turn)
        self._open[key] = (*self._open.get(key, ()), opened)
        self._asked = (*self._asked, (key, opened))

    def partner(self, key: Any, fact: Fact) -> Iterator[Found]:
        waiting = self._open.pop(key, ())
        if len(waiting) > 1:
            self._open[key] = waiting[1:]
        if self._asked:
            self._answered = (*self._answered, key)
        if waiting:
            yield from self._placed(fact, waiting[0].fact)
        elif key in self._partners and self._check.ties["with"] is not None and not self._check.comes_before:
            yield _miss(fact, "again", related=(Linked(self._partners[key].spot, "the first"),))
        self._partners.setdefault(key, fact)

    def cancel(self, key: Any, fact: Fact) -> Iterator[Found]:
        self._open.pop(key, None)
        self._asked = tuple(each for each in self._asked if each[0] != key)
        yield from ()

    def _placed(self, fact: Fact, other: Fact) -> Iterator[Found]:
        """Whether a partner stands in the role it must stand in."""
        partner = other if self._check.comes_before else fact
        if self._check.role is not None and getattr(partner, "role", None) != self._check.role:
            yield _miss(fact, "role", related=(Linked(other.spot, "its partner"),))

    def _turns(self, speaker: str) -> Iterator[Found]:
        """Another speaker begins another turn: what had to come in the one before has come, or is missing."""
        if not self._check.next_turn or speaker in ("", self._speaker):
            return
        self._speaker = speaker
        self._turn += 1
        late = [each for waiting in self._open.values() for each in waiting if each.turn + 1 < self._turn]
        if self._asked and self._asked[0][1].turn + 1 < self._turn:
            yield from self._compare()
        yield from self._missing(late)
        self._open = {
            key: left
            for key, waiting in self._open.items()
            if (left := tuple(each for each in waiting if each.turn + 1 >= self._turn))
        }

    def _missing(self, waiting: Any) -> Iterator[Found]:
        if self._check.needed:
            yield from (_miss(each.fact, "missing") for each in waiting)

    def _compare(self) -> Iterator[Found]:
        """Whether the partners of a turn are as many as what they belong to, and in its order."""
        asked, answered = self._asked, self._answered
        self._asked, self._answered = (), ()
        if not asked or not answered:
            return
        first = asked[0][1].fact
        if "count" in self._check.same and len(asked) != len(answered):
            yield _miss(first, "count", count=len(answered), wanted=len(asked))
        keys = [key for key, _ in asked if key in answered]
        if "order" in self._check.same and keys != [key for key in answered if key in keys]:
            yield _miss(first, "order", count=len(answered), wanted=len(asked))


SEEN = {"given": PairWatch.given, "with": PairWatch.partner, "cancel": PairWatch.cancel}


def _miss(fact: Fact, why: str, related: tuple[Linked, ...] = (), **more: int) -> Found:
    return Found(fact, {"why": why, **more}, related)


def _reference(option: Any) -> tuple[str, Mapping[str, Any]]:
    """A kind of fact, and which of them."""
    return (option, {}) if isinstance(option, str) else (option["given"], option.get("where", {}))


def _field(given: str, text: str | None, place: tuple[str, ...]) -> Iterator[Fault]:
    try:
        _ = text and path(given, text)
    except Unknown as unknown:
        yield place, str(unknown)


def _where(options: Any, key: str) -> Iterator[Fault]:
    yield from (((key, "where", *place), what) for place, what in faults(*_reference(options[key])))


def _speaking(given: str, partner: str, options: Any) -> Iterator[Fault]:
    if options.get("within") == "next-turn":
        for name in {given, partner}:
            if "speaker" not in fields(name):
                yield ("within",), f"next-turn asks who speaks, and a fact '{name}' does not say"
    elif "same" in options:
        yield ("same",), "same needs 'within: next-turn'"
