"""Items in the order they came, each found by its keys and taken once. So many calls meet many answers in linear
time."""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
MANY = 1 << 10  # items taken before the rows are cleared of them


class IndexedQueue(Generic[T]):
    """Places count up from 0, and are those of the items in the order they were added."""

    __slots__ = ("_count", "_items", "_rows", "_taken")

    def __init__(self) -> None:
        self._items: dict[int, T] = {}
        self._rows: dict[Hashable, deque[int]] = {}
        self._count = self._taken = 0

    def add(self, item: T, keys: Iterable[Hashable]) -> int:
        """Returns its place."""
        place = self._count
        self._items[place] = item
        for key in keys:
            self._rows.setdefault(key, deque()).append(place)
        self._count += 1
        return place

    def first(self, keys: Iterable[Hashable]) -> int | None:
        """The place of the first item under any of these keys."""
        return min([row[0] for key in keys if (row := self._row(key))], default=None)

    def take(self, place: int) -> T:
        item = self._items.pop(place)
        self._taken += 1
        if self._taken > len(self._items) + MANY:
            self._clear()
        return item

    def forget_first(self, key: Hashable) -> None:
        """The first item under this key is not found by it any more, but may be by others."""
        if row := self._row(key):
            row.popleft()

    def __getitem__(self, place: int) -> T:
        return self._items[place]

    def __contains__(self, place: int) -> bool:
        return place in self._items

    def __iter__(self) -> Iterator[T]:
        return iter(self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def _row(self, key: Hashable) -> deque[int] | None:
        """The places under a key. The first of them is not taken."""
        row = self._rows.get(key)
        while row and row[0] not in self._items:
            row.popleft()
        return row

    def _clear(self) -> None:
        """Drops the places of taken items, which nobody may ever ask for."""
        left = ((key, deque([place for place in row if place in self._items])) for key, row in self._rows.items())
        self._rows, self._taken = {key: row for key, row in left if row}, 0
