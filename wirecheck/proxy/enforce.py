"""Answers in the server's place: what it would reject is rejected here, as Google does it, with the finding in it."""

import json
from typing import Any

from mitmproxy import ctx
from mitmproxy.http import HTTPFlow, Response
from mitmproxy.proxy.layers.http import HttpLayer
from mitmproxy.proxy.layers.websocket import WebsocketLayer
from wsproto.events import CloseConnection

from wirecheck.dialects.address import address
from wirecheck.finding import Finding
from wirecheck.report.concise import pointer
from wirecheck.report.screen import clean
from wirecheck.shipped import models

INVALID = 1007  # how the Live server closes on what it does not take
REASON_BYTES = 123  # a websocket has no room for more
JSON = "application/json; charset=UTF-8"
OURS = ("generate-content", "live")  # an application's own server does not speak as Google does


def objection(flow: HTTPFlow, findings: list[Finding]) -> str:
    """Why this may not be sent; empty where it may."""
    errors = [finding for finding in findings if finding.severity == "error"]
    if not errors or address(flow.request.url, models()).protocol not in OURS:
        return ""
    first, more = errors[0], f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    place = pointer(first.place).removeprefix("/body").removeprefix("/data")  # as the client knows it
    where = f" at {place}" if place else ""
    repair = f" {first.help}" if first.help else ""
    return clean(f"[wirecheck {first.code} {first.rule}] {first.message}{where}{more}.{repair}")


def reject(flow: HTTPFlow, why: str) -> None:
    """A request is answered as Google answers one that it rejects."""
    error = {"error": {"code": 400, "message": why, "status": "INVALID_ARGUMENT"}}
    flow.response = Response.make(
        400, json.dumps(error, ensure_ascii=False).encode(), {"content-type": JSON, "x-wirecheck": "refused"}
    )


def hang_up(flow: HTTPFlow, why: str) -> None:
    """A frame is not sent on, and both sides see the websocket close, as if the server had closed it."""
    assert flow.websocket is not None
    flow.websocket.messages[-1].drop()
    layer = _layer(flow)
    if layer is None:
        flow.kill()
        return
    # mitmproxy has no command for this. What its layer finds among the server's events it handles as the server's; a
    # message injected from the same side, dropped when it comes, makes it look.
    layer.server_ws._events.append(CloseConnection(INVALID, _short(why)))
    ctx.master.commands.call("inject.websocket", flow, True, b"", True)


def _layer(flow: HTTPFlow) -> WebsocketLayer | None:
    """The layer that carries this websocket."""
    proxy: Any = ctx.master.addons.get("proxyserver")
    handler = proxy.connections.get(flow.client_conn.id) if proxy else None
    layers = handler.layer.context.layers if handler else ()
    streams = [stream for layer in layers if isinstance(layer, HttpLayer) for stream in layer.streams.values()]
    found = (getattr(stream, "child_layer", None) for stream in streams if getattr(stream, "flow", None) is flow)
    return next((layer for layer in found if isinstance(layer, WebsocketLayer)), None)


def _short(why: str) -> str:
    return why.encode()[:REASON_BYTES].decode(errors="ignore")
