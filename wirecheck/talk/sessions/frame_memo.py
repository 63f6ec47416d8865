"""Frames of Live sessions that repeat a known step are counted and not judged again.

What a regular frame does follows from its outline and the state of its session. If one changed no more than the state,
and no rule reported anything of it, the next one with this outline in this state does the same.
"""

from collections.abc import Hashable

from msgspec import Struct

from wirecheck.cache import Cache
from wirecheck.talk.lazy_facts import Quiet
from wirecheck.talk.sessions.session import Session
from wirecheck.talk.sessions.state_tables import SessionState
from wirecheck.wire.records import Frames

PLACES = OUTLINES = 1024  # capacity


class SessionPlace:
    """Where sessions are in the same state: the steps known from there, by outline.

    `rest` is what a counted frame leaves as it is. Without a key no step is learned.
    """

    __slots__ = ("key", "rest", "state", "steps")

    def __init__(self, context_class: int | None, state: SessionState, rest: Hashable) -> None:
        self.state, self.rest = state, rest
        self.key = None if context_class is None else (context_class, state, rest)
        self.steps: Cache[str | None, FrameStep] = Cache(OUTLINES)


class FrameStep(Struct, frozen=True):
    """Where a frame leads, whether excerpts show it, and whether it goes on with the model's turn."""

    after: SessionPlace
    shown: bool
    turns: bool


class CountedFrames:
    """Frames of one session that repeat known steps, and that the session does not know of yet."""

    __slots__ = ("numbers", "place", "session", "shown", "turned")

    def __init__(self, session: Session, place: SessionPlace) -> None:
        self.session, self.place = session, place
        self.numbers: list[int] = []
        self.shown: list[int] = []
        self.turned = -1  # the last that goes on with the model's turn

    def tell(self, frames: Frames) -> int:
        """Tells the session of them, and returns how many there were."""
        if self.numbers:
            self.session.pass_by(frames, self.numbers, self.shown, self.turned, self.place.state)
        return len(self.numbers)


class FrameMemo:
    """The known steps of a log's sessions."""

    def __init__(self, quiet: Quiet) -> None:
        self._quiet = quiet
        self._places: Cache[Hashable, SessionPlace] = Cache(PLACES)

    def place(self, session: Session) -> SessionPlace:
        place = SessionPlace(self._quiet.context_class(session.context), *session.memo_key)
        return place if place.key is None else self._places.get_or_make(place.key, lambda: place)

    def learn(self, before: SessionPlace, outline: str, session: Session) -> None:
        """Notes the step of a frame that was judged, where the next one may be counted."""
        after = self.place(session)
        if before.key is not None and after.rest == before.rest and self._quiet.holds((before.key, outline)):
            before.steps.put(outline, FrameStep(after, session.story.shows_last, session.turned))
