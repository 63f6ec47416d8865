"""A conversation told message by message: one line of a log, one message."""

from collections.abc import Iterator

from wirecheck.dialects.messages import Content, Hangup, Said, Spot
from wirecheck.talk.facts import Context, Fact
from wirecheck.talk.scene import Story, role_of
from wirecheck.talk.shapes import shapes
from wirecheck.talk.standing import Ear, Standing, hear, settle


class Transcript:
    """Where the conversation stands, and where its messages are written."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.story = Story()
        self._spots: list[Spot] = []
        self._standing = Standing()
        self._ear = Ear(context, self._spots.__getitem__)

    @property
    def length(self) -> int:
        return len(self._spots)

    @property
    def open_calls(self) -> int:
        return open_calls(self._standing)

    def hear(self, said: Said) -> Iterator[Fact]:
        for content in said.contents:
            yield from self._content(content, said)

    def _content(self, content: Content, said: Said) -> Iterator[Fact]:
        turn = len(self._spots)
        self._spots.append(content.spot)
        self.story.add(turn, role_of(content.role), content.value)
        yield from shapes(content, said.seen.sender, turn, self.context, self._standing.last)
        self._standing, facts = hear(self._standing, content, turn, self._ear)
        yield from facts

    def end(self, hangup: Hangup | None) -> Iterator[Fact]:
        yield from over(self._standing, self._ear)


def over(standing: Standing, ear: Ear) -> Iterator[Fact]:
    """The history is all there is: what was called and then passed over is settled now."""
    if standing.follows is not None or standing.went_on is not None:
        yield from settle(standing, ear)


def open_calls(standing: Standing) -> int:
    """Calls that nothing has followed yet."""
    return len(standing.calls) if standing.follows is None and standing.went_on is None else 0
