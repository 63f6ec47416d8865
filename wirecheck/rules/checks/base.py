"""What a check is: its options with their schema, a condition or a watch, and what it can find out.

A check without memory writes the condition of a miss into the code of its rule, and says more only when that holds.
A check with memory listens to kinds of facts, and a Watch of each conversation remembers.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any, ClassVar

from msgspec import Struct, json

from wirecheck.dialects.messages import Step
from wirecheck.rules.language.compiler import GeneratedFunction
from wirecheck.rules.language.where import Condition
from wirecheck.talk.facts import Fact, Linked

Place = tuple[str | int, ...]
Fault = tuple[Place, str]  # where in the options, and what is wrong there
Schema = dict[str, Any]


class Found(Struct, frozen=True):
    """What a check found out about one miss: where it stands, and values for the message."""

    fact: Fact
    values: Mapping[str, Any] = {}
    related: tuple[Linked, ...] = ()
    steps: tuple[Step, ...] = ()  # from the fact's place further in


class Listens(Struct, frozen=True):
    """A kind of fact a check hears of, and the name it gives it."""

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
    """A value as a key: equal values have equal keys, and true is not 1."""
    if value is None or isinstance(value, str):
        return value
    return json.encode(value, order="sorted")


class Check:
    """A check and its options. `given` is the kind of fact its rule is asked about."""

    OPTIONS: ClassVar[Schema]
    FOUND: ClassVar[tuple[str, ...]] = ()
    reads: tuple[Condition, ...] | None = None  # what it looks at, as lines; None where that may be anything

    def __init__(self, given: str, options: Any) -> None:
        self.given = given
        self.options = options

    @classmethod
    def faults(cls, given: str, options: Any) -> Iterator[Fault]:
        """What is wrong with options that have the right shape."""
        yield from ()

    def broken(self, code: GeneratedFunction) -> str | None:
        """The condition of a miss, written into the code of the rule. None: always."""
        return None

    def look(self, fact: Fact) -> Iterator[Found]:
        """What there is to say of a fact whose condition held."""
        yield Found(fact)


class Watch:
    """What a check remembers of one conversation.

    KEPT names the attributes: plain values, and containers of what never changes.
    """

    KEPT: ClassVar[tuple[str, ...]]

    def see(self, tag: str, fact: Fact) -> Iterator[Found]:
        raise NotImplementedError

    def end(self, cut: bool) -> Iterator[Found]:
        """The conversation is over; `cut` where the log merely has no more of it."""
        yield from ()

    def save(self) -> Mapping[str, Any]:
        return {name: copy(getattr(self, name)) for name in self.KEPT}

    def restore(self, saved: Mapping[str, Any]) -> None:
        for name, value in saved.items():
            setattr(self, name, copy(value))


class Watching(Check):
    """A check with memory."""

    def listens(self) -> Iterable[Listens]:
        """What it hears of besides the facts of its rule, which come as "given"."""
        return ()

    def watch(self) -> Watch:
        raise NotImplementedError
