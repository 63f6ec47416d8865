"""shape: conditions that must hold of the fact, written like those of `where`."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from wirecheck.rules.checks.base import Check, Fault, Found
from wirecheck.rules.language.compiler import GeneratedFunction, Predicate
from wirecheck.rules.language.fields import FieldPath, pick
from wirecheck.rules.language.payload_place import within
from wirecheck.rules.language.where import Condition, faults, line, lines, where_schema
from wirecheck.talk.facts import Fact

WRITTEN = ("value", "body")  # fields of facts that are the payload itself


class Shape(Check):
    """All conditions must hold. The finding names the first that does not, and points at its field."""

    OPTIONS = where_schema("What must hold of the fact: the same lines as in `where`.")
    FOUND = ("field", "value")

    def __init__(self, given: str, options: Any) -> None:
        super().__init__(given, options)
        self._lines = lines(given, options)
        self.reads = tuple(self._lines)

    @classmethod
    def faults(cls, given: str, options: Any) -> Iterator[Fault]:
        return faults(given, options)

    def broken(self, code: GeneratedFunction) -> str:
        return f"not ({' and '.join(line.write(code) for line in self._lines)})"

    @cached_property
    def _tests(self) -> list[tuple[Condition, Predicate]]:
        """One predicate a condition, in the author's order. Made for the first miss."""
        conditions = [line(self.given, key, argument) for key, argument in self.options.items()]
        return [(each, Predicate(self.given, [each])) for each in conditions]

    def look(self, fact: Fact) -> Iterator[Found]:
        for each, holds in self._tests:
            if not holds(fact):
                values = {"field": _said(each.path), "value": pick(fact, each.path)}
                yield Found(fact, values, steps=within(fact, each.path))
                return


def _said(where: FieldPath) -> str:
    """A path as messages show it: without the `value` or `body` of the fact."""
    first, _, inner = where.text.partition(".")
    return inner if inner and first in WRITTEN else where.text
