"""The attributes of a span or a log record by name: an object, or the list of typed values of OTLP.

Names with dots and numbers, as in `llm.input_messages.0.message.role`, are what lists and objects were flattened to.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import DecodeError, Raw, Struct, field, json

from wirecheck.sources.formats.node import DeepNode, JsonNode, text
from wirecheck.sources.telemetry.composed_node import ComposedNode
from wirecheck.wire.records import Origin, Site

Attributes = Mapping[str, JsonNode]
SCALARS = ("stringValue", "string_value", "intValue", "int_value", "boolValue", "bool_value", "doubleValue")
DEEPEST = 16  # steps of a flattened name, levels of a value in OTLP
DIGITS = 4  # of a number in a name
MISSING = JsonNode(None, Site(Origin("", 0)))


ABSENT = Raw(b"null")


class ScalarValue(Struct, frozen=True):
    """An AnyValue of OTLP, as most are."""

    text: Raw = field(name="stringValue", default=ABSENT)
    integer: Raw = field(name="intValue", default=ABSENT)


class KeyedValue(Struct, frozen=True):
    key: str = ""
    value: ScalarValue = ScalarValue()


_keyed = json.Decoder(list[KeyedValue]).decode


def attributes(node: JsonNode) -> dict[str, JsonNode]:
    """Values that are lists or objects in OTLP are what they stand for."""
    names = node.names()
    if names:
        return {name: node[name] for name in names}
    try:
        keyed = _keyed(node.written if node else b"[]")
    except (DecodeError, RecursionError):
        return {name: any_value(item["value"]) for item in node if (name := text(item["key"]))}
    found, items = dict[str, JsonNode](), list[JsonNode]()
    for n, each in enumerate(keyed):
        if each.value.text is not ABSENT:
            found[each.key] = DeepNode(each.value.text, None, node, f"/{n}/value/stringValue")
        elif each.value.integer is not ABSENT:
            found[each.key] = DeepNode(each.value.integer, None, node, f"/{n}/value/intValue")
        else:
            items = items or list(node)
            found[each.key] = any_value(items[n]["value"])
    found.pop("", None)
    return found


def any_value(node: JsonNode, depth: int = DEEPEST) -> JsonNode:
    """The value of an AnyValue of OTLP."""
    for kind in node.names():
        if kind in SCALARS or not depth:
            return node[kind]
        listed = node[kind]["values"]
        if kind in ("arrayValue", "array_value"):
            return ComposedNode(listed.site, [any_value(item, depth - 1) for item in listed])
        if kind in ("kvlistValue", "kvlist_value"):
            members = {text(item["key"]): any_value(item["value"], depth - 1) for item in listed}
            return ComposedNode(listed.site, members)
    return JsonNode(None, node.site)


def composed(flat: Attributes, prefix: str) -> JsonNode:
    """What lies below a name, put together again. Missing where nothing does."""
    tree: dict[str, Any] = {}
    for name, node in flat.items():
        if name.startswith(prefix) and name[len(prefix) : len(prefix) + 1] == ".":
            *steps, last = name[len(prefix) + 1 :].split(".", DEEPEST)
            place = tree
            for step in steps:
                inner = place.get(step)
                if not isinstance(inner, dict):
                    inner = place[step] = {}
                place = inner
            place.setdefault(last, node)
    return _composed(tree) if tree else MISSING


def _composed(tree: dict[str, Any]) -> ComposedNode:
    """Its place is that of the first value in it."""
    nodes = {key: _composed(each) if isinstance(each, dict) else each for key, each in tree.items()}
    site = next(iter(nodes.values())).site
    if all(key.isascii() and key.isdigit() and len(key) <= DIGITS for key in nodes):
        return ComposedNode(site, [nodes[key] for key in sorted(nodes, key=int)])
    return ComposedNode(site, nodes)
