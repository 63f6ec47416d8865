"""Counts what was judged, and what was ignored."""

from msgspec import Struct

from wirecheck.dialects.messages import Unreadable

NO_JUDGEMENT = ("skipped", "unjudged")


class Statistics(Struct):
    """The counts of a run. `skipped` is JSON that is no traffic, as (path, first line, why, how often)."""

    exchanges: int = 0
    frames: int = 0
    conversations: int = 0
    sessions: int = 0
    open_calls: int = 0
    unjudged: dict[str, int] = {}
    skipped: list[tuple[str, int, str, int]] = []

    @property
    def judged(self) -> bool:
        """Whether anything was traffic that is judged."""
        return bool(self.conversations or self.sessions)


class IgnoredTraffic:
    """Counts lines that are no traffic, and traffic that is not judged."""

    def __init__(self) -> None:
        self._skipped: dict[tuple[str, str], tuple[int, int]] = {}
        self._unjudged: dict[str, int] = {}

    def counts(self, message: Unreadable) -> bool:
        """Counts a message if it is one of these. Returns whether it has to be judged instead."""
        origin = message.seen.origin
        if message.kind == "skipped":
            line, count = self._skipped.get((origin.path, message.why), (origin.line, 0))
            self._skipped[origin.path, message.why] = (line, count + 1)
        elif message.kind == "unjudged":
            self._unjudged[message.why] = self._unjudged.get(message.why, 0) + 1
        return message.kind not in NO_JUDGEMENT

    @property
    def skipped(self) -> list[tuple[str, int, str, int]]:
        return [(path, line, why, count) for (path, why), (line, count) in self._skipped.items()]

    @property
    def unjudged(self) -> dict[str, int]:
        return dict(self._unjudged)
