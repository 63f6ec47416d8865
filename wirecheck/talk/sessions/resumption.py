"""Live sessions over several connections: which handle was given by whom, and what older connections left open.

One log holds one chain a conversation: a connection that is set up with a handle goes on where that handle was given.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator

from wirecheck.dialects.messages import Setup
from wirecheck.dialects.vocabulary.field_names import written
from wirecheck.talk.facts import CallSettledFact, Context, ResumedFact
from wirecheck.talk.indexed_queue import IndexedQueue
from wirecheck.talk.scene import SessionScene

VALID = 7200.0  # seconds a handle is good for after its connection, by Google's documentation
_HANDLES = 64  # of one connection
_LINKS = 128  # connections that may be gone on with


class ResumableConnection:
    """A connection, as far as those that go on with it need to know."""

    def __init__(self, conversation: str, story: SessionScene) -> None:
        self.conversation = conversation
        self.story = story
        self.handles: deque[str] = deque(maxlen=_HANDLES)
        self.model: str | None = None
        self.ended_at: float | None = None
        self.open = True
        self.left = IndexedQueue[CallSettledFact]()  # its calls without an answer; they may be answered elsewhere

    @property
    def latest(self) -> str | None:
        return self.handles[-1] if self.handles else None


class Resumptions:
    """The connections of a log that gave a handle; those idle longest are let go."""

    def __init__(self) -> None:
        self._links: OrderedDict[int, ResumableConnection] = OrderedDict()
        self._given: dict[str, ResumableConnection] = {}

    def __bool__(self) -> bool:
        return bool(self._given)

    def gave(self, link: ResumableConnection, handle: str) -> None:
        self._links[id(link)] = link
        self._links.move_to_end(id(link))
        if len(link.handles) == _HANDLES:
            self._given.pop(link.handles[0], None)
        link.handles.append(handle)
        self._given[handle] = link

    def find(self, handle: str | None) -> ResumableConnection | None:
        return self._given.get(handle) if handle else None

    def take(self, call_id: str | None) -> CallSettledFact | None:
        """An unanswered call of an older connection with this id; it waits no more."""
        for link in self._links.values() if call_id else ():
            if (place := link.left.first([call_id])) is not None:
                return link.left.take(place)
        return None

    def let_go(self, most: int = _LINKS) -> Iterator[ResumableConnection]:
        """Those that nothing goes on with any more: the ones idle longest where there are too many."""
        while len(self._links) > most:
            _, link = self._links.popitem(last=False)
            for handle in link.handles:
                self._given.pop(handle, None)
            yield link


def resumed(chain: Resumptions, setup: Setup, context: Context, turn: int) -> ResumedFact:
    """What the log knows of the handle of a setup."""
    link, at = chain.find(setup.handle), setup.seen.at
    ended_at = link.ended_at if link else None
    models = (link.model if link else None, setup.model)
    inside = written(setup.value, "sessionResumption")
    return ResumedFact(
        context=context,
        spot=setup.spot.to(inside, written(setup.value[inside], "handle")),
        turn=turn,
        known=link is not None,
        others=bool(chain),
        latest=link is not None and link.latest == setup.handle,
        open=link is not None and link.open,
        expired=at is not None and ended_at is not None and at - ended_at > VALID,
        former=models[0],
        other_model=None not in models and models[0] != models[1],
        open_calls=len(link.left) if link else 0,
    )
