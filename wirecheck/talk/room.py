"""Room for so much: things are weighed by what they hold, and what was idle longest is let go.

How many there are is no measure: one turn of a log may have hundreds of calls, one call a file in its arguments. What is
as light as most things are takes no room; whoever holds those bounds their number.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Room(Generic[K, V]):
    """`let_go` is told of what has to leave. `moved` is the weight of all that ever came or came again."""

    def __init__(self, most: int, let_go: Callable[[V], object], light: int = 0) -> None:
        self.held: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self.most, self._let_go, self._light = most, let_go, light
        self.weight = self.moved = 0

    def keep(self, key: K, value: V, weight: int) -> None:
        """It is not idle, and weighs this much now."""
        if self.held:
            self.drop(key)
        if weight <= self._light:
            return
        self.held[key] = value, weight
        self.weight += weight
        self.moved += weight
        while self.weight > self.most:
            _, (idle, its) = self.held.popitem(last=False)
            self.weight -= its
            self._let_go(idle)

    def drop(self, key: K) -> None:
        """It is not to be held any more."""
        if (held := self.held.pop(key, None)) is not None:
            self.weight -= held[1]
