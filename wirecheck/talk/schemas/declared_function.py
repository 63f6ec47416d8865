"""One declared function by itself, wherever it stands: its name, the flaws of its schemas, the arguments it takes.

Each is worked out when somebody asks. Knows no other functions and no request.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.dialects.messages import Step
from wirecheck.dialects.vocabulary.field_names import get, keys_of, written
from wirecheck.talk.schemas.arguments import Arguments
from wirecheck.talk.schemas.json_schema_flaws import json_schema_flaws
from wirecheck.talk.schemas.schema_flaws import SchemaFlaw, flaws

# Where a schema of Gemini's is written, and where JSON Schema may be instead.
TWINS = {
    "parameters": "parametersJsonSchema",
    "response": "responseJsonSchema",
    "responseSchema": "responseJsonSchema",
}
_SCHEMAS = ("parameters", "parametersJsonSchema", "response", "responseJsonSchema")
# What the name of a function begins with, and what it is made of.
_FIRST = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_LETTERS = _FIRST | frozenset("0123456789.:-")


class DeclaredFlaw(Struct, frozen=True):
    """A flaw in a schema, and whose."""

    flaw: SchemaFlaw
    field: str
    name: str | None
    steps: tuple[Step, ...]  # to the schema

    def at(self, steps: tuple[Step, ...]) -> "DeclaredFlaw":
        """The same where these steps lead to what holds the schema."""
        return replace(self, steps=steps + self.steps)


class DeclaredFunction:
    """What a declaration says."""

    def __init__(self, value: dict[str, Any]) -> None:
        name = value.get("name")
        self.name = name if isinstance(name, str) else None
        self._value = value

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return keys_of(self._value)

    @cached_property
    def spelled(self) -> bool:
        """Whether its name is made of what a name is made of, however long."""
        name = self.name or ""
        return name[:1] in _FIRST and _LETTERS.issuperset(name)

    @cached_property
    def flawed(self) -> tuple[DeclaredFlaw, ...]:
        return tuple([each for field in _SCHEMAS for each in flawed_in(self._value, field, self.name)])

    @cached_property
    def arguments(self) -> Arguments:
        """What its calls may be given: anything, where two schemas contradict each other."""
        either = [get(self._value, key) for key in ("parameters", "parametersJsonSchema")]
        found = [schema for schema in either if schema is not None]
        return Arguments(found[0] if len(found) == 1 else None)


def flawed_in(holder: dict[str, Any], field: str, name: str | None) -> Iterator[DeclaredFlaw]:
    """What is wrong with the schema under a key; also that there are two."""
    schema = get(holder, field)
    if schema is None:
        return
    where = (written(holder, field),)
    found = flaws(schema) if field in TWINS else json_schema_flaws(schema)
    yield from (DeclaredFlaw(flaw, field, name, where) for flaw in found)
    if field in TWINS and get(holder, TWINS[field]) is not None:
        yield DeclaredFlaw(SchemaFlaw("written-twice", TWINS[field]), field, name, where)
