"""Watches the calls of open Live sessions: says at once what a finding can only say when the session is over.

A response may still come, so what is told here is no finding.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from wirecheck.talk.facts import CallSettledFact
from wirecheck.talk.sessions.pending_call import HeldCall


class LateCall(Struct, frozen=True):
    """A call that waits too long: for so many `seconds`, or (None) while the client's turn goes on without it.

    `fact` is what there is to say of it if the session ends now.
    """

    fact: CallSettledFact
    seconds: float | None

    @property
    def words(self) -> str:
        call, fact = self.fact.call, self.fact
        since = "" if call is None else f", called in line {call.spot.site.origin.line}"
        how = "the turn goes on without it" if self.seconds is None else f"{self.seconds:.0f} s have passed"
        return f"waiting: {fact.name or 'no name'} ({fact.id or 'no id'}) has no response, and {how}{since}"


class CallWatch:
    """`timeout` in seconds; 0 where nobody asks for the time."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._told: dict[str, set[tuple[object, bool]]] = {}  # by channel: which call, and whether for the time

    def late(self, channel: str, held: Iterable[HeldCall], now: float) -> Iterator[LateCall]:
        """Those of the calls of a session that hold it up that are late, each once for each reason."""
        for each in held:
            passed = 0.0 if each.at is None else now - each.at
            for late, seconds in ((each.passed_over, None), (0 < self._timeout <= passed, passed)):
                if late and self._is_new(channel, each.fact, seconds is not None):
                    yield LateCall(each.fact, seconds)

    def over(self, channel: str) -> None:
        self._told.pop(channel, None)

    def _is_new(self, channel: str, fact: CallSettledFact, overdue: bool) -> bool:
        told, key = (
            self._told.setdefault(channel, set()),
            (fact.id, fact.name, fact.call and fact.call.spot.site.origin),
        )
        if new := (key, overdue) not in told:
            told.add((key, overdue))
        return new
