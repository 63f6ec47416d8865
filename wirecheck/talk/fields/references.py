"""What a function response refers to by name: `{"$ref": "a.png"}` in `response` means the part called `a.png`."""

from collections.abc import Iterator
from typing import Any

from wirecheck.dialects.messages import Answer
from wirecheck.dialects.vocabulary.field_names import get


def dangling(answer: Answer) -> tuple[str, ...]:
    """The names that no part of the response has. A response without parts refers to nothing, whatever it holds."""
    if "parts" not in answer.keys:
        return ()
    parts = get(answer.value, "parts")
    names = {name for part in parts if type(part) is dict for name in _names(part)} if type(parts) is list else set()
    return tuple(dict.fromkeys(name for name in _references(answer.response) if name not in names))


def _names(part: dict[str, Any]) -> Iterator[str]:
    for media in part.values():
        if type(media) is dict and type(name := get(media, "displayName")) is str:
            yield name


def _references(value: Any) -> Iterator[str]:
    """Each `$ref`, in order; those into a document (`#/…`) are of some schema."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if type(value) is dict:
            name = value.get("$ref")
            if type(name) is str and not name.startswith("#"):
                yield name
            waiting += reversed(value.values())
        elif type(value) is list:
            waiting += reversed(value)
