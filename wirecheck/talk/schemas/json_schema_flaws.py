"""What is known to be refused where JSON Schema may be written: references that lead nowhere, or do not stand alone.

Which server minds what is not known here.
"""

from collections.abc import Iterator
from typing import Any

from wirecheck.dialects.messages import Step
from wirecheck.talk.schemas.schema_flaws import SchemaFlaw, crowded, most_items

_MOST = 20_000  # values looked at in one schema
_BESIDE = {"description", "default", "title"}  # recorded beside a reference, and taken
_HOLDERS = (dict, list)
_DATA = {"enum", "const", "default", "example", "examples"}  # keywords that hold values, not schemas


def json_schema_flaws(schema: Any) -> Iterator[SchemaFlaw]:
    """In the order in which they stand; at last, that its arrays may hold more in all than servers take."""
    items = 0
    for node, steps in _schemas(schema):
        items += most_items(node)
        target = node.get("$ref")
        if type(target) is not str:
            continue
        if target.startswith("#/") and not _leads(schema, target):
            yield SchemaFlaw("ref-undefined", target, (*steps, "$ref"))
        elif beside := sorted(key for key in node if key[:1] != "$" and key not in _BESIDE):
            yield SchemaFlaw("ref-siblings", ", ".join(beside[:8]), steps)
    yield from crowded(items)


def _schemas(schema: Any) -> Iterator[tuple[dict[str, Any], tuple[Step, ...]]]:
    """All objects in a schema that may be schemas, and the steps to each. Whether an object is one, or holds some by
    name, makes no difference here."""
    waiting: list[tuple[Any, tuple[Step, ...]]] = [(schema, ())]
    for _ in range(_MOST):
        if not waiting:
            return
        value, steps = waiting.pop()
        if type(value) is dict:
            yield value, steps
            inside = [(inner, (*steps, key)) for key, inner in value.items() if key not in _DATA]
        else:
            inside = [(inner, (*steps, n)) for n, inner in enumerate(value if type(value) is list else ())]
        waiting += reversed([each for each in inside if type(each[0]) in _HOLDERS])


def _leads(schema: Any, target: str) -> bool:
    """Whether a reference into the document (RFC 6901, escaped as in a URL) leads to something."""
    for word in _unquoted(target[2:]).split("/"):
        key = word.replace("~1", "/").replace("~0", "~")
        if type(schema) is list and key.isdecimal() and len(key) < 6 and int(key) < len(schema):
            schema = schema[int(key)]
        elif type(schema) is dict and key in schema:
            schema = schema[key]
        else:
            return False
    return True


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)
