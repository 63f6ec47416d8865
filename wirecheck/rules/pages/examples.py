"""Running the examples of rules: what they find, and which do not show what they say.

The belt that judges records is given from outside; so is the reader of examples that are JSONL and no script.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import BinaryIO, NamedTuple, Protocol

from wirecheck.finding import Finding
from wirecheck.rules.engine.ruleset import Ruleset
from wirecheck.rules.language import script
from wirecheck.rules.language.rule import Example, Rule
from wirecheck.wire.records import Record

Read = Callable[[BinaryIO, str], Iterable[Record]]  # records of a log that is no script


class ExampleInspector(Protocol):
    """The belt, as far as examples need it."""

    def feed(self, record: Record) -> list[Finding]: ...
    def close(self) -> list[Finding]: ...


class InspectorFactory(Protocol):
    """What makes a belt of some rules."""

    def __call__(self, rules: Ruleset, *, predict: bool) -> ExampleInspector: ...


class Failure(NamedTuple):
    """An example that finds something else than it says, both as "LINE: message"."""

    rule: Rule
    example: Example
    expected: tuple[str, ...]
    found: tuple[str, ...]


def failures(rules: Iterable[Rule], ruleset: Ruleset, make: InspectorFactory, read: Read) -> Iterator[Failure]:
    """The examples of rules that do not show what they say. `ruleset` gives the models."""
    for rule in rules:
        alone = Ruleset([rule], ruleset.models)
        for example in (*rule.page().good, *rule.page().bad):
            found = finds(example, make(alone, predict=example.predict), read)
            if sorted(found) != sorted(example.finds):
                yield Failure(rule, example, example.finds, found)


def finds(example: Example, inspector: ExampleInspector, read: Read) -> tuple[str, ...]:
    """What is found in an example, as "LINE: message"."""
    found: list[Finding] = []
    for record in records(example, read):
        found += inspector.feed(record)
    found += inspector.close()
    return tuple(f"{each.place.line}: {each.message}" for each in found)


def records(example: Example, read: Read) -> Iterator[Record]:
    """The records of an example."""
    scripted = script.records(example)
    first = next(scripted, None)
    if first is None:
        yield from read(io.BytesIO(example.log.encode()), script.PATH)
    else:
        yield from chain((first,), scripted)
