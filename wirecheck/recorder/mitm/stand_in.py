"""Redirects requests for Google to a server that stands in for it, such as a gateway or a test server (--upstream).

In reverse mode mitmproxy does that itself. The log has Google's URL either way (`RecordedHosts.meant`).
"""

from urllib.parse import urlsplit

from mitmproxy.http import HTTPFlow
from mitmproxy.proxy.mode_specs import ReverseMode

from wirecheck.data.shipped import models


class StandIn:
    """Runs after the recording addon, so that the log has the URL the client asked for."""

    def __init__(self, upstream: str) -> None:
        self._to = urlsplit(upstream)
        self.name = "wirecheck-instead"

    def request(self, flow: HTTPFlow) -> None:
        to, reverse = self._to, isinstance(flow.client_conn.proxy_mode, ReverseMode)
        if not to.hostname or reverse or not flow.live or models().surface(flow.request.pretty_host) == "unknown":
            return
        flow.request.scheme, flow.request.host = to.scheme, to.hostname
        flow.request.port = to.port or (443 if to.scheme == "https" else 80)
        flow.request.path = to.path.rstrip("/") + flow.request.path
