"""Decides what is recorded: Gemini's hosts and methods, and what the user added. Everything else passes through.

Decides once for each exchange, by its URL and its request. Knows no mitmproxy.
"""

from functools import lru_cache
from urllib.parse import urlsplit

import msgspec
from msgspec import Raw, Struct

from wirecheck.dialects.address import address
from wirecheck.dialects.vocabulary.field_names import camel
from wirecheck.models import Models

NOT_OURS = ("other", "unknown")  # protocols for methods that are not judged, and for unknown paths
COMMON = "interactions"  # also a path of other APIs: the host decides, or the model
CONVERSATION = frozenset(("contents", "messages", "chatMessages"))  # keys of bodies sent to an application's own server
WRAPPERS = ("request", "generateContentRequest")
# The Google host that a stand-in server replaces, by what only its paths contain.
SERVERS = (
    ("v1internal:", "cloudcode-pa.googleapis.com"),
    ("/publishers/", "aiplatform.googleapis.com"),
    ("/endpoints/openapi/", "aiplatform.googleapis.com"),
    ("LlmBidiService", "aiplatform.googleapis.com"),
    ("", "generativelanguage.googleapis.com"),
)
PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
SECURE = {"http": "https", "ws": "wss"}


class ObservedRequest(Struct, frozen=True):
    """A request: its URL, whether it opens a websocket, and its body, which may be anything."""

    url: str
    websocket: bool
    body: bytes


class RecordedHosts:
    """`upstream` is the URL of a server that stands in for Google, `hosts` are an application's own servers."""

    def __init__(
        self, models: Models, *, upstream: str = "", hosts: tuple[str, ...] = (), all_hosts: bool = False
    ) -> None:
        self._models = models
        self._upstream = _host(upstream) if upstream else None
        self._base = urlsplit(upstream).path.rstrip("/")
        self._hosts = {host.lower().rpartition("//")[2].rstrip("/") for host in hosts}
        self._all_hosts = all_hosts

    def wants(self, asked: ObservedRequest) -> bool:
        if self.is_application(asked.url):
            return asked.websocket or bool(CONVERSATION & _keys(asked.body)) or self._speaks(asked)
        if _host(asked.url) == self._upstream or self._models.surface(_host(asked.url)) != "unknown":
            return self._speaks(asked)
        return self._all_hosts and self._speaks_gemini(asked)

    def meant(self, url: str) -> str:
        """The URL to log: Google's, if this one is of the server that stands in for it."""
        if _host(url) != self._upstream:
            return url
        scheme, _, rest = url.partition("://")
        path = f"/{rest.partition('/')[2]}".removeprefix(self._base)
        host = next(host for mark, host in SERVERS if mark in path.partition("?")[0])
        return f"{SECURE.get(scheme, scheme)}://{host}{path}"

    def is_application(self, url: str) -> bool:
        """Whether this is an application's own server, with any form of frames and bodies."""
        host = _host(url)
        return host in self._hosts or host.rpartition(":")[0] in self._hosts

    def _speaks(self, asked: ObservedRequest) -> bool:
        """Whether to Gemini's servers this would be about a conversation."""
        where = address(asked.url, self._models)
        return where.protocol not in NOT_OURS or where.verb == COMMON

    def _speaks_gemini(self, asked: ObservedRequest) -> bool:
        """The same on an unknown host. There a chat or an interaction counts only if it names a Gemini model."""
        where = address(asked.url, self._models)
        if where.protocol == "chat" or where.verb == COMMON:
            return "gemini" in _model(asked.body)
        return where.protocol not in NOT_OURS or "contents" in _keys(asked.body)


@lru_cache(maxsize=256)
def _host(url: str) -> str:
    """Host and port of a URL."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        return ""
    return f"{(parts.hostname or '').lower()}:{port}"


def _members(body: bytes) -> dict[str, Raw]:
    try:
        return msgspec.json.decode(body, type=dict[str, Raw])
    except (msgspec.DecodeError, RecursionError):
        return {}


def _keys(body: bytes) -> set[str]:
    """The keys of a body, and of what it wraps."""
    members = _members(body)
    keys = set(map(camel, members))
    for wrapper in WRAPPERS:
        if wrapper in keys:
            keys |= set(map(camel, _members(bytes(members.get(wrapper, Raw())))))
    return keys


def _model(body: bytes) -> str:
    try:
        model = msgspec.json.decode(bytes(_members(body).get("model", Raw(b'""'))))
    except msgspec.DecodeError:
        return ""
    return model.lower() if isinstance(model, str) else ""
