"""What an answer is put down to: rejections nobody explains, and replies that say nothing."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.stories.conversations import answer, call, error, exchange, model, reply, user
from wirecheck.api import repeated
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import load
from wirecheck.wire.records import Opened

RULES = load()
OLD = "gemini-2.5-flash"  # knows neither ids nor signatures
OPAQUE = "Request contains an invalid argument."
CHAT = "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"
VERTEX = "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/{}:generateContent"
SIGNED = {**call("weather", "c1"), "thoughtSignature": "c2ln"}
SOUND = [user("Weather?"), model(SIGNED), user(answer("weather", "c1", {"output": 18}))]
MISNAMED = [user("Weather?"), model(SIGNED), user(answer("tool", "c1", {"output": 18}))]
UNANSWERED = [user("Weather?"), model(call("weather", "c1")), user("Well?")]


def judged(*lines: Any, **options: Any) -> list[Finding]:
    inspector = Inspector(RULES, **options)
    found = [each for line in lines for record in line for each in inspector.feed(record)]
    return repeated(inspector, found + inspector.close())


def rejected(body: Any, text: str, code: int = 400, **more: Any) -> list[str]:
    found = judged(exchange(1, body, error(text, code), code, **{"name": OLD, **more}))
    return [f"{each.rule}: {each.message}" for each in found]


def test_an_opaque_rejection_names_what_was_found_first_and_then_what_is_unusual() -> None:
    body = {"contents": MISNAMED, "cachedContent": "cachedContents/x"}
    _, found = rejected(body, OPAQUE)
    assert found == (
        "opaque-invalid-argument: rejected, and no reason is told; look first at: "
        "function-response-name-mismatch at contents/2/parts/0, cachedContent"
    )


COUNT = (
    "Please ensure that the number of function response parts is equal to the number of function call parts of the "
    "function call turn."
)


def test_calls_and_responses_in_turns_within_a_content_are_the_first_suspect_of_a_wrong_count() -> None:
    both = model(SIGNED, answer("weather", "c1"), call("weather", "c2"), answer("weather", "c2"))
    found = rejected([user("Rome and Oslo?"), both, user("And?")], COUNT, name="gemini-3.6-flash")[-1]
    assert found.startswith("unexplained-rejection")
    assert "look first at: interleaved-call-and-response at contents/1, " in found


def test_calls_at_the_very_end_are_the_suspect_of_a_wrong_count() -> None:
    contents = [user("Rome?"), model(call("weather"))]
    told = judged(exchange(1, contents, error(COUNT), 400, name=OLD))
    assert ("unanswered-function-call", "confirmed") in [(each.rule, each.server.verdict) for each in told]
    assert "unexplained-rejection" not in [each.rule for each in told]
    (*_, found) = judged(exchange(1, contents, error(COUNT), 400, name="gemini-3.6-flash"))
    assert (found.rule, found.place.pointer, found.turn) == ("unexplained-rejection", "/request/body/contents/1", 1)
    assert "look first at: unanswered-function-call at contents/1, function-response-" in found.message


def test_a_call_and_its_response_in_one_content_are_none() -> None:
    found = rejected([user("Rome?"), model(SIGNED, answer("weather", "c1")), user("And?")], COUNT)[-1]
    assert found.startswith("unexplained-rejection")
    assert "interleaved-call-and-response" not in found


ORDER = "Please ensure that function response turn comes immediately after a function call turn."
WAIT = [SOUND[0], model(SIGNED), user("Wait."), user(answer("weather", "c1", {"output": 18}))]


BETWEEN = "the response of weather (c1) follows no function call; contents between it and its call: 1"


@pytest.mark.parametrize("text", [COUNT, ORDER])
@pytest.mark.parametrize("name", [OLD, "gemini-3.8-flash"])
def test_words_between_a_call_and_its_response_explain_a_wrong_order(text: str, name: str) -> None:
    (found,) = judged(exchange(1, WAIT, error(text), 400, name=name))
    assert (found.rule, found.message) == ("function-response-without-call", BETWEEN)
    assert (found.severity, found.server.verdict, found.turn) == ("error", "confirmed", 3)


@pytest.mark.parametrize(("url", "severity"), [(None, "warning"), (VERTEX.format("gemini-3.8-flash"), "error")])
def test_words_between_a_call_and_its_response_are_worse_where_only_the_next_content_counts(
    url: str | None, severity: str
) -> None:
    (*_, found) = judged(exchange(1, WAIT, name="gemini-3.8-flash", url=url))
    assert (found.message, found.severity) == (BETWEEN, severity)


@pytest.mark.parametrize("contents", [SOUND, [*SOUND, model("18"), user("And"), user("now?")]])
def test_words_elsewhere_are_nothing(contents: Any) -> None:
    assert {each.severity for each in judged(exchange(1, contents, name=OLD))} <= {"info"}


SECOND = "tools[0].function_declarations[1].parameters"
TOOLS = {"functionDeclarations": [{"name": "a"}, {"name": "b", "parameters": {"type": "OBJECT", "properties": {}}}]}
NAMED = {"type": "OBJECT", "properties": {"x": {"type": "STRING"}, "y": {"type": "STRING", "pattern": "["}}}
POINTED = [
    (f"* GenerateContentRequest.{SECOND}.properties: is odd\n",
     "/request/body/tools/0/functionDeclarations/1/parameters/properties"),
    ("Invalid value at 'tools[0].function_declarations[9]'", "/request/body/tools/0/functionDeclarations"),
    ("request.contents[2].parts[0].function_response.name is odd",
     "/request/body/contents/2/parts/0/functionResponse/name"),
    ("contents[7].parts[0] is odd", "/request/body"),
    ("generation_config.response_schema.properties[1].value.pattern: is odd",
     "/request/body/generationConfig/responseSchema/properties/y/pattern"),
    ("generation_config.response_schema.properties[y].pattern: is odd",
     "/request/body/generationConfig/responseSchema/properties/y/pattern"),
    ("generation_config.nothing: is odd", "/request/body/generationConfig"),
    ("Unable to submit request because it has a topK value of 99 but the supported range is from 1 to 41.",
     "/request/body/generationConfig/topK"),
    ('Invalid JSON payload received. Unknown name "serviceTier": Cannot find field.', "/request/body/serviceTier"),
    ("the moon is odd", "/request/body"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "pointer"), POINTED)
def test_a_rejection_stands_where_its_text_points(text: str, pointer: str) -> None:
    body = {
        "contents": SOUND,
        "tools": [TOOLS],
        "generationConfig": {"responseSchema": NAMED, "topK": 99},
        "serviceTier": "flex",
    }
    (*_, found) = judged(exchange(1, body, error(text), 400, name=OLD))
    assert (found.rule, found.place.pointer) == ("unexplained-rejection", pointer)


THREE = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in "abc"]
ASKED = [{"role": "tool", "tool_call_id": n, "content": "18", "name": "a"} for n in "12"]
TALK = [{"role": role, "content": "Hi"} for role in ("system", "user", "assistant")] + ASKED
TRANSLATED = [
    ("* GenerateContentRequest.tools[0].function_declarations[2].parameters.type: is odd",
     "/request/body/tools/2/function/parameters/type"),
    ("* GenerateContentRequest.tools[0].tool_type: is odd", "/request/body/tools/0"),
    ("* GenerateContentRequest.contents[1].parts: is odd", "/request/body/messages/2"),
    ("* GenerateContentRequest.contents[2].parts[1].function_response.name: is odd", "/request/body/messages/3"),
    ("* GenerateContentRequest.contents[3].parts: is odd", "/request/body"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "pointer"), TRANSLATED)
def test_what_a_text_says_of_a_translation_is_found_in_what_was_sent(text: str, pointer: str) -> None:
    body = {"model": OLD, "messages": TALK, "tools": THREE}
    (*_, found) = judged(exchange(1, body, error(text), 400, url=CHAT))
    assert (found.rule, found.place.pointer) == ("unexplained-rejection", pointer)


LACKING = [
    ("JSON mode is not enabled for models/gemini-2.5-flash-image", "/generationConfig/responseMimeType"),
    ("The requested combination of response modalities (TEXT) is not supported by the model.", "/generationConfig"),
    ("Thinking is not enabled for this model", "/generationConfig/thinkingConfig"),
    ("Developer instruction is not enabled for models/gemma-3-27b-it", "/systemInstruction"),
    ("Image output is not enabled for models/gemma-3-27b-it", ""),
]


@pytest.mark.parametrize(("text", "pointer"), LACKING)
def test_what_a_model_lacks_is_told_at_the_setting_that_asks_for_it(text: str, pointer: str) -> None:
    settings = {"responseMimeType": "application/json", "thinkingConfig": {"thinkingBudget": 0}}
    body = {"contents": [user("Hi")], "systemInstruction": user("Be brief."), "generationConfig": settings}
    (*_, found) = judged(exchange(1, body, error(text), 400, name=OLD))
    assert (found.rule, found.place.pointer) == ("feature-unsupported", f"/request/body{pointer}")


STATES = (
    "The specified schema produces a constraint that has too many states for serving. Typical causes of this error …"
)
DEEP = "A FunctionDeclaration in the request exceeds the maximum allowed nesting depth."
ANSWER = {"type": "STRING", "enum": ["a"]}
SERVED: list[tuple[str, dict[str, Any], str]] = [
    (STATES, {"generationConfig": {"responseSchema": ANSWER}, "tools": [TOOLS]}, "/generationConfig/responseSchema"),
    (STATES, {"generation_config": {"response_json_schema": ANSWER}}, "/generation_config/response_json_schema"),
    (STATES, {"generationConfig": {"topK": 1}, "tools": [TOOLS]}, "/tools"),
    (STATES, {}, ""),
    (DEEP, {"tools": [TOOLS]}, "/tools"),
]


@pytest.mark.parametrize(("text", "around", "pointer"), SERVED)
def test_a_schema_that_is_too_complex_to_serve_is_told_where_one_stands(
    text: str, around: dict[str, Any], pointer: str
) -> None:
    (*_, found) = judged(exchange(1, {"contents": [user("Hi")], **around}, error(text), 400, name=OLD))
    assert (found.rule, found.place.pointer) == ("schema-complexity-refused", f"/request/body{pointer}")


CHANCE = [
    "Invalid value at 'safety_settings[0].category' (type.googleapis.com/x.HarmCategory), \"X\"",
    'Invalid JSON payload received. Unknown name "quota": Cannot find field.',
    "the function `check_quota` is odd",
]


@pytest.mark.parametrize("text", CHANCE)
def test_words_that_stand_in_a_text_by_chance_do_not_make_it_nobodys_mistake(text: str) -> None:
    (found,) = judged(exchange(1, [user("Hi")], error(text), 400, name=OLD))
    assert found.rule == "unexplained-rejection"


MISLED = [
    ("Unsupported MIME type: application/zip", ""),
    ("Invalid value at 'safety_settings[0].category' (type.googleapis.com/x.HarmCategory), \"X\"", ""),
    ("Unable to submit request because it has a topK value of 99 but the supported range is from 1 to 41.", ""),
]


@pytest.mark.parametrize(("text", "causes"), MISLED)
def test_a_text_that_says_what_it_is_about_is_not_put_down_to_rules_with_words_like_it(text: str, causes: str) -> None:
    (found,) = judged(exchange(1, [user("Hi")], error(text), 400, name=OLD))
    assert found.message.partition("; look first at: ")[2] == causes


def test_no_properties_at_all_are_told_where_the_server_minds() -> None:
    text = f"* GenerateContentRequest.{SECOND}.properties: should be non-empty for OBJECT type\n"
    body = {"contents": [user("Hi")], "tools": [TOOLS]}
    assert [
        each.rule for each in judged(exchange(1, body, reply(model("Hello")), name=OLD)) if each.severity != "info"
    ] == []
    (found,) = (each for each in judged(exchange(1, body, error(text), 400, name=OLD)) if each.severity != "info")
    assert (found.rule, found.server.verdict, found.severity) == ("schema-properties-refused", "confirmed", "error")
    assert found.place.pointer == "/request/body/tools/0/functionDeclarations/1/parameters/properties"


FIELD = (
    "Invalid function_response.response: field `results` has an empty value. All values must have a type (null, bool)."
)
RESULT = {"type": "function_result", "call_id": "c1", "name": "search", "result": {"hits": 0, "by": [{"results": []}]}}


@pytest.mark.parametrize("status", [200, 400])
def test_an_empty_value_is_told_where_the_server_minds(status: int) -> None:
    body = {"model": "gemini-3.1-pro-preview", "previous_interaction_id": "v1_a", "input": [RESULT]}
    said = {"error": {"message": FIELD, "code": "invalid_request"}, "event_type": "error"}
    url = "https://generativelanguage.googleapis.com/v1beta/interactions"
    (found,) = judged(exchange(1, body, said, status, url=url))
    assert (found.rule, found.server.verdict) == ("ix-null-struct-value", "confirmed")
    assert found.place.pointer == "/request/body/input/0/result/by/0/results"


def test_an_error_in_the_request_explains_a_rejection_that_names_nothing() -> None:
    assert [each.partition(":")[0] for each in rejected(UNANSWERED, OPAQUE, name="gemini-3.6-flash")] == [
        "unanswered-function-call"
    ]


def test_an_error_does_not_explain_a_text_that_speaks_of_another_mistake() -> None:
    found = rejected(UNANSWERED, "Role 'function' is not supported", name="gemini-3.6-flash")
    assert [each.partition(":")[0] for each in found] == ["unanswered-function-call", "unexplained-rejection"]
    assert "look first at: function-role, invalid-role" in found[1] or "look first at: function-role" in found[1]


NOT_OURS = [
    ("API key not valid. Please pass a valid API key.", 400),
    ("API keys are not supported by this API. Expected OAuth2 access token", 401),
    ("Resource has been exhausted (e.g. check quota).", 429),
    ("The model is overloaded. Please try again later.", 503),
    ("An internal error has occurred.", 500),
    ("models/x is not found for API version v1beta, or is not supported for generateContent.", 404),
    ("* GenerateContentRequest.model: unexpected model name format\n", 400),
    ("User location is not supported for the API use.", 400),
    ("The prompt was blocked for safety reasons.", 400),
]


@pytest.mark.parametrize(("text", "code"), NOT_OURS)
def test_keys_quotas_servers_and_models_are_nobodys_mistake(text: str, code: int) -> None:
    found = [each for each in rejected(SOUND, text, code) if not each.startswith("api-key-invalid")]
    assert found == []


def test_a_rejection_that_is_tried_again_is_counted() -> None:
    line = [exchange(n, SOUND, error(OPAQUE), 400, name=OLD) for n in (1, 2, 3)]
    (found,) = judged(*line)
    assert (found.rule, found.place.line, found.repeated) == ("opaque-invalid-argument", 1, 2)
    assert (found.server.verdict, found.server.status, found.server.text) == ("confirmed", 400, OPAQUE)


def test_a_rejection_after_200_in_the_body_counts_by_its_own_code() -> None:
    body = {"error": {"code": 400, "message": OPAQUE}}
    assert [each.rule for each in judged(exchange(1, SOUND, body, name=OLD))] == ["opaque-invalid-argument"]
    body = {"error": {"code": 503, "message": "overloaded"}}
    assert judged(exchange(1, SOUND, body, name=OLD)) == []


INTERACTIONS = "https://generativelanguage.googleapis.com/v1beta/interactions"
GOES_ON = {"previous_interaction_id": "v1", "continuation_token": "t"}
MUTE: dict[str, tuple[str, str, Any, int, list[str]]] = {
    "no body in the log": ("POST", VERTEX.format(OLD), None, 400, ["unexplained-rejection"]),
    "a preflight": ("OPTIONS", VERTEX.format(OLD), None, 400, []),
    "no body, and no fault of it": ("POST", VERTEX.format(OLD), None, 429, []),
    "none of an interaction": ("POST", INTERACTIONS, None, 400, ["unexplained-rejection"]),
    "an interaction without input": ("POST", INTERACTIONS, {"contents": [user("Hi")]}, 400, ["unexplained-rejection"]),
    "one that only goes on": ("POST", INTERACTIONS, GOES_ON, 200, []),
    "one that may not go on": ("POST", f"{INTERACTIONS}?key=k", GOES_ON, 400, ["unexplained-rejection"]),
    "one that is read": ("GET", f"{INTERACTIONS}/v1", None, 400, []),
    "one that is cancelled": ("POST", f"{INTERACTIONS}/v1/cancel", {}, 400, []),
}


@pytest.mark.parametrize(("method", "url", "body", "status", "rules"), MUTE.values(), ids=MUTE)
def test_a_rejection_of_what_says_nothing_is_told(
    method: str, url: str, body: Any, status: int, rules: list[str]
) -> None:
    said = {"id": "v2", "status": "completed", "steps": []} if status == 200 else error("Something is wrong.", status)
    opened, *rest = exchange(1, body or {}, said, status, url=url)
    assert isinstance(opened, Opened)
    opened = replace(opened, method=method, body=None if body is None else opened.body)
    assert [each.rule for each in judged([opened, *rest])] == rules


def test_predicting_no_rejection_is_looked_at() -> None:
    assert judged(exchange(1, SOUND, error(OPAQUE), 400, name=OLD), predict=True) == []


EMPTY = reply({"role": "model"})
SILENCES = [
    ("gemini-3.5-flash", MISNAMED, "function-response-name-mismatch at contents/2/parts/0"),
    (
        "gemini-3.5-flash",
        [*SOUND[:2], user(answer("weather", "zz"))],
        "function-response-id-mismatch at contents/2/parts/0",
    ),
    ("gemini-3.5-flash", [*SOUND[:2], user(answer("weather"))], "function-response-id-missing at contents/2/parts/0"),
    ("gemini-3.5-flash", [user("Weather?")], ""),
    ("gemini-3.8-flash", MISNAMED, ""),
    ("gemini-2.5-flash", MISNAMED, ""),
    (
        "gemini-3.5-flash",
        [user("Hi"), model({**call("weather"), "thoughtSignature": "RXA0Qw=="}), user(answer("weather"))],
        "recited thought signatures (a bug of 3.5-flash)",
    ),
]


@pytest.mark.parametrize(("name", "contents", "cause"), SILENCES)
@pytest.mark.parametrize("predict", [True, False])
def test_an_empty_reply_names_what_is_known_to_cause_it(name: str, contents: Any, cause: str, predict: bool) -> None:
    found = judged(exchange(1, contents, EMPTY, name=name), predict=predict)
    (silent,) = (each for each in found if each.rule == "candidate-empty-content")
    said = "the reply stops without having said anything"
    assert silent.message == (f"{said}; known cause in the request: {cause}" if cause else said)


def test_a_mistake_recited_again_is_still_the_cause() -> None:
    more = [*MISNAMED, model("18"), user("And now?")]
    found = judged(
        exchange(1, MISNAMED, reply(model("18")), name="gemini-3.5-flash"),
        exchange(2, more, EMPTY, name="gemini-3.5-flash"),
    )
    assert found[-1].message.endswith("function-response-name-mismatch at contents/2/parts/0")


@pytest.mark.parametrize(
    ("name", "says"), [({}, "; look first at: oai-tool-name-missing at messages/2"), ({"name": "now"}, "")]
)
def test_a_tool_message_without_a_name_is_the_suspect_of_a_rejection_without_a_reason(name: Any, says: str) -> None:
    called = {"id": "c1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
    told = {"role": "tool", "tool_call_id": "c1", "content": "12:00", **name}
    asked = [{"role": "user", "content": "Time?"}, {"role": "assistant", "tool_calls": [called]}, told]
    found = rejected({"model": OLD, "messages": asked}, OPAQUE, url=CHAT)
    assert found[-1] == f"opaque-invalid-argument: rejected, and no reason is told{says}"
