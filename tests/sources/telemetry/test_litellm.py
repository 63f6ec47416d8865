"""What LiteLLM logs: payloads and rows of spend are an application's record, but for the server's word; what a callback
writes of requests are exchanges."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import findings, judged
from tests.sources.agents.samples import GENERATION, LAST_REPLY, NEXT_GENERATION, REPLY, Json, lines
from tests.sources.telemetry.samples import (
    COUNTS,
    MODEL,
    OPENAI,
    REFUSED,
    calls,
    refusal,
    spend,
)
from tests.sources.telemetry.samples import (
    LACKING as BODY,
)

LOST, COUNT, ODD = "transcript-missing-function-response", "function-response-count-mismatch", "unexplained-rejection"
LACKING, PASSED = OPENAI.lacking(), (OPENAI.asked, OPENAI.called, OPENAI.asked)
HERE = "/messages/1/tool_calls/1"
BOTH = ("/messages/1/tool_calls/0", HERE)


@pytest.mark.parametrize(
    ("logged", "found"),
    [
        (calls(), []),
        (calls(LACKING), [f"{COUNT}: 2 {HERE}"]),
        (calls(PASSED), [f"{LOST}: 2 {at}" for at in BOTH]),
        ([calls()[0], refusal(2, LACKING)], [f"{COUNT}: 2 {HERE}"]),
        ([refusal(1, [OPENAI.asked], error_str=json.dumps(REFUSED).replace(COUNTS, "Odd."))], [f"{ODD}: 1"]),
        # The log ends: what is called may be answered in the next one.
        (calls()[:1], []),
        # Whoever asked three times was refused three times.
        ([calls()[0], *(refusal(n, LACKING) for n in (2, 3, 4))], [f"{COUNT}: 2 {HERE}"]),
        ([calls()[0], refusal(2, LACKING), calls()[1]], [f"{COUNT}: 2 {HERE}"]),
        ([calls()[0], refusal(2, OPENAI.history, error_str="litellm.Timeout: …"), calls()[1]], []),
        ([calls()[0], refusal(2, PASSED, error_str="litellm.Timeout: …")], [f"{LOST}: 2 {at}" for at in BOTH]),
    ],
)  # fmt: skip
def test_payloads(logged: list[Json], found: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "payloads.jsonl", lines(*logged)) == found
    listed = [each.replace(": 2 ", ": 1 /1").replace(": 1 /m", ": 1 /0/m") for each in found]
    told = judged(tmp_path, "payloads.json", json.dumps(logged))
    assert told == [f"{ODD}: 1 /0" if each == f"{ODD}: 1" else each for each in listed]


@pytest.mark.parametrize(
    "said",
    [
        f"litellm.BadRequestError: GeminiException BadRequestError - {json.dumps(REFUSED, indent=2)}",
        f"litellm.BadRequestError: VertexAIException - {json.dumps(REFUSED)}. Received Group=x\nFallbacks=[{{'a': 1}}]",
        repr(json.dumps(REFUSED, indent=2).encode()),
        f"litellm.APIConnectionError: Vertex_ai_betaException - {json.dumps(REFUSED).encode()!r} Retried: 2 times",
    ],
)
def test_the_400_is_the_word_of_the_server(said: str, tmp_path: Path) -> None:
    path = tmp_path / "payloads.jsonl"
    for where in ({"error_str": said}, {"error_str": None, "error_information": {"error_message": said}}):
        path.write_text(lines(refusal(1, LACKING, **where)))
        (found,) = findings(path)[0]
        assert (found.rule, found.severity, found.model) == (COUNT, "error", MODEL)
        assert (found.server.verdict, found.server.status, found.server.text) == ("confirmed", 400, COUNTS)


def test_a_refusal_of_a_body_that_was_sent_to_the_proxy(tmp_path: Path) -> None:
    """One for Gemini, as it is: then the surface is known as well."""
    path = tmp_path / "payloads.jsonl"
    for way, surface in (("gemini", "gemini-api"), ("vertex_ai", "vertex"), ("vertex_ai_beta", "vertex")):
        sent = {"messages": None, "proxy_server_request": {"url": "/", "body": BODY}, "custom_llm_provider": way}
        path.write_text(lines(refusal(1, []) | sent))
        (found,) = findings(path)[0]
        assert (found.rule, found.surface, found.model) == (COUNT, surface, MODEL)
        assert found.place.pointer == "/proxy_server_request/body/contents/1/parts/1"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"custom_llm_provider": "openai", "model": "gpt-5"}, "another model"),
        ({"custom_llm_provider": "anthropic", "model": "claude-sonnet-4"}, "another model"),
        ({"custom_llm_provider": "vertex_ai", "model": "claude-sonnet-4"}, "another model"),
        ({"custom_llm_provider": "openai", "model": None}, "another model"),
        ({"call_type": "aembedding"}, "another kind"),
        ({"messages": None}, "turn_off_message_logging"),
        ({"messages": [{"role": "user", "content": "redacted-by-litellm"}]}, "turn_off_message_logging"),
    ],
)
def test_what_is_passed_over_is_counted(more: Json, why: str, tmp_path: Path) -> None:
    path = tmp_path / "payloads.jsonl"
    path.write_text(lines(*(each | more for each in calls(LACKING)), *calls()))
    found, _, inspector = findings(path)
    assert (found, inspector.checked.conversations) == ([], 1)
    assert why in str(inspector.checked.skipped)


@pytest.mark.parametrize(
    "more",
    [
        {"custom_llm_provider": "vertex_ai"},
        {"custom_llm_provider": None},
        {"custom_llm_provider": "gemini", "model": None},
        {"custom_llm_provider": "openrouter", "model": "google/gemini-3-pro"},
        {"custom_llm_provider": None, "model": ""},
        {"call_type": None},
        {"call_type": "anthropic_messages"},
    ],
)
def test_what_google_answered_is_read(more: Json, tmp_path: Path) -> None:
    assert judged(tmp_path, "x.jsonl", lines(*(each | more for each in calls(LACKING)))) == [f"{COUNT}: 2 {HERE}"]


def test_many_conversations_at_once(tmp_path: Path) -> None:
    """They begin alike, are mixed, and name no session."""
    path, some = tmp_path / "payloads.jsonl", list[Json]()
    for n in range(20):
        text = json.dumps(calls()).replace("n1", f"a{n}").replace("n2", f"b{n}")
        some += json.loads(text)
    path.write_text(lines(*some[::2], *some[1::2]))
    found, _, inspector = findings(path)
    assert [each for each in found if each.severity != "info"] == []
    assert inspector.checked.conversations <= 40


def test_rows_that_name_neither_trace_nor_session_are_several_conversations(tmp_path: Path) -> None:
    """The same question, asked by two: each goes on as the model answered it."""
    first, second = (spend(each, session_id=None) for each in calls(LACKING))
    other = {**first, "request_id": "r9", "response": json.dumps(OPENAI.said(OPENAI.spoken))}
    for some in ([first, other, second], [other, first, second]):
        path = tmp_path / "x.jsonl"
        path.write_text(lines(*some))
        found, _, inspector = findings(path)
        assert [each.rule for each in found] == [COUNT]
        assert inspector.checked.conversations == 2


def test_rows_of_spend(tmp_path: Path) -> None:
    """Most of their columns are text; the error is in the metadata, and the messages may be in the request."""
    first, second = calls(LACKING)
    assert judged(tmp_path, "x.json", json.dumps([spend(first), spend(second)])) == [
        f"{COUNT}: 1 /1/messages » /1/tool_calls/1"
    ]
    sent = {"messages": "{}", "proxy_server_request": json.dumps({"model": MODEL, "messages": list(LACKING)})}
    assert judged(tmp_path, "x.jsonl", lines(spend(first), spend(second, **sent))) == [
        f"{COUNT}: 2 /proxy_server_request » {HERE}"
    ]
    told = refusal(2, LACKING)["error_str"]
    failed = spend(second, metadata=json.dumps({"error_information": {"error_message": told}}), response="{}")
    path = tmp_path / "y.jsonl"
    path.write_text(lines(spend(first), failed))
    (found,) = findings(path)[0]
    assert (found.rule, found.server.verdict, found.server.status) == (COUNT, "confirmed", 400)


def test_rows_without_messages_say_what_to_switch_on(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(lines(*(spend(each, messages="{}", response="{}") for each in calls())))
    _, _, inspector = findings(path)
    assert inspector.checked.conversations == 0
    assert "store_prompts_in_spend_logs" in str(inspector.checked.skipped)


@pytest.mark.parametrize("key", ["raw_request", "complete_input_dict"])
@pytest.mark.parametrize(
    ("body", "reply", "found"),
    [
        (NEXT_GENERATION, json.dumps(LAST_REPLY), []),
        (NEXT_GENERATION, LAST_REPLY, []),
        (NEXT_GENERATION, "first stream response received", []),
        (NEXT_GENERATION, None, []),
        (NEXT_GENERATION, f"data: {json.dumps(LAST_REPLY)}\r\n\r\n", []),
        (BODY, None, [f"{COUNT}: 2 /KEY/contents/1/parts/1"]),
        (BODY, json.dumps(REFUSED), [f"{COUNT}: 2 /KEY/contents/1/parts/1"]),
        (json.dumps(BODY), "first stream response received", [f"{COUNT}: 2 /KEY » /contents/1/parts/1"]),
    ],
)
def test_requests_and_replies(key: str, body: Any, reply: Any, found: list[str], tmp_path: Path) -> None:
    some = {key: GENERATION, "original_response": json.dumps(REPLY)}, {key: body, "original_response": reply}
    assert judged(tmp_path, "x.jsonl", lines(*some)) == [each.replace("KEY", key) for each in found]


def test_the_url_beside_a_request_tells_model_and_surface(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    url = f"https://generativelanguage.googleapis.com/v1beta/models/{MODEL}:generateContent"
    path.write_text(lines({"raw_request": BODY, "original_response": json.dumps(REFUSED), "api_base": url}))
    (found,) = findings(path)[0]
    assert (found.model, found.surface, found.server.verdict) == (MODEL, "gemini-api", "confirmed")
