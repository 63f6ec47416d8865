"""What the server says of a mistake stands with its finding: no second one says that the rejection is unexplained."""

from typing import Any

import pytest

from tests.rules.server_word.test_likely_causes import judged
from tests.stories.conversations import answer, call, error, exchange, model, reply, user

NEW = "gemini-3.6-flash"
OPENAI = "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"
UNKNOWN = "Invalid JSON payload received. Unknown name \"{}\" at '{}': Cannot find field."
AFTER_CALL = "Please ensure that function response turn comes immediately after a function call turn."
ENDS = "Requests ending with a model turn are not supported."
SIGNED = {**call("weather", "c1"), "thoughtSignature": "c2ln"}
ORPHAN = {"role": "tool", "tool_call_id": "c9", "content": "18"}
ASKED = {"role": "user", "content": "And?"}

UNSAID = 'Invalid JSON payload received. Unknown name "{}": Cannot find field.'
SAID: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    (
        "part-without-data",
        {"contents": [user("Hi"), {"role": "model", "parts": [{"type": "tool_use", "input": {}}]}, user("And?")]},
        UNKNOWN.format("type", "contents[1].parts[0]"),
        {"name": NEW},
    ),
    (
        "openai-style-tools",
        {"contents": [user("Hi")], "tools": [{"name": "f", "description": "It.", "input_schema": {}}]},
        UNKNOWN.format("input_schema", "tools[0]"),
        {"name": NEW},
    ),
    (
        "role-missing",
        {"contents": [user("Hi"), {"parts": [{"text": "Ho"}]}, user("And?")]},
        "Please use a valid role: user, model.",
        {"name": "gemini-2.5-flash"},
    ),
    (
        "function-response-in-model-role",
        {"contents": [user("Weather?"), model(SIGNED), model(answer("weather", "c1"))]},
        ENDS,
        {"name": NEW},
    ),
    (
        "function-call-in-user-role",
        {"contents": [user("Weather?"), user(SIGNED), user(answer("weather", "c1"))]},
        AFTER_CALL,
        {"name": NEW},
    ),
    ("contents-missing", {"messages": [{"role": "user", "content": "Hi"}]}, UNSAID.format("messages"), {"name": NEW}),
    (
        "invalid-base64",
        {"contents": [user({"inlineData": {"mimeType": "image/png", "data": "data:image/png;base64,iVBO"}})]},
        "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), \"data:image/png;base64,iVBO\"",
        {"name": NEW},
    ),
    ("contents-missing", {"prompt": "Hi"}, UNSAID.format("prompt"), {"name": NEW}),
    ("oai-tool-id-unresolvable", {"model": NEW, "messages": [ORPHAN, ASKED]}, AFTER_CALL, {"url": OPENAI}),
]


@pytest.mark.parametrize(("rule", "body", "text", "where"), SAID)
def test_the_words_for_a_mistake_confirm_its_finding(
    rule: str, body: dict[str, Any], text: str, where: dict[str, Any]
) -> None:
    found = judged(exchange(1, body, error(text), 400, **where))
    words = {each.rule: each.server.verdict for each in found if each.server is not None}
    assert words.get(rule) == "confirmed"
    assert "unexplained-rejection" not in words


NEWER: list[tuple[str, dict[str, Any], str, str]] = [
    # what stands beside the contents, the answer, and how bad it is then
    ("nobody knows it, and nobody has said", {"generationConfig": {"fancy": 1}}, "", "warning"),
    ("the server took it", {"generationConfig": {"fancy": 1}}, "200", "info"),
    ("the other surface's, and taken", {"modelArmorConfig": {}}, "200", "info"),
    ("the server did not", {"generationConfig": {"fancy": 1}}, UNKNOWN.format("fancy", "generation_config"), "error"),
    ("a slip that went through", {"contets": []}, "200", "warning"),
]


@pytest.mark.parametrize(("around", "said", "severity"), [row[1:] for row in NEWER], ids=[row[0] for row in NEWER])
def test_a_field_that_a_server_took_is_none_to_warn_of(around: dict[str, Any], said: str, severity: str) -> None:
    answered = {"": None, "200": reply(model("Hello"))}.get(said, error(said))
    found = judged(exchange(1, {"contents": [user("Hi")], **around}, answered, 400 if "name" in said else 200))
    assert [(each.rule, each.severity) for each in found] == [("unknown-field", severity)]


def test_parallel_calls_told_one_after_the_other_lack_a_signature() -> None:
    second, asked = call("weather", "c2"), [user("Rome and Oslo?")]
    told = [model(SIGNED), user(answer("weather", "c1")), model(second), user(answer("weather", "c2"))]
    text = "Function call is missing a thought_signature in functionCall parts."
    found = judged(
        exchange(1, asked, reply(model(SIGNED, second)), name=NEW),
        exchange(2, asked + told, error(text), 400, name=NEW),
    )
    words = {each.rule: each.server.verdict for each in found if each.server is not None}
    assert words["interleaved-call-and-response"] == "confirmed"
    assert "unexplained-rejection" not in words


def test_a_text_after_a_response_is_named_before_signatures_for_an_empty_reply() -> None:
    history = [user("Weather?"), model(SIGNED), user(answer("weather", "c1"), "Well?")]
    found = judged(exchange(1, history, reply(model("")), name="gemini-3.5-flash"))
    (empty,) = [each.message for each in found if each.rule == "candidate-empty-content"]
    assert empty.endswith("known cause in the request: text-after-function-response at contents/2")


VERTEX = "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/gemini-3.6-flash:{}"
REFUSED = [
    ("Corrupted thought signature.", None),
    (
        "Unable to submit request because Thought signature is not valid. Learn more: x",
        VERTEX.format("generateContent"),
    ),
]


@pytest.mark.parametrize(("text", "url"), REFUSED)
def test_a_refused_signature_is_told_without_the_reply_that_gave_it(text: str, url: str | None) -> None:
    history = [user("Weather?"), model(SIGNED), user(answer("weather", "c1"))]
    found = judged(exchange(1, history, error(text), 400, name=NEW, url=url))
    confirmed = [each.rule for each in found if each.server is not None and each.server.verdict == "confirmed"]
    assert confirmed == ["thought-signature-refused"]
