"""What was made lately, by the bytes it was made from: they come again with every request of a conversation."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Made(Generic[T]):
    """Room for what was made from so many bytes; what was idle longest is let go."""

    def __init__(self, room: int) -> None:
        self._known: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._room = room

    def of(self, key: Hashable, size: int, make: Callable[[], T]) -> T:
        """What is made of this key, which has so many bytes."""
        if (known := self._known.get(key)) is not None:
            self._known.move_to_end(key)
            return known[0]
        made = make()
        self._known[key] = made, size
        self._room -= size
        while self._room < 0:
            self._room += self._known.popitem(last=False)[1][1]
        return made
