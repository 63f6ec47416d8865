"""A server that stands in for Google's, a gateway or one for tests: what is asked of Google goes there.

As a reverse proxy mitmproxy itself goes there. What is recorded is Google's address either way (`RecordedHosts.meant`).
"""

from urllib.parse import urlsplit

from mitmproxy.http import HTTPFlow
from mitmproxy.proxy.mode_specs import ReverseMode

from wirecheck.data.shipped import models


class StandIn:
    """Behind the addon that records, so that what is recorded is what the client asked."""

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
