"""A bounded cache in two generations: an entry that is used moves to the younger one, the older one is evicted as a
whole.

So an entry is kept at least until entries of half the capacity have been used after it. Entries may have a weight,
since a turn may have hundreds of calls, and a call a whole file in its arguments.
"""

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Holds values other than None, up to `capacity` by weight. `evicted` is called with each evicted value."""

    __slots__ = ("_evicted", "_half", "_old", "_weight", "_weights", "_young")

    def __init__(self, capacity: int, evicted: Callable[[V], object] | None = None) -> None:
        self._half, self._evicted = max(capacity // 2, 1), evicted
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}
        self._weights: dict[K, int] = {}  # of entries whose weight is not 1
        self._weight = 0  # of the younger generation

    def get(self, key: K) -> V | None:
        value = self._young.get(key)
        if value is None and (value := self._old.pop(key, None)) is not None:
            self._keep(key, value, self._weights.get(key, 1))
        return value

    def put(self, key: K, value: V, weight: int = 1) -> None:
        if weight > 2 * self._half:  # heavier than the whole capacity: evicted at once
            self.drop(key)
            if self._evicted is not None:
                self._evicted(value)
            return
        self._old.pop(key, None)
        if key in self._young:
            self._weight -= self._weights.get(key, 1)
        if weight != 1:
            self._weights[key] = weight
        else:
            self._weights.pop(key, None)
        self._keep(key, value, weight)

    def get_or_make(self, key: K, make: Callable[[], V], weight: int = 1) -> V:
        """Returns the value of this key, or makes and keeps it."""
        if (value := self.get(key)) is None:
            value = make()
            self.put(key, value, weight)
        return value

    def drop(self, key: K) -> None:
        """Removes a key without calling `evicted`."""
        weight = self._weights.pop(key, 1)
        if self._young.pop(key, None) is not None:
            self._weight -= weight
        else:
            self._old.pop(key, None)

    def lacks(self, keys: Collection[K]) -> bool:
        """Whether none of these keys is held."""
        return self._young.keys().isdisjoint(keys) and self._old.keys().isdisjoint(keys)

    def __contains__(self, key: K) -> bool:
        return key in self._young or key in self._old

    def __iter__(self) -> Iterator[V]:
        """The values, those of the older generation first."""
        yield from self._old.values()
        yield from self._young.values()

    def _keep(self, key: K, value: V, weight: int) -> None:
        self._young[key] = value
        self._weight += weight
        if self._weight > self._half:
            self._turn()

    def _turn(self) -> None:
        """Evicts the older generation and begins another."""
        gone, self._old = self._old, self._young
        self._young, self._weight = {}, 0
        if self._weights:
            self._weights = {key: weight for key, weight in self._weights.items() if key in self._old}
        if self._evicted is not None:
            for value in gone.values():
                self._evicted(value)
