"""The addon with mitmproxy's own test kit: flows go in, and what became of them is looked at."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mitmproxy.http import Headers, HTTPFlow
from mitmproxy.test import taddons, tflow, tutils
from mitmproxy.websocket import WebSocketMessage
from wsproto.frame_protocol import Opcode

from wirecheck.recorder.mitm.addon import Wirecheck
from wirecheck.recorder.mitm.traffic import Traffic

GEMINI = "https://generativelanguage.googleapis.com"
UNARY = f"{GEMINI}/v1beta/models/gemini-3.6-flash:generateContent"
STREAM = f"{GEMINI}/v1beta/models/gemini-3.6-flash:streamGenerateContent?alt=sse"
LIVE = f"{GEMINI}/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
GOOD = b'{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
# Called, and never answered.
BAD = (
    b'{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"name":"f"}}]},'
    b'{"role":"user","parts":[{"text":"well?"}]}]}'
)
FRAME = b'{"toolResponse":{"functionResponses":[{"name":"f","response":{}}]}}'  # to nothing
JSON = (b"content-type", b"application/json")


@contextmanager
def running(say: Any = None, **options: Any) -> Iterator[Wirecheck]:
    """An addon that runs, its options without their prefix."""
    addon = Wirecheck(say)
    with taddons.context(addon) as context:
        context.configure(addon, **{f"wirecheck_{name}": value for name, value in options.items()})
        addon.running()
        try:
            yield addon
        finally:
            addon.done()


def traffic(addon: Wirecheck) -> Traffic:
    """Its hooks for flows."""
    hooks = addon.addons[0]
    assert isinstance(hooks, Traffic)
    return hooks


def exchange(body: bytes, url: str = UNARY, status: int = 200, kind: str = "application/json") -> HTTPFlow:
    """A request, and the head of its answer."""
    request = tutils.treq(method=b"POST", content=body, headers=Headers([JSON]))
    request.url = url
    answer = tutils.tresp(status_code=status, content=b"{}", headers=Headers([(b"content-type", kind.encode())]))
    return tflow.tflow(req=request, resp=answer)


def session(*messages: bytes) -> HTTPFlow:
    """A Live websocket in which the client says all this, as it stands when the last was said."""
    flow = tflow.twebsocketflow()
    flow.request.url = LIVE
    assert flow.websocket is not None
    flow.websocket.messages = [WebSocketMessage(Opcode.TEXT, True, each) for each in messages]
    flow.websocket.timestamp_end = flow.websocket.close_code = None
    return flow


def whole(addon: Wirecheck, flow: HTTPFlow) -> HTTPFlow:
    """All events of an exchange whose body is waited for."""
    hooks = traffic(addon)
    hooks.request(flow)
    hooks.responseheaders(flow)
    hooks.response(flow)
    return flow
