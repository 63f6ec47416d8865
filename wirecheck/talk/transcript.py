"""A conversation logged message by message, one a line, or as an application keeps it."""

from collections.abc import Iterator

from wirecheck.dialects.messages import Content, Hangup, Said, Spot
from wirecheck.talk.content_facts import shapes
from wirecheck.talk.facts import Context, Fact
from wirecheck.talk.history_state import HistoryState, TurnContext
from wirecheck.talk.http.pairing import open_calls, over, settled
from wirecheck.talk.http.turns import hear
from wirecheck.talk.lazy_facts import LazyFacts
from wirecheck.talk.scene import SessionScene, role_of


class Transcript:
    """The state of the conversation, and the places of its messages."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.story = SessionScene()
        self._spots: list[Spot] = []
        self._state = HistoryState()
        self._turn_context = TurnContext(context, self._spots.__getitem__)
        self._at_rest = False

    @property
    def length(self) -> int:
        return len(self._spots)

    @property
    def open_calls(self) -> int:
        return 0 if self._at_rest else open_calls(self._state, self._turn_context)

    def hear(self, said: Said) -> Iterator[Fact | LazyFacts]:
        for content in said.contents:
            yield from self._content(content, said)

    def _content(self, content: Content, said: Said) -> Iterator[Fact | LazyFacts]:
        turn = len(self._spots)
        self._spots.append(content.spot)
        self.story.add(turn, role_of(content.role), lambda: content.value)
        yield from shapes(content, said.seen.sender, turn, self.context, self._state.last)
        self._state, facts = hear(self._state, content, turn, self._turn_context)
        yield from facts

    def end(self, hangup: Hangup | None) -> Iterator[Fact | LazyFacts]:
        """With a recorded end, nobody will answer what is not answered: it is how the application left it."""
        self._at_rest = hangup is not None and hangup.recorded
        yield from (settled if self._at_rest else over)(self._state, self._turn_context)
