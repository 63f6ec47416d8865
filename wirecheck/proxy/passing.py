"""What our own proxy does with what is not recorded: nothing. And which server stands behind Google's names.

A TLS connection to any other host stays closed to us, and a body for one is never held back.
"""

from urllib.parse import urlsplit

from mitmproxy import ctx
from mitmproxy.http import HTTPFlow
from mitmproxy.tls import ClientHelloData

from wirecheck.proxy.environment import Mode
from wirecheck.shipped import models


class Passing:
    """Behind the addon that records, so that what is recorded is what the client asked."""

    def __init__(self, mode: Mode, upstream: str) -> None:
        self._forward = mode == "forward"
        self._upstream = urlsplit(upstream) if upstream and self._forward else None
        self.name = "wirecheck-passing"

    def tls_clienthello(self, data: ClientHelloData) -> None:
        address = data.context.server.address
        host = data.client_hello.sni or (address[0] if address else "")
        data.ignore_connection = self._forward and not _opened(host)

    def requestheaders(self, flow: HTTPFlow) -> None:
        if self._forward and not _opened(flow.request.pretty_host):
            flow.request.stream = True

    def request(self, flow: HTTPFlow) -> None:
        to = self._upstream
        if to is None or not _google(flow.request.pretty_host):
            return
        flow.request.scheme, flow.request.host = to.scheme, to.hostname or ""
        flow.request.port = to.port or (443 if to.scheme == "https" else 80)
        flow.request.path = to.path.rstrip("/") + flow.request.path


def _opened(host: str) -> bool:
    """Whether something on this host may be recorded."""
    options = ctx.options
    named = {name.partition(":")[0].lower() for name in options.wirecheck_host}
    upstream = urlsplit(options.wirecheck_upstream).hostname
    return bool(options.wirecheck_all_hosts) or host.lower() in {*named, upstream} or _google(host)


def _google(host: str) -> bool:
    return models().surface(host) != "unknown"
