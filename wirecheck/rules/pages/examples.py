"""Runs the examples of rules, and reports those that do not find what they say.

The Inspector is passed in, since rules may not import it; so are the reader for examples that are JSONL, and what
compares a log with the wire.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, NamedTuple, Protocol

from msgspec.structs import replace

from wirecheck.finding import Finding
from wirecheck.rules.engine.ruleset import Ruleset
from wirecheck.rules.language import script
from wirecheck.rules.language.rule import Example, Rule
from wirecheck.wire.records import Record

Compare = Callable[[Iterable[Record], Iterable[Record], Ruleset], list[Finding]]
Read = Callable[[BinaryIO, str], Iterable[Record]]  # reads the records of an example that is no script


class ExampleInspector(Protocol):
    """What examples need of Inspector."""

    def feed(self, record: Record) -> list[Finding]: ...
    def close(self) -> list[Finding]: ...


class InspectorFactory(Protocol):
    """Makes an Inspector."""

    def __call__(self, rules: Ruleset, *, predict: bool) -> ExampleInspector: ...


class Failure(NamedTuple):
    """An example that does not find what it says. Both are given as "LINE: message"."""

    rule: Rule
    example: Example
    expected: tuple[str, ...]
    found: tuple[str, ...]


def failures(
    rules: Iterable[Rule], ruleset: Ruleset, make: InspectorFactory, read: Read, compare: Compare
) -> Iterator[Failure]:
    """Yields the examples that do not find what they say. `ruleset` provides the models."""
    for rule in rules:
        alone = Ruleset([rule], ruleset.models)
        for example in (*rule.page().good, *rule.page().bad):
            if example.wire:
                found = _told(compare(records(example, read), records(replace(example, log=example.wire), read), alone))
            else:
                found = finds(example, make(alone, predict=example.predict), read)
            if sorted(found) != sorted(example.finds):
                yield Failure(rule, example, example.finds, found)


def finds(example: Example, inspector: ExampleInspector, read: Read) -> tuple[str, ...]:
    """The findings in an example, as "LINE: message"."""
    found = [finding for record in records(example, read) for finding in inspector.feed(record)]
    return _told(found + inspector.close())


def _told(found: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(f"{each.place.line}: {each.message}" for each in found)


def records(example: Example, read: Read) -> Iterator[Record]:
    """The records of an example."""
    scripted = list(script.records(example))
    yield from scripted or read(io.BytesIO(example.log.encode()), script.PATH)
