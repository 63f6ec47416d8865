"""Events of a streamed reply that are not JSON."""

from collections.abc import Iterator

from wirecheck.dialects.messages import Spot, Unreadable
from wirecheck.dialects.provenance import seen_of
from wirecheck.dialects.raw_json import breaks_off
from wirecheck.wire.records import Frame


class BrokenEvents:
    """Holds an event that breaks off. If no other follows, the stream broke off there, and no more is reported of
    it."""

    def __init__(self) -> None:
        self._held: list[Unreadable] = []

    def followed(self) -> Iterator[Unreadable]:
        """Another event follows: the one held is reported."""
        held, self._held = self._held, []
        yield from held

    def unread(self, record: Frame, why: str) -> Iterator[Unreadable]:
        why = f"the reply is {why}"
        one = Unreadable(seen=seen_of(record), kind="unreadable", why=why, spot=Spot(record.body.site))
        if breaks_off(record.body):
            self._held.append(one)
        else:
            yield one
