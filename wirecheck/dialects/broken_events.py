"""Events of a streamed reply that are no JSON."""

from collections.abc import Iterator

from wirecheck.dialects.messages import Spot, Unreadable
from wirecheck.dialects.provenance import seen_of
from wirecheck.dialects.raw_json import breaks_off
from wirecheck.wire.records import Frame


class BrokenEvents:
    """One without its end is held: if it is the last, the stream breaks off there, and that is told of the stream."""

    def __init__(self) -> None:
        self._held: list[Unreadable] = []

    def followed(self) -> Iterator[Unreadable]:
        """Another event came."""
        held, self._held = self._held, []
        yield from held

    def unread(self, record: Frame, why: str) -> Iterator[Unreadable]:
        why = f"the reply is not JSON: {why}"
        one = Unreadable(seen=seen_of(record), kind="unreadable", why=why, spot=Spot(record.body.site))
        if breaks_off(record.body):
            self._held.append(one)
        else:
            yield one
