"""An application's own server: between browser and backend frames and bodies have any form.

What of them is a message, or recites messages, is read as a transcript; a relayed Live session as what it is. The rest
says nothing to us, and nothing is wrong with it.
"""

from collections.abc import Iterator

from wirecheck.dialects.address import Address
from wirecheck.dialects.chat import Chat, recites
from wirecheck.dialects.live import Live
from wirecheck.dialects.messages import Message
from wirecheck.dialects.raw import top_keys
from wirecheck.wire.record import Closed, Frame, Opened, Record

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
        if isinstance(record, Opened | Frame) and not self._says(record):
            return
        if isinstance(record, Opened | Frame | Closed):
            yield from self._speaks.read(record)

    def _says(self, record: Opened | Frame) -> bool:
        keys = (record.body and top_keys(record.body.raw)) or frozenset()
        if "setup" in keys:
            self._speaks = Live(self._where, False)
        return isinstance(self._speaks, Live) or recites(keys) or ("role" in keys and not SAYING.isdisjoint(keys))
