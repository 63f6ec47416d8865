"""Rejects, in the server's place, what the server would reject: with Google's form of error and the finding in it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from mitmproxy import ctx
from mitmproxy.http import HTTPFlow, Response
from mitmproxy.proxy.layers.http import HttpLayer
from mitmproxy.proxy.layers.websocket import WebsocketLayer
from wsproto.events import CloseConnection

from wirecheck.data.shipped import models
from wirecheck.dialects.address import address
from wirecheck.finding import Finding
from wirecheck.report.concise import pointer
from wirecheck.report.screen import clean
from wirecheck.wire.records import OWN_REFUSAL

INVALID = 1007  # the Live server's close code for invalid frames
REASON_BYTES = 123  # the limit for close reasons
JSON = "application/json; charset=UTF-8"


def objection(flow: HTTPFlow, findings: list[Finding]) -> str:
    """Why this must not be sent; empty where it may."""
    errors = [finding for finding in findings if finding.severity == "error"]
    # The errors of an application's own server are not known.
    if not errors or address(flow.request.url, models()).protocol not in (*ERRORS, "live"):
        return ""
    first, more = errors[0], f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    place = pointer(first.place).removeprefix("/body").removeprefix("/data")  # as the client sees it
    where = f" at {place}" if place else ""
    repair = f" {first.help}" if first.help else ""
    return clean(f"{OWN_REFUSAL}{first.code} {first.rule}] {first.message}{where}{more}.{repair}")


def reject(flow: HTTPFlow, why: str) -> None:
    """Answers a request as the server it is for answers one that it rejects."""
    to = address(flow.request.url, models())
    error = ERRORS[to.protocol](why, to.surface)
    flow.response = Response.make(
        400, json.dumps(error, ensure_ascii=False).encode(), {"content-type": JSON, "x-wirecheck": "refused"}
    )


def _google(why: str, surface: str) -> dict[str, Any]:
    return {"error": {"code": 400, "message": why, "status": "INVALID_ARGUMENT"}}


def _chat(why: str, surface: str) -> Any:
    """Google's own endpoint puts its error into a list; others speak as OpenAI does."""
    if surface == "openai-compat":
        return [_google(why, surface)]
    return {"error": {"message": why, "type": "invalid_request_error", "param": None, "code": None}}


def _interaction(why: str, surface: str) -> dict[str, Any]:
    return {"error": {"message": why, "code": "invalid_request"}}


# What a rejection looks like, by protocol. Live sessions have no errors: they are closed.
ERRORS: dict[str, Callable[[str, str], Any]] = {
    "generate-content": _google,
    "batch": _google,
    "interactions": _interaction,
    "chat": _chat,
}


def hang_up(flow: HTTPFlow, why: str) -> None:
    """Closes a websocket on both sides, as if the server had."""
    # The layer of this websocket may be at any depth: CONNECT and TLS add more layers.
    proxy: Any = ctx.master.addons.get("proxyserver")
    handler = proxy.connections.get(flow.client_conn.id) if proxy else None
    layers = _within(handler.layer, set()) if handler else ()
    layer = next((one for one in layers if isinstance(one, WebsocketLayer) and one.flow is flow), None)
    if layer is None:
        flow.kill()
        return
    # mitmproxy has no command for this. Its layer handles what is in the server's queue of events as sent by the
    # server; an injected message from that side, dropped when it arrives, makes it process the queue.
    layer.server_ws._events.append(CloseConnection(INVALID, _short(why)))
    ctx.master.commands.call("inject.websocket", flow, True, b"", True)


def _within(layer: Any, seen: set[int]) -> Iterator[Any]:
    if layer is None or id(layer) in seen:
        return
    seen.add(id(layer))
    yield layer
    streams = layer.streams.values() if isinstance(layer, HttpLayer) else ()
    for inner in (getattr(layer, "child_layer", None), getattr(layer, "layer", None), *streams, *layer.context.layers):
        yield from _within(inner, seen)


def _short(why: str) -> str:
    return why.encode()[:REASON_BYTES].decode(errors="ignore")
