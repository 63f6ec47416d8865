"""The tools of a request or of a session's setup, one fact each."""

from collections.abc import Iterator
from typing import Any

from wirecheck.dialects.content import shape_of
from wirecheck.dialects.messages import Spot, Step
from wirecheck.dialects.names import get, keys_of, written
from wirecheck.talk.facts import Context, ToolFact


def tools(body: Any, spot: Spot, context: Context) -> Iterator[ToolFact]:
    """Each entry of `tools`, and each declaration in one that is itself a tool of another protocol."""
    seen: set[tuple[str, ...]] = set()
    for tool, at in _entries(body, spot):
        keys = keys_of(tool) if type(tool) is dict else ()
        yield ToolFact(context=context, spot=at, keys=keys, shape=shape_of(tool), again=keys in seen, value=tool)
        seen.add(keys)


def non_blocking(setup: Any) -> Iterator[str]:
    """The functions declared to run while the conversation goes on."""
    for _, tool in _items(setup, "tools"):
        for _, declaration in _items(tool, "functionDeclarations"):
            if type(declaration) is dict and get(declaration, "behavior") == "NON_BLOCKING":
                yield str(declaration.get("name"))


def _entries(body: Any, spot: Spot) -> Iterator[tuple[Any, Spot]]:
    for steps, tool in _items(body, "tools"):
        yield tool, spot.to(*steps)
        for further, declaration in _items(tool, "functionDeclarations"):
            if type(declaration) is dict and "function" in declaration:
                yield declaration, spot.to(*steps, *further)


def _items(holder: Any, key: str) -> Iterator[tuple[tuple[Step, ...], Any]]:
    """The members of a list, or the one thing that stands where a list belongs, and the steps to each."""
    value = get(holder, key) if type(holder) is dict else None
    if value is None:
        return
    name = written(holder, key)
    if type(value) is not list:
        yield (name,), value
    else:
        yield from (((name, n), item) for n, item in enumerate(value))
