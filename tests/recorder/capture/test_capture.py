"""What mitmproxy tells of a flow becomes the records of one channel, and lint judges them as what they are."""

import gzip
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mitmproxy.connection import ConnectionState
from mitmproxy.eventsequence import iterate
from mitmproxy.flow import Error
from mitmproxy.http import Headers, HTTPFlow, Response
from mitmproxy.proxy.mode_specs import ProxyMode
from mitmproxy.test import tflow
from mitmproxy.websocket import WebSocketMessage
from wsproto.frame_protocol import Opcode

from wirecheck.data.shipped import models
from wirecheck.inspector import Inspector
from wirecheck.recorder.capture.capture import Capture, Captured
from wirecheck.recorder.capture.journal import Journal
from wirecheck.recorder.capture.recorded_hosts import RecordedHosts
from wirecheck.rules import load
from wirecheck.sources import Reader
from wirecheck.wire.records import Closed, Frame, Opened, Replied

GEMINI = "https://generativelanguage.googleapis.com"
UNARY = f"{GEMINI}/v1beta/models/gemini-3.6-flash:generateContent"
STREAM = f"{GEMINI}/v1beta/models/gemini-3.6-flash:streamGenerateContent?alt=sse"
LIVE = f"{GEMINI}//ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
EVENTS = b'data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n'
SSE = {"content-type": "text/event-stream"}
JSON = {"content-type": "application/json"}
HOOKS = ("request", "responseheaders", "response", "error", "websocket_start", "websocket_message", "websocket_end")


def replay(capture: Capture, flow: HTTPFlow) -> None:
    """Captures a saved flow, as if it happened now."""
    for event in iterate(flow):
        if event.name in HOOKS:
            getattr(capture, event.name)(flow)


class Caught(list[Captured]):
    """What was captured, and what captures it."""

    def __init__(self, **more: Any) -> None:
        wanted = RecordedHosts(models(), hosts=("app.example.org",))
        self.capture = Capture(self.append, wanted, clock=lambda: 7.0, **more)

    @property
    def kinds(self) -> list[str]:
        return [type(record).__name__ for record in self]

    @property
    def bodies(self) -> list[bytes]:
        return [record.body.raw for record in self if isinstance(record, Frame)]

    @property
    def closed(self) -> list[tuple[int | None, str, str | None, bool]]:
        return [(each.code, each.reason, each.by, each.recorded) for each in self if isinstance(each, Closed)]


def exchange(
    url: str = UNARY,
    body: bytes = b'{"contents":[]}',
    reply: bytes | None = b"{}",
    headers: Mapping[str, str] = {},
) -> HTTPFlow:
    flow = tflow.tflow()
    flow.request.url, flow.request.method = url, "POST"
    flow.request.raw_content = body
    if reply is not None:
        flow.response = Response.make(200, b"", dict(headers))
        flow.response.raw_content = reply
        flow.response.timestamp_end = 5.0
    return flow


def socket(url: str = LIVE, *messages: tuple[bool, Opcode, bytes]) -> HTTPFlow:
    flow = tflow.twebsocketflow()
    flow.request.url = url
    assert flow.websocket is not None
    flow.websocket.messages = [WebSocketMessage(kind, client, content, 3.0) for client, kind, content in messages]
    return flow


def streamed(caught: Caught, flow: HTTPFlow, pieces: list[bytes]) -> None:
    """As the addon does it."""
    assert flow.response is not None
    caught.capture.request(flow)
    caught.capture.responseheaders(flow)
    flow.response.raw_content = None
    for piece in pieces:
        caught.capture.chunk(flow, piece)


def test_a_request_and_its_reply() -> None:
    caught = Caught()
    flow = exchange(body=b'{"contents":[]}', reply=b'{"candidates":[]}', headers=JSON)
    flow.request.headers["X-Two"] = "a"
    flow.request.headers.add("X-Two", "b\xff")
    replay(caught.capture, flow)
    opened, replied, frame, closed = caught
    assert isinstance(opened, Opened)
    assert (opened.method, opened.url, opened.channel) == ("POST", UNARY, "1")
    assert opened.headers["x-two"] == "a, b\xff"
    assert opened.body is not None
    assert (opened.body.raw, opened.body.form) == (b'{"contents":[]}', "json")
    assert isinstance(replied, Replied)
    assert replied.status == 200
    assert isinstance(frame, Frame)
    assert (frame.sender, frame.body.raw, frame.at) == ("server", b'{"candidates":[]}', 5.0)
    assert closed == Closed(channel="1", origin=closed.origin, at=5.0)
    assert not caught.capture.knows(flow)


@given(cuts=st.lists(st.integers(0), max_size=5), packed=st.booleans())
def test_a_stream_is_recorded_alike_however_it_came(cuts: list[int], packed: bool) -> None:
    data = gzip.compress(EVENTS) if packed else EVENTS
    headers = SSE | {"content-encoding": "gzip"} if packed else SSE
    edges = [0, *sorted(cut % len(data) for cut in cuts), len(data)]
    caught, saved = Caught(), Caught()
    flow = exchange(STREAM, reply=data, headers=headers)
    replay(saved.capture, flow)
    streamed(caught, flow, [data[a:b] for a, b in pairwise(edges)] + [b""])
    caught.capture.response(flow)
    assert caught.kinds == saved.kinds == ["Opened", "Replied", "Frame", "Frame", "Closed"]
    assert caught.bodies == saved.bodies == [b'{"a":1}', b'{"b":2}']


def test_an_event_is_recorded_before_the_next_one_comes() -> None:
    caught, flow = Caught(), exchange(STREAM, headers=SSE)
    streamed(caught, flow, [EVENTS[:20]])
    assert caught.bodies == [b'{"a":1}']


STREAMS = {
    "events": (exchange(UNARY, headers=SSE), True),
    "an array": (exchange(STREAM, headers=JSON), True),
    "one reply": (exchange(UNARY, headers=JSON), False),
    "what is not recorded": (exchange("https://example.org/x", headers=SSE), False),
    "a websocket": (socket(), False),
}


@pytest.mark.parametrize(("flow", "expected"), STREAMS.values(), ids=STREAMS)
def test_only_what_comes_piece_by_piece_is_handed_on_so(flow: HTTPFlow, expected: bool) -> None:
    capture = Caught().capture
    assert not capture.streams(flow)
    capture.request(flow)
    capture.responseheaders(flow)
    assert capture.streams(flow) is expected


BREAKS: dict[str, tuple[str, float | None, list[bytes], tuple[None, str, str | None, bool]]] = {
    "the server": ("peer closed", None, [b'{"a":1}', b'{"b"'], (None, "peer closed", "server", True)),
    "the client": ("Client disconnected.", None, [b'{"a":1}'], (None, "Client disconnected.", "client", False)),
    "the client, by HTTP/2": (
        "stream reset by client (CANCEL)",
        None,
        [b'{"a":1}'],
        (None, "stream reset by client (CANCEL)", "client", False),
    ),
    "the client, who was gone before": ("peer closed", 1.0, [b'{"a":1}'], (None, "peer closed", "client", False)),
    "we": (Error.KILLED_MESSAGE, None, [b'{"a":1}'], (None, Error.KILLED_MESSAGE, None, False)),
}


@pytest.mark.parametrize(("why", "left", "bodies", "closed"), BREAKS.values(), ids=BREAKS)
def test_a_stream_that_breaks_off_is_recorded_as_far_as_it_came(
    why: str, left: float | None, bodies: list[bytes], closed: tuple[None, str, str | None, bool]
) -> None:
    caught, flow = Caught(), exchange(STREAM, headers=SSE)
    streamed(caught, flow, [b'data: {"a":1}\n\ndata: {"b"'])
    flow.error, flow.client_conn.timestamp_end = Error(why, 2.0), left
    caught.capture.error(flow)
    assert caught.bodies == bodies
    assert caught.closed == [closed]


@pytest.mark.parametrize(
    ("state", "by"),
    [
        (ConnectionState.OPEN, "server"),
        (ConnectionState.CAN_WRITE, "server"),  # the client has said all it had to say, and waits
        (ConnectionState.CLOSED, "client"),
    ],
)
def test_who_closed_is_seen_where_the_words_do_not_tell(state: ConnectionState, by: str) -> None:
    caught, flow = Caught(), exchange(STREAM, headers=SSE)
    streamed(caught, flow, [b'data: {"a":1}\n\n'])
    flow.error, flow.client_conn.state = Error("peer closed connection", 2.0), state
    caught.capture.error(flow)
    assert [ending[2] for ending in caught.closed] == [by]


def test_what_is_open_when_all_ends_was_not_seen_to_end() -> None:
    caught, flow = Caught(), exchange(STREAM, headers=SSE)
    streamed(caught, flow, [b'data: {"a":1}\n\ndata: {"b":2}'])
    caught.capture.close()
    caught.capture.close()
    assert caught.bodies == [b'{"a":1}', b'{"b":2}']
    assert caught.closed == [(None, "", None, False)]


def test_a_request_that_gets_no_answer() -> None:
    caught, flow = Caught(), exchange(reply=None)
    flow.error = Error("no route to host", 2.0)
    flow.client_conn.timestamp_end = None
    replay(caught.capture, flow)
    assert caught.kinds == ["Opened", "Closed"]
    assert caught.closed == [(None, "no route to host", "server", True)]


def test_a_request_that_is_sent_once_more_is_another_channel() -> None:
    caught, flow = Caught(run="12."), exchange()
    caught.capture.request(flow)
    replay(caught.capture, flow)
    assert [record.channel for record in caught] == ["12.1", "12.1", "12.2", "12.2", "12.2", "12.2"]
    assert caught.closed == [(None, "", None, False), (None, "", None, True)]


def test_a_websocket() -> None:
    caught = Caught()
    flow = socket(
        LIVE,
        (True, Opcode.TEXT, b'{"setup":{}}'),
        (False, Opcode.BINARY, b'{"setupComplete":{}}'),
        (True, Opcode.BINARY, b"\xff\x00"),
        (True, Opcode.TEXT, b"hello"),
    )
    assert flow.websocket is not None
    flow.websocket.close_code, flow.websocket.close_reason, flow.websocket.closed_by_client = 1007, "bad \udcff", False
    replay(caught.capture, flow)
    assert caught.kinds == ["Opened", "Replied", "Frame", "Frame", "Frame", "Frame", "Closed"]
    assert isinstance(caught[0], Opened)
    assert caught[0].url == LIVE.replace("https://", "wss://")
    frames = [record for record in caught if isinstance(record, Frame)]
    assert [(frame.sender, frame.binary, frame.body.form) for frame in frames] == [
        ("client", False, "json"),
        ("server", True, "json"),
        ("client", True, "bytes"),
        ("client", False, "text"),
    ]
    assert caught.closed == [(1007, "bad \ufffd", "server", True)]


@pytest.mark.parametrize(
    ("mode", "host", "asked"),
    [
        ("regular", "10.0.0.1", "generativelanguage.googleapis.com"),
        ("reverse:https://generativelanguage.googleapis.com", "generativelanguage.googleapis.com", "127.0.0.1:8080"),
    ],
)
def test_a_server_is_known_by_the_name_it_was_asked_by_or_stands_behind_us(mode: str, host: str, asked: str) -> None:
    caught, flow = Caught(), exchange()
    flow.client_conn.proxy_mode = ProxyMode.parse(mode)
    flow.request.host = host
    flow.request.headers["host"] = asked
    caught.capture.request(flow)
    (opened,) = caught
    assert isinstance(opened, Opened)
    assert opened.url == UNARY


NOTHING = {
    "another host": exchange("https://example.org/x"),
    "a method without contents": exchange(f"{GEMINI}/v1beta/files"),
    "a request that asks whether it may": exchange(body=b""),
    "another websocket": socket("https://example.org/chat"),
}


@pytest.mark.parametrize("flow", NOTHING.values(), ids=NOTHING)
def test_what_is_not_wanted_leaves_no_trace(flow: HTTPFlow) -> None:
    caught = Caught()
    replay(caught.capture, flow)
    assert caught == []


PICTURE = b'{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"%s"}}]}]}' % (b"abcd" * 400)


@pytest.mark.parametrize("keep", [True, False])
def test_media_are_kept_only_where_that_is_asked_for(keep: bool) -> None:
    caught = Caught(keep_media=keep)
    replay(caught.capture, exchange(body=PICTURE, reply=PICTURE))
    replay(caught.capture, socket(LIVE, (True, Opcode.TEXT, PICTURE), (True, Opcode.BINARY, b"\xff" * 5000)))
    opened = [record.body.raw for record in caught if isinstance(record, Opened) and record.body]
    for raw in [*opened, *caught.bodies[:2]]:
        assert (raw == PICTURE) is keep
        assert (b"[image/png, 1200 bytes, sha256 " in raw) is not keep
    assert (caught.bodies[2] == b"\xff" * 5000) is keep
    assert caught.bodies[2].startswith(b"[bytes, 5000 bytes, sha256 ") is not keep


@pytest.mark.parametrize(
    ("encoding", "body"),
    [("gzip", gzip.compress(b'{"contents":[]}', mtime=0)), ("br", b"never packed"), ("what", b"?"), ("gzip", b"\x1f")],
)
def test_a_packed_request_is_unpacked_or_described(encoding: str, body: bytes) -> None:
    caught, flow = Caught(), exchange(body=body, reply=None)
    flow.request.headers["content-encoding"] = encoding
    caught.capture.request(flow)
    (opened,) = caught
    assert isinstance(opened, Opened)
    assert opened.body is not None
    assert body not in opened.body.raw
    assert opened.body.raw.startswith(
        (b'{"contents"', b"[error", b"[packed as what, 1 bytes", b"[cut off, packed as gzip")
    )


CALL = '{"role":"model","parts":[{"text":"Let me see."},{"functionCall":{"name":"look","args":{}}}]}'
ANSWER = '{"role":"user","parts":[{"functionResponse":{"name":"look","response":{}}}]}'
SAID = ['{"sentence":"Let me"}', '{"tool_call":true,"tool_status":"executing"}', CALL, ANSWER, '{"done":true}', "ping"]


def recited(*messages: str) -> str:
    asked = '{"role":"user","parts":[{"text":"Hm?"}]}'
    return f'{{"user_input":"So?","chat_messages":[{",".join((asked, *messages, asked))}]}}'


def found(flows: list[HTTPFlow]) -> Iterator[tuple[str, int]]:
    """What a live run finds wrong with calls and responses."""
    journal, inspector = Journal(None), Inspector(load(select=["WC3"]))
    findings: list[Any] = []
    wanted = RecordedHosts(models(), hosts=("app.example.org",))
    capture = Capture(lambda record: findings.extend(inspector.feed(journal.write(record))), wanted)
    for flow in flows:
        replay(capture, flow)
    return ((finding.rule, finding.place.line) for finding in findings)


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ((CALL, ANSWER), []),
        ((CALL,), [("transcript-missing-function-response", 9)]),
    ],
)
def test_a_response_lost_between_browser_and_backend_shows(history: tuple[str, ...], expected: Any) -> None:
    server = [(False, Opcode.TEXT, each.encode()) for each in SAID]
    flow = socket("https://app.example.org/ws", *server, (True, Opcode.TEXT, recited(*history).encode()))
    assert list(found([flow])) == expected
    asked = exchange("https://app.example.org/chat", recited(*history).encode(), b'{"reply":"Well."}')
    assert list(found([asked])) == [(rule, 1) for rule, _ in expected]


HOSTILE = st.binary(max_size=40) | st.sampled_from(
    [b"[" * 3000, b'{"a":"\\ud800"}', b"data: \xff\n\n", b"[1,", b"\x1f\x8b"]
)
NAMES = [b"content-type", b"content-encoding", b"location", b"set-cookie", b"host", b"x"]
VALUES = [b"text/event-stream", b"gzip", b"br", b"deflate", b"zstd", b"gzip, gzip", b"http://[/?a#b?c", b"a=b; c"]
FIELDS = st.lists(st.tuples(st.sampled_from(NAMES), st.binary(max_size=9) | st.sampled_from(VALUES)), max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sent=HOSTILE,
    got=st.lists(HOSTILE, max_size=3),
    asks=FIELDS,
    answers=FIELDS,
    path=st.binary(max_size=9).filter(lambda path: not {*b"?#"} & {*path}),
)
def test_whatever_peers_say_is_recorded_and_read_again(
    tmp_path: Path, sent: bytes, got: list[bytes], asks: Any, answers: Any, path: bytes
) -> None:
    (tmp_path / "log.jsonl").unlink(missing_ok=True)
    journal, written = Journal(tmp_path / "log.jsonl"), []
    capture = Capture(
        lambda record: written.append(journal.write(record)), RecordedHosts(models(), upstream="http://h")
    )
    flow = exchange("http://h/models/m:generateContent", b"?" + sent)
    flow.request.data.path = b"/" + path + b"/models/m:generateContent"
    flow.request.headers = Headers(asks)
    flow.request.host_header = None
    assert flow.response is not None
    flow.response.headers = Headers(answers)
    capture.request(flow)
    capture.responseheaders(flow)
    for piece in got:
        capture.chunk(flow, piece)
    capture.response(flow)
    journal.close()
    assert len(written) >= 3
    assert list(Reader([str(tmp_path / "log.jsonl")])) == written
