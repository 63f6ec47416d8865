"""The tools of a request or of a session's setup, one fact each."""

from collections.abc import Iterator
from typing import Any

from wirecheck.dialects.content import shape_of
from wirecheck.dialects.messages import Spot
from wirecheck.dialects.names import get, keys_of, written
from wirecheck.talk.facts import Context, ToolFact


def tools(body: Any, spot: Spot, context: Context) -> Iterator[ToolFact]:
    """Each entry of `tools`, and each declaration in one that is itself a tool of another protocol."""
    seen: set[tuple[str, ...]] = set()
    for tool, at in _entries(body, spot):
        keys = keys_of(tool) if type(tool) is dict else ()
        yield ToolFact(context=context, spot=at, keys=keys, shape=shape_of(tool), again=keys in seen, value=tool)
        seen.add(keys)


def _entries(body: Any, spot: Spot) -> Iterator[tuple[Any, Spot]]:
    for tool, at in _items(body, "tools", spot):
        yield tool, at
        for declaration, place in _items(tool, "functionDeclarations", at):
            if type(declaration) is dict and "function" in declaration:
                yield declaration, place


def _items(holder: Any, key: str, spot: Spot) -> Iterator[tuple[Any, Spot]]:
    """The members of a list, or the one thing that stands where a list belongs."""
    value = get(holder, key) if type(holder) is dict else None
    if value is None:
        return
    at = spot.to(written(holder, key))
    if type(value) is not list:
        yield value, at
    else:
        yield from ((item, at.to(n)) for n, item in enumerate(value))
