"""The exchanges of a log, each whole, in the order in which their requests were sent."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from wirecheck.wire.records import Closed, Frame, Frames, Opened, Record, Replied

OPEN = 256  # exchanges that may be open at once; a log that lacks the end of one does not hold up the others


class RecordedExchange(Struct):
    """A request, and the records of its reply."""

    opened: Opened
    reply: list[Record] = []
    over: bool = False

    @property
    def status(self) -> int | None:
        """None where the log does not say."""
        return next((each.status for each in self.reply if isinstance(each, Replied)), None)

    @property
    def why_not(self) -> str:
        """Why it cannot be sent; "" where it can."""
        opened = self.opened
        if any(isinstance(each, Frame) and each.sender == "client" for each in self.reply) or (
            opened.url.startswith("ws") or "BidiGenerateContent" in opened.url
        ):
            return "Live sessions"
        if not opened.url or not opened.method:
            return "requests without a URL"
        return "" if opened.body is not None or opened.method in ("GET", "DELETE") else "requests without a body"


def recorded_exchanges(records: Iterable[Record]) -> Iterator[RecordedExchange]:
    """Yields the exchanges by the order of their requests. A Live session is one of them."""
    waiting: dict[str, RecordedExchange] = {}  # by channel
    row: list[RecordedExchange] = []
    for record in records:
        if isinstance(record, Opened):
            if (before := waiting.pop(record.channel, None)) is not None:
                before.over = True
            waiting[record.channel] = exchange = RecordedExchange(record)
            row.append(exchange)
        elif isinstance(record, Frames):
            continue  # of Live sessions
        elif (known := waiting.get(record.channel)) is not None:
            known.reply.append(record)
            if isinstance(record, Closed):
                known.over = True
                del waiting[record.channel]
        while row and (row[0].over or len(row) > OPEN):
            yield row.pop(0)
    yield from row
