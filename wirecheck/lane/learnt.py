"""What was worked out, by what it was worked out from. When it weighs too much, all of it is forgotten at once.

What a log holds is no measure: a line may have thousands of parts, each shaped in a way of its own. So whoever adds
something says what it weighs: of how many pieces it is made.
"""

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Learnt(Generic[K, V]):
    """Room for so many pieces."""

    def __init__(self, most: int) -> None:
        self.known: dict[K, V] = {}
        self.most = most
        self.weight = 0
        self.get = self.known.get

    def add(self, key: K, value: V, weight: int = 1) -> V:
        if self.weight > self.most:
            self.clear()
        self.known[key] = value
        self.weight += weight
        return value

    def clear(self) -> None:
        self.known.clear()
        self.weight = 0
