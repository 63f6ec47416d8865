"""The base class of checks.

A check looks at one fact and remembers nothing: what came before a fact is in its fields. It writes the condition of a
miss into the compiled code of its rule; `look` runs only where that holds.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from msgspec import Struct

from wirecheck.dialects.messages import Step
from wirecheck.rules.language.compiler import GeneratedFunction
from wirecheck.rules.language.fields import UnknownName, path
from wirecheck.rules.language.where import Condition
from wirecheck.talk.facts import Fact

Place = tuple[str | int, ...]
Fault = tuple[Place, str]  # place in the options, message
Schema = dict[str, Any]


class Found(Struct, frozen=True):
    """What a check reports of one miss: its fact, its place, and values for the message."""

    fact: Fact
    values: Mapping[str, Any] = {}
    steps: tuple[Step, ...] = ()  # from the fact's place to the place of the miss


def options(required: Iterable[str] = (), /, **keys: Schema) -> Schema:
    """The JSON Schema of a check's options."""
    return {
        "type": "object",
        "properties": {key.rstrip("_").replace("_", "-"): schema for key, schema in keys.items()},
        "required": list(required),
        "additionalProperties": False,
    }


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
