"""The calls of a reply, taken one by one by those that recite them, in linear time."""

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

from wirecheck.dialects.messages import Call
from wirecheck.talk.indexed_queue import IndexedQueue


class MadeCalls:
    """Calls that were made and not recited yet."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls = calls
        self._next = 0  # as long as they are recited in order
        self._queue: IndexedQueue[Call] | None = None  # after that

    def __bool__(self) -> bool:
        return bool(self._calls)

    def take(self, call: Call) -> Call | None:
        """The call that is recited here: that of its id, else one of its name and arguments."""
        if self._queue is None:
            if self._next < len(self._calls) and _first(self._calls[self._next], call):
                self._next += 1
                return self._calls[self._next - 1]
            self._queue = _indexed(self._calls[self._next :])
        place = self._queue.first([("id", call.id)]) if call.id else None
        if place is None:
            place = self._queue.first([alike(call)])
        return None if place is None else self._queue.take(place)

    @cached_property
    def signed(self) -> bool:
        """Whether any is."""
        return any([call.signed for call in self._calls])


def _first(made: Call, recited: Call) -> bool:
    """Whether the first of all calls is the one that is recited, so that no other one need be looked at."""
    if recited.id:
        return made.id == recited.id
    return made.name == recited.name and (made.args or {}) == (recited.args or {})


def _indexed(calls: Sequence[Call]) -> IndexedQueue[Call]:
    queue = IndexedQueue[Call]()
    for call in calls:
        queue.add(call, (("id", call.id), alike(call)) if call.id else (alike(call),))
    return queue


def alike(call: Call) -> Hashable:
    """What calls of the same name and arguments have in common. Arguments too deep to compare are not looked at."""
    try:
        return "call", call.name, hashable(call.args or {})
    except RecursionError:
        return "call", call.name, None


def hashable(value: Any) -> Hashable:
    """A JSON value as a key: two are equal where the values are."""
    if type(value) is dict:
        return frozenset([(key, hashable(each)) for key, each in value.items()])
    if type(value) is list:
        return tuple([hashable(each) for each in value])
    return value  # type: ignore[no-any-return]
