"""Mistakes that people made over HTTP and reported, each with the answer they got.

Each is foreseen, at its place and as bad as it is on the surface and model; a recorded rejection with its text is put
down to it and to nothing else; and `explain` knows the text.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.stories.conversations import answer, call, error, exchange, model, reply, user
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import load
from wirecheck.rules.server_word.texts import likely
from wirecheck.wire.records import Record

RULES = load()
BARE = "Request contains an invalid argument."
API, VERTEX, GATEWAY, ASSIST, CHAT, CHAT_VERTEX, INTERACTIONS = (
    *("gemini-api", "vertex", "unknown", "code-assist", "chat", "chat on vertex", "interactions"),
)
GOOGLE = "https://generativelanguage.googleapis.com/v1beta/"
PROJECT = "projects/p/locations/global/"
URLS = {
    API: GOOGLE + "models/{}:generateContent",
    VERTEX: f"https://aiplatform.googleapis.com/v1/{PROJECT}publishers/google/models/{{}}:generateContent",
    GATEWAY: "https://gateway.example/v1beta/models/{}:generateContent",
    ASSIST: "https://cloudcode-pa.googleapis.com/v1internal:generateContent",
    CHAT: GOOGLE + "openai/chat/completions",
    CHAT_VERTEX: f"https://aiplatform.googleapis.com/v1/{PROJECT}endpoints/openapi/chat/completions",
    INTERACTIONS: GOOGLE + "interactions",
}
SIGNED = {**call("find", "c1"), "thoughtSignature": "Ep4C"}
TOOLS = [{"functionDeclarations": [{"name": "find", "description": "Finds."}]}]


class Case(NamedTuple):
    """A mistake in a request: where it stands in the body, what the server said of it, and how bad it is by surface and
    model; the first of these is where it was reported."""

    rule: str
    body: dict[str, Any]
    pointer: str
    text: str
    severities: dict[tuple[str, str], str]


def thinking(**config: Any) -> dict[str, Any]:
    return {"contents": [user("Hi")], "generationConfig": {"thinkingConfig": config}}


def configured(**config: Any) -> dict[str, Any]:
    return {"contents": [user("Hi")], "generationConfig": config}


def declaring(schema: Any, field: str = "parameters") -> dict[str, Any]:
    return {
        "contents": [user("Hi")],
        "tools": [{"functionDeclarations": [{"name": "find", "description": "Finds.", field: schema}]}],
    }


def one(schema: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, **more}


def answered(response: Any, name: str = "find", **more: Any) -> dict[str, Any]:
    return {"contents": [user("Find it."), model(SIGNED), user(answer(name, "c1", response))], **more}


def chat(**fields: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "Hi"}], **fields}


BUDGET, LEVEL = "/generationConfig/thinkingConfig/thinkingBudget", "/generationConfig/thinkingConfig/thinkingLevel"
PARAMETERS = "/tools/0/functionDeclarations/0/parameters"
JSON_SCHEMA = "/tools/0/functionDeclarations/0/parametersJsonSchema"
RESPONSE = "/contents/2/parts/0/functionResponse"
SAFETY = [{"category": "HARM_CATEGORY_IMAGE_DANGEROUS_CONTENT", "threshold": "BLOCK_NONE"}]
CASES: dict[str, Case] = {
    "a field of OpenAI's, sent by default": Case(
        "oai-unknown-field",
        chat(store=False),
        "/store",
        'Invalid JSON payload received. Unknown name "store": Cannot find field.',
        {(CHAT, "gemini-3.6-flash"): "error", (CHAT_VERTEX, "google/gemini-2.5-pro"): "warning"},
    ),
    "a penalty, on the OpenAI-compatible endpoint": Case(
        "oai-unknown-field",
        chat(frequency_penalty=0.2),
        "/frequency_penalty",
        'Invalid JSON payload received. Unknown name "frequency_penalty": Cannot find field.',
        {(CHAT, "gemini-3.6-flash"): "error", (CHAT, "gemini-2.0-flash"): "error"},
    ),
    "a tool of Google's, on the OpenAI-compatible endpoint": Case(
        "oai-unknown-field",
        chat(tools=[{"google_search": {}}]),
        "/tools/0/google_search",
        "Invalid JSON payload received. Unknown name \"google_search\" at 'tools[0]': Cannot find field.",
        {(CHAT, "gemini-2.5-flash"): "error"},
    ),
    "thinking is switched off where it cannot be": Case(
        "thinking-budget",
        thinking(thinkingBudget=0),
        BUDGET,
        "Budget 0 is invalid. This model only works in thinking mode.",
        {
            (API, "gemini-2.5-pro"): "error",
            (VERTEX, "gemini-2.5-pro"): "error",
            (API, "gemini-3.1-pro-preview"): "error",
            (GATEWAY, "gemini-2.5-pro"): "warning",
        },
    ),
    "a budget beyond the model's": Case(
        "thinking-budget",
        thinking(thinkingBudget=52428),
        BUDGET,
        "The thinking budget (52428) is invalid. Please choose a value between 0 and 24576.",
        {(API, "gemini-2.5-flash"): "error", (ASSIST, "gemini-2.5-flash"): "error"},
    ),
    "a budget between none and the least": Case(
        "thinking-budget",
        thinking(thinkingBudget=128),
        BUDGET,
        "The thinking budget 128 is invalid. Please choose a value between 512 and 24576.",
        {(API, "gemini-2.5-flash-lite"): "error", (API, "gemini-2.5-flash-lite-preview-09-2025"): "error"},
    ),
    "a budget of 0 that is refused without a word": Case(
        "thinking-budget", thinking(thinkingBudget=0), BUDGET, BARE, {(API, "gemini-3.5-flash-lite"): "error"}
    ),
    "thoughts to be seen, and none to be had": Case(
        "thoughts-without-thinking",
        thinking(thinkingBudget=0, includeThoughts=True),
        BUDGET,
        "Unable to submit request because Thinking_config.include_thoughts is only enabled when thinking is enabled.",
        {(VERTEX, "gemini-2.5-flash"): "error", (API, "gemini-2.5-flash"): "warning"},
    ),
    "a schema as the result of a function": Case(
        "function-response-ref",
        answered({"paths": [{"schema": {"$ref": "#/$defs/X"}}]}),
        RESPONSE,
        "The referenced name `#/$defs/X` in function_response.response does not match to a display_name in the "
        "function_response.parts.",
        {
            (API, "gemini-3.8-flash"): "error",
            (VERTEX, "gemini-3.7-flash"): "error",
            (API, "gemini-2.5-flash"): "error",
            (API, "gemini-1.5-pro"): "warning",
            (GATEWAY, "gemini-3.8-flash"): "warning",
        },
    ),
    "a level of thinking, for a model that has none": Case(
        "thinking-level-unsupported",
        thinking(thinkingLevel="HIGH"),
        LEVEL,
        "Thinking level is not supported for this model.",
        {(API, "gemini-2.5-flash"): "error", (VERTEX, "gemini-2.5-pro"): "error"},
    ),
    "the least level, for a Pro": Case(
        "thinking-level-unsupported",
        thinking(thinkingLevel="MINIMAL"),
        LEVEL,
        "Thinking level is unsupported: THINKING_LEVEL_MINIMAL",
        {(API, "gemini-3.1-pro-preview"): "error", (API, "gemini-3.8-flash"): "error"},
    ),
    "a level of thinking in an interaction": Case(
        "ix-thinking-level",
        {"input": "Hi", "generation_config": {"thinking_level": "minimal"}},
        "/generation_config/thinking_level",
        "'minimal' is not a supported thinking level for this model. Allowed values are: medium, low, high.",
        {(INTERACTIONS, "gemini-3.7-flash"): "error", (INTERACTIONS, "gemini-3.1-pro-preview"): "warning"},
    ),
    "an empty text for nothing chosen": Case(
        "schema-enum-empty",
        declaring(one({"anyOf": [{"type": "string", "enum": ["", "a"]}]})),
        f"{PARAMETERS}/properties/x/anyOf/0/enum/0",
        "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[x].any_of[0].enum[0]: "
        "cannot be empty\n",
        {
            (API, "gemini-2.5-flash"): "error",
            (ASSIST, "gemini-3.6-flash"): "error",
            (VERTEX, "gemini-3.6-flash"): "warning",
        },
    ),
    "an enum that is promised and not given": Case(
        "schema-enum-empty",
        declaring(one({"type": "string", "format": "enum", "enum": []})),
        f"{PARAMETERS}/properties/x/enum",
        "GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[x].enum: should be non-empty "
        "for STRING type with enum format",
        {
            (VERTEX, "gemini-3-flash-preview"): "error",
            (VERTEX, "gemini-2.5-pro"): "warning",
            (API, "gemini-3.6-flash"): "warning",
        },
    ),
    "definitions left behind": Case(
        "schema-ref-undefined",
        declaring(one({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Y"}]}), "parametersJsonSchema"),
        f"{JSON_SCHEMA}/properties/x/anyOf/1/$ref",
        "reference to undefined schema at properties.x.anyOf.1",
        {(API, "gemini-2.5-pro"): "error", (VERTEX, "gemini-3.6-flash"): "warning"},
    ),
    "a reference with a type beside it": Case(
        "schema-ref-siblings",
        declaring(one({"$ref": "#/$defs/Y", "type": "object"}, **{"$defs": {"Y": {}}}), "parametersJsonSchema"),
        f"{JSON_SCHEMA}/properties/x",
        "$ref 'Y' was set alongside unsupported fields. If a schema node has $ref set, then only description and "
        "default can be set alongside it",
        {(API, "gemini-2.5-flash"): "warning"},
    ),
    "arrays that may hold too much together": Case(
        "schema-max-items",
        declaring(
            {"type": "object", "properties": {n: {"type": "array", "items": {}, "maxItems": 300} for n in "abcd"}},
            "parametersJsonSchema",
        ),
        JSON_SCHEMA,
        BARE,
        {
            (API, "gemini-3-flash-preview"): "error",
            (API, "gemini-3.8-flash"): "error",
            (API, "gemini-3.5-flash"): "warning",
            (VERTEX, "gemini-3.8-flash"): "warning",
        },
    ),
    "a safety category of pictures": Case(
        "safety-category",
        {"contents": [user("Hi")], "safetySettings": SAFETY},
        "/safetySettings/0/category",
        "* GenerateContentRequest.safety_settings[0]: element predicate failed: $.category in "
        "(HarmCategory.HARM_CATEGORY_HATE_SPEECH, HarmCategory.HARM_CATEGORY_HARASSMENT)",
        {(API, "gemini-2.5-flash"): "error"},
    ),
    "the end of a file's name for a type": Case(
        "mime-type",
        {"contents": [user("See", {"inlineData": {"mimeType": "image/jpg", "data": "iVBORw0KGgo="}})]},
        "/contents/0/parts/1/inlineData/mimeType",
        "Unsupported MIME type: image/jpg",
        {(API, "gemini-2.5-flash"): "error", (VERTEX, "gemini-2.5-flash"): "warning"},
    ),
    "bytes of no type": Case(
        "mime-type",
        {"contents": [user({"fileData": {"mimeType": "application/octet-stream", "fileUri": "gs://a/b"}})]},
        "/contents/0/parts/0/fileData/mimeType",
        "Unsupported MIME type: application/octet-stream",
        {(API, "gemini-3.6-flash"): "error"},
    ),
    "two calls of one content with one id": Case(
        "duplicate-function-call-id",
        {
            "contents": [
                user("Find both."),
                model(SIGNED, call("find", "c1")),
                user(answer("find", "c1"), answer("find", "c1")),
            ]
        },
        "/contents/1/parts/0",
        BARE,
        {
            (API, "gemini-3-flash-preview"): "error",
            (API, "gemini-3.1-flash-lite-preview"): "error",
            (API, "gemini-3.6-flash"): "warning",
        },
    ),
    "a response by a name that nothing has": Case(
        "function-response-name-mismatch",
        answered({"ok": True}, "unknown", tools=TOOLS),
        "/contents/2/parts/0",
        BARE,
        {
            (API, "gemini-3-flash-preview"): "error",
            (API, "gemini-3.1-flash-lite-preview"): "error",
            (API, "gemini-3.6-flash"): "warning",
        },
    ),
    "the Gemini API's own stand-in, on Vertex AI": Case(
        "stand-in-unknown-on-surface",
        {
            "contents": [
                user("Find it."),
                model({**call("find"), "thoughtSignature": "context_engineering_is_the_way_to_go"}),
                user(answer("find")),
            ]
        },
        "/contents/1/parts/0",
        "Unable to submit request because function call `default_api:find` in the 2. content block is missing a "
        "`thought_signature`.",
        {(VERTEX, "gemini-3-flash-preview"): "error", (VERTEX, "gemini-3.8-flash"): "error"},
    ),
    "a signature that is a written-out object": Case(
        "thought-signature-json",
        {
            "contents": [
                user("Find it."),
                model({**call("find", "c1"), "thoughtSignature": '{"index": 0, "id": "tool_1"}'}),
                user(answer("find", "c1")),
            ]
        },
        "/contents/1/parts/0/thoughtSignature",
        "Invalid value at 'contents[1].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed",
        {(API, "gemini-3-flash-preview"): "error", (GATEWAY, "gemini-3-flash-preview"): "warning"},
    ),
    "a signature on the words of the user": Case(
        "thought-signature-on-user",
        {"contents": [user({"text": "Hi", "thoughtSignature": "Ep4C"})]},
        "/contents/0/parts/0",
        "",
        {(API, "gemini-3.1-pro-preview"): "warning"},
    ),
    "more tokens than there are": Case(
        "max-output-tokens",
        configured(maxOutputTokens=655360),
        "/generationConfig/maxOutputTokens",
        "Unable to submit request because it has a maxOutputTokens value of 655360 but the supported range is from 1 "
        "(inclusive) to 8193 (exclusive). Update the value and try again.",
        {(VERTEX, "gemini-2.0-flash"): "error", (VERTEX, "gemini-1.5-pro"): "error"},
    ),
    "a picture asked for in another place": Case(
        "image-config",
        configured(responseFormat={"image": {"aspectRatio": "3:2"}}),
        "/generationConfig/responseFormat/image/aspectRatio",
        "Invalid value at 'generation_config.response_format.image.aspect_ratio' "
        '(type.googleapis.com/google.ai.generativelanguage.v1beta.ImageResponseFormat.AspectRatio), "3:2"',
        {(API, "gemini-3-pro-image"): "warning"},
    ),
    "a model that uses the computer, without one": Case(
        "computer-use",
        {"contents": [user("Hi")]},
        "",
        "This model requires the use of the Computer Use tool.",
        {
            (API, "gemini-2.5-computer-use-preview-10-2025"): "error",
            (VERTEX, "gemini-2.5-computer-use-preview-10-2025"): "warning",
        },
    ),
    "a single content without a role, on Vertex AI": Case(
        "role-missing",
        {"contents": [{"parts": [{"text": "Hi"}]}]},
        "/contents/0",
        "Please use a valid role: user, model.",
        {(VERTEX, "gemini-2.5-flash"): "warning"},
    ),
    "a name the other surface has": Case(
        "unknown-field",
        {"contents": [user({"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo=", "displayName": "a"}})]},
        "/contents/0/parts/0/inlineData/displayName",
        "Invalid JSON payload received. Unknown name \"displayName\" at 'contents[0].parts[0].inline_data': Cannot "
        "find field.",
        {(API, "gemini-2.5-flash"): "warning"},
    ),
}
# What `explain` gives first for a text, where that is another rule with the very words.
EXPLAINED = {
    "a single content without a role, on Vertex AI": "invalid-role",
    "the Gemini API's own stand-in, on Vertex AI": "missing-thought-signature",
}


def records(body: dict[str, Any], surface: str, name: str, said: Any = None, status: int = 200) -> Iterator[Record]:
    if surface in (CHAT, CHAT_VERTEX, INTERACTIONS):
        body = {**body, "model": name}
    elif surface == ASSIST:
        body = {"model": name, "project": "p", "request": body}
    return exchange(1, body, said, status, url=URLS[surface].format(name))


def judged(heard: Iterator[Record], *, predict: bool = False, memo: bool = True) -> list[Finding]:
    inspector = Inspector(RULES, predict=predict, memo=memo)
    found = [finding for record in heard for finding in inspector.feed(record)] + inspector.close()
    return [each for each in found if each.severity != "info"]


EACH = [(name, *where) for name, case in CASES.items() for where in case.severities]


@pytest.mark.parametrize(("name", "surface", "asked"), EACH)
def test_it_is_foreseen_at_its_place_as_bad_as_it_is_there(name: str, surface: str, asked: str) -> None:
    case, within = CASES[name], "/request" if surface == ASSIST else ""
    for memo in (True, False):
        (found,) = judged(records(case.body, surface, asked), predict=True, memo=memo)
        assert (found.rule, found.severity) == (case.rule, case.severities[surface, asked])
        assert found.place.pointer == f"/request/body{within}{case.pointer}"


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.text])
def test_a_rejection_with_its_text_is_put_down_to_it_and_to_nothing_else(name: str) -> None:
    case = CASES[name]
    surface, asked = next(iter(case.severities))
    (found,) = judged(records(case.body, surface, asked, error(case.text), 400))
    assert (found.rule, found.severity, found.server.verdict) == (case.rule, "error", "confirmed")


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.text not in ("", BARE)])
def test_its_text_is_explained(name: str) -> None:
    found = [rule.name for rule in likely(RULES.rules, CASES[name].text)]
    assert found[0] == EXPLAINED.get(name, CASES[name].rule)
    assert CASES[name].rule in found


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.text == BARE])
def test_where_it_is_only_a_warning_a_bare_rejection_is_told_with_it_as_a_cause(name: str) -> None:
    case = CASES[name]
    for surface, asked in [where for where, severity in case.severities.items() if severity == "warning"]:
        found = judged(records(case.body, surface, asked, error(BARE), 400))
        assert [each.rule for each in found] == [case.rule, "opaque-invalid-argument"]
        assert case.rule in found[1].message


def test_a_rejection_that_comes_again_is_told_once() -> None:
    case, inspector = CASES["a budget of 0 that is refused without a word"], Inspector(RULES)
    lines = [exchange(n, case.body, error(BARE), 400, name="gemini-3.5-flash-lite") for n in (1, 2)]
    found = [each for line in lines for record in line for each in inspector.feed(record)] + inspector.close()
    assert [(each.rule, each.place.line) for each in found] == [("thinking-budget", 1)]


ROLES: dict[str, str] = {"function": "function-role", "": "role-missing"}


@pytest.mark.parametrize("role", ROLES)
def test_the_older_words_for_a_role_are_put_down_to_the_role(role: str) -> None:
    contents = [user("Find it."), model(call("find")), {**user(answer("find")), "role": role}]
    found = judged(records({"contents": contents}, VERTEX, "gemini-2.5-flash",
                           error("Please use a valid role: user, model."), 400))  # fmt: skip
    assert [(each.rule, each.server.verdict) for each in found] == [(ROLES[role], "confirmed")]


MATCHED = answered({"chart": {"$ref": "a.png"}})
MATCHED["contents"][2]["parts"][0]["functionResponse"]["parts"] = [
    {"inlineData": {"displayName": "a.png", "mimeType": "image/png", "data": "iVBORw0KGgo="}}
]
PART_OF_THAT_NAME = {VERTEX: [], API: ["function-response-ref"]}


@pytest.mark.parametrize("surface", PART_OF_THAT_NAME)
def test_a_reference_to_a_part_that_is_there_is_for_vertex(surface: str) -> None:
    found = judged(records(MATCHED, surface, "gemini-3.6-flash"), predict=True)
    assert [each.rule for each in found] == PART_OF_THAT_NAME[surface]


EMPTY_BESIDE = {
    "a tool of Google's": ([{"googleSearch": {}}, {"functionDeclarations": []}], "gemini-2.5-flash", []),
    "a tool of Google's, for a newer model": (
        [{"functionDeclarations": []}, {"googleSearch": {}}],
        "gemini-3.6-flash",
        ["warning"],
    ),
    "functions": ([{"functionDeclarations": []}, *TOOLS], "gemini-2.5-flash", ["error"]),
    "nothing": ([{"functionDeclarations": []}], "gemini-2.5-flash", ["error"]),
}


@pytest.mark.parametrize("beside", EMPTY_BESIDE)
def test_an_entry_without_a_function_is_as_bad_as_what_stands_beside_it(beside: str) -> None:
    tools, name, severities = EMPTY_BESIDE[beside]
    found = judged(records({"contents": [user("Hi")], "tools": tools}, API, name), predict=True)
    assert (
        [each.severity for each in found if each.rule == "empty-tool-entry"]
        == severities
        == [each.severity for each in found]
    )


def test_an_older_model_of_the_agents_is_judged_as_what_it_is() -> None:
    assert RULES.models.band("gemini-3-flash-agent", "generate-content") == "gemini-3.5"


def test_tokens_that_thoughts_used_up_are_more_than_a_note() -> None:
    usage = {"promptTokenCount": 1, "thoughtsTokenCount": 96, "totalTokenCount": 97}
    said = reply({"role": "model"}, "MAX_TOKENS", usageMetadata=usage)
    (found,) = judged(records(configured(maxOutputTokens=100), API, "gemini-2.5-pro", said))
    assert (found.rule, found.severity) == ("max-tokens-before-answer", "warning")
    assert found.message.endswith("on thoughts: 96")


@pytest.mark.parametrize("words", ["not valid", "not found"])
def test_a_key_of_the_older_kind_is_spoken_of_where_keys_are_refused(words: str) -> None:
    inspector = Inspector(RULES)
    said = error(f"API key {words}. Please pass a valid API key.")
    found = [each for record in exchange(1, [user("Hi")], said, 400) for each in inspector.feed(record)]
    (one,) = found + inspector.close()
    assert (one.rule, one.severity) == ("api-key-invalid", "info")
    assert "AIza" in one.help


QUERIES = {
    "?alt=sse?key=AIzaX": ["url-parameter"],
    "?key=AIzaX?alt=sse": ["url-parameter"],
    "?alt=sse&key=AIzaX": [],
    "": [],
}


@pytest.mark.parametrize("query", QUERIES)
def test_a_second_question_mark_in_a_url_is_told(query: str) -> None:
    url = URLS[API].format("gemini-2.5-flash").replace("generate", "streamGenerate", 1) + query
    found = judged(exchange(1, [user("Hi")], url=url), predict=True)
    assert [each.rule for each in found] == QUERIES[query]


def test_the_text_of_a_broken_query_is_explained() -> None:
    text = "Invalid value \"sse?key=AIza\" for query parameter 'alt'"
    assert likely(RULES.rules, text)[0].name == "url-parameter"


def test_the_end_of_the_older_interactions_is_explained() -> None:
    text = (
        "The legacy Interactions API schema is no longer supported. Please upgrade your client SDK to Python >= 2.0.0"
    )
    assert likely(RULES.rules, text)[0].name == "ix-legacy-config"


# Sound, and near to what is not.
SOUND: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "thinking switched off where it can be": (
        thinking(thinkingBudget=0),
        [
            (API, name)
            for name in (
                *("gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-3-flash-preview", "gemini-3.1-flash-lite"),
                *("gemini-3.5-flash", "gemini-3.6-flash", "gemini-3.7-flash", "gemini-3.8-flash"),
                *("gemini-2.0-flash-exp", "gemini-flash-latest", "tunedModels/gemini-2.5-pro-mine"),
            )
        ],
    ),
    "a budget left to the model": (thinking(thinkingBudget=-1), [(API, "gemini-2.5-pro"), (VERTEX, "gemini-2.5-pro")]),
    "a budget as a text": (thinking(thinkingBudget="24576"), [(API, "gemini-2.5-flash")]),
    "a level of an interaction, on a model that has none elsewhere": (
        {"input": "Hi", "generation_config": {"thinking_level": "minimal"}},
        [(INTERACTIONS, "gemini-2.5-flash"), (INTERACTIONS, "gemini-3.6-flash")],
    ),
    "more tokens than it has, where nothing is known of that": (
        configured(maxOutputTokens=65536),
        [(API, "gemini-2.0-flash"), (VERTEX, "gemini-2.5-pro"), (VERTEX, "gemini-3.6-flash")],
    ),
    "a level it has": (thinking(thinkingLevel="LOW"), [(API, "gemini-3.1-pro-preview"), (API, "gemini-3.8-flash")]),
    "OpenAI's fields that nobody reports": (
        chat(stream=True, n=1, seed=3, user="u", stop=["x"], max_tokens=5, parallel_tool_calls=True, logprobs=False),
        [(CHAT, "gemini-2.5-flash")],
    ),
    "Google's own fields where they belong": (
        chat(extra_body={"google": {"thinking_config": {}}}, reasoning_effort="low"),
        [(CHAT, "gemini-3.6-flash")],
    ),
    "a value that reads like a reference": (
        answered({"key": "$ref", "href": "a", "ref": "b"}),
        [(API, "gemini-3.6-flash")],
    ),
    "a result that is a text": (answered({"output": '{"$ref": "#/$defs/X"}'}), [(API, "gemini-3.6-flash")]),
    "a schema with definitions of its own": (
        declaring(
            one({"$ref": "#/$defs/Y", "description": "y"}, **{"$defs": {"Y": {"type": "string"}}}),
            "parametersJsonSchema",
        ),
        [(API, "gemini-3.6-flash"), (VERTEX, "gemini-3.6-flash")],
    ),
    "arrays in moderation": (
        declaring(one({"type": "array", "items": {"type": "string"}, "maxItems": 960})),
        [(API, "gemini-3.8-flash")],
    ),
    "a category of pictures where there are some": (
        {"contents": [user("Hi")], "safetySettings": SAFETY},
        [(VERTEX, "gemini-2.5-flash-image")],
    ),
    "a type with parameters": (
        {"contents": [user({"inlineData": {"mimeType": "audio/l16;rate=16000", "data": "eA=="}})]},
        [(API, "gemini-2.5-flash")],
    ),
    "ids that come again in another content": (
        {
            "contents": [
                *(user("One."), model(SIGNED), user(answer("find", "c1")), model("Done.")),
                *(user("Two."), model(SIGNED), user(answer("find", "c1"))),
            ]
        },
        [(API, "gemini-3-flash-preview")],
    ),
    "labels where they are known": ({"contents": [user("Hi")], "labels": {"a": "b"}}, [(VERTEX, "gemini-2.5-flash")]),
}


@pytest.mark.parametrize(("name", "surface", "asked"), [(n, *at) for n, (_, each) in SOUND.items() for at in each])
def test_what_is_sound_and_near_to_it_is_left_alone(name: str, surface: str, asked: str) -> None:
    for memo in (True, False):
        assert judged(records(SOUND[name][0], surface, asked), predict=True, memo=memo) == []


DAYS = {"before": (1_789_516_799.0, ["thinking-budget"]), "since": (1_789_516_800.0, []), "no time": (None, [])}


@pytest.mark.parametrize("day", DAYS)
def test_what_a_model_takes_depends_on_the_day(day: str) -> None:
    at, rules = DAYS[day]
    inspector = Inspector(RULES, predict=True)
    found = []
    for line, model_name in enumerate(("gemini-3.6-flash",) * 2, 1):
        for record in exchange(line, thinking(thinkingBudget=0), name=model_name):
            found += inspector.feed(
                type(record)(**{**{f: getattr(record, f) for f in record.__struct_fields__}, "at": at})
            )
    assert [each.rule for each in found + inspector.close()] == rules
