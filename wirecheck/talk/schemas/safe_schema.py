"""A plain JSON Schema out of a Gemini schema or a JSON Schema of somebody else's.

What is harmless is copied: a reference is replaced by what it points at, a reference back to itself and all that lies
too deep may be anything, and what grows too big is refused. So no reference is left to follow, and checking a value by
the copy costs no more than the value is long. Formats, conditions and `not` are left out: the copy only asks for less.
"""

from collections.abc import Mapping
from typing import Any

from wirecheck.dialects.vocabulary.field_names import camel
from wirecheck.talk.schemas.schema_flaws import TYPES

_MOST, _DEEPEST, _LONGEST = 4_000, 48, 256  # schemas in one, their depth, and a pattern's length
_NUMBERS = {
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"),
}
# An object with these may have more properties than it names.
_OPEN = {"patternProperties", "unevaluatedProperties", "dependentSchemas"}
_LISTS = {"anyOf": "anyOf", "oneOf": "anyOf", "allOf": "allOf", "prefixItems": "prefixItems"}
_TYPES = {name.lower() for name in TYPES[1:]}

Schema = dict[str, Any]


class SchemaTooBig(Exception):
    """More than is worth asking."""


class SafeCopy:
    """Makes a plain schema out of a Gemini one or a JSON Schema."""

    def __init__(self, root: Schema, patterns: bool) -> None:
        self._root, self._patterns = root, patterns
        self._made = 0
        self._open: list[str] = []  # the references that are being followed

    def of(self, schema: Any, depth: int = 0) -> Any:
        self._made += 1
        if self._made > _MOST:
            raise SchemaTooBig
        if not isinstance(schema, dict) or depth > _DEEPEST:
            return schema is not False
        keys = {camel(key): value for key, value in schema.items()}
        made = self._plain(keys)
        self._nested(keys, made, depth)
        if isinstance(where := schema.get("$ref", schema.get("ref")), str):
            pointed = self._pointed(where, depth)
            made = {**made, "allOf": [*made.get("allOf", []), pointed]} if made else pointed
        return or_null(made) if keys.get("nullable") is True else made

    def _plain(self, keys: Mapping[str, Any]) -> Schema:
        """What is said of the value itself."""
        made: Schema = {}
        if types := _types(keys.get("type")):
            made["type"] = types
        for key in _NUMBERS & keys.keys():
            if (number := _number(keys[key])) is not None:
                made[key] = number
        if "const" in keys:
            made["const"] = keys["const"]
        allowed, pattern = keys.get("enum"), keys.get("pattern")
        # Vertex has integers with an enum of texts.
        if isinstance(allowed, list) and allowed and (types in (None, ["string"]) or not isinstance(allowed[0], str)):
            made["enum"] = allowed
        if self._patterns and isinstance(pattern, str) and len(pattern) <= _LONGEST:
            made["pattern"] = pattern
        return made

    def _nested(self, keys: Mapping[str, Any], made: Schema, depth: int) -> None:
        """What is said of what the value holds."""
        properties, needed = keys.get("properties"), _needed(keys)
        if needed:
            made["required"] = sorted(needed)
        if isinstance(properties, dict):
            copied = {name: self.of(each, depth + 1) for name, each in properties.items()}
            # Models fill what they need not give with null.
            made["properties"] = {name: each if name in needed else or_null(each) for name, each in copied.items()}
        if "additionalProperties" in keys and not _OPEN & keys.keys():
            made["additionalProperties"] = self.of(keys["additionalProperties"], depth + 1)
        if isinstance(items := keys.get("items"), dict):
            made["items"] = self.of(items, depth + 1)
        for key, name in _LISTS.items():
            if isinstance(listed := keys.get(key), list) and listed:
                made[name] = made.get(name, []) + [self.of(each, depth + 1) for each in listed]

    def _pointed(self, where: str, depth: int) -> Any:
        """What a reference within the schema points at; any other may be anything."""
        if where in self._open or not where.startswith("#"):
            return True
        self._open.append(where)
        made = self.of(_find(self._root, where), depth + 1)
        self._open.pop()
        return made


def _needed(keys: Mapping[str, Any]) -> set[str]:
    """What is required of what is defined; the rest is a mistake of the schema."""
    required, properties = keys.get("required"), keys.get("properties")
    named = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
    return named & properties.keys() if isinstance(properties, dict) else named


def or_null(schema: Any) -> Any:
    """The same, or null."""
    if not isinstance(schema, dict):
        return schema
    if "allOf" in schema or "const" in schema:
        return {"anyOf": [{"type": "null"}, schema]}
    made = dict(schema)
    if "type" in made:
        made["type"] = [*made["type"], *({"null"} - set(made["type"]))]
    if "enum" in made:
        made["enum"] = [*made["enum"], None]
    if "anyOf" in made:
        made["anyOf"] = [*made["anyOf"], {"type": "null"}]
    return made


def _find(root: Any, where: str) -> Any:
    found = root
    for step in where.removeprefix("#").split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        found = found.get(name, True) if isinstance(found, dict) else True
    return found


def _types(found: Any) -> list[str] | None:
    """The types a value may have, None for any."""
    named = [each.lower() for each in (found if isinstance(found, list) else [found]) if isinstance(each, str)]
    if type(found) is int and 0 < found < len(TYPES):
        named = [TYPES[found].lower()]
    return sorted(set(named)) if named and _TYPES.issuperset(named) else None


def _number(value: Any) -> int | float | None:
    """A number; counts are written as text by some."""
    if isinstance(value, str) and value.isdecimal() and value.isascii() and len(value) < 16:
        return int(value)
    return value if type(value) in (int, float) else None
