"""The replies of a conversation, heard again in what the client recites: where each call was first made."""

from collections.abc import Sequence

from wirecheck.dialects.messages import Call
from wirecheck.talk.http.conversation import Conversation
from wirecheck.talk.recital.reply import ContentOrigin, same_call


class CallOrigins:
    """Looks the calls of a recited content up in the reply that made them.

    Only what follows the last words of the request before can come of the last reply; of older contents it is
    remembered. Where more than these was `heard`, what follows is of another conversation. Where those words are not
    found (a history written anew each time), an older call that is just alike may be taken for one of the last reply,
    so nothing is told of which were made together.
    """

    def __init__(self, conversation: Conversation, hashes: Sequence[int], start: int, heard: int) -> None:
        self._conversation = conversation
        self._calls = conversation.reply.calls if heard <= start else []
        self._left = list(self._calls)  # each is recited once
        self._hashes, self._start = hashes, start
        self._placed = False

    def __call__(self, turn: int, calls: tuple[Call, ...]) -> ContentOrigin:
        key = (turn, self._hashes[turn])
        if key not in (self._conversation.echoes or ()) and turn >= self._start and self._calls:
            self._conversation.remembers(key, self._look_up(calls))
        return self._conversation.echoed(key)

    def _look_up(self, calls: tuple[Call, ...]) -> ContentOrigin:
        mine = _mates(self._left, calls)
        found = any(one is not None for one in mine)
        before, self._placed = self._placed, self._placed or found
        made = tuple([one.spot if one is not None else None for one in mine])
        return ContentOrigin(made, found and before and self._start > 0, self._signed(mine[0]))

    def _signed(self, made: Call | None) -> str:
        if made is None:
            return "unknown"
        if made.signed:
            return "signed"
        return "beside" if any(call.signed for call in self._calls) else "unsigned"


def _mates(left: list[Call], recited: tuple[Call, ...]) -> list[Call | None]:
    """For each call that is recited the one that was made, which is taken: that of its id, else one alike."""
    mates = list[Call | None]()
    for call in recited:
        named = next((mine for mine in left if mine.id == call.id), None) if call.id else None
        mate = named or next((mine for mine in left if same_call(mine, call)), None)
        mates.append(mate)
        if mate is not None:
            left.remove(mate)
    return mates
