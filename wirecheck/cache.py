"""A bounded cache, in two generations: what is used moves to the younger one, and the older one is evicted as a whole.

So what was used while half of the capacity came in is still held. An entry weighs 1, or as much as is said: a turn of a
log may have hundreds of calls, a call a whole file in its arguments.
"""

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Holds values that are not None, no more than `capacity` by weight. `evicted` is called with each that goes."""

    __slots__ = ("_evicted", "_half", "_old", "_weight", "_weights", "_young")

    def __init__(self, capacity: int, evicted: Callable[[V], object] | None = None) -> None:
        self._half, self._evicted = max(capacity // 2, 1), evicted
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}
        self._weights: dict[K, int] = {}  # of those that do not weigh 1
        self._weight = 0  # of the younger generation

    def get(self, key: K) -> V | None:
        value = self._young.get(key)
        if value is None and (value := self._old.pop(key, None)) is not None:
            self._keep(key, value, self._weights.get(key, 1))
        return value

    def put(self, key: K, value: V, weight: int = 1) -> None:
        if weight > 2 * self._half:  # what is heavier than all that may be held is not held
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
        """What is held under this key, or is made now."""
        if (value := self.get(key)) is None:
            value = make()
            self.put(key, value, weight)
        return value

    def drop(self, key: K) -> None:
        """It is not held any more, and nobody is told."""
        weight = self._weights.pop(key, 1)
        if self._young.pop(key, None) is not None:
            self._weight -= weight
        else:
            self._old.pop(key, None)

    def lacks(self, keys: Collection[K]) -> bool:
        """Whether nothing is held under any of these."""
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
        """Another generation begins."""
        gone, self._old = self._old, self._young
        self._young, self._weight = {}, 0
        if self._weights:
            self._weights = {key: weight for key, weight in self._weights.items() if key in self._old}
        if self._evicted is not None:
            for value in gone.values():
                self._evicted(value)
