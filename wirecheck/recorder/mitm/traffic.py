"""The hooks for traffic: each event is captured and judged; findings mark its flow and may refuse it.

Without --enforce a request is passed on at once, then written and judged while the server works on it, before any other
event. Everything else is in the log before it is passed on.

No exception of ours reaches the traffic: every hook and every stream function goes through `_guarded`. But a log that
cannot be written ends the proxy: a recording with holes is worse than none.
"""

import asyncio
import time
import traceback
from collections.abc import Callable
from functools import partial

from mitmproxy import ctx
from mitmproxy.hooks import UpdateHook
from mitmproxy.http import HTTPFlow

from wirecheck.finding import Finding
from wirecheck.recorder.capture.flows import headers_of
from wirecheck.recorder.capture.journal import JournalLost
from wirecheck.recorder.capture.streaming import Tee
from wirecheck.recorder.judging import enforce
from wirecheck.recorder.judging.marks import mark
from wirecheck.recorder.mitm.shutdown import forget_messages, turn_away
from wirecheck.recorder.recording import Recording
from wirecheck.report.screen import clean

LOOK = 1.0  # seconds between two looks at the calls of a session


class Traffic:
    """The hooks of one recording. `shown`: mitmproxy's views show the flows, so streamed bodies are kept for them."""

    def __init__(self, recording: Recording, *, enforces: bool, shown: bool) -> None:
        self._recording, self._enforces, self._shown = recording, enforces, shown
        self._given_up: set[str] = set()  # flows in which an exception was raised
        self._refused: set[str] = set()
        self._late: HTTPFlow | None = None  # whose request was passed on and is still to be written
        self.open: set[str] = set()  # recorded flows that have not ended
        self.lost = ""

    def http_connect(self, flow: HTTPFlow) -> None:
        self._guarded(flow, lambda flow: self._recording.learn(headers_of(flow.request.headers)))

    def request(self, flow: HTTPFlow) -> None:
        self._guarded(flow, self._request)

    def responseheaders(self, flow: HTTPFlow) -> None:
        self._guarded(flow, self._responseheaders)

    def response(self, flow: HTTPFlow) -> None:
        self._guarded(flow, self._recording.capture.response)
        if flow.response is not None and isinstance(flow.response.stream, Tee):
            flow.response.stream.restore(flow.response)
        if flow.websocket is None:
            self._ended(flow)

    def error(self, flow: HTTPFlow) -> None:
        self._guarded(flow, self._recording.capture.error)
        self._ended(flow)

    def websocket_start(self, flow: HTTPFlow) -> None:
        self._guarded(flow, self._recording.capture.websocket_start)
        if flow.live and flow.id in self.open:
            self._watch(flow)

    def websocket_message(self, flow: HTTPFlow) -> None:
        assert flow.websocket is not None
        last = flow.websocket.messages[-1]
        closing = last.injected and not last.content  # injected by enforce.hang_up
        # Also drops what follows a refused frame; but saved flows are always closed.
        if closing or flow.id in self._refused or (flow.live and flow.websocket.timestamp_end is not None):
            last.drop()
        else:
            self._guarded(flow, self._message)
        if self.lost:
            flow.websocket.messages[-1].drop()
        forget_messages(flow)

    def websocket_end(self, flow: HTTPFlow) -> None:
        self._guarded(flow, self._recording.over)
        self._guarded(flow, self._recording.capture.websocket_end)
        self._ended(flow)

    def _request(self, flow: HTTPFlow) -> None:
        self._recording.capture.request(flow)
        if not self._recording.capture.knows(flow):
            return
        self.open.add(flow.id)
        if self._enforces or not flow.live:
            if why := self._objection(flow, self._found(flow)):
                enforce.reject(flow, why)
        else:
            self._recording.look()
            self._late = flow
            asyncio.get_running_loop().call_soon(self._catch_up)

    def _catch_up(self) -> None:
        flow, self._late = self._late, None
        if flow is not None:
            self._guarded(flow, self._found)

    def _responseheaders(self, flow: HTTPFlow) -> None:
        self._recording.capture.responseheaders(flow)
        if flow.response is None or not flow.live:
            return
        if not self._recording.capture.knows(flow):
            flow.response.stream = flow.response.stream or not self._shown  # nothing reads its body
        elif self._recording.capture.streams(flow):
            flow.response.stream = Tee(partial(self._chunk, flow), self._shown)

    def _chunk(self, flow: HTTPFlow, data: bytes) -> None:
        self._guarded(flow, lambda flow: self._recording.capture.chunk(flow, data))

    def _message(self, flow: HTTPFlow) -> None:
        assert flow.websocket is not None
        self._recording.capture.websocket_message(flow)
        found = self._found(flow)
        message = flow.websocket.messages[-1]
        if message.from_client and (why := self._objection(flow, found)):
            message.drop()
            self._hang_up(flow, why)
        elif flow.live:
            self._look_at_calls(flow)

    def _watch(self, flow: HTTPFlow) -> None:
        """Looks at the calls of a session each second, also when nobody says anything."""

        def look() -> None:
            if flow.id in self.open and flow.id not in self._refused:
                self._guarded(flow, self._look_at_calls)
                self._watch(flow)

        asyncio.get_running_loop().call_later(LOOK, look)

    def _look_at_calls(self, flow: HTTPFlow) -> None:
        if why := self._objection(flow, self._recording.late(flow, time.time())):
            self._hang_up(flow, why)

    def _hang_up(self, flow: HTTPFlow, why: str) -> None:
        self._refused.add(flow.id)
        enforce.hang_up(flow, why)

    def _objection(self, flow: HTTPFlow, found: list[Finding]) -> str:
        return enforce.objection(flow, found) if self._enforces and flow.live else ""

    def _found(self, flow: HTTPFlow) -> list[Finding]:
        """Settles the current event, and marks its findings on the flow."""
        if found := self._recording.settle():
            mark(flow, found)
            ctx.master.addons.trigger(UpdateHook([flow]))
        return found

    def _guarded(self, flow: HTTPFlow, step: Callable[[HTTPFlow], object]) -> None:
        self._catch_up()
        if self.lost:
            turn_away(flow, self.lost)
        if self.lost or flow.id in self._given_up:
            return
        try:
            step(flow)
            if self._late is None:
                self._found(flow)
        except JournalLost as error:
            self.lost = clean(str(error))
            self._recording.fail(f"{self.lost}: recording stops, and the traffic with it")
            turn_away(flow, self.lost)
            ctx.master.shutdown()
        except Exception:
            self._given_up.add(flow.id)
            lines = "\n".join(map(clean, traceback.format_exc().splitlines()))
            self._recording.fail(f"a fault in wirecheck: this exchange is recorded no further, it goes on\n{lines}")

    def _ended(self, flow: HTTPFlow) -> None:
        for known in (self.open, self._given_up, self._refused):
            known.discard(flow.id)
