"""Sequences that go on from one another, as what is wrong up to each content of a history does from what was wrong
before: together they take the room of the longest."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, overload


class Shared(Sequence[Any]):
    """So many items of a list, to which whoever goes on from here adds. It never changes."""

    __slots__ = ("_count", "_items")

    def __init__(self, items: list[Any], count: int) -> None:
        self._items, self._count = items, count

    def __add__(self, more: Sequence[Any]) -> "Shared":
        if not more:
            return self
        items = self._items
        if not items or len(items) != self._count:  # another has gone on from here
            items = items[: self._count]
        items.extend(more)
        return Shared(items, len(items))

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        return islice(self._items, self._count)

    @overload
    def __getitem__(self, n: int) -> Any: ...
    @overload
    def __getitem__(self, n: slice) -> Sequence[Any]: ...
    def __getitem__(self, n: int | slice) -> Any:
        return self._items[: self._count][n] if isinstance(n, slice) else self._items[range(self._count)[n]]


NONE = Shared([], 0)
