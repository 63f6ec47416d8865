"""A cache bounded by weight: what was used least recently is evicted.

How many entries there are is no measure: a turn of a log may have hundreds of calls, a call a whole file in its
arguments. What is as light as most things are takes no room; whoever holds those bounds their number.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """`entries` begins with the least recently used; what weighs no more than `light` is not among them."""

    __slots__ = ("capacity", "entries", "light", "weight")

    def __init__(self, capacity: int, light: int = 0) -> None:
        self.entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self.capacity, self.light = capacity, light
        self.weight = 0

    def put(self, key: K, value: V, weight: int) -> Sequence[V]:
        """It is the most recently used, and weighs this much now; what is evicted for it, which may be itself."""
        self.drop(key)
        if weight <= self.light:
            return ()
        self.entries[key] = value, weight
        self.weight += weight
        return self._evicted() if self.weight > self.capacity else ()

    def get_or_make(self, key: K, weight: int, make: Callable[[], V]) -> V:
        """What was made of this key, or is made of it now."""
        if (entry := self.entries.get(key)) is not None:
            self.entries.move_to_end(key)
            return entry[0]
        made = make()
        self.put(key, made, weight)
        return made

    def drop(self, key: K) -> None:
        """It is not held any more."""
        if (entry := self.entries.pop(key, None)) is not None:
            self.weight -= entry[1]

    def _evicted(self) -> list[V]:
        evicted = []
        while self.weight > self.capacity:
            _, (value, weight) = self.entries.popitem(last=False)
            self.weight -= weight
            evicted.append(value)
        return evicted
