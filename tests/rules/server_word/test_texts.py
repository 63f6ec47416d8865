"""Texts: what a server says is what a rule knows, however it is written; and which rule a pasted text speaks of."""

import json
import time

import pytest

from tests.rules.make import rule
from wirecheck.rules import Rule, load
from wirecheck.rules.server_word.texts import likely, opaque, predicts

RULES = load().rules
NAMES = {each.name for each in RULES}
SIGNATURE = "function call `…` is missing a signature, position …, please"
NEVER = {"never": None}


def known(*server: str, says: tuple[str, ...] = ()) -> Rule:
    return rule(NEVER, server=server, says=says)


SAME = [
    (
        "Unknown name \"args\" at 'contents[0].parts[0]'",
        "Invalid JSON. Unknown name \"args\" at 'contents[31].parts[2]': no",
    ),
    ("Unknown name \"args\" at 'contents[0]'", r"b'{\n \"message\": \"Unknown name \\\"args\\\" at \'contents[1]\'\"'"),
    ("at 'tools[0].parameters.properties[x]'", "at 'request.tools[3].parameters.properties[chat_id]' or elsewhere"),
    ("the number of parts", "THE  number\nof parts"),
    (SIGNATURE, "function call `default_api:get_weather` is missing a signature, position 12, please refer"),
    ("a 'model' can't", "a \\u0027model\\u0027 can\\u0027t"),
    ('the role "…" is', "the role “robot” is"),
]
OTHER = [
    ("Unknown name \"args\" at 'contents[0].parts[0]'", "Unknown name \"args\" at 'contents[0].parts_[0]'"),
    (SIGNATURE, "function call `a` and `b` is missing a signature, position 12, please"),  # a hole ends at a quote
    (SIGNATURE, "is missing a signature, position 12, please: function call `a`"),
    ("…", "anything"),
    ("the number", ""),
]


@pytest.mark.parametrize(("text", "heard"), SAME)
def test_what_differs_between_surfaces_requests_and_logs_is_no_difference(text: str, heard: str) -> None:
    assert predicts(known(text), heard)


@pytest.mark.parametrize(("text", "heard"), OTHER)
def test_another_text_is_another_text(text: str, heard: str) -> None:
    assert not predicts(known(text), heard)


def test_what_only_sdks_say_confirms_nothing() -> None:
    one = known("what the server says", says=("what an SDK says",))
    assert not predicts(one, "what an SDK says")
    assert likely([one], "Error: what an SDK says!") == [one]


@pytest.mark.parametrize("piece", ["a", "`", "\\", "[", "a`", "function call `", " "])
def test_no_text_makes_the_search_run_away(piece: str) -> None:
    one = known("a…a…a…b", SIGNATURE, "`…`…`")
    start = time.process_time()
    assert likely([one], piece * 100_000) in ([], [one])
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("text", "says_nothing"), [("Request contains an invalid argument.", True), ("", True), ("x", False)]
)
def test_a_text_that_names_nothing(text: str, says_nothing: bool) -> None:
    assert opaque(text) is says_nothing


# Texts of servers, SDKs and proxies as they are pasted into issues, and the rules they speak of.
PATH = "contents[2].parts[0]"
TOOL = "tools[0].function_declarations[6].parameters"
CATALOGUE = {
    f"Invalid value at '{PATH}' (oneof), oneof field 'data' is already set. Cannot set 'text'": "part-multiple-data",
    f"{PATH}.data: required oneof field 'data' must have one initialized field": "part-without-data",
    "* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.\n": "content-parts-empty",
    "Unable to submit request because it must include at least one parts field, which describes the prompt input. "
    "Learn more: https://cloud.google.com/vertex-ai": "content-parts-empty",
    "Please use a valid role: user, model.": "invalid-role",
    "Role 'assistant' is not supported. Please use a valid role: SYSTEM, SYSTEM_1, USER, ASSISTANT": "invalid-role",
    "Role 'function' is not supported. Please use a valid role: SYSTEM, SYSTEM_1, USER, ASSISTANT": "function-role",
    "Please ensure that single turn requests end with a user role or the role field is empty.": "single-turn-not-user",
    "Requests ending with a model turn are not supported unless the last part is a function": "trailing-model-turn",
    "Please ensure that multiturn requests ends with a user role or a function response.": "trailing-model-turn",
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.": (
        "function-call-not-after-user"
    ),
    "Please ensure that function response turn comes immediately after a function call turn. And the number of "
    "function response parts should be equal to number of function call parts of the function call turn.": (
        "function-response-without-call"
    ),
    "Please ensure that the number of function response parts is equal to the number of function call parts of the "
    "function call turn.": "function-response-count-mismatch",
    f"* GenerateContentRequest.{PATH}.function_response.name: Name cannot be empty.\n": "function-response-name-empty",
    f"Unknown name \"response\" at '{PATH}.function_response': Proto field is not repeating, cannot start list.": (
        "function-response-not-object"
    ),
    f"Invalid value at '{PATH}.function_response.response' (type.googleapis.com/google.protobuf.Struct), \"ok\"": (
        "function-response-not-object"
    ),
    "The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).": "input-too-long",
    "Cannot fetch content from the provided URL. Please ensure the URL is valid. Status: URL_ROBOTED": "url-fetch",
    "API key not valid. Please pass a valid API key.": "api-key-invalid",
    "Request contains an invalid argument.": "opaque-invalid-argument",
    # SDKs and proxies
    "Content with role 'model' can't contain 'functionResponse' part": "function-response-in-model-role",
    "Content with role 'user' can't contain 'functionCall' part": "function-call-in-user-role",
    "Each Content should have at least one part": "content-parts-empty",
    'contents[3].parts[0].functionResponse.id "a" does not match functionCall.id "b"': "function-response-id-mismatch",
    "invalid Gemini function call history: response before call": "function-response-count-mismatch",
    "Model stream ended without a finish reason.": "stream-missing-finish",
    "MALFORMED_FUNCTION_CALL": "finish-malformed-function-call",
    "Finish reason: UNEXPECTED_TOOL_CALL": "finish-unexpected-tool-call",
    "* models/gemini-9 is not found for API version v1beta, or is not supported for generateContent. Call "
    "ModelService.ListModels to see the list of available models": "model-name-format",
}
ELSEWHERE = {
    # Those of signatures, fields and shapes, tools and schemas, Interactions and the OpenAI-compatible endpoint.
    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, "
    "and missing thought_signature may lead to degraded model performance. Additional data, function call "
    "`default_api:get_weather` , position 2. Please refer to https://ai.google.dev/": "missing-thought-signature",
    "Unable to submit request because function call `default_api:get_weather` in the 3. content block is missing a "
    "`thought_signature`. Learn more: https://docs.cloud.google.com/": "missing-thought-signature",
    f"Unknown name \"thoughtSignature\" at '{PATH}.function_call': Cannot find field.": "misplaced-thought-signature",
    "Corrupted thought signature.": "corrupted-thought-signature",
    "Unable to submit request because Thought signature is not valid. Learn more: x": "corrupted-thought-signature",
    f"Invalid JSON payload received. Unknown name \"cache_control\" at '{PATH}': Cannot find field.": "unknown-field",
    "* GenerateContentRequest.contents: contents is not specified\n": "contents-missing",
    "* GenerateContentRequest.model: unexpected model name format\n": "model-name-format",
    "Please ensure that multiturn requests alternate between user and model.": "consecutive-same-role",
    f"Unknown name \"id\" at '{PATH}.function_call': Cannot find field.": "function-id-unsupported-surface",
    "Unable to submit request because it has an empty text parameter. Add a value to the parameter.": "empty-text-part",
    "Unable to submit request because `function_response.parts` is not supported for this model. Learn more: x": (
        "function-response-parts-unsupported"
    ),
    "First Content should be with role 'user', got model": "first-content-model",
    "Content with role 'user' can't follow 'user'": "consecutive-same-role",
    "* GenerateContentRequest.tools[0].function_declarations[18].name: Invalid function name. Must start with": (
        "function-name-invalid"
    ),
    "The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations[53].name: [FIELD_INVALID] "
    "Invalid function name. Must start": "function-name-invalid",
    "Duplicate function declaration found: get_weather": "duplicate-function-declaration",
    "The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations: [FIELD_INVALID] At most 512 "
    "function declarations can be specified.": "too-many-function-declarations",
    "tools[0].tool_type: required one_of 'tool_type' must have one initialized field": "empty-tool-entry",
    f"Unknown name \"exclusiveMinimum\" at '{TOOL}.properties[3].value.any_of[0]': Cannot find field.": (
        "schema-unknown-keyword"
    ),
    f"Unknown name \"type\" at '{TOOL}.properties[3].value': Proto field is not repeating, cannot start list.": (
        "schema-type-list"
    ),
    f"Invalid value at '{TOOL}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type)": (
        "schema-type-invalid"
    ),
    f"{TOOL}.properties[chat_id].type: must be specified when not using one_of, any_of or all_of fields": (
        "schema-type-missing"
    ),
    f"{TOOL}.properties[x].items: field predicate failed: $type == Type.ARRAY": "schema-anyof-siblings",
    f"* GenerateContentRequest.{TOOL}.properties: should be non-empty for OBJECT type\n": "schema-empty-object",
    f"{TOOL}.properties[tags].items: missing field.": "schema-array-items-missing",
    f"Invalid value at '{TOOL}.properties[3].value.enum[0]' (TYPE_STRING), 1": "schema-enum-non-string",
    f"{TOOL}.properties[n].enum: only allowed for STRING type": "schema-enum-non-string",
    f"* GenerateContentRequest.{TOOL}.required[0]: property is not defined\n": "schema-required-undefined",
    f"{TOOL}.properties[data].properties: only allowed for OBJECT type": "schema-properties-on-non-object",
    f"{TOOL}.properties[url].format: only 'enum' and 'date-time' are supported for STRING type": (
        "schema-format-unsupported"
    ),
    "A FunctionDeclaration in the request exceeds the maximum allowed nesting depth.": "schema-too-complex",
    "The specified schema produces a constraint that has too many states for serving.": "schema-too-complex",
    "Function calling config is set without function_declarations.": "function-calling-config-without-functions",
    "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.": (
        "builtin-with-functions"
    ),
    "Tool use with function calling is unsupported": "builtin-with-functions",
    "Tool call context circulation is not enabled for models/gemini-2.5-flash": "builtin-with-functions",
    "Multiple tools are supported only when they are all search tools.": "builtin-with-functions",
    "Function calling with a response mime type: 'application/json' is unsupported": "function-calling-with-json-mime",
    "Google Maps tool with a response mime type: 'application/json' is unsupported": "function-calling-with-json-mime",
    "CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config. "
    "Proposed fix: move those values to CachedContent from GenerateContent request.": "cached-content-conflict",
    "Tool config, tools and system instruction should not be set in the request when using cached content.": (
        "cached-content-conflict"
    ),
    "You can only set only one of thinking budget and thinking level.": "thinking-level-and-budget",
    "Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.": (
        "thinking-level-unsupported"
    ),
    "LogProbs is not supported in streaming mode": "logprobs",
    "Logprobs is not enabled for this model": "logprobs",
    "Unable to submit request because it has a temperature value of 1000 but the supported range is from 0 (inclusive) "
    "to 2.0001 (exclusive). Update the value and try again.": "temperature-range",
    "Missing call_id in content of type function_result": "ix-missing-call-id",
    "Missing text in content of type text": "ix-empty-text",
    "Invalid function_response.response: field `results` has an empty value. All values must have a type": (
        "ix-null-struct-value"
    ),
    "Invalid input received": "ix-missing-result-name",
    "CachedContent not found (or permission denied)": "cached-content-conflict",
    "Cached content model does not match the model in the request.": "cached-content-conflict",
    'Unknown name "mediaResolution"': "unknown-field",
    "Invalid JSON payload received. Unknown name": "unknown-field",
}
# Until the rules of a subject are there, its texts wait.
TEXTS = {**CATALOGUE, **{text: name for text, name in ELSEWHERE.items() if name in NAMES}}


@pytest.mark.parametrize(("text", "name"), TEXTS.items())
def test_a_text_of_the_catalogue_finds_its_rule(text: str, name: str) -> None:
    body = json.dumps({"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}})
    for pasted in (text, body, json.dumps(body), f"400 Bad Request: {text}", text.upper()):
        assert name in [each.name for each in likely(RULES, pasted)[:4]]


@pytest.mark.parametrize(
    "text",
    [
        "the dog ate it",
        "Please try again later.",
        "connection reset by peer while reading",
        "Image output is not enabled for models/gemma-3-27b-it",
    ],
)
def test_a_text_that_nobody_knows_is_no_rule(text: str) -> None:
    assert likely(RULES, text) == []


PARTS = {
    "number of function response parts is equal to": "function-response-count-mismatch",
    "function call turn comes immediately after": "function-call-not-after-user",
    "function_response.name: Name cann": "function-response-name-empty",
    "with role 'model' can't contain": "function-response-in-model-role",
    "Requests ending with a model": "trailing-model-turn",
}


@pytest.mark.parametrize(("part", "name"), PARTS.items())
def test_so_does_a_part_of_it(part: str, name: str) -> None:
    assert name in [each.name for each in likely(RULES, part)[:4]]


def test_http_comes_before_live_where_both_say_it() -> None:
    found = [each.name for each in likely(RULES, "Request contains an invalid argument.")]
    assert found[:3] == ["opaque-invalid-argument", "function-response-name-mismatch", "oai-tool-name-missing"]
    assert len(found) > 3


CUT = {
    "contents[1].parts[1].data: required oneof field 'da": "part-without-data",
    "* GenerateContentRequest.model: unexpected": "model-name-format",
    "Publisher Model `projects/p/locations/us-cen...": "model-name-format",
    "* GenerateContentRequest.contents: contents is…": "contents-missing",
    "Unable to submit request because it has an empty text ": "empty-text-part",
    "Unable to submit request because Thought si": "corrupted-thought-signature",
    "Please ensure that multiturn reques": "trailing-model-turn",
    "Requests ending with a model tur": "trailing-model-turn",
    'Invalid JSON payload received. Unknown name "systemInstruc': "api-version-unknown-field",
    'Invalid JSON payload received. Unknown name "thoughtSignature': "misplaced-thought-signature",
    'Unknown name "id" at \'contents[1].parts[0].f': "function-id-unsupported-surface",
    f"* GenerateContentRequest.{TOOL}.properties[url].format: only 'enum": "schema-format-unsupported",
    f"{TOOL}.properties[chat_id].type: must be specified wh": "schema-type-missing",
    "Request contains an inval": "opaque-invalid-argument",
    "A FunctionDeclaration in the request ex": "schema-too-complex",
}


@pytest.mark.parametrize(("text", "name"), CUT.items())
def test_a_text_that_was_cut_short_finds_its_rule(text: str, name: str) -> None:
    assert likely(RULES, text)[0].name == name


FIRST = {
    "Malformed function call: print(default_api.archive(cities=['Tokyo": "finish-malformed-function-call",
    "Unexpected tool call: Model tried to call an undeclared function: list_files": "finish-unexpected-tool-call",
    "Publisher Model `projects/p/locations/l/publishers/google/models/X` not found.": "model-name-format",
    "Content with role 'model' can't follow 'model'": "consecutive-same-role",
    'invalid Gemini function call history: contents[2].parts[0].functionResponse.id "a" does not match functionCall.id '
    '"b" at contents[1]': "function-response-id-mismatch",
    "Logprobs is not enabled for models/gemini-2.5-flash": "logprobs",
    "Invalid JSON payload received. Unknown name \"thinkingConfig\" at 'generation_config': Proto field is not "
    "repeating, cannot start list.": "scalar-where-array-expected",
    f"Invalid JSON payload received. Unknown name \"if\" at '{TOOL}.properties[0].value': Cannot find field.": (
        "schema-unknown-keyword"
    ),
}


@pytest.mark.parametrize(("text", "name"), FIRST.items())
def test_of_rules_with_words_in_common_the_right_one_comes_first(text: str, name: str) -> None:
    for pasted in (text, json.dumps([{"error": {"code": 400, "message": text}}]), f"ApiError: [400] {text}"):
        assert likely(RULES, pasted)[0].name == name
