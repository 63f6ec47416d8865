"""The server that requests are sent to again: where it is, whether that is allowed, and one exchange with it."""

import http.client
import ssl
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from wirecheck.replay.recorded_exchanges import RecordedExchange
from wirecheck.secrets.credentials import CREDENTIAL
from wirecheck.secrets.secret_forms import REDACTED
from wirecheck.wire.content_decoding import Undecodable, decoder

LARGEST = 64 << 20  # bytes of a reply that are read
KEPT = ("content-type", "x-goog-api-client", "user-agent", "x-server-timeout")  # headers that are sent again
PORTS = {"http": 80, "https": 443}


class NotAllowed(Exception):
    """This server must not be sent to, or its URL is none."""


class Unreachable(Exception):
    """The server gave no answer."""


class ServerAnswer(Struct, frozen=True):
    """What the server said."""

    status: int
    content_type: str
    data: bytes


class Target:
    """`headers` are added to each request. Proxies in the environment are not used, redirections not followed."""

    def __init__(self, url: str, allowed: Sequence[str] = (), headers: Mapping[str, str] | None = None) -> None:
        try:
            self._url = urlsplit(url)
            self._port = self._url.port or PORTS.get(self._url.scheme, 0)
        except ValueError as error:
            raise NotAllowed(f"no URL of a server: {error}") from None
        if not self._url.hostname or not self._port:
            raise NotAllowed("no URL of a server, as in http://127.0.0.1:8080")
        host = self._url.hostname
        if not _loopback(host) and host not in allowed:
            raise NotAllowed(f"{host} is not this machine; --allow-host {host} sends there all that the log says")
        self._headers = dict(headers or {})
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, exchange: RecordedExchange, timeout: float) -> ServerAnswer:
        opened = exchange.opened
        body = bytes(opened.body.payload) if opened.body is not None else None
        headers = {name: value for name, value in opened.headers.items() if name.lower() in KEPT}
        headers = {"content-type": "application/json", "accept-encoding": "identity"} | headers | self._headers
        try:
            connection = self._connected(timeout)
            connection.request(opened.method, _path(self._url, opened.url), body=body, headers=headers)
            response = connection.getresponse()
            data = response.read(LARGEST + 1)
        except (OSError, http.client.HTTPException, UnicodeError, ValueError) as error:
            self.close()
            raise Unreachable(f"no answer: {error or type(error).__name__}") from None
        if response.length and len(data) <= LARGEST:
            self.close()
            raise Unreachable(f"no answer: it breaks off, {response.length} bytes before its end")
        if len(data) > LARGEST:
            self.close()
            raise Unreachable(f"the answer is larger than {LARGEST >> 20} MB")
        return ServerAnswer(response.status, response.getheader("content-type", ""), _plain(response, data))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self, timeout: float) -> http.client.HTTPConnection:
        if self._connection is None:
            host = self._url.hostname or ""
            if self._url.scheme == "https":
                context = ssl.create_default_context()
                self._connection = http.client.HTTPSConnection(host, self._port, timeout=timeout, context=context)
            else:
                self._connection = http.client.HTTPConnection(host, self._port, timeout=timeout)
        return self._connection


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _path(target: SplitResult, logged: str) -> str:
    """The path and query of a logged URL, below the path of the target. Keys stay out: the log does not have them."""
    url = urlsplit(logged)
    words = (word for word in url.query.split("&") if word and not _secret(word))
    return (target.path.rstrip("/") + (url.path or "/")) + "".join(
        f"{'&' if n else '?'}{each}" for n, each in enumerate(words)
    )


def _secret(word: str) -> bool:
    name, _, value = word.partition("=")
    return CREDENTIAL.search(name.lower()) is not None or REDACTED in value


def _plain(response: http.client.HTTPResponse, data: bytes) -> bytes:
    encoding = response.getheader("content-encoding", "")
    if not encoding or encoding == "identity":
        return data
    try:
        return decoder(encoding).feed(data)
    except Undecodable as error:
        raise Unreachable(f"an answer that cannot be unpacked: {error}") from None
