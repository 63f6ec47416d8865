"""The socket of the stand-in: a thread with a loop of its own, a port of its own, and what it heard."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import h11

from tests.standin.live import CUT, Socket
from tests.standin.mind import Json
from tests.standin.web import Reply, reply

GONE = (OSError, h11.RemoteProtocolError)  # a client that went away, or never spoke HTTP


@dataclass
class Heard:
    """One request, as it arrived; of a websocket, what its client said."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes = b""
    messages: list[Json] = field(default_factory=list)


class Standin:
    """`with Standin() as server:` serves at `server.url` until the block ends."""

    def __init__(self, port: int = 0, *, deflate: bool = True, keep: bool = True) -> None:
        self.heard: list[Heard] = []
        self.port = port
        self._deflate, self._keep = deflate, keep
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(10):
            raise RuntimeError("the stand-in did not come up")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._accept, "127.0.0.1", self.port, limit=1 << 20)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._over.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connection(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(*GONE):
                await self._requests(reader, writer)
        finally:
            writer.transport.abort() if writer.transport.is_closing() else writer.close()

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        http = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
        while True:
            request, body = None, bytearray()
            async for event in _events(http, reader):
                if isinstance(event, h11.Request):
                    request = event
                    if _upgrades(event):
                        await self._websocket(event, reader, writer)
                        return
                    if http.they_are_waiting_for_100_continue:
                        writer.write(_bytes(http, h11.InformationalResponse(status_code=100, headers=[])))
                elif isinstance(event, h11.Data):
                    body += event.data
            if request is None:
                return
            heard = self._hear(request, bytes(body))
            if not await _answer(http, writer, reply(heard.target, heard.body)):
                return
            if http.our_state is h11.MUST_CLOSE:
                return
            http.start_next_cycle()

    async def _websocket(
        self, request: h11.Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        heard = self._hear(request, b"")
        socket = Socket(list(request.headers.raw_items()), heard.target, self._deflate)
        if self._keep:
            socket.messages = heard.messages
        data = b""
        while socket.open:
            for out in socket.feed(data):
                if out is CUT:
                    writer.transport.abort()
                    return
                writer.write(out)
                await writer.drain()
                await asyncio.sleep(socket.slow)
            if socket.open and not (data := await reader.read(1 << 16)):
                return
        with suppress(asyncio.TimeoutError):  # the other side answers a close before it hangs up
            await asyncio.wait_for(reader.read(), 1)

    def _hear(self, request: h11.Request, body: bytes) -> Heard:
        headers = {name.decode(): value.decode("latin-1") for name, value in request.headers}
        heard = Heard(request.method.decode(), request.target.decode("latin-1"), headers, body)
        if self._keep:
            self.heard.append(heard)
        return heard


async def _events(http: h11.Connection, reader: asyncio.StreamReader) -> AsyncIterator[h11.Event]:
    """The events of one request."""
    while True:
        event = http.next_event()
        if event is h11.NEED_DATA:
            http.receive_data(await reader.read(1 << 16))
            continue
        if not isinstance(event, h11.Request | h11.Data):
            return
        yield event


async def _answer(http: h11.Connection, writer: asyncio.StreamWriter, said: Reply) -> bool:
    """Whether the connection still stands afterwards."""
    await asyncio.sleep(said.asked.wait)
    writer.write(_bytes(http, h11.Response(status_code=said.status, headers=said.headers)))
    for number, piece in enumerate(said.pieces):
        if number == said.asked.breaks:
            await writer.drain()
            writer.close()
            return False
        await asyncio.sleep(said.asked.slow)
        writer.write(_bytes(http, h11.Data(data=piece)))
        await writer.drain()
    writer.write(_bytes(http, h11.EndOfMessage()))
    await writer.drain()
    return True


def _bytes(http: h11.Connection, event: h11.Event) -> bytes:
    return http.send(event) or b""


def _upgrades(request: h11.Request) -> bool:
    return any(name == b"upgrade" and value.lower() == b"websocket" for name, value in request.headers)
