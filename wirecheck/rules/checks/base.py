"""The base classes of checks.

A check without memory writes the condition of a miss into the compiled code of its rule; `look` runs only where that
holds. A check with memory (Watching) names the kinds of facts it listens to, and has one Watch for each conversation.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any, ClassVar

from msgspec import Struct, json

from wirecheck.dialects.messages import Step
from wirecheck.rules.language.compiler import GeneratedFunction
from wirecheck.rules.language.fields import UnknownName, path
from wirecheck.rules.language.where import Condition
from wirecheck.talk.facts import Fact, Linked

Place = tuple[str | int, ...]
Fault = tuple[Place, str]  # place in the options, message
Schema = dict[str, Any]


class Found(Struct, frozen=True):
    """What a check reports of one miss: its fact, its place, and values for the message."""

    fact: Fact
    values: Mapping[str, Any] = {}
    related: tuple[Linked, ...] = ()
    steps: tuple[Step, ...] = ()  # from the fact's place to the place of the miss


class Listens(Struct, frozen=True):
    """A kind of fact that a check listens to, by the check's own tag. `lines` are the conditions on it."""

    tag: str
    kind: str
    lines: tuple[Condition, ...] = ()


def options(required: Iterable[str] = (), /, **keys: Schema) -> Schema:
    """The JSON Schema of a check's options."""
    return {
        "type": "object",
        "properties": {key.rstrip("_").replace("_", "-"): schema for key, schema in keys.items()},
        "required": list(required),
        "additionalProperties": False,
    }


def tie(value: Any) -> Any:
    """A JSON value as a dictionary key: equal values have equal keys, and true differs from 1."""
    if value is None or isinstance(value, str):
        return value
    return json.encode(value, order="sorted")


class Check:
    """A check with its options. `given` is the kind of fact its rule is about."""

    OPTIONS: ClassVar[Schema]
    FIELDS: ClassVar[tuple[str, ...]] = ()  # the options that name a field of the fact
    FOUND: ClassVar[tuple[str, ...]] = ()
    reads: tuple[Condition, ...] | None = None  # all it reads of a fact, as conditions; None: anything

    def __init__(self, given: str, options: Any) -> None:
        self.given = given
        self.options = options

    @classmethod
    def faults(cls, given: str, options: Any) -> Iterator[Fault]:
        """Mistakes in options that the schema cannot express."""
        for key in cls.FIELDS:
            try:
                _ = key in options and path(given, options[key])
            except UnknownName as unknown:
                yield (key,), str(unknown)

    def broken(self, code: GeneratedFunction) -> str | None:
        """Writes the condition of a miss into the code of the rule. None: every fact is a miss."""
        return None

    def look(self, fact: Fact) -> Iterator[Found]:
        """Reports a fact for which the condition held."""
        yield Found(fact)


class Watch:
    """The memory of a check for one conversation.

    KEPT names the attributes of a snapshot: plain values, and containers of immutable values.
    """

    KEPT: ClassVar[tuple[str, ...]]

    def see(self, tag: str, fact: Fact) -> Iterator[Found]:
        raise NotImplementedError

    def end(self, cut: bool) -> Iterator[Found]:
        """The conversation is over; `cut` where no end was recorded and the log just has no more of it."""
        yield from ()

    def save(self) -> Mapping[str, Any]:
        return {name: copy(getattr(self, name)) for name in self.KEPT}

    def restore(self, saved: Mapping[str, Any]) -> None:
        for name, value in saved.items():
            setattr(self, name, copy(value))


class Watching(Check):
    """A check with memory."""

    def listens(self) -> Iterable[Listens]:
        """What it listens to besides the facts of its rule, whose tag is "given"."""
        return ()

    def watch(self) -> Watch:
        raise NotImplementedError
