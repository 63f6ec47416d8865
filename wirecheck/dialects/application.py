"""Traffic between an application's own frontend and backend, where frames and bodies have any form.

What is a message, or holds messages, is read as a transcript, and a relayed Live session as a Live session. Anything
else is ignored.
"""

from collections.abc import Iterator

from wirecheck.dialects.address import Address
from wirecheck.dialects.chat import Chat, recites
from wirecheck.dialects.live.live import Live
from wirecheck.dialects.live.live_regular import LiveFrames
from wirecheck.dialects.messages import Message
from wirecheck.dialects.raw_json import top_keys
from wirecheck.wire.records import Body, Closed, Frame, Opened, Record

MARK = ("x-wirecheck", "application")  # the header that the recorder adds to such a request
# Keys of a message, besides its role.
SAYING = frozenset(("content", "parts", "toolCalls", "functionCall", "functionResponse"))


def is_application(record: Opened) -> bool:
    name, value = MARK
    return record.headers.get(name) == value


class Application:
    """One exchange or websocket of an application."""

    protocol = "transcript"

    def __init__(self, where: Address) -> None:
        self._where = where
        self._speaks: Chat | Live = Chat(where, False)

    def read(self, record: Record) -> Iterator[Message | LiveFrames]:
        frame = _frame(record)
        if frame is not None and self._says(frame.body):
            yield from self._speaks.read(frame)
        elif isinstance(record, Closed):
            yield from self._speaks.read(record)

    def _says(self, body: Body) -> bool:
        try:
            keys = top_keys(body.payload) or frozenset()
        except RecursionError:
            keys = frozenset()
        if "setup" in keys:
            self._speaks = Live(self._where, False)
        return isinstance(self._speaks, Live) or recites(keys) or ("role" in keys and not SAYING.isdisjoint(keys))


def _frame(record: Record) -> Frame | None:
    """Reads a payload of either direction: a frame, a request or a reply."""
    if isinstance(record, Opened) and record.body is not None:
        return Frame(channel=record.channel, origin=record.origin, at=record.at, sender="client", body=record.body)
    return record if isinstance(record, Frame) else None
