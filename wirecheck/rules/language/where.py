"""Conditions, the lines of `where` and `shape`: `field: value` and `field|modifier: argument`.

Looked up when the rule is loaded: an unknown field or modifier, or an impossible value, is an error of the file.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from wirecheck.rules.language import values
from wirecheck.rules.language.fields import Family, Field, FieldPath, UnknownName, path, suggest
from wirecheck.rules.language.modifiers import MODIFIERS, REFERENCES, CodeWriter, Schema, listed

CONVERSATION = ("context", "conversation")
PYTHON: dict[Family, Any] = {"text": str, "number": (int, float), "boolean": bool}


class Condition(Struct, frozen=True):
    """One condition, looked up."""

    key: str
    path: FieldPath
    modifier: str
    argument: Any

    def write(self, code: CodeWriter) -> str:
        return MODIFIERS[self.modifier].test(code.read(self.path), self.argument, self.path.field, code)

    @property
    def deep(self) -> bool:
        """Whether it reads inside a JSON value, which costs more than a field."""
        return bool(self.path.steps) or self.modifier in REFERENCES


def where_schema(says: str) -> Schema:
    """The JSON Schema of conditions, as a reference to the definition in rules/engine/format.py."""
    return {"$ref": "#/$defs/lines", "description": says}


def lines_schema() -> Schema:
    """The JSON Schema of conditions: the modifier at the end of the key determines the argument."""
    return {
        "type": "object",
        "minProperties": 1,
        "patternProperties": {
            f"^[^|]+\\|{name}$" if name else "^[^|]+$": {**row.argument, "description": f"The value {row.says}."}
            for name, row in MODIFIERS.items()
        },
    }


def faults(given: str, where: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yields the problems of conditions, with their places."""
    for key, argument in where.items():
        try:
            found = line(given, key, argument)
        except UnknownName as unknown:
            yield (key,), str(unknown)
            continue
        # Only when a file is validated: otherwise the engine is loaded when a pattern is first used.
        if found.modifier in ("pattern", "not-pattern") and (wrong := values.bad_pattern(argument)):
            yield (key,), wrong


def line(given: str, key: str, argument: Any) -> Condition:
    """Looks up one condition. Raises UnknownName."""
    name, _, modifier = key.partition("|")
    if modifier not in MODIFIERS or key.endswith("|"):
        raise UnknownName(f"unknown modifier '{modifier}'{suggest(modifier, filter(None, MODIFIERS))}")
    found = _asked(given, name)
    row = MODIFIERS[modifier]
    if found.field.family not in row.families:
        raise UnknownName(f"'{modifier or 'a value'}' cannot be asked of '{name}', which is {_a(found.field.family)}")
    _fits(name, found.field, modifier, argument)
    if modifier in REFERENCES:
        _asked(given, argument)
    return Condition(key, found, modifier, argument)


def lines(given: str, where: Mapping[str, Any]) -> list[Condition]:
    """The conditions of a `where`, cheap ones first. Raises UnknownName."""
    return sorted((line(given, key, argument) for key, argument in where.items()), key=lambda each: each.deep)


def _asked(given: str, name: str) -> FieldPath:
    """A path of a condition. Conversations are numbered in the order of the log: a rule that asked for a number would
    hold of the same history once, and of its next conversation not."""
    found = path(given, name)
    if found.attributes == CONVERSATION:
        raise UnknownName("'conversation' is for messages: no condition can ask for a number")
    return found


def _fits(name: str, field: Field, modifier: str, argument: Any) -> None:
    """Raises UnknownName where a field can never have the values it is compared with."""
    if modifier not in ("", "in", "not", "not-in") or field.family == "json":
        return
    for value in filter(lambda each: each is not None, listed(argument)):
        if not isinstance(value, PYTHON[field.family]) or isinstance(value, bool) != (field.family == "boolean"):
            raise UnknownName(f"'{name}' is {_a(field.family)}, and never {value!r}")
        if field.choices and value not in field.choices:
            raise UnknownName(f"'{name}' is never '{value}'{suggest(value, filter(None, field.choices))}")


def _a(family: str) -> str:
    return "JSON" if family == "json" else f"{'an' if family == 'object' else 'a'} {family}"
