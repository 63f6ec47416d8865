"""A sequence for states that follow one another and are kept as snapshots, each of them the one before and a little
more: what they have in common is held once, and to add to the latest of them costs no more than what is added."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


class AppendOnly(Generic[T]):
    """An immutable sequence. Longer ones share its items, so it knows how many of them are its own."""

    __slots__ = ("_length", "_shared")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._shared = list(items)
        self._length = len(self._shared)

    def plus(self, more: Sequence[T]) -> "AppendOnly[T]":
        """With these at its end. Where others were added before, the items are copied."""
        if not more:
            return self
        if not self._length or self._length < len(self._shared):
            return AppendOnly((*self, *more))
        longer = AppendOnly[T]()
        longer._shared, longer._length = self._shared, self._length + len(more)
        longer._shared.extend(more)
        return longer

    def __getitem__(self, n: int) -> T:
        if not -self._length <= n < self._length:
            raise IndexError(n)
        return self._shared[n if n >= 0 else n + self._length]

    def __iter__(self) -> Iterator[T]:
        return islice(self._shared, self._length)

    def __len__(self) -> int:
        return self._length
