"""Texts that say nothing: what they are known to come of, by surface and model, with the rule that finds it."""

import json

import pytest

from wirecheck.rules import load
from wirecheck.rules.pages.vague_page import VAGUE, WORDLESS, VagueText, vague_page
from wirecheck.rules.server_word.texts import predicts

RULES = load().rules
NAMES = {rule.name for rule in RULES}
CAUSES = [cause for row in VAGUE for cause in (*row.http, *row.live)] + [
    each for one in WORDLESS.values() for each in one
]


def test_every_rule_it_names_is_there() -> None:
    assert {name for cause in CAUSES for name in cause.rules} | {name for row in VAGUE for name in row.owners} <= NAMES


@pytest.mark.parametrize("row", VAGUE, ids=lambda row: row.text)
def test_every_rule_with_such_a_text_is_named(row: VagueText) -> None:
    page = vague_page(f"{row.text}.", RULES) or ""
    assert [rule.name for rule in RULES if predicts(rule, row.text) and rule.name not in page] == []


SAID = {
    "Request contains an invalid argument.": [
        "opaque-invalid-argument",
        "function-response-name-mismatch",
        "Vertex AI",
    ],
    "Requested entity was not found.": ["live-model-not-live", "session-resume-handle-unknown", "model-name-format"],
    "Internal error encountered.": ["live-modality-unsupported", "session-resume-model-changed", "500"],
    "Internal error occurred.": ["session-resume-overlap"],
}


@pytest.mark.parametrize(("text", "said"), SAID.items())
def test_the_causes_are_told_by_surface_and_model_however_the_text_is_pasted(text: str, said: list[str]) -> None:
    body = json.dumps({"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}})
    for pasted in (text, text.upper(), body, json.dumps(body), f"2026-11-19 08:15:03 ERROR worker: {text}"):
        page = vague_page(pasted, RULES) or ""
        assert [word for word in said if word not in page] == []
        assert page.index("Over HTTP") < page.index("In a Live session")


def test_with_the_code_of_a_close_live_sessions_come_first() -> None:
    page = vague_page("received 1007 (invalid frame payload data) Request contains an invalid argument.", RULES) or ""
    assert page.index("In a Live session") < page.index("Over HTTP")


@pytest.mark.parametrize("text", ["", "  ", '""', "''"])
def test_no_reason_at_all_is_told_by_code(text: str) -> None:
    page = vague_page(text, RULES) or ""
    assert [code for code in ("1007", "1008", "1011", "input-while-tool-pending") if code not in page] == []


@pytest.mark.parametrize(
    "text",
    [
        "Corrupted thought signature.",
        "Corrupted thought signature. Request contains an invalid argument.",
        "the dog ate it",
    ],
)
def test_a_text_that_says_something_has_no_such_page(text: str) -> None:
    assert vague_page(text, RULES) is None


def test_a_rule_that_is_not_there_is_not_named() -> None:
    few = [rule for rule in RULES if rule.name != "live-client-content-role"]
    assert "live-client-content-role" not in (vague_page("Request contains an invalid argument.", few) or "")
