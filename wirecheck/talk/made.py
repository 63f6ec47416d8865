"""What was made lately, by the bytes it was made from: they come again with every request of a conversation."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from wirecheck.talk.room import Room

T = TypeVar("T")


class Made(Room[Hashable, T]):
    """Room for what was made from so many bytes."""

    __slots__ = ()

    def of(self, key: Hashable, size: int, make: Callable[[], T]) -> T:
        """What is made of this key, which has so many bytes."""
        if (known := self.held.get(key)) is not None:
            self.held.move_to_end(key)
            return known[0]
        made = make()
        self.keep(key, made, size)
        return made
