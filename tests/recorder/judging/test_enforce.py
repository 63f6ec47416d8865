"""What would be rejected is answered here: whom, how often, and what stays Google's or the application's business."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from mitmproxy.http import HTTPFlow

from tests.recorder.flows import BAD, FRAME, GEMINI, GOOD, exchange, running, session, traffic
from wirecheck.finding import Finding, Place
from wirecheck.recorder.judging import enforce
from wirecheck.recorder.mitm.addon import Wirecheck

OLD = f"{GEMINI}/v1beta/models/gemini-2.5-flash:generateContent"  # takes what newer ones reject


def asked(addon: Wirecheck, body: bytes, url: str) -> HTTPFlow:
    """A request whose answer is not there yet."""
    flow = exchange(body, url)
    flow.response = None
    traffic(addon).request(flow)
    return flow


@pytest.mark.parametrize(
    ("body", "url", "enforces", "refused"),
    [
        (BAD, f"{GEMINI}/v1beta/models/gemini-3.6-flash:generateContent", True, True),
        (BAD, f"{GEMINI}/v1beta/models/gemini-3.6-flash:generateContent", False, False),
        (GOOD, f"{GEMINI}/v1beta/models/gemini-3.6-flash:generateContent", True, False),
        (BAD, OLD, True, False),
        (BAD, "https://app.example.org/chat", True, False),
    ],
)
async def test_errors_are_refused_and_nothing_else(body: bytes, url: str, enforces: bool, refused: bool) -> None:
    with running(enforce=enforces, host=["app.example.org"], select=["WC3"], allow_empty=True) as addon:
        flow = asked(addon, body, url)
    assert (flow.response is not None) is refused


UNPAIRED: dict[str, tuple[str, dict[str, Any], Callable[[Any], str]]] = {
    "the OpenAI-compatible endpoint": (
        f"{GEMINI}/v1beta/openai/chat/completions",
        {"model": "gemini-3.6-flash", "messages": [{"role": "user", "content": "x"}, {"role": "tool", "content": "y"}]},
        lambda said: said[0]["error"]["message"],
    ),
    "the Interactions API": (
        f"{GEMINI}/v1beta/interactions",
        {
            "model": "gemini-3.6-flash",
            "input": [
                {"type": "user_input", "content": [{"type": "text", "text": "x"}]},
                {"type": "function_result", "call_id": "nobody", "name": "f", "result": {}},
            ],
        },
        lambda said: said["error"]["message"],
    ),
    "a batch": (
        f"{GEMINI}/v1beta/models/gemini-3.6-flash:batchGenerateContent",
        {"batch": {"inputConfig": {"requests": {"requests": [{"request": json.loads(BAD)}]}}}},
        lambda said: said["error"]["message"],
    ),
}


@pytest.mark.parametrize("case", UNPAIRED)
async def test_each_surface_refuses_in_its_own_shape(case: str) -> None:
    url, body, message = UNPAIRED[case]
    with running(enforce=True) as addon:
        flow = asked(addon, json.dumps(body).encode(), url)
    assert flow.response is not None
    assert flow.response.status_code == 400
    assert message(json.loads(flow.response.content or b"")).startswith("[wirecheck WC")


def test_a_gateway_that_speaks_as_openai_does_refuses_as_openai_does() -> None:
    flow = exchange(BAD, "http://gateway.example.org/v1/chat/completions")
    enforce.reject(flow, "so it is")
    assert flow.response is not None
    assert json.loads(flow.response.content or b"")["error"]["message"] == "so it is"


async def test_a_mistake_that_is_recited_is_refused_again() -> None:
    """Clients try again, and each request recites what went wrong before."""
    with running(enforce=True, select=["WC3"]) as addon:
        url = f"{GEMINI}/v1beta/models/gemini-3.6-flash:generateContent"
        flows = [asked(addon, body, url) for body in (BAD, BAD, BAD.replace(b"well?", b"well, then?"), GOOD)]
    assert [flow.response and flow.response.status_code for flow in flows] == [400, 400, 400, None]


async def test_the_answer_has_googles_shape_and_the_finding_in_it() -> None:
    with running(enforce=True, select=["WC3"]) as addon:
        flow = asked(addon, BAD, f"{GEMINI}/v1beta/models/gemini-3.6-flash:generateContent")
    assert flow.response is not None
    error = json.loads(flow.response.content or b"")["error"]
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")
    assert error["message"].startswith("[wirecheck WC301 unanswered-function-call] f (no id) was called and never answ")
    assert "at /contents/1/parts/0" in error["message"]


async def test_a_frame_that_is_refused_is_dropped_and_what_follows_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where mitmproxy does not show how to close a websocket, the connection is cut."""
    with running(enforce=True, select=["WC7"]) as addon:
        flow = session(b'{"setup":{"model":"models/gemini-3.8-live"}}')
        hooks, said = traffic(addon), flow.websocket
        assert said is not None
        hooks.request(flow)
        hooks.websocket_start(flow)
        for message in (None, FRAME, FRAME):
            if message is not None:
                said.messages.append(type(said.messages[0])(1, True, message))
            hooks.websocket_message(flow)
            dropped = said.messages[-1].dropped
            assert dropped is (message is not None)
    assert flow.error is not None


def finding(**more: Any) -> Finding:
    return Finding(
        rule="r", code="WC1", severity="error", message="m" * 500, place=Place("log", 1, "/data/setup"), **more
    )


def test_a_reason_fits_into_a_websocket_frame() -> None:
    for text in ("x" * 500, "é" * 500, "𝄞" * 500):
        short = enforce._short(text)
        assert len(short.encode()) <= 123
        assert text.startswith(short)


@pytest.mark.parametrize(("count", "said"), [(1, "at /setup."), (3, "at /setup (and 2 more).")])
def test_an_objection_names_the_first_and_counts_the_others(count: int, said: str) -> None:
    flow = exchange(BAD)
    assert said in enforce.objection(flow, [finding()] * count)
