"""Files of flows: read by the mitmproxy that is installed, and judged as the recorder would have."""

import gzip
import io
import json
import sys
from typing import Any

import pytest
from mitmproxy.addons.savehar import SaveHar
from mitmproxy.flow import Error, Flow
from mitmproxy.http import Headers, HTTPFlow, Request, Response
from mitmproxy.io import FlowWriter
from mitmproxy.test import tflow
from mitmproxy.websocket import WebSocketData, WebSocketMessage
from wsproto.frame_protocol import Opcode

from tests.sources.traffic import (
    BROKEN,
    HERE,
    HOST,
    LIVE,
    LOST,
    LOST_ID,
    MISCOUNT,
    SESSION,
    SOUND,
    STREAMED,
    STREAMED_BROKEN,
    Spoken,
    judged,
)
from wirecheck.data.shipped import models
from wirecheck.inspector import Inspector
from wirecheck.recorder.capture.capture import Capture
from wirecheck.recorder.capture.recorded_hosts import RecordedHosts
from wirecheck.rules import load
from wirecheck.wire.records import Record


def flow_of(each: Spoken, packed: bool = False) -> HTTPFlow:
    flow = tflow.tflow()
    flow.request = Request.make("POST", HOST + each.path, each.request, Headers(content_type="application/json"))
    headers = Headers(content_type="application/json")
    if packed:
        headers["content-encoding"] = "gzip"
    flow.response = Response.make(each.status, b"", headers)
    flow.response.raw_content = gzip.compress(each.reply.encode()) if packed else each.reply.encode()
    return flow


def socket(frames: list[tuple[str, dict[str, Any]]], **told: Any) -> HTTPFlow:
    flow, messages = tflow.tflow(), list[WebSocketMessage]()
    flow.request = Request.make("GET", LIVE.replace("wss:", "https:"), b"", Headers(upgrade="websocket"))
    flow.response = Response.make(101, b"", Headers())
    for n, (sender, value) in enumerate(frames):
        opcode = Opcode.TEXT if sender == "client" else Opcode.BINARY
        messages.append(WebSocketMessage(opcode, sender == "client", json.dumps(value).encode(), 1e9 + n))
    flow.websocket = WebSocketData(messages, **told)
    return flow


def written(*flows: Flow) -> bytes:
    out = io.BytesIO()
    for flow in flows:
        FlowWriter(out).add(flow)
    return out.getvalue()


SAMPLES = {"mitmproxy": written(*map(flow_of, STREAMED), socket(SESSION, closed_by_client=False, close_code=1000))}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("spoken", [SOUND, STREAMED], ids=["whole", "streamed"])
def test_sound_flows_are_read_and_nothing_is_found(spoken: list[Spoken], packed: bool) -> None:
    found = judged("", written(*(flow_of(each, packed) for each in spoken)))
    assert (found.places, found.skipped, found.checked.exchanges) == ([], [], 2)
    assert (found.checked.conversations, found.checked.open_calls) == (1, 0)


@pytest.mark.parametrize("spoken", [BROKEN, STREAMED_BROKEN], ids=["whole", "streamed"])
def test_the_line_of_a_finding_is_the_number_of_its_flow(spoken: list[Spoken]) -> None:
    found = judged("", written(tflow.tdnsflow(), *map(flow_of, spoken)))
    assert found.places == [f"3: {MISCOUNT} /request/content{HERE}"]
    assert found.skipped == ["a flow that is not HTTP"]
    assert (found.findings[0].surface, found.findings[0].server.verdict) == ("gemini-api", "confirmed")


def test_a_websocket_is_a_session_with_its_close() -> None:
    end = {"closed_by_client": False, "close_code": 1007, "close_reason": "Request contains an invalid argument."}
    found = judged("", written(socket(SESSION, closed_by_client=True, close_code=1000), socket(LOST, **end)))
    assert (found.checked.sessions, found.checked.frames) == (2, 16)
    assert found.places[0] == f"2: {LOST_ID} /websocket/messages/4/content/toolResponse/functionResponses/0"
    assert all(each.startswith("2: ") for each in found.places)
    assert any("1007" in each.message and each.place.pointer == "/websocket/close_code" for each in found.findings)


def test_a_flow_that_broke_off_has_what_arrived() -> None:
    broken, unanswered = flow_of(SOUND[0]), flow_of(BROKEN[1])
    broken.error = Error("connection closed")
    unanswered.response, unanswered.error = None, Error("server disconnected")
    found = judged("", written(broken, unanswered))
    assert [(each.rule, each.server.status) for each in found.findings] == [(MISCOUNT, None)]


def test_a_body_that_was_not_kept_is_skipped() -> None:
    flow = flow_of(SOUND[0])
    assert flow.response is not None
    flow.response.raw_content = None
    found = judged("", written(flow))
    assert (found.places, found.skipped) == ([], ["a body that mitmproxy streamed and did not keep"])


def test_without_mitmproxy_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == "mitmproxy"]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, "mitmproxy.io", None)
    (problem,) = judged("", SAMPLES["mitmproxy"]).problems
    assert problem.why.endswith("pip install 'wirecheck[proxy]'")


@pytest.mark.parametrize("cut", [40, 900, -1])
def test_a_file_that_breaks_off_says_at_which_flow(cut: int) -> None:
    data = written(*map(flow_of, BROKEN))
    second = len(written(flow_of(BROKEN[0])))
    found = judged("", data[: second + cut if cut > 0 else cut])
    assert [problem.why.partition(":")[0] for problem in found.problems] == ["flow 2 is broken"]
    assert found.checked.exchanges == 1


def test_the_recorder_finds_the_same() -> None:
    """It reads the same flows while they pass."""
    end = {"closed_by_client": False, "close_code": 1007, "close_reason": "Request contains an invalid argument."}
    flows = [*map(flow_of, BROKEN), socket(LOST, **end)]
    records: list[Record] = []
    capture = Capture(records.append, RecordedHosts(models()))
    for flow in flows:
        capture.request(flow)
        if flow.websocket is None:
            capture.response(flow)
            continue
        capture.websocket_start(flow)
        sent, flow.websocket.messages = flow.websocket.messages, []
        for message in sent:
            flow.websocket.messages.append(message)
            capture.websocket_message(flow)
        capture.websocket_end(flow)
    inspector = Inspector(load())
    passed = [finding for record in records for finding in inspector.feed(record)] + inspector.close()
    found = judged("", written(*flows))
    assert sorted((each.rule, each.message, each.server.verdict) for each in passed) == sorted(
        (each.rule, each.message, each.server.verdict) for each in (*found.findings, *found.infos)
    )
    assert {each.rule for each in found.findings} >= {MISCOUNT, LOST_ID}


def test_the_har_that_mitmproxy_writes_of_flows_finds_the_same_but_for_closes() -> None:
    end = {"closed_by_client": False, "close_code": 1007, "close_reason": "Request contains an invalid argument."}
    flows = [*map(flow_of, STREAMED), *map(flow_of, BROKEN), socket(LOST, **end)]
    flows[0].request.headers["x-not-utf8"] = "\udcff"
    har = json.dumps(SaveHar().make_har(flows)).encode()
    of_har, of_flows = judged("", har), judged("", written(*flows))
    assert [each.message for each in of_har.findings] == [
        each.message for each in of_flows.findings if each.place.pointer != "/websocket/close_code"
    ]
    assert of_har.checked.exchanges == of_flows.checked.exchanges == 4
    assert of_har.checked.frames == of_flows.checked.frames == 8
