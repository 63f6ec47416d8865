"""count: how many facts, or distinct values of a field, there may be."""

from collections.abc import Iterator
from typing import Any

from wirecheck.rules.checks.base import Fault, Found, Watch, Watching, options, tie
from wirecheck.rules.checks.unique import SCOPE
from wirecheck.rules.language.fields import path, pick
from wirecheck.talk.facts import Fact


class Count(Watching):
    """At most `max`, at least `min` facts."""

    OPTIONS = options(
        max={"type": "integer", "minimum": 0, "description": "At most so many."},
        min={"type": "integer", "minimum": 1, "description": "At least so many, where there is one."},
        of={"type": "string", "description": "A field: its distinct values are counted."},
        within=SCOPE,
    )
    FIELDS = ("of",)
    FOUND = ("count",)

    def __init__(self, given: str, options: Any) -> None:
        super().__init__(given, options)
        self.max = options.get("max")
        self.min = options.get("min", 0)
        self.of = path(given, options["of"]) if "of" in options else None
        self.turnwise = options.get("within") == "turn"

    @classmethod
    def faults(cls, given: str, options: Any) -> Iterator[Fault]:
        if "max" not in options and "min" not in options:
            yield (), "count needs 'max' or 'min'"
        yield from super().faults(given, options)

    def watch(self) -> Watch:
        return CountWatch(self)


class CountWatch(Watch):
    """The count for one conversation, or for its current turn."""

    KEPT = ("_last", "_count", "_values")

    def __init__(self, check: Count) -> None:
        self._check = check
        self._last: Fact | None = None
        self._count = 0
        self._values: set[Any] = set()

    def see(self, tag: str, fact: Fact) -> Iterator[Found]:
        if self._check.turnwise and self._last is not None and fact.turn != self._last.turn:
            yield from self._few()
            self._count, self._values = 0, set()
        self._last = fact
        if self._counts(fact):
            self._count += 1
            if self._check.max is not None and self._count == self._check.max + 1:
                yield Found(fact, {"count": self._count})

    def end(self, cut: bool) -> Iterator[Found]:
        if not cut:
            yield from self._few()

    def _counts(self, fact: Fact) -> bool:
        if self._check.of is None:
            return True
        value = tie(pick(fact, self._check.of))
        new = value is not None and value not in self._values
        self._values.add(value)
        return new

    def _few(self) -> Iterator[Found]:
        if self._last is not None and self._count < self._check.min:
            yield Found(self._last, {"count": self._count})
