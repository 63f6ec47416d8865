"""Counts requests without a reply, and why. They are judged without the server's verdict, so the user is told.

Knows no proxy and no screen.
"""

from collections import Counter

from wirecheck.report.summary import number
from wirecheck.wire.records import Closed, Opened, Record, Replied


class Unanswered:
    """The unanswered requests of one run, without those that the client gave up or --enforce refused."""

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
        """Whether no request was answered."""
        return 0 < self._asked == self._why.total()

    def line(self) -> str:
        """The line for the user, "" where there is nothing to say."""
        if not self._why:
            return ""
        (why, _), *more = self._why.most_common()
        others = f", and {number(len(more), 'other reason')}" if more else ""
        return f"{self._why.total()} of {number(self._asked, 'request')} got no answer: {why}{others}"
