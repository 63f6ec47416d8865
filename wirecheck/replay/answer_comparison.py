"""Judges each exchange twice, as it was recorded and with the new reply, and tells what became different.

Each is judged by itself: later requests recite the recorded replies, so what they say of the new ones is of no account.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from wirecheck.finding import Place
from wirecheck.inspector import Inspector
from wirecheck.replay.recorded_exchanges import RecordedExchange
from wirecheck.replay.target import ServerAnswer
from wirecheck.report.concise import at
from wirecheck.report.screen import clean
from wirecheck.rules import Ruleset
from wirecheck.sources import reply_bodies
from wirecheck.wire import payload
from wirecheck.wire.records import Body, Closed, Frame, Record, Replied, Site

LOOKED_AT = 1000  # bytes of an error
SHOWN = 200  # columns of an error text


class Replay:
    """What was sent so far, and how much of it is as it was."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.sent = self.same = self.failed = 0

    def heard(self, exchange: RecordedExchange, answer: ServerAnswer) -> Iterator[str]:
        """Yields what is different, in lines."""
        before = self._found([exchange.opened, *exchange.reply])
        after = self._found([exchange.opened, *_reply(exchange, answer)])
        lines = [*_status(exchange, answer), *_changes(before, after)]
        self.sent += 1
        self.same += not lines
        yield from (f"{_place(exchange)}: {line}" for line in lines)

    def unanswered(self, exchange: RecordedExchange, why: str) -> str:
        self.failed += 1
        return f"{_place(exchange)}: {clean(why)}"

    def _found(self, records: Sequence[Record]) -> Counter[str]:
        """The findings of an exchange, without their places: a reply stands elsewhere each time."""
        inspector = Inspector(self._rules, pictures=False)
        found = [*(finding for record in records for finding in inspector.feed(record)), *inspector.close()]
        return Counter(f"{each.severity}[{each.code} {each.rule}] {clean(each.message)}" for each in found)


def _status(exchange: RecordedExchange, answer: ServerAnswer) -> Iterator[str]:
    if exchange.status not in (None, answer.status):
        said = clean(answer.data[:LOOKED_AT].decode(errors="replace"), SHOWN) if answer.status >= 400 else ""
        yield f"status {answer.status}, was {exchange.status}{f': {said}' if said else ''}"


def _changes(before: Counter[str], after: Counter[str]) -> Iterator[str]:
    yield from (f"now {line}" for line in sorted((after - before).elements()))
    yield from (f"no longer {line}" for line in sorted((before - after).elements()))


def _reply(exchange: RecordedExchange, answer: ServerAnswer) -> Iterator[Record]:
    """The records of the new reply; they stand where the request does."""
    opened, site = exchange.opened, Site(exchange.opened.origin, "/reply")
    yield Replied(channel=opened.channel, origin=opened.origin, status=answer.status)
    if answer.content_type.startswith("text/event-stream"):
        bodies: Iterable[Body] = reply_bodies.stream([answer.data], site)
    else:
        bodies = reply_bodies.of_body(payload.of_bytes(answer.data, site)) if answer.data else ()
    for body in bodies:
        yield Frame(channel=opened.channel, origin=opened.origin, sender="server", body=body)
    yield Closed(channel=opened.channel, origin=opened.origin)


def _place(exchange: RecordedExchange) -> str:
    origin = exchange.opened.origin
    return at(Place(origin.path, origin.line))
