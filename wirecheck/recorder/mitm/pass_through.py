"""Traffic that is not recorded passes through our proxy untouched.

A TLS connection to any other host is not decrypted, and bodies for such hosts are streamed.
"""

from urllib.parse import urlsplit

from mitmproxy import ctx
from mitmproxy.http import HTTPFlow
from mitmproxy.tls import ClientHelloData

from wirecheck.data.shipped import models
from wirecheck.recorder.mitm.client_environment import Mode


class PassThrough:
    """For forward mode; a reverse proxy gets no other traffic."""

    def __init__(self, mode: Mode) -> None:
        self._forward = mode == "forward"
        self.name = "wirecheck-passing"

    def tls_clienthello(self, data: ClientHelloData) -> None:
        address = data.context.server.address
        host = data.client_hello.sni or (address[0] if address else "")
        data.ignore_connection = self._forward and not _opened(host)

    def requestheaders(self, flow: HTTPFlow) -> None:
        if self._forward and not _opened(flow.request.pretty_host):
            flow.request.stream = True


def _opened(host: str) -> bool:
    """Whether traffic of this host may have to be recorded, so that TLS is decrypted."""
    options = ctx.options
    named = {name.partition(":")[0].lower() for name in options.wirecheck_host}
    upstream = urlsplit(options.wirecheck_upstream).hostname
    known = host.lower() in {*named, upstream} or models().surface(host) != "unknown"
    return known or bool(options.wirecheck_all_hosts)
