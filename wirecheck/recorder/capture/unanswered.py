"""Requests that nobody answered: how many, and why. Who judges them has no server's word, and people should hear of it.

Knows no proxy and no screen.
"""

from collections import Counter

from wirecheck.report.summary import number
from wirecheck.wire.records import Closed, Opened, Record, Replied


class Unanswered:
    """Of the requests of one run. One that the client gave up, or that was refused here, is not among them."""

    def __init__(self) -> None:
        self._waiting: set[str] = set()
        self._asked = 0
        self._why: Counter[str] = Counter()

    def see(self, record: Record) -> None:
        if isinstance(record, Opened):
            self._asked += 1
            self._waiting.add(record.channel)
        elif isinstance(record, Replied | Closed) and record.channel in self._waiting:
            self._waiting.discard(record.channel)
            if isinstance(record, Closed) and record.by == "server":
                self._why[record.reason] += 1

    @property
    def all(self) -> bool:
        """Whether nothing was answered at all."""
        return 0 < self._asked == self._why.total()

    def line(self) -> str:
        """What there is to say, if anything."""
        if not self._why:
            return ""
        (why, _), *more = self._why.most_common()
        others = f", and {number(len(more), 'other reason')}" if more else ""
        return f"{self._why.total()} of {number(self._asked, 'request')} got no answer: {why}{others}"
