"""Texts of servers, SDKs and proxies as they are pasted into issues, each with the rule it speaks of.

Names, numbers and paths in them are those of whoever was answered; `varied` puts others in their places.
"""

import json
import re
from collections.abc import Iterator

PART = "contents[2].parts[0]"
TOOL = "tools[0].function_declarations[6].parameters"
LEARN = "Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini"
UNKNOWN = "Invalid JSON payload received. Unknown name"
NO_FIELD = "Cannot find field."
NO_LIST = "Proto field is not repeating, cannot start list."
REFUSED = "Unable to submit request because"

FIELDS = {
    f'{UNKNOWN} "systemInstruction": {NO_FIELD}': "api-version-unknown-field",
    f'{UNKNOWN} "tools": {NO_FIELD}': "api-version-unknown-field",
    f"{UNKNOWN} \"fileData\" at 'contents[0].parts[0]': {NO_FIELD}": "unknown-field",
    f"{UNKNOWN} \"foo\" at 'contents[0].parts[0]': {NO_FIELD}": "unknown-field",
    f"{UNKNOWN} \"cache_control\" at '{PART}': {NO_FIELD}": "unknown-field",
    f"{UNKNOWN} \"mediaResolution\" at '{PART}': {NO_FIELD}": "unknown-field",
    f"{UNKNOWN} \"thinkingConfig\" at 'generation_config': {NO_FIELD}": "unknown-field",
    f"{UNKNOWN} \"contents\" at 'contents[0]': {NO_FIELD}": "unknown-field",
    f"{UNKNOWN} \"enableAffectiveDialog\" at 'generation_config': {NO_FIELD}": "unknown-field",
    f"{UNKNOWN} \"response\" at 'tools[0]': {NO_FIELD}": "unknown-field",
    f"{UNKNOWN} \"scheduling\" at '{PART}.function_response': {NO_FIELD}": "nonblocking-fields-in-unary",
    f"Invalid value at '{TOOL.removesuffix('.parameters')}' (type.googleapis.com/google.ai.generativelanguage.v1beta."
    'FunctionDeclaration), "now"': "field-wrong-type",
    f"{UNKNOWN} \"thinkingConfig\" at 'generation_config': {NO_LIST}": "scalar-where-array-expected",
    f"Invalid value at '{PART}' (oneof), oneof field 'data' is already set. Cannot set 'text'": "part-multiple-data",
    f"* GenerateContentRequest.{PART}.data: required oneof field 'data' must have one initialized field\n": (
        "part-without-data"
    ),
    "GenerateContentRequest.system_instruction.parts[0].data: required oneof field 'data' must have one initialized "
    "field": "part-without-data",
    "* GenerateContentRequest.model: unexpected model name format\n": "model-name-format",
    "models/gemini-9 is not found for API version v1beta, or is not supported for generateContent. Call "
    "ModelService.ListModels to see the list of available models and their supported methods.": "model-name-format",
    "Publisher Model `projects/p/locations/l/publishers/google/models/X` not found.": "model-name-format",
    "Publisher Model `projects/p/locations/l/publishers/google/models/X` was not found or your project does not have "
    "access to it.": "model-name-format",
    "* GenerateContentRequest.contents: contents is not specified\n": "contents-missing",
    "* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.\n": "content-parts-empty",
    f"{REFUSED} it must include at least one parts field, which describes the prompt input. {LEARN}": (
        "content-parts-empty"
    ),
    f"{REFUSED} it has an empty text parameter. Add a value to the parameter and try again.": "empty-text-part",
    f"{REFUSED} it must have a text parameter. Add a text parameter and try again. {LEARN}": "empty-text-part",
}
TURNS = {
    "Please use a valid role: user, model.": "invalid-role",
    "Role 'assistant' is not supported. Please use a valid role: SYSTEM, SYSTEM_1, USER, ASSISTANT, DEVELOPER, "
    "CONTEXT, USER_CONTEXT, MODEL, USER.": "invalid-role",
    "Role 'function' is not supported. Please use a valid role: SYSTEM, SYSTEM_1, USER, ASSISTANT, DEVELOPER, "
    "CONTEXT, USER_CONTEXT, MODEL, USER.": "function-role",
    "Please ensure that single turn requests end with a user role or the role field is empty.": "single-turn-not-user",
    "Requests ending with a model turn are not supported.": "trailing-model-turn",
    "Requests ending with a model turn are not supported unless the last part is a function response.": (
        "trailing-model-turn"
    ),
    "Please ensure that multiturn requests ends with a user role or a function response.": "trailing-model-turn",
    "Please ensure that multiturn requests alternate between user and model.": "consecutive-same-role",
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.": (
        "function-call-not-after-user"
    ),
    "Please ensure that function response turn comes immediately after a function call turn.": (
        "function-response-without-call"
    ),
    "Please ensure that function response turn comes immediately after a function call turn. And the number of "
    "function response parts should be equal to number of function call parts of the function call turn.": (
        "function-response-without-call"
    ),
    "Please ensure that the number of function response parts is equal to the number of function call parts of the "
    "function call turn.": "function-response-count-mismatch",
    f"* GenerateContentRequest.{PART}.function_response.name: Name cannot be empty.\n": "function-response-name-empty",
    f"* GenerateContentRequest.{PART}.function_call.name: Name cannot be empty.\n": "function-call-name-empty",
    f"{UNKNOWN} \"id\" at 'contents[1].parts[0].function_call': {NO_FIELD}": "function-id-unsupported-surface",
    f"{UNKNOWN} \"id\" at '{PART}.function_response': {NO_FIELD}": "function-id-unsupported-surface",
    f"{UNKNOWN} \"response\" at '{PART}.function_response': {NO_LIST}": "function-response-not-object",
    f"Invalid value at '{PART}.function_response.response' (type.googleapis.com/google.protobuf.Struct), \"ok\"": (
        "function-response-not-object"
    ),
    f"{REFUSED} `function_response.parts` is not supported for this model. Learn more: https://cloud.google.com/"
    "vertex-ai/generative-ai/docs/multimodal/function-calling": "function-response-parts-unsupported",
}
SIGNATURES = {
    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, "
    "and missing thought_signature may lead to degraded model performance. Additional data, function call "
    "`default_api:get_weather` , position 2. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures "
    "for more details.": "missing-thought-signature",
    f"{REFUSED} function call `default_api:get_weather` in the 3. content block is missing a `thought_signature`. "
    "Learn more: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures": (
        "missing-thought-signature"
    ),
    f"{UNKNOWN} \"thoughtSignature\" at 'contents[1].parts[0].function_call': {NO_FIELD}": (
        "misplaced-thought-signature"
    ),
    "Corrupted thought signature.": "corrupted-thought-signature",
    f"{REFUSED} Thought signature is not valid. Learn more: https://cloud.google.com/": "corrupted-thought-signature",
}
TOOLS = {
    "* GenerateContentRequest.tools[0].function_declarations[18].name: Invalid function name. Must start with a letter "
    "or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with "
    "a maximum length of 64.": "function-name-invalid",
    "The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations[53].name: [FIELD_INVALID] "
    "Invalid function name. Must start with a letter or an underscore.": "function-name-invalid",
    "Duplicate function declaration found: get_weather": "duplicate-function-declaration",
    "The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations: [FIELD_INVALID] At most 512 "
    "function declarations can be specified.": "too-many-function-declarations",
    "tools[0].tool_type: required one_of 'tool_type' must have one initialized field": "empty-tool-entry",
    f"{UNKNOWN} \"exclusiveMinimum\" at '{TOOL}.properties[3].value.any_of[0]': {NO_FIELD}": "schema-unknown-keyword",
    f"{UNKNOWN} \"if\" at '{TOOL}.properties[0].value': {NO_FIELD}": "schema-unknown-keyword",
    f"{UNKNOWN} \"type\" at '{TOOL}.properties[3].value': {NO_LIST}": "schema-type-list",
    f"Invalid value at '{TOOL}.properties[7].value.type' (type.googleapis.com/google.ai.generativelanguage.v1beta."
    'Type), ""': "schema-type-invalid",
    f"{TOOL}.properties[chat_id].type: must be specified when not using one_of, any_of or all_of fields": (
        "schema-type-missing"
    ),
    f"{TOOL}.properties[keywordsSetter].items: field predicate failed: $type == Type.ARRAY": "schema-anyof-siblings",
    f"* GenerateContentRequest.{TOOL}.properties: should be non-empty for OBJECT type\n": "schema-empty-object",
    f"* GenerateContentRequest.{TOOL}.properties[tags].items: missing field.\n": "schema-array-items-missing",
    f"Invalid value at 'request.{TOOL}.properties[3].value.enum[0]' (TYPE_STRING), 1": "schema-enum-non-string",
    f"* GenerateContentRequest.{TOOL}.properties[n].enum: only allowed for STRING type\n": "schema-enum-non-string",
    f"* GenerateContentRequest.{TOOL}.required[0]: property is not defined\n": "schema-required-undefined",
    f"* GenerateContentRequest.{TOOL}.properties[data].properties: only allowed for OBJECT type\n": (
        "schema-properties-on-non-object"
    ),
    f"* GenerateContentRequest.{TOOL}.properties[data].required: only allowed for OBJECT type\n": (
        "schema-properties-on-non-object"
    ),
    f"* GenerateContentRequest.{TOOL}.properties[url].format: only 'enum' and 'date-time' are supported for STRING "
    "type\n": "schema-format-unsupported",
    "A FunctionDeclaration in the request exceeds the maximum allowed nesting depth.": "schema-too-complex",
    "The specified schema produces a constraint that has too many states for serving. Typical causes of this error are "
    "schemas with lots of text": "schema-too-complex",
    "Function calling config is set without function_declarations.": "function-calling-config-without-functions",
    "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.": (
        "builtin-with-functions"
    ),
    "Tool use with function calling is unsupported": "builtin-with-functions",
    "Tool call context circulation is not enabled for models/gemini-2.5-flash": "builtin-with-functions",
    "Multiple tools are supported only when they are all search tools.": "builtin-with-functions",
    "Function calling with a response mime type: 'application/json' is unsupported": "function-calling-with-json-mime",
    "Tool use with a response mime type: 'application/json' is unsupported": "function-calling-with-json-mime",
    "Google Maps tool with a response mime type: 'application/json' is unsupported": "function-calling-with-json-mime",
    "CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config. "
    "Proposed fix: move those values to CachedContent from GenerateContent request.": "cached-content-conflict",
    "Tool config, tools and system instruction should not be set in the request when using cached content.": (
        "cached-content-conflict"
    ),
    "Cached content model does not match the model in the request.": "cached-content-conflict",
    "CachedContent not found (or permission denied)": "cached-content-conflict",
}
SETTINGS = {
    "Penalty is not enabled for models/gemini-3.6-flash": "penalty-params-unsupported",
    "You can only set only one of thinking budget and thinking level.": "thinking-level-and-budget",
    "Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.": (
        "thinking-level-unsupported"
    ),
    "Thinking is not enabled for models/gemini-2.0-flash": "feature-unsupported",
    "The requested combination of response modalities (TEXT) is not supported by the model. models/gemini-2.5-pro-"
    "preview-tts accepts the following combination of response modalities:\n* AUDIO\n": "feature-unsupported",
    "LogProbs is not supported in streaming mode": "logprobs",
    "Logprobs is not enabled for this model": "logprobs",
    f"{REFUSED} it has a temperature value of 1000 but the supported range is from 0 (inclusive) to 2.0001 "
    "(exclusive). Update the value and try again.": "temperature-range",
    "The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).": "input-too-long",
    "Cannot fetch content from the provided URL. Please ensure the URL is valid and accessible. Status: "
    "URL_ROBOTED-ROBOTED_DENIED": "url-fetch",
    "API key not valid. Please pass a valid API key.": "api-key-invalid",
}
OTHER_DOORS = {
    "Missing call_id in content of type function_result": "ix-missing-call-id",
    "Missing text in content of type text": "ix-empty-text",
    "Invalid function_response.response: field `results` has an empty value. All values must have a type (null, bool, "
    "number, string, list, or object).": "ix-null-struct-value",
    "Invalid input received": "opaque-invalid-argument",
}
REPLIES = {
    "Model generated function call(s).": "finish-reason-not-tool-signal",
    "Malformed function call: print(default_api.archive(cities=['Tokyo": "finish-malformed-function-call",
    "Finish reason: MALFORMED_FUNCTION_CALL": "finish-malformed-function-call",
    "Unexpected tool call: Model tried to call an undeclared function: list_files": "finish-unexpected-tool-call",
    "Finish reason: UNEXPECTED_TOOL_CALL": "finish-unexpected-tool-call",
}
CLIENTS = {  # no server says these
    "Content with role 'model' can't contain 'functionResponse' part": "function-response-in-model-role",
    "Content with role 'user' can't contain 'functionCall' part": "function-call-in-user-role",
    "Content with role 'model' can't follow 'model'": "consecutive-same-role",
    "Content with role 'user' can't follow 'user'": "consecutive-same-role",
    "Each Content should have at least one part": "content-parts-empty",
    "First Content should be with role 'user', got model": "first-content-model",
    'contents[3].parts[0].functionResponse.id "a" does not match functionCall.id "b"': "function-response-id-mismatch",
    "Model stream ended without a finish reason.": "stream-missing-finish",
    "FunctionResponse request must have an `id` field from the response of a ToolCall.FunctionalCalls in Google AI.": (
        "tool-response-missing-id"
    ),
    "sent 1011 (internal error) keepalive ping timeout; no close frame received": "live-client-keepalive-timeout",
}
REPORTED = {
    "Budget 0 is invalid. This model only works in thinking mode.": "thinking-budget",
    "The thinking budget (52428) is invalid. Please choose a value between 512 and 24576.": "thinking-budget",
    "thinking_budget is out of range; supported values are integers from 1 to 24576": "thinking-budget",
    "include_thoughts is only enabled when thinking is enabled": "thoughts-without-thinking",
    "Thinking level is unsupported: THINKING_LEVEL_MINIMAL": "thinking-level-unsupported",
    f"{REFUSED} it has a maxOutputTokens value of 200000 but the supported range is from 1 (inclusive) to 65537 "
    "(exclusive). Update the value and try again.": "max-output-tokens",
    'Unknown name "store": Cannot find field.': "oai-unknown-field",
    'Unknown name "prompt_cache_key": Cannot find field.': "oai-unknown-field",
    "The referenced name `#/$defs/Item` in function_response.response does not match to a display_name in the "
    "function_response.parts.": "function-response-ref",
    f"* GenerateContentRequest.{TOOL}.properties[kind].enum[0]: cannot be empty\n": "schema-enum-empty",
    f"* GenerateContentRequest.{TOOL}.properties[kind].enum: should be non-empty for STRING type with enum format\n": (
        "schema-enum-empty"
    ),
    "reference to undefined schema at properties.filter.items": "schema-ref-undefined",
    "$ref '#/$defs/Filter' was set alongside unsupported fields.": "schema-ref-siblings",
    "element predicate failed: $.category in (HARM_CATEGORY_HARASSMENT, HARM_CATEGORY_HATE_SPEECH)": "safety-category",
    "Unsupported MIME type: image/jpg": "mime-type",
    "This model requires the use of the Computer Use tool.": "computer-use",
    "Function call is missing a thought_signature": "missing-thought-signature",
    "is missing a thought_signature in functionCall parts": "missing-thought-signature",
    "API Key not found. Please pass a valid API key.": "api-key-invalid",  # over Live: live-auth-rejected
}
LIVE = {
    "API key expired. Please renew the API key.": "live-auth-rejected",
    "User location is not supported for the API use.": "live-auth-rejected",
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other "
    "form of API": "live-auth-rejected",
    "Generative Language API has not been used in project 1234 before or it is disabled.": "live-auth-rejected",
    "models/gemini-9 is not found for API version v1beta, or is not supported for bidiGenerateContent. Call Li": (
        "live-model-not-live"
    ),
    "Publisher Model `projects/p/locations/l/publishers/google/models/X` was not found or is not supported for "
    "bidiGenerateContent": "live-model-not-live",
    "setup must be the first message": "live-setup-not-first",
    f"{UNKNOWN} \"contents\" at 'client_content': {NO_FIELD}": "live-client-unknown-key",
    f"{UNKNOWN} \"enableAffectiveDialog\" at 'setup': {NO_FIELD}": "live-setup-field-misplaced",
    f"{UNKNOWN} \"const\" at 'setup.tools[0].function_declarations[0].parameters.properties[0].value': {NO_FIELD}": (
        "live-tool-schema-keyword"
    ),
    f"{UNKNOWN} \"scheduling\" at 'tool_response.function_responses[0]': {NO_FIELD}": "live-surface-only-field",
    "Invalid value at 'tool_response.function_responses[0].scheduling' (type.googleapis.com/google.ai": (
        "tool-response-scheduling-invalid"
    ),
    "Invalid value at 'setup.realtime_input_config.automatic_activity_detection.start_of_speech_sensitivity'": (
        "live-unknown-enum"
    ),
    f"{UNKNOWN} \"response\" at 'tool_response.function_responses[0]': Proto field is not repeati": (
        "tool-response-not-object"
    ),
    "Invalid value at 'tool_response.function_responses[0].response' (type.googleapis.com/google.protobuf.Struct)": (
        "tool-response-not-object"
    ),
    "Explicit activity control is not supported when automatic activity detection is enabled.": (
        "live-activity-signal-with-auto-vad"
    ),
    "realtime_input.media_chunks is deprecated. Use audio, video, or text instead.": "live-media-chunks-deprecated",
    "Cannot extract voices from a non-audio request.": "live-voice-without-audio",
    "The requested combination of response modalities (TEXT) is not supported by the model": (
        "live-modality-unsupported"
    ),
    "Request trace id: 7f3, [ORIGINAL ERROR] generic::invalid_argument: Error in program Instantiation for language": (
        "live-response-modality"
    ),
    "No matching speaker voice found for name: alloy": "live-voice-or-language-unknown",
    "Unsupported language code 'cs-CZ' for model models/gemini-2.5-flash-native-audio-latest": "live-speech-refused",
    "Code Execution tool is not supported for this model": "live-tool-combination",
    "Operation is not implemented, or supported, or enabled.": "input-while-tool-pending",
    "BidiGenerateContent session not found": "session-resume-handle-unknown",
    "Invalid session handle": "session-resume-handle-unknown",
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, "
    "head to: h": "live-server-ended",
    "Insufficient model resources": "live-server-ended",
    "The service is currently unavailable.": "live-server-ended",
    "Deadline expired before operation could complete.": "go-away-ignored",
    "The operation was aborted.": "input-while-tool-pending",
    "The operation was cancelled.": "go-away-ignored",
    "Request trace id: 7f3, [ORIGINAL ERROR] generic::invalid_argument: Last chunk before turn_complete must have r": (
        "live-turn-role"
    ),
}
TEXTS = {
    **FIELDS,
    **TURNS,
    **SIGNATURES,
    **TOOLS,
    **SETTINGS,
    **OTHER_DOORS,
    **REPLIES,
    **CLIENTS,
    **REPORTED,
    **LIVE,
}
# What differs from one answer to the next: a number, a name in quotes after a word that says so, a path.
_VARIES = (
    (re.compile(r"\[\d+\]"), "[41]"),
    (re.compile(r"\[(?:chat_id|keywordsSetter|tags|n|data|url)\]"), "[due_at]"),
    (re.compile(r"default_api:get_weather"), "default_api:close-ticket.v2"),
    (re.compile(r"get_weather|list_files"), "closeTicket"),
    (re.compile(r"models/gemini-[\w.-]+"), "models/gemini-4-ultra-preview"),
    (re.compile(r"\b(?:1250074|1000|1234|7f3)\b"), "77"),
    (re.compile(r"'cs-CZ'"), "'pt-BR'"),
    (re.compile(r"name: alloy"), "name: Brenda"),
    (re.compile(r"position 2|in the 3\."), lambda found: found[0].replace("2", "14").replace("3", "9")),
)


def varied(text: str) -> str:
    """The text as somebody else was answered."""
    for varies, instead in _VARIES:
        text = varies.sub(instead, text)
    return text


def pasted(text: str) -> Iterator[str]:
    """The text as people paste it: by itself, in the body of the error, escaped, in a line of a log."""
    body = json.dumps({"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}}, indent=2)
    yield text
    yield varied(text)
    yield text.upper()
    yield body
    yield json.dumps(body)
    yield json.dumps([{"error": {"code": 400, "message": text}}])
    yield f"google.genai.errors.ClientError: 400 INVALID_ARGUMENT. {{'error': {{'message': {text!r}}}}}"
    yield f"2026-11-19T08:15:03.123Z ERROR [worker-7] agent.llm: request 8f3a2c failed (attempt 2/5): {text.strip()}"
    yield f"[19/Nov/2026 08:15:03] ApiError: [400 Bad Request] {varied(text)}"


def begun(cut: str) -> set[str]:
    """The rules of all texts that begin like one that was cut; where they stand is told by indices that differ."""
    return {name for text, name in TEXTS.items() if _plain(text).startswith(_plain(cut))}


def _plain(text: str) -> str:
    text = text.lower().removeprefix("* ").removeprefix("generatecontentrequest.").replace("request.tools", "tools")
    return re.sub(r"\[[^\[\]]*(\]|$)", "[", text)
