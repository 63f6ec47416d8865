"""The tools of a request or of a session's setup, one fact each."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from wirecheck.dialects.content import shape_of
from wirecheck.dialects.messages import Spot, Step
from wirecheck.dialects.names import get, keys_of, written
from wirecheck.talk.facts import Context, ToolFact
from wirecheck.talk.states import NON_BLOCKING_BANDS


def tools(body: Any, spot: Spot, context: Context) -> Iterator[ToolFact]:
    """Each entry of `tools`, and each declaration in one that is itself a tool of another protocol."""
    seen: set[tuple[str, ...]] = set()
    for tool, at in _entries(body, spot):
        keys = keys_of(tool) if type(tool) is dict else ()
        yield ToolFact(context=context, spot=at, keys=keys, shape=shape_of(tool), again=keys in seen, value=tool)
        seen.add(keys)


class Declared(Struct, frozen=True):
    """What a log tells of the functions of a Live session: their behavior by name. None at all says nothing."""

    behaviors: Mapping[str, str] = {}

    def lacks(self, name: str | None) -> bool:
        return bool(self.behaviors) and name not in self.behaviors

    def blocks(self, name: str | None, band: str | None) -> bool:
        """Whether a call holds the turn up. An unknown behavior leaves it as it is where none is declared."""
        behavior = self.behaviors.get(name or "", "")
        return behavior != "NON_BLOCKING" and (behavior == "BLOCKING" or band not in NON_BLOCKING_BANDS)


def declared(holder: Any) -> Declared:
    """The functions that a setup, or whatever else holds tools, declares."""
    found: dict[str, str] = {}
    for _, tool in _items(holder, "tools"):
        for _, declaration in _items(tool, "functionDeclarations"):
            if type(declaration) is dict:
                found[str(declaration.get("name"))] = str(get(declaration, "behavior"))
    return Declared(found)


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
