"""What servers keep of interactions: a request that names an earlier one goes on from there.

Over the Interactions API a client may send only what is new and name the interaction before it. What that one said,
and which calls it left open, is remembered by its id; the contents of the chain are counted on. Of an interaction the
log does not hold, nothing is known but its id.
"""

from msgspec import Struct

from wirecheck.cache import Cache
from wirecheck.dialects.messages import Spot
from wirecheck.hashing import text_digest
from wirecheck.talk.append_only import AppendOnly
from wirecheck.talk.history_state import HistoryState, OpenCall
from wirecheck.talk.http.conversation import Conversation
from wirecheck.talk.scene import SceneLine

CALLS = 8  # that an interaction takes one place for


class PreviousInteraction(Struct, frozen=True):
    """A conversation as far as one interaction: how many contents it had, and the calls its reply left open.

    `whole` where the log holds all of it. `told` are the last turns, for pictures. `named` is the place where a request
    named it before the log had it.
    """

    conversation: Conversation | None = None
    whole: bool = True
    length: int = 0
    calls: tuple[OpenCall, ...] = ()
    told: tuple[SceneLine, ...] = ()
    named: Spot | None = None

    def salt(self, interaction: str) -> int:
        """What makes the hashes of contents that go on from here others than those of the same contents elsewhere. Of
        an interaction more may be known later than was at first."""
        calls = [(one.call.id, one.call.name, one.turn) for one in self.calls]
        return text_digest(repr((interaction, self.whole, self.length, calls)))

    def state(self) -> HistoryState:
        if not self.whole and not self.calls:
            return HistoryState(last="unclear")
        return HistoryState(last="model" if self.length else "nothing", calls=AppendOnly(self.calls))


NOTHING = PreviousInteraction()
UNKNOWN = PreviousInteraction(whole=False)


class PreviousInteractions:
    """The interactions heard last, by id; the oldest are let go."""

    def __init__(self, most: int = 4096) -> None:
        self._pasts: Cache[str, PreviousInteraction] = Cache(most)

    def find(self, previous: str | None) -> PreviousInteraction:
        return NOTHING if previous is None else self._pasts.get(previous) or UNKNOWN

    def keep(self, interaction: str, past: PreviousInteraction) -> None:
        self._pasts.put(interaction, past, 1 + len(past.calls) // CALLS)

    def conversation(self, interaction: str | None) -> Conversation | None:
        return self.find(interaction).conversation
