"""What a function response refers to: each `$ref` in `response` stands for the `displayName` of one of its parts."""

from collections.abc import Iterator
from typing import Any

from wirecheck.dialects.messages import Answer
from wirecheck.dialects.vocabulary.field_names import get


def references(answer: Answer) -> tuple[str, ...]:
    """The names it refers to, in order. One that begins like a place in a document is taken for a name, too."""
    return tuple(dict.fromkeys(_references(answer.response)))


def dangling(answer: Answer, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the names that no part of the response has."""
    if not names:
        return ()
    parts = get(answer.value, "parts") if type(answer.value) is dict else None
    known = {name for part in parts if type(part) is dict for name in _names(part)} if type(parts) is list else set()
    return tuple([name for name in names if name not in known])


def _names(part: dict[str, Any]) -> Iterator[str]:
    for media in part.values():
        if type(media) is dict and type(name := get(media, "displayName")) is str:
            yield name


def _references(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if type(value) is dict:
            name = value.get("$ref")
            if type(name) is str:
                yield name
            waiting += reversed(value.values())
        elif type(value) is list:
            waiting += reversed(value)
