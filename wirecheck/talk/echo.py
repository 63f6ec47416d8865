"""The last reply of a conversation, heard again in what the client recites: where each call was first made."""

from wirecheck.dialects.messages import Call, Spot
from wirecheck.talk.threads import Reply, same_call


class Echo:
    """Looks recited calls up in the reply that made them."""

    def __init__(self, reply: Reply) -> None:
        self._calls = reply.calls
        self._placed = False

    def made(self, call: Call) -> Spot | None:
        """Where the server made this call."""
        return next((mine.spot for mine in self._calls if same_call(mine, call)), None)

    def parallel(self, calls: tuple[Call, ...]) -> int:
        """How many of a turn's calls belong with calls that an earlier turn of this recital already has."""
        found = sum(any(same_call(mine, call) for mine in self._calls) for call in calls)
        before, self._placed = self._placed, self._placed or found > 0
        return found if before else 0
