"""Where our proxy listens: in which modes of mitmproxy, on which ports, and in place of which servers."""

import errno
import socket
from collections.abc import Iterable, Mapping
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from wirecheck.recorder.mitm.client_environment import Kind, Mode, beyond, upstreams

HERE = "127.0.0.1"


class Listening(Struct, frozen=True):
    """The modes mitmproxy runs in, and its URL for each kind of server."""

    modes: list[str]
    ports: list[int]
    urls: dict[Kind, str]
    login: str | None = None  # for the upstream proxy


def listening(mode: Mode, port: int, upstream: str, environ: Mapping[str, str]) -> Listening:
    """Port 0 means free ports. Where several are needed, they are consecutive."""
    if mode == "forward":
        (port,) = _ports(port, 1)
        proxy = "" if upstream else beyond(environ)
        mode_ = f"upstream:{_origin(proxy)}" if proxy else "regular"
        return Listening([f"{mode_}@{HERE}:{port}"], [port], {"proxy": f"http://{HERE}:{port}"}, _login(proxy))
    behind = upstreams(environ, upstream)
    origins = list(dict.fromkeys(map(_origin, behind.values())))
    ports = dict(zip(origins, _ports(port, len(origins)), strict=True))
    modes = [f"reverse:{origin}@{HERE}:{at}" for origin, at in ports.items()]
    return Listening(
        modes,
        list(ports.values()),
        {kind: f"http://{HERE}:{ports[_origin(url)]}{urlsplit(url).path.rstrip('/')}" for kind, url in behind.items()},
    )


def taken(ports: Iterable[int]) -> list[int]:
    """The ports that are in use."""
    busy = []
    for port in ports:
        try:
            socket.create_server((HERE, port)).close()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                busy.append(port)
    return busy


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _login(url: str) -> str | None:
    found = urlsplit(url).netloc.rpartition("@")[0]
    return unquote(found) or None


def _ports(first: int, number: int) -> list[int]:
    if first:
        return list(range(first, first + number))
    sockets = [socket.create_server((HERE, 0)) for _ in range(number)]
    ports: list[int] = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
