"""Room for so much: things are weighed by what they hold, and what was idle longest is let go.

How many there are is no measure: a turn of a log may have hundreds of calls, a call a whole file in its arguments. What
is as light as most things are takes no room; whoever holds those bounds their number.
"""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Room(Generic[K, V]):
    """`held` begins with what was idle longest."""

    __slots__ = ("held", "light", "most", "weight")

    def __init__(self, most: int, light: int = 0) -> None:
        self.held: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self.most, self.light = most, light
        self.weight = 0

    def keep(self, key: K, value: V, weight: int) -> Sequence[V]:
        """It is not idle, and weighs this much now; what has to leave for it, which may be itself."""
        if (before := self.held.pop(key, None)) is not None:
            self.weight -= before[1]
        if weight <= self.light:
            return ()
        self.held[key] = value, weight
        self.weight += weight
        return self._rest() if self.weight > self.most else ()

    def _rest(self) -> list[V]:
        left = []
        while self.weight > self.most:
            _, (idle, weight) = self.held.popitem(last=False)
            self.weight -= weight
            left.append(idle)
        return left

    def drop(self, key: K) -> None:
        """It is not to be held any more."""
        if (held := self.held.pop(key, None)) is not None:
            self.weight -= held[1]
