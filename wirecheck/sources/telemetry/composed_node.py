"""A value that does not stand in the file as one: its members or items are nodes, each with a place of its own."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from wirecheck.sources.formats.node import JsonNode
from wirecheck.wire.records import Site

NOTHING = b"null"


class ComposedNode(JsonNode):
    """An object or a list of nodes. `raw` is the JSON they make."""

    __slots__ = ("_items",)
    verbatim = False

    def __init__(self, site: Site, items: Mapping[str, JsonNode] | Sequence[JsonNode]) -> None:
        if isinstance(items, Mapping):
            members = (b"%b:%b" % (msgspec.json.encode(key), node.raw or NOTHING) for key, node in items.items())
            raw = b"{%b}" % b",".join(members)
        else:
            raw = b"[%b]" % b",".join(node.raw or NOTHING for node in items)
        super().__init__(raw, site)
        self._items = items

    def __getitem__(self, key: str) -> JsonNode:
        found = self._items.get(key) if isinstance(self._items, Mapping) else None
        return JsonNode(None, self.site) if found is None else found

    def __iter__(self) -> Iterator[JsonNode]:
        return iter(() if isinstance(self._items, Mapping) else self._items)

    def __contains__(self, key: str) -> bool:
        return isinstance(self._items, Mapping) and key in self._items

    def names(self) -> Collection[str]:
        return self._items if isinstance(self._items, Mapping) else ()
