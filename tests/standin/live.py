"""The Live websocket of the stand-in, on wsproto: bytes in, bytes out.

Google sends its JSON in binary frames; clients send text. permessage-deflate is taken where it is offered.
"""

import json
from collections.abc import Iterator
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Event, Message, Ping, Request, TextMessage
from wsproto.extensions import Extension, PerMessageDeflate

from tests.standin.mind import Json, dump
from tests.standin.session import Session

CUT = None  # instead of bytes: the connection is to be cut off


class Socket:
    """One websocket. Everything it gives is to be sent at once, in this order."""

    def __init__(self, headers: list[tuple[bytes, bytes]], target: str, deflate: bool = True) -> None:
        self._socket = WSConnection(ConnectionType.SERVER)
        self._socket.initiate_upgrade_connection(headers, target)
        self._deflate = deflate
        self._session = Session()
        self._heard: list[str] = []
        self.messages: list[Json] = []
        self.open = True

    @property
    def slow(self) -> float:
        return self._session.asked.slow

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """What the stand-in sends to these bytes; no bytes at all begin it."""
        if data:
            self._socket.receive_data(data)
        for event in self._socket.events():
            yield from self._event(event)

    def _event(self, event: Event) -> Iterator[bytes | None]:
        if isinstance(event, Request):
            extensions: list[Extension] = [PerMessageDeflate()] if self._deflate else []
            yield self._socket.send(AcceptConnection(extensions=extensions))
        elif isinstance(event, Ping):
            yield self._socket.send(event.response())
        elif isinstance(event, CloseConnection):
            self.open = False
            yield self._socket.send(event.response())
        elif isinstance(event, Message):
            data: Any = event.data
            self._heard.append(data if isinstance(data, str) else bytes(data).decode())
            if event.message_finished:
                text, self._heard = "".join(self._heard), []
                yield from self._message(text)

    def _message(self, text: str) -> Iterator[bytes | None]:
        try:
            message = json.loads(text)
        except ValueError:
            yield self._close(1007, "Invalid JSON payload received.")
            return
        self.messages.append(message)
        for number, said in enumerate(self._session.hear(message)):
            if number == self._session.asked.breaks:
                self.open = False
                yield CUT
                return
            yield from self._frames(dump(said))
        if self._session.asked.close:
            yield self._close(self._session.asked.close, self._session.asked.reason)

    def _frames(self, data: bytes) -> Iterator[bytes]:
        """One message, in as many fragments as were asked for."""
        asked = self._session.asked
        size = -(-len(data) // asked.fragments)
        for start in range(0, len(data), size):
            piece, last = data[start : start + size], start + size >= len(data)
            message = (
                TextMessage(piece.decode(), message_finished=last)
                if asked.text
                else BytesMessage(piece, message_finished=last)
            )
            yield self._socket.send(message)

    def _close(self, code: int, reason: str) -> bytes:
        self.open = False
        return self._socket.send(CloseConnection(code, reason))
