"""Puts responses behind the calls they answer, as programs do that keep both in the order in which they happened."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Literal, TypeVar

T = TypeVar("T")
Half = tuple[Literal["call", "response", ""], str]  # what an item is, and the id of the call


def behind_calls(items: Sequence[T], half: Callable[[T], Half]) -> Iterator[T]:
    """The items; responses come right behind the row of calls in which theirs stands. Those to no call stay."""
    halves = list(map(half, items))
    given, called = dict[int, list[int]](), dict[str, int]()
    for n, (kind, call) in enumerate(halves):
        if kind == "call":
            called[call] = n
        elif kind == "response" and call in called:
            given.setdefault(called[call], []).append(n)
    moved, row = set(chain.from_iterable(given.values())), list[int]()
    for n, item in enumerate(items):
        if halves[n][0] == "call":
            row.append(n)
        elif row:
            yield from _responses(items, given, row)
            row.clear()
        if n not in moved:
            yield item
    yield from _responses(items, given, row)


def _responses(items: Sequence[T], given: dict[int, list[int]], row: list[int]) -> Iterator[T]:
    return (items[n] for n in sorted(chain.from_iterable(given.get(call, ()) for call in row)))
