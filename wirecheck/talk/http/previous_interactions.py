"""What servers keep of interactions: a request that names an earlier one goes on from there.

Over the Interactions API a client may send only what is new and name the interaction before it. What that one said,
and which calls it left open, is remembered by its id; the contents of the chain are counted on. Of an interaction the
log does not hold, nothing is known but its id.
"""

from msgspec import Struct

from wirecheck.cache import Cache
from wirecheck.talk.history_state import Asked, Standing
from wirecheck.talk.http.conversation import Conversation
from wirecheck.talk.scene import Shown

CALLS = 8  # that an interaction takes one place for


class Past(Struct, frozen=True):
    """A conversation as far as one interaction: how many contents it had, and the calls its reply left open.

    `whole` where the log holds all of it. `told` are the last turns, for pictures.
    """

    conversation: Conversation | None = None
    whole: bool = True
    length: int = 0
    calls: tuple[Asked, ...] = ()
    told: tuple[Shown, ...] = ()

    def standing(self) -> Standing:
        if not self.whole and not self.calls:
            return Standing(last="unclear")
        return Standing(last="model" if self.length else "nothing", calls=self.calls)


NOTHING = Past()
UNKNOWN = Past(whole=False)


class Kept:
    """The interactions heard last, by id; the oldest are let go."""

    def __init__(self, most: int = 4096) -> None:
        self._pasts: Cache[str, Past] = Cache(most)

    def find(self, previous: str | None) -> Past:
        return NOTHING if previous is None else self._pasts.entries.get(previous, (UNKNOWN,))[0]

    def keep(self, interaction: str, past: Past) -> None:
        self._pasts.put(interaction, past, 1 + len(past.calls) // CALLS)

    def conversation(self, interaction: str | None) -> Conversation | None:
        return self.find(interaction).conversation
