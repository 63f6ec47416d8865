"""Reads what a flow of mitmproxy asked for, and how it ended."""

import re
from functools import partial

from mitmproxy.connection import ConnectionState
from mitmproxy.flow import Error
from mitmproxy.http import Headers, HTTPFlow
from mitmproxy.proxy.mode_specs import ReverseMode

from wirecheck.recorder.capture.media_digest import described
from wirecheck.recorder.capture.recorded_hosts import ObservedRequest
from wirecheck.wire.content_decoding import Undecodable, decoder
from wirecheck.wire.records import Closed, Origin, Peer

LEFT = re.compile(r"client disconnected|by client", re.I)  # words of mitmproxy's errors


HERE = Origin("", 0)  # the Journal sets the origin
ended = partial(Closed, channel="", origin=HERE)  # Capture sets the channel
UNSEEN = ended(recorded=False)


def asked_of(flow: HTTPFlow) -> ObservedRequest:
    websocket = flow.request.headers.get("upgrade", "").lower() == "websocket"
    # The host that was asked for. A reverse proxy takes its own upstream, whatever host the client sends.
    reverse = isinstance(flow.client_conn.proxy_mode, ReverseMode)
    url = sound(flow.request.url if reverse else flow.request.pretty_url)
    return ObservedRequest(f"ws{url[4:]}" if websocket and url.startswith("http") else url, websocket, _unpacked(flow))


def _unpacked(flow: HTTPFlow) -> bytes:
    """The decompressed body of the request, or a description of one that cannot be read."""
    raw = flow.request.raw_content or b""
    encoding = flow.request.headers.get("content-encoding", "")
    if not (encoding and raw):
        return raw
    try:
        return decoder(encoding).feed(raw) or described(raw, f"cut off, packed as {encoding}").encode()
    except Undecodable as error:
        return described(raw, str(error)).encode()


def broken(flow: HTTPFlow) -> Closed | None:
    """How a flow broke off, if it did. Where the client or the proxy left, no fault of the server is recorded."""
    if flow.error is None:
        return None
    why, at = sound(flow.error.msg), flow.error.timestamp
    if why == Error.KILLED_MESSAGE:
        return ended(at=at, reason=why, recorded=False)
    if LEFT.search(why) or _left(flow, at):
        return ended(at=at, reason=why, by="client", recorded=False)
    return ended(at=at, reason=why, by="server")


def _left(flow: HTTPFlow, at: float) -> bool:
    """Whether the client had left. For HTTP/2 mitmproxy's message does not say which side closed the connection."""
    left = flow.client_conn.timestamp_end
    return (left is not None and left <= at) or (flow.live and not flow.client_conn.state & ConnectionState.CAN_WRITE)


def closed(flow: HTTPFlow) -> Closed:
    """How a websocket was closed."""
    socket = flow.websocket
    if socket is None or socket.closed_by_client is None:
        return UNSEEN
    by: Peer = "client" if socket.closed_by_client else "server"
    return ended(at=socket.timestamp_end, code=socket.close_code, reason=sound(socket.close_reason or ""), by=by)


def headers_of(headers: Headers) -> dict[str, str]:
    """Headers with names in lower case. Values of repeated names are joined, as HTTP defines."""
    named: dict[str, str] = {}
    for name_bytes, value_bytes in headers.fields:
        name, value = name_bytes.decode("utf-8", "replace").lower(), value_bytes.decode("utf-8", "replace")
        named[name] = f"{named[name]}, {value}" if name in named else value
    return named


def sound(text: str) -> str:
    """Text that can be encoded: mitmproxy keeps invalid bytes as lone surrogates."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
