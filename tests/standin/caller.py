"""A client for tests that need no real one: requests and websockets to the stand-in, straight or through a proxy.

It sees what a program sees: when each piece came, and how it ended.
"""

import http.client
import json
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    Request,
    TextMessage,
)
from wsproto.extensions import PerMessageDeflate

MODEL = "gemini-3.6-flash"
HOST = "generativelanguage.googleapis.com"
LIVE = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
Json = dict[str, Any]


def path(verb: str = "generateContent", model: str = MODEL) -> str:
    return f"/v1beta/models/{model}:{verb}"


def user(text: str) -> Json:
    return {"role": "user", "parts": [{"text": text}]}


def asking(text: str, **more: Any) -> Json:
    """A body with one prompt."""
    return {"contents": [user(text)], **more}


@contextmanager
def sent(url: str, target: str, body: Json | bytes, **headers: str) -> Iterator[http.client.HTTPResponse]:
    """A request; the response is open, and is read by whoever wants it. `_` in a header's name is `-`."""
    at = urlsplit(url)
    connection = http.client.HTTPConnection(str(at.hostname), at.port, timeout=20)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request("POST", target, data, {"content-type": "application/json", **named})
        yield connection.getresponse()
    finally:
        connection.close()


def ask(url: str, target: str, body: Json | bytes, **headers: str) -> tuple[int, bytes]:
    with sent(url, target, body, **headers) as response:
        return response.status, response.read()


class Call:
    """A websocket that a test holds."""

    def __init__(
        self,
        url: str,
        target: str = LIVE,
        *,
        deflate: bool = False,
        subprotocol: str = "",
        tls: ssl.SSLContext | None = None,
        proxy: str = "",
        **headers: str,
    ) -> None:
        at = urlsplit(proxy or url)
        self._line: socket.socket = socket.create_connection((str(at.hostname), at.port), timeout=20)
        if proxy:
            self._line.sendall(f"CONNECT {urlsplit(url).netloc} HTTP/1.1\r\n\r\n".encode())
            assert b" 200 " in self._line.recv(1 << 16)
        if tls is not None:
            self._line = tls.wrap_socket(self._line, server_hostname=HOST)
        self._socket = WSConnection(ConnectionType.CLIENT)
        self._waiting: list[Event] = []
        self.closed: CloseConnection | None = None
        request = Request(
            host=HOST,
            target=target,
            extensions=[PerMessageDeflate()] if deflate else [],
            subprotocols=[subprotocol] if subprotocol else [],
            extra_headers=[(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        )
        self._line.sendall(self._socket.send(request))
        self.answer = self._next()

    def __enter__(self) -> "Call":
        assert isinstance(self.answer, AcceptConnection), self.answer
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()

    def say(self, message: Json | str) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        self._line.sendall(self._socket.send(TextMessage(text)))

    def hang_up(self, code: int = 1000, reason: str = "") -> None:
        self._line.sendall(self._socket.send(CloseConnection(code, reason)))
        for _ in self:
            pass

    def __iter__(self) -> Iterator[Json]:
        """The messages until the other side closes, or is gone: then with 1006."""
        parts: list[bytes] = []
        while True:
            event = self._next()
            if isinstance(event, CloseConnection):
                self.closed = event
                return
            if isinstance(event, Ping):
                self._line.sendall(self._socket.send(event.response()))
            elif isinstance(event, TextMessage | BytesMessage):
                parts.append(event.data.encode() if isinstance(event.data, str) else bytes(event.data))
                if event.message_finished:
                    whole, parts = b"".join(parts), []
                    yield json.loads(whole)

    def until(self, key: str) -> list[Json]:
        """The messages up to one that has this key, at the top or in `serverContent`."""
        heard: list[Json] = []
        for message in self:
            heard.append(message)
            if key in message or key in message.get("serverContent", {}):
                return heard
        raise AssertionError(f"closed before {key}: {self.closed}")

    def _next(self) -> Event:
        while not self._waiting:
            try:
                data = self._line.recv(1 << 16)
            except ConnectionError:
                data = b""
            if not data:
                return CloseConnection(1006, "")
            self._socket.receive_data(data)
            self._waiting = list(self._socket.events())
        return self._waiting.pop(0)


def answers(port: int) -> bool:
    """Whether somebody listens here."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_for(what: Any, seconds: float = 10) -> None:
    """Until `what()` is true; fails when it never is."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, f"waited {seconds} s in vain"
        time.sleep(0.01)
