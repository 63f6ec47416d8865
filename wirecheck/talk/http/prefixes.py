"""What has been heard, remembered by the prefix itself.

Over HTTP every request recites the whole history. Each content of a history is hashed, each prefix by chaining the
hashes of its contents; a prefix that was heard before leads to a KnownPrefix: where the conversation stood after it.
Its `notes` (of findings) belong to those who write there.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from wirecheck.cache import Cache
from wirecheck.dialects.messages import Contents
from wirecheck.talk.history_state import HistoryState
from wirecheck.talk.http.conversation import Conversation

Prefix = int  # the chained hash, and what must be the same besides the contents (band, surface, …)
PREFIXES = 16_384  # that are held
STATES, HEAVY = 6 << 20, 1 << 10  # bytes of all states; one that is lighter does not count


class KnownPrefix(Struct, eq=False):
    """Where a conversation stood after a prefix; without `state` that is to be heard again."""

    state: HistoryState | None
    owner: Conversation
    notes: Any = None

    def forget(self) -> None:
        self.state = None


class PrefixCache:
    """The prefixes that were recited lately; states that hold much are evicted sooner."""

    __slots__ = ("_prefixes", "_states")

    def __init__(self, capacity: int = PREFIXES) -> None:
        self._prefixes: Cache[Prefix, KnownPrefix] = Cache(capacity)
        self._states: Cache[Prefix, KnownPrefix] = Cache(STATES, KnownPrefix.forget)

    def longest(self, kind: int, chain: Sequence[int]) -> tuple[int, KnownPrefix | None]:
        """How many of the contents were heard before in this order, and the known prefix after them."""
        keys = [kind ^ link for link in chain]
        if self._prefixes.lacks(keys):
            return 0, None
        for length in range(len(keys), 0, -1):
            if (prefix := self._prefixes.get(keys[length - 1])) is not None:
                return length, prefix
        return 0, None

    def add(self, key: Prefix, owner: Conversation, notes: Any) -> KnownPrefix:
        """A prefix that nobody has heard; what is noted of it goes on from these notes."""
        prefix = KnownPrefix(None, owner, notes)
        self._prefixes.put(key, prefix)
        return prefix

    def keep_state(self, key: Prefix, prefix: KnownPrefix, state: HistoryState, slices: Contents) -> None:
        """The state of the history after this prefix. Calls that wait hold what is written in the contents."""
        prefix.state = state
        weight = state.weight + (slices.size if state.calls else 0)
        if weight > HEAVY:
            self._states.put(key, prefix, weight)
