"""An application's own server: between browser and backend frames and bodies have any form.

What of them is a message, or recites messages, is read as a transcript; a relayed Live session as what it is. The rest
says nothing to us, and nothing is wrong with it.
"""

from collections.abc import Iterator

from wirecheck.dialects.address import Address
from wirecheck.dialects.chat import Chat, recites
from wirecheck.dialects.live import Live
from wirecheck.dialects.messages import Message
from wirecheck.dialects.raw_json import top_keys
from wirecheck.wire.records import Body, Closed, Frame, Opened, Record

MARK = ("x-wirecheck", "application")  # the header that the recorder adds to such a request
# What a message consists of, besides its role.
SAYING = frozenset(("content", "parts", "toolCalls", "functionCall", "functionResponse"))


def is_application(record: Opened) -> bool:
    name, value = MARK
    return record.headers.get(name) == value


class Application:
    """One exchange or websocket with such a server."""

    protocol = "transcript"

    def __init__(self, where: Address) -> None:
        self._where = where
        self._speaks: Chat | Live = Chat(where, False)

    def read(self, record: Record) -> Iterator[Message]:
        frame = _frame(record)
        if frame is not None and self._says(frame.body):
            yield from self._speaks.read(frame)
        elif isinstance(record, Closed):
            yield from self._speaks.read(record)

    def _says(self, body: Body) -> bool:
        keys = top_keys(body.payload) or frozenset()
        if "setup" in keys:
            self._speaks = Live(self._where, False)
        return isinstance(self._speaks, Live) or recites(keys) or ("role" in keys and not SAYING.isdisjoint(keys))


def _frame(record: Record) -> Frame | None:
    """A message that went either way, be it a frame, a request or a reply."""
    if isinstance(record, Opened) and record.body is not None:
        return Frame(channel=record.channel, origin=record.origin, at=record.at, sender="client", body=record.body)
    return record if isinstance(record, Frame) else None
