"""batchGenerateContent: many requests in one body, each read as if it had been sent alone.

Their replies come hours later from other URLs; the direct reply only says that there is a batch, or why not. Knows
where the requests are in the body, not what is in them.
"""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from wirecheck.dialects.address import Address
from wirecheck.dialects.generate import GenerateContent
from wirecheck.dialects.messages import Message, Spot, Unreadable
from wirecheck.dialects.provenance import hangup, seen_of
from wirecheck.dialects.raw_json import members, slices
from wirecheck.dialects.regular_content import ContentReader
from wirecheck.dialects.vocabulary.field_names import written
from wirecheck.wire.nesting import TOO_DEEP
from wirecheck.wire.records import Body, Closed, Opened, Record

WAY = ("batch", "inputConfig", "requests", "requests")


class Batch:
    """One batch."""

    protocol = "generate-content"

    def __init__(self, where: Address, whole: bool, contents: ContentReader) -> None:
        self._where, self._whole, self._contents = where, whole, contents

    def read(self, record: Record) -> Iterator[Message]:
        if isinstance(record, Opened) and record.body is not None:
            yield from self._requests(record, record.body)
        elif isinstance(record, Closed):
            yield hangup(record)

    def _requests(self, record: Opened, body: Body) -> Iterator[Message]:
        one = GenerateContent(replace(self._where, verb="generateContent"), self._whole, self._contents)
        try:
            found = list(_inline(body))
        except RecursionError:
            yield Unreadable(seen=seen_of(record), kind="unreadable", why=TOO_DEEP, spot=Spot(body.site))
            return
        for raw, spot in found:
            yield from one.asked(seen_of(record), Body(raw, body.site), spot)
        if not found:  # they are in a file that was uploaded before
            yield Unreadable(seen=seen_of(record), kind="unjudged", why=self._where.verb, spot=Spot(body.site))


def _inline(body: Body) -> Iterator[tuple[bytes, Spot]]:
    """The requests in the body itself, and where they are."""
    raw, spot = body.payload, Spot(body.site)
    try:
        for step in WAY:
            keys = members(raw)
            name = written(keys, step)
            raw, spot = keys[name], spot.to(name)
        items = slices(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError):
        return
    yield from ((bytes(item), spot.to(n)) for n, item in enumerate(items))
