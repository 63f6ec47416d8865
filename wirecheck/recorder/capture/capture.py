"""Turns mitmproxy's events into Records: one channel for each exchange or websocket.

Writes nothing, judges nothing, and does not change flows. Traffic that is not to be recorded is ignored.
"""

import time
from collections.abc import Callable

from mitmproxy.http import HTTPFlow
from msgspec import Struct
from msgspec.structs import replace

from wirecheck.dialects.application import MARK
from wirecheck.recorder.capture.body_splitter import ReplySplitter
from wirecheck.recorder.capture.flows import HERE, UNSEEN, asked_of, broken, closed, ended, headers_of, sound
from wirecheck.recorder.capture.media_digest import LIMIT, described, slimmed
from wirecheck.recorder.capture.recorded_hosts import RecordedHosts
from wirecheck.wire import payload
from wirecheck.wire.records import Body, Closed, Frame, Opened, Replied, Site

Captured = Opened | Replied | Frame | Closed
SWITCHING = 101


class Channel(Struct):
    """An open channel. `reply` is set when the reply began, `fed` when a chunk of its body passed."""

    name: str
    reply: ReplySplitter | None = None
    fed: bool = False


class Capture:
    """`run` is the prefix of channel names; `clock` gives the time where mitmproxy has none."""

    def __init__(
        self,
        emit: Callable[[Captured], None],
        wanted: RecordedHosts,
        *,
        keep_media: bool = False,
        run: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._emit, self._wanted, self._keep_media = emit, wanted, keep_media
        self._run, self._clock = run, clock
        self._count = 0
        self._open: dict[str, Channel] = {}  # by the id of the flow

    def knows(self, flow: HTTPFlow) -> bool:
        """Whether this flow is being recorded."""
        return flow.id in self._open

    def streams(self, flow: HTTPFlow) -> bool:
        """Whether the reply should be streamed, with each piece also passed to `chunk`."""
        if flow.response is None or not self.knows(flow) or flow.response.status_code == SWITCHING:
            return False
        content_type = flow.response.headers.get("content-type", "").lower()
        return "event-stream" in content_type or "streamGenerateContent" in flow.request.path

    def channel(self, flow: HTTPFlow) -> str:
        """The name of its channel, while it is open."""
        known = self._open.get(flow.id)
        return known.name if known is not None else ""

    def request(self, flow: HTTPFlow) -> None:
        """A request is complete."""
        self._end(flow, UNSEEN)  # if the flow is replayed
        asked = asked_of(flow)
        if not (asked.body or asked.websocket) or not self._wanted.wants(asked):
            return
        self._count += 1
        channel = self._open[flow.id] = Channel(f"{self._run}{self._count}")
        # By the mark lint recognises an application's own server.
        mark = dict([MARK]) if self._wanted.is_application(asked.url) else {}
        self._emit(
            Opened(
                channel=channel.name,
                origin=HERE,
                at=flow.request.timestamp_start,
                method=sound(flow.request.method),
                url=self._wanted.meant(asked.url),
                headers=headers_of(flow.request.headers) | mark,
                body=self._body(asked.body) if asked.body else None,
            )
        )

    def responseheaders(self, flow: HTTPFlow) -> None:
        """The reply began."""
        channel = self._open.get(flow.id)
        if channel is None or channel.reply is not None or flow.response is None:
            return
        headers = flow.response.headers
        channel.reply = ReplySplitter(headers.get("content-type", ""), headers.get("content-encoding", ""))
        self._emit(
            Replied(
                channel=channel.name,
                origin=HERE,
                at=flow.response.timestamp_start,
                status=flow.response.status_code,
                headers=headers_of(headers),
            )
        )

    def chunk(self, flow: HTTPFlow, data: bytes) -> None:
        """A piece of the reply passed, as it was on the wire."""
        channel = self._open.get(flow.id)
        if channel is not None:
            self._feed(channel, data, self._clock())

    def response(self, flow: HTTPFlow) -> None:
        """The reply is complete. The flow has its body, if it was not streamed."""
        self.responseheaders(flow)
        channel = self._open.get(flow.id)
        if channel is None or flow.response is None or flow.websocket is not None:
            return
        at = flow.response.timestamp_end or self._clock()
        if flow.response.raw_content and not channel.fed:
            self._feed(channel, flow.response.raw_content, at)
        self._end(flow, broken(flow) or ended(at=at))

    def error(self, flow: HTTPFlow) -> None:
        """The exchange broke off. What arrived is recorded."""
        self._end(flow, broken(flow) or UNSEEN)

    def websocket_start(self, flow: HTTPFlow) -> None:
        self.responseheaders(flow)

    def websocket_message(self, flow: HTTPFlow) -> None:
        """The last message of the flow is new."""
        channel = self._open.get(flow.id)
        if channel is None or flow.websocket is None or not flow.websocket.messages:
            return
        message = flow.websocket.messages[-1]
        self._emit(
            Frame(
                channel=channel.name,
                origin=HERE,
                at=message.timestamp,
                sender="client" if message.from_client else "server",
                body=self._body(message.content),
                binary=not message.is_text,
            )
        )

    def websocket_end(self, flow: HTTPFlow) -> None:
        """The websocket was closed; the flow has code, reason and side."""
        self._end(flow, closed(flow))

    def close(self) -> None:
        """Ends all open channels; their ends were not seen."""
        for flow in list(self._open):
            self._finish(self._open.pop(flow), UNSEEN)

    def _feed(self, channel: Channel, data: bytes, at: float) -> None:
        if channel.reply is not None:
            channel.fed = True
            self._frames(channel, channel.reply.feed(data), at)

    def _end(self, flow: HTTPFlow, ending: Closed) -> None:
        channel = self._open.pop(flow.id, None)
        if channel is not None:
            self._finish(channel, ending)

    def _finish(self, channel: Channel, ending: Closed) -> None:
        rest = channel.reply.end() if channel.reply is not None else []
        if not ending.recorded:  # the client left, or we did: drop messages that this cut off
            rest = [message for message in rest if payload.is_json(message)]
        at = ending.at or self._clock()
        self._frames(channel, rest, at)
        self._emit(replace(ending, channel=channel.name, at=at))

    def _frames(self, channel: Channel, messages: list[bytes], at: float) -> None:
        for message in messages:
            self._emit(Frame(channel=channel.name, origin=HERE, at=at, sender="server", body=self._body(message)))

    def _body(self, raw: bytes) -> Body:
        body = payload.of_bytes(raw, Site(HERE))
        if self._keep_media or len(raw) <= LIMIT or body.form == "text":
            return body
        if body.form == "json":
            return Body(slimmed(raw), body.site)
        return Body(described(raw, "bytes").encode(), body.site, "text")
