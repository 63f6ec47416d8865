"""What is wrong with a schema, where Gemini's own Schema is asked for and JSON Schema was written.

Schema is a part of OpenAPI: `parameters` and `response` of a declaration, `responseSchema` of a configuration. What a
schema means, and which server minds which of these flaws, is not known here.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from wirecheck.dialects.messages import Step
from wirecheck.dialects.vocabulary.field_names import camel, get, written

_MOST, _DEEPEST = 20_000, 32  # schemas looked at in one; the depth that Vertex documents
MOST_ITEMS = 960  # https://github.com/googleapis/python-genai/issues/2170
TYPES = ("TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")  # by their number
# https://github.com/googleapis/googleapis/blob/master/google/ai/generativelanguage/v1beta/content.proto
_ANNOTATIONS = {"title", "description", "nullable", "example", "default", "propertyOrdering"}
# Keywords that say something of one type only: those a type may have, by the type.
_OF_TYPE = {
    "OBJECT": {"properties", "required", "minProperties", "maxProperties"},
    "ARRAY": {"items", "minItems", "maxItems"},
    "STRING": {"enum", "format", "minLength", "maxLength", "pattern"},
    "NUMBER": {"minimum", "maximum"},
}
_OWNERS = {"properties": "OBJECT", "items": "ARRAY"}
_SPECIFIC = set().union(*_OF_TYPE.values())
_VERTEX = {"ref", "defs", "additionalProperties"}  # in the Schema of Vertex only
KEYWORDS = {"type", "anyOf"} | _ANNOTATIONS | _SPECIFIC | _VERTEX
# Unknown here, and told of as such; where they say what a value is, nobody misses the type.
_INSTEAD = {"oneOf", "allOf", "not", "const"}
_FORMATS = ("enum", "date-time")
_KINDS = {str: "text", bool: "boolean", int: "number", float: "number", list: "list", dict: "object"}


class SchemaFlaw(Struct, frozen=True):
    """One thing wrong: what, the word it is about, and where in the schema."""

    what: str
    word: str
    steps: tuple[Step, ...] = ()


class Subschema(Struct, frozen=True):
    """A schema inside a schema. Of one around it, of which it is an alternative: `typed`, it has a type already;
    `itemed`, items that belong into the alternative stand there, which is told of as such.
    """

    value: Any
    steps: tuple[Step, ...] = ()
    depth: int = 0
    typed: bool = False
    itemed: bool = False
    item: bool = False


def flaws(schema: Any) -> Iterator[SchemaFlaw]:
    """In the order in which they stand; at last, that its arrays may hold more in all than servers take."""
    waiting, items = [Subschema(schema)], 0
    for _ in range(_MOST):
        if not waiting:
            break
        node = waiting.pop()
        if type(node.value) is not dict:
            yield SchemaFlaw("not-object", _kind(node.value), node.steps)
        elif node.depth > _DEEPEST:
            yield SchemaFlaw("too-deep", "", node.steps)
        else:
            yield from _of(node)
            items += most_items(node.value)
            waiting.extend(reversed(list(_inside(node))))
    yield from crowded(items)


def most_items(schema: dict[str, Any]) -> int:
    """How many values an array may hold."""
    limit = schema.get("maxItems", schema.get("max_items"))
    if limit is None:
        return 0
    counts = type(limit) is int or (type(limit) is str and limit.isdecimal() and len(limit) < 20)
    return int(limit) if counts else 0


def crowded(items: int) -> tuple[SchemaFlaw, ...]:
    return (SchemaFlaw("many-items", str(items)),) if items > MOST_ITEMS else ()


def _of(node: Subschema) -> Iterator[SchemaFlaw]:
    schema = node.value
    for key in schema:
        if (name := camel(key)) not in KEYWORDS or name in _VERTEX:
            yield SchemaFlaw("vertex-keyword" if name in _VERTEX else "unknown-keyword", key, (*node.steps, key))
    keys = {camel(key) for key, value in schema.items() if value is not None}
    if "enum" in keys or "format" in keys:
        yield from _empty_enum(node)
    if "ref" in keys:
        if beside := keys - {"ref", "defs", "description", "default"}:
            yield SchemaFlaw("ref-siblings", _listed(beside), node.steps)
    elif "$ref" in keys:
        return  # unknown, and told of as such; what it refers to has the type
    elif "anyOf" in keys:
        if beside := keys & (_SPECIFIC | _ANNOTATIONS | {"type"}):
            specific = beside & _SPECIFIC
            what = "anyof-annotated" if not specific else "anyof-typed" if "type" in keys else "anyof-siblings"
            yield SchemaFlaw(what, _listed(specific or beside), node.steps)
    else:
        kind, flaw = _type(node)
        if flaw is not None:
            yield flaw
        if kind is not None:
            yield from _misplaced(node, kind, keys)
            yield from _CHECKS[kind](node) if kind in _CHECKS else ()


def _type(node: Subschema) -> tuple[str | None, SchemaFlaw | None]:
    """The type, in capitals, or what is wrong with it."""
    found = node.value.get("type")
    steps = (*node.steps, "type")
    if type(found) is list:
        return None, SchemaFlaw("type-list", ", ".join(str(each) for each in found[:8]), steps)
    if type(found) is int and 0 <= found < len(TYPES):
        found = TYPES[found]
    name = found.upper() if isinstance(found, str) else None
    if name in TYPES[1:]:
        return name, None
    if found is None or name == TYPES[0]:
        return None, _untyped(node)
    return None, SchemaFlaw("type-invalid", found if isinstance(found, str) else _kind(found), steps)


def _untyped(node: Subschema) -> SchemaFlaw | None:
    """A schema without a type. One that says nothing at all is passed over where it is the whole."""
    if node.typed or not (node.value or node.steps) or not _INSTEAD.isdisjoint(node.value):
        return None
    if not node.steps:
        return SchemaFlaw("root-untyped", "")
    return SchemaFlaw("item-untyped" if node.item else "type-missing", str(node.steps[-1]), node.steps)


def _misplaced(node: Subschema, kind: str, keys: set[str]) -> Iterator[SchemaFlaw]:
    """Keywords that only another type has, as far as servers are known to mind."""
    if not node.steps and kind != "OBJECT":
        yield SchemaFlaw("root-not-object", kind)
    for owner, what in (("OBJECT", "properties-on-non-object"), ("ARRAY", "items-on-non-array")):
        for key in sorted(_OF_TYPE[owner] & keys):
            if kind != owner and key in ("properties", "required", "items") and get(node.value, key):
                yield SchemaFlaw(what, key, (*node.steps, written(node.value, key)))
    values = get(node.value, "enum")
    if type(values) is list and values:
        odd = next((n for n, value in enumerate(values) if not isinstance(value, str)), None)
        if odd is not None:
            yield SchemaFlaw("enum-non-string", _kind(values[odd]), (*node.steps, "enum", odd))
        elif kind != "STRING":
            yield SchemaFlaw("enum-not-of-strings", kind, (*node.steps, "enum"))


def _empty_enum(node: Subschema) -> Iterator[SchemaFlaw]:
    """An enum with an empty text in it; without any value, where the format says that there are some."""
    values = get(node.value, "enum")
    if type(values) is list and "" in values:
        yield SchemaFlaw("enum-empty", "an empty text in it", (*node.steps, "enum", values.index("")))
    elif not values and node.value.get("format") == "enum":
        yield SchemaFlaw("enum-empty", "no value", (*node.steps, "enum" if values is not None else "format"))


def _object(node: Subschema) -> Iterator[SchemaFlaw]:
    properties, required = get(node.value, "properties"), get(node.value, "required")
    known = properties if type(properties) is dict else {}
    for n, name in enumerate(required if type(required) is list else ()):
        if isinstance(name, str) and name not in known:
            yield SchemaFlaw("required-undefined", name, (*node.steps, "required", n))
    if not known and not required and node.steps and get(node.value, "additionalProperties") is None:
        yield SchemaFlaw("empty-object", "", node.steps)


def _array(node: Subschema) -> Iterator[SchemaFlaw]:
    if not node.itemed and get(node.value, "items") is None and get(node.value, "prefixItems") is None:
        yield SchemaFlaw("items-missing", "", node.steps)


def _string(node: Subschema) -> Iterator[SchemaFlaw]:
    form = node.value.get("format")
    if isinstance(form, str) and form not in _FORMATS:
        yield SchemaFlaw("format-unsupported", form, (*node.steps, "format"))


_CHECKS = {"OBJECT": _object, "ARRAY": _array, "STRING": _string}


def _inside(node: Subschema) -> Iterator[Subschema]:
    """The schemas in a schema, in the order in which they stand, without those that stand where they do not belong."""
    schema, found = node.value, node.value.get("type")
    kind = found.upper() if isinstance(found, str) else "ANY OF" if get(schema, "anyOf") is not None else None
    for key, value in schema.items():
        steps, name = (*node.steps, key), camel(key)
        if value is None or (kind is not None and _OWNERS.get(name, kind) != kind):
            continue
        if name in ("properties", "defs"):
            yield from _members(value, steps, node.depth + 1)
        elif name == "anyOf":
            listed = value if type(value) is list else [value]
            itemed = found is None and get(schema, "items") is not None
            for n, each in enumerate(listed):
                where = (*steps, n) if type(value) is list else steps
                yield Subschema(each, where, node.depth + 1, found is not None, itemed)
        elif name == "items":
            yield Subschema(value, steps, node.depth + 1, item=True)


def _members(value: Any, steps: tuple[Step, ...], depth: int) -> Iterator[Subschema]:
    if type(value) is dict:
        yield from (Subschema(each, (*steps, name), depth) for name, each in value.items())
    else:
        yield Subschema(value, steps, depth)


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "null")


def _listed(keys: set[str]) -> str:
    return ", ".join(sorted(keys))
