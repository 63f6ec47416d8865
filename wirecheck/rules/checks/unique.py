"""unique: no two facts share a value."""

from collections.abc import Iterator
from typing import Any

from wirecheck.rules.checks.base import Found, Watch, Watching, options, tie
from wirecheck.rules.language.fields import path, pick
from wirecheck.talk.facts import Fact, Linked

SCOPE = {"enum": ["turn", "conversation"], "description": "Among which facts; conversation by default."}


class Unique(Watching):
    """No two facts share the value. null is ignored."""

    OPTIONS = options(("value",), value={"type": "string", "description": "The field."}, within=SCOPE)
    FIELDS = ("value",)
    FOUND = ("value",)

    def __init__(self, given: str, options: Any) -> None:
        super().__init__(given, options)
        self.value = path(given, options["value"])
        self.turnwise = options.get("within") == "turn"

    def watch(self) -> Watch:
        return UniqueWatch(self)


class UniqueWatch(Watch):
    """The values seen in one conversation, or in its current turn, and where each was first."""

    KEPT = ("_turn", "_first")

    def __init__(self, check: Unique) -> None:
        self._check = check
        self._turn: int | None = None
        self._first: dict[Any, Linked] = {}

    def see(self, tag: str, fact: Fact) -> Iterator[Found]:
        if self._check.turnwise and fact.turn != self._turn:
            self._turn, self._first = fact.turn, {}
        value = pick(fact, self._check.value)
        if value is None:
            return
        first = self._first.setdefault(tie(value), here := Linked(fact.spot, "the first"))
        if first is not here:
            yield Found(fact, {"value": value}, (first,))
