"""Where each call of a recited history was first made: in which reply of the server."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from wirecheck.dialects.messages import Call, Spot
from wirecheck.talk.made_calls import MadeCalls
from wirecheck.talk.recital.reply import NOTHING, ContentOrigin, Reply

MOST, CALLS = 256, 2048  # contents with calls that are remembered, of one conversation, and the calls in them
Key = tuple[int, int]  # a content: its turn and its hash


class KnownOrigins(Struct, gc=False):
    """Of one conversation: by content, where its calls were made. `calls` counts them; `lost`: some were forgotten."""

    contents: dict[Key, ContentOrigin] = {}
    calls: int = 0
    lost: bool = False

    def of(self, key: Key) -> ContentOrigin:
        return self.contents.get(key, NOTHING)

    def remember(self, key: Key, origin: ContentOrigin) -> None:
        contents = self.contents
        contents[key] = origin
        self.calls += len(origin.made)
        while len(contents) > MOST or (self.calls > CALLS and len(contents) > 1):
            self.calls -= len(contents.pop(next(iter(contents))).made)

    def hold(self, hashes: Sequence[int], made: Iterable[tuple[int, Spot | None]]) -> bool:
        """Whether it is still known where these calls were made, each of them in a content of this turn."""
        return all([self.of((n, hashes[n])).made for n in {n for n, spot in made if spot}])

    def forget(self) -> None:
        """Only which of the calls were made together is known from now on."""
        self.contents = {key: ContentOrigin(parallel=True) for key, origin in self.contents.items() if origin.parallel}
        self.calls, self.lost = 0, True


class CallOrigins:
    """Looks the calls of a recited content up in the reply that made them.

    Only what follows the last words of the request before can come of the last reply; of older contents it is
    remembered. Where more than these was `heard`, what follows is of another conversation. Where those words are not
    found (a history written anew each time), an older call that is just alike may be taken for one of the last reply,
    so nothing is told of which were made together.
    """

    def __init__(self, known: KnownOrigins, reply: Reply, hashes: Sequence[int], start: int, heard: int) -> None:
        self._known = known
        self._made, self._executed = MadeCalls(reply.calls if heard <= start else ()), reply.answers
        self._hashes, self._start = hashes, start
        self._placed = False

    def of(self, turn: int, calls: tuple[Call, ...]) -> ContentOrigin:
        key = (turn, self._hashes[turn])
        if key not in self._known.contents and turn >= self._start and self._made:
            self._known.remember(key, self._look_up(calls))
        return self._known.of(key)

    def _look_up(self, calls: tuple[Call, ...]) -> ContentOrigin:
        mine = [self._made.take(call) for call in calls]
        found = any([one is not None for one in mine])
        before, self._placed = self._placed, self._placed or found
        made = tuple([one.spot if one is not None else None for one in mine])
        return ContentOrigin(made, found and before and self._start > 0, self._executed, self._signed(mine[0]))

    def _signed(self, made: Call | None) -> str:
        if made is None:
            return "unknown"
        if made.signed:
            return "signed"
        return "beside" if self._made.signed else "unsigned"
