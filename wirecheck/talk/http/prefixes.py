"""What has been heard, remembered by the prefix itself.

Over HTTP every request recites the whole history. Each content of a history is hashed, each prefix by chaining the
hashes of its contents; a prefix that was heard before leads to a KnownPrefix: where the conversation stood after it.
Its `notes` (of findings) and `memory` (of checks) belong to those who write there.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from wirecheck.cache import Cache
from wirecheck.dialects.messages import Contents
from wirecheck.talk.history_state import HistoryState
from wirecheck.talk.http.conversation import Conversation

Prefix = int  # the chained hash, and what must be the same besides the contents (band, surface, …)
CAPACITY, LIGHT = 6 << 20, 1 << 10  # of all states; a light one calls next to nothing


class KnownPrefix(Struct, eq=False):
    """Where a conversation stood after a prefix; without `state` that is to be heard again."""

    state: HistoryState | None
    owner: Conversation
    notes: Any = None
    memory: Any = None


class PrefixCache:
    """The `most` prefixes heard last, and those before that which were heard while there were as many; what is older is
    let go, and sooner the states that hold much."""

    __slots__ = ("_before", "_lately", "_most", "_states")

    def __init__(self, most: int = 8192) -> None:
        self._lately: dict[Prefix, KnownPrefix] = {}
        self._before: dict[Prefix, KnownPrefix] = {}
        self._most = most
        self._states: Cache[Prefix, KnownPrefix] = Cache(CAPACITY, LIGHT)

    def longest(self, kind: int, chain: Sequence[int]) -> tuple[int, KnownPrefix | None]:
        """How many of the contents were heard before in this order, and the known prefix after them, which is not idle
        now."""
        keys = [kind ^ link for link in chain]
        if self._lately.keys().isdisjoint(keys) and self._before.keys().isdisjoint(keys):
            return 0, None
        for length in range(len(chain), 0, -1):
            key = keys[length - 1]
            if (prefix := self._lately.get(key)) is not None:
                return length, prefix
            if (prefix := self._before.get(key)) is not None:
                self._put(key, prefix)
                return length, prefix
        return 0, None

    def add(self, key: Prefix, owner: Conversation, notes: Any) -> KnownPrefix:
        """A prefix that nobody has heard; what is noted of it goes on from these notes."""
        prefix = KnownPrefix(None, owner, notes)
        if len(self._lately) >= self._most:
            self._turn()
        self._lately[key] = prefix
        return prefix

    def stands(self, key: Prefix, prefix: KnownPrefix, state: HistoryState, slices: Contents) -> None:
        """How the history stands after this prefix. What waits holds what is written in the contents."""
        prefix.state = state
        if state.called or state.calls or state.answers:
            size = slices.size if state.calls else 0
            for idle in self._states.put(key, prefix, state.weight + size):
                idle.state = None

    def _put(self, key: Prefix, prefix: KnownPrefix) -> None:
        if len(self._lately) >= self._most:
            self._turn()
        self._lately[key] = prefix

    def _turn(self) -> None:
        """Another generation begins."""
        self._before, self._lately = self._lately, {}
