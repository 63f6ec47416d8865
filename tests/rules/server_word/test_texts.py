"""Texts: what a server says is what a rule knows, however it is written; and which rule a pasted text speaks of."""

import json
import time

import pytest

from tests.rules.make import rule
from tests.rules.server_word.server_texts import TEXTS, TOOL, begun, pasted
from wirecheck.rules import Rule, load
from wirecheck.rules.server_word.texts import likeliest, likely, opaque, predicts

RULES = load().rules
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


@pytest.mark.parametrize(("text", "name"), TEXTS.items())
def test_the_rule_whose_text_it_is_comes_first_however_it_is_pasted(text: str, name: str) -> None:
    for form in pasted(text):
        assert likely(RULES, form)[0].name == name


@pytest.mark.parametrize("size", [40, 60, 80])
@pytest.mark.parametrize("text", TEXTS)
def test_so_does_one_of_those_that_begin_as_what_is_left_of_a_text(text: str, size: int) -> None:
    cut = text[:size]
    for form in (cut, f"{cut}…", f"2026-11-19T08:15:03Z ERROR [worker-7] request failed: {cut}..."):
        assert likely(RULES, form)[0].name in begun(cut)


def test_rules_that_none_is_likelier_than_are_told_together() -> None:
    several = likeliest(RULES, "Operation is not implemented, or supported, or enabled.")
    assert [each.name for each in several[0]] == [
        "input-while-tool-pending",
        "live-unsupported-part",
        "live-realtime-input-fields",
    ]
    (owner, *_), *_ = likeliest(RULES, "Function call is missing a thought_signature in functionCall parts.")
    assert owner.name == "missing-thought-signature"


@pytest.mark.parametrize(
    "text",
    [
        "the dog ate it",
        "Please try again later.",
        "connection reset by peer while reading",
        "Image output is not enabled for models/gemma-3-27b-it",
        "Unable to submit request because it has a fooBar value of 3 but the supported range is from 1 (inclusive)",
        "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[x].frob: must be blue\n",
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
    for said in (text, json.dumps([{"error": {"code": 400, "message": text}}]), f"ApiError: [400] {text}"):
        assert likely(RULES, said)[0].name == name
