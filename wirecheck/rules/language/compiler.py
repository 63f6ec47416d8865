"""Compiles conditions into Python: one function a kind of fact, which reads each field once and asks its rules in
order.

The source of a function consists of fixed templates (here and in modifiers.py) and attribute names of facts.py.
Whatever comes from a rule file is a constant in a slot (_k0, _k1, …). No text of a rule is ever evaluated.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from wirecheck.rules.language.fields import FieldPath, Step, walk
from wirecheck.rules.language.values import HELPERS
from wirecheck.rules.language.where import Condition
from wirecheck.talk.facts import Fact

Act = Callable[..., None]  # called where all conditions of a rule hold, with its number


class GeneratedFunction:
    """Builds the source of one function."""

    def __init__(self, given: str, parameters: str) -> None:
        self.given = given
        self._parameters = parameters
        self._slots: dict[str, Any] = {}
        self._fields: dict[tuple[str, ...], str] = {}
        self._head: list[str] = []
        self._body: list[str] = []
        self._deep: dict[tuple[str, Step], str] = {}  # names of the JSON values already read in this block
        self._depth = 1

    def put(self, value: Any) -> str:
        """Puts a constant into a slot and returns the name of the slot."""
        name = f"_k{len(self._slots)}"
        self._slots[name] = value
        return name

    def read(self, where: FieldPath) -> str:
        """The name of the value at a path. Fields are read once, at the top; JSON values where they are first
        needed."""
        value = self._field(where.attributes)
        for step in where.steps:
            value = self._inside(value, step)
        return value

    def guard(self, lines: Sequence[Condition]) -> None:
        """Opens a block that runs only where all conditions hold."""
        for deep in (False, True):
            if tests := [each.write(self) for each in lines if each.deep is deep]:
                self.when(" and ".join(tests))

    def when(self, test: str) -> None:
        self._write(f"if {test}:")
        self._depth += 1

    def done(self, statement: str) -> None:
        """Ends a block with its statement."""
        self._write(statement)
        self._depth, self._deep = 1, {}

    def make(self, act: Act | None = None) -> Callable[..., Any]:
        """The finished function."""
        text = "\n".join([f"def judge({self._parameters}):", *self._head, *self._body, "    return None"])
        names = {**HELPERS, "_enter": _enter, **self._slots, "_act": act}
        exec(compile(text, f"<rules about {self.given}>", "exec"), names)
        function: Callable[..., Any] = names["judge"]
        return function

    def _field(self, attributes: tuple[str, ...]) -> str:
        if not attributes:
            return "fact"
        if attributes not in self._fields:
            owner = self._field(attributes[:-1])
            self._fields[attributes] = name = f"f{len(self._fields)}"
            maybe = "" if owner == "fact" or attributes[0] == "context" else f"None if {owner} is None else "
            self._head.append(f"    {name} = {maybe}{owner}.{attributes[-1]}")
        return self._fields[attributes]

    def _inside(self, value: str, step: Step) -> str:
        """The name of the value one step inside a JSON value."""
        if (value, step) not in self._deep:
            self._deep[value, step] = name = f"v{len(self._deep)}"
            self._write(f"{name} = {self._step(value, step)}")
        return self._deep[value, step]

    def _step(self, value: str, step: Step) -> str:
        if step.index is not None:
            return f"_enter({value}, {self.put((step.key, step.snake, step.index))})"
        found = f"{value}.get({self.put(step.key)})"
        if step.snake is not None:
            found = f"_v if (_v := {found}) is not None else {value}.get({self.put(step.snake)})"
        return f"({found}) if type({value}) is dict else None"

    def _write(self, text: str) -> None:
        self._body.append("    " * self._depth + text)


def _enter(value: Any, step: tuple[str, str | None, int | None]) -> Any:
    return walk(value, (Step(*step),))


class Predicate:
    """Whether all conditions hold of a fact. Compiled on first use: most are never used."""

    def __init__(self, given: str, lines: Sequence[Condition]) -> None:
        self._given, self._lines = given, lines

    def __call__(self, fact: Fact) -> bool:
        return self._holds(fact)

    @cached_property
    def _holds(self) -> Callable[[Fact], bool]:
        function = GeneratedFunction(self._given, "fact")
        function.guard(self._lines)
        function.done("return True")
        function.done("return False")
        return function.make()
