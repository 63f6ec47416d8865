"""Keys in either spelling: to the Gemini API `function_call` and `functionCall` are one key.

Servers accept both, mixed in one request, so everything is looked up in camelCase.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=4096)
def camel(key: str) -> str:
    """`function_call` → `functionCall`; a key that is camelCase already stays as it is."""
    head, *rest = key.split("_")
    if not rest or not head:
        return key
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


def keys_of(value: Mapping[str, Any]) -> tuple[str, ...]:
    keys = tuple(value)
    return tuple(map(camel, keys)) if "_" in "".join(keys) else keys


def told_keys(value: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys whose value is not null: some clients write absent members as null."""
    if None not in value.values():
        return keys_of(value)
    return keys_of({key: told for key, told in value.items() if told is not None})


def get(value: Mapping[str, Any], key: str, default: Any = None) -> Any:
    """The value of a key in either spelling."""
    found = value.get(key)
    if found is not None:
        return found
    for written in value:
        if "_" in written and camel(written) == key and value[written] is not None:
            return value[written]
    return default


def written(value: Mapping[str, Any], key: str) -> str:
    """The key as it was written, for pointers."""
    if key in value:
        return key
    return next((name for name in value if camel(name) == key), key)


def text_or_none(value: Any) -> str | None:
    return value if type(value) is str else None


def id_or_none(value: Any) -> str | None:
    """An id as text. A number is a mistake of its own, and still matches a response with its call."""
    return str(value) if type(value) is int and 0 <= value < 1 << 63 else text_or_none(value)
