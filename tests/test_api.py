"""Judging in a program: what check and lint take, and that neither is silently green."""

from pathlib import Path
from typing import Any

import pytest

import wirecheck

CALL = {"role": "model", "parts": [{"functionCall": {"name": "now", "args": {}}}]}
HISTORY = [{"role": "user", "parts": [{"text": "When?"}]}, CALL, {"role": "user", "parts": [{"text": "Never mind."}]}]
LOOP: list[Any] = []
LOOP.append(LOOP)
DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize("model", [None, "gemini-3.6-flash"])
@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (
            None,
            TypeError,
            "check takes a list of contents, or the body of a request with `contents` or `input`, not None",
        ),
        (5, TypeError, "not 5"),
        (object(), TypeError, "cannot be sent as JSON: object"),
        ({}, ValueError, "a body without `contents`: check takes a list of contents"),
        ({"messages": [{"role": "user", "content": "x"}]}, ValueError, "a body without `contents`"),
        (HISTORY[0], ValueError, "a body without `contents`"),
        ({"request": {}}, ValueError, "a body without `contents`"),
        ({"request": 3}, ValueError, "check takes a list of contents"),
        ([], ValueError, "an empty history"),
        ({"contents": []}, ValueError, "an empty history"),
        ({"contents": None}, ValueError, "an empty history"),
        ({"request": {"contents": []}}, ValueError, "an empty history"),
        ("[ ]", ValueError, "an empty history"),
        ({"input": []}, ValueError, "an empty history"),
        ({"input": ""}, ValueError, "an empty history"),
        ({"request": {"input": "Hi"}}, ValueError, "a body without `contents`"),
        ("5", ValueError, "check takes a list of contents"),
        ("null", ValueError, "check takes a list of contents"),
        ("", ValueError, "not JSON"),
        ("hello", ValueError, "not JSON"),
        (b'{"contents": [', ValueError, "not JSON"),
        ("[" * 100_000, ValueError, "not JSON"),
        (LOOP, ValueError, "it contains itself"),
        (DEEP, ValueError, "it contains itself, or is nested too deeply"),
    ],
)
def test_what_cannot_be_checked_is_never_sound(
    given: Any, error: type[Exception], said: str, model: str | None
) -> None:
    with pytest.raises(error) as raised:
        wirecheck.check(given, model=model)
    assert said in str(raised.value)


@pytest.mark.parametrize("model", [None, "gemini-3.6-flash"])
@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (HISTORY, "unanswered-function-call"),
        ({"contents": HISTORY}, "unanswered-function-call"),
        ({"request": {"contents": HISTORY}}, "unanswered-function-call"),
        ([5], "parts-missing"),
        (["hello"], "parts-missing"),
        ([{}], "parts-missing"),
        ([{"role": "user", "content": "hello"}], "parts-missing"),
        ({"contents": "hello"}, "parts-missing"),
    ],
)
def test_what_is_wrong_is_found_with_a_model_and_without(given: Any, rule: str, model: str | None) -> None:
    assert [finding.rule for finding in wirecheck.check(given, model=model)] == [rule]


def test_a_list_is_a_piece_of_a_history_and_a_body_a_request() -> None:
    piece = [HISTORY[0], {"role": "model", "parts": [{"text": "Now."}]}]
    assert wirecheck.check(piece) == []
    assert [finding.rule for finding in wirecheck.check({"contents": piece})] == ["trailing-model-turn"]


ASKED = {"type": "user_input", "content": [{"type": "text", "text": "When?"}]}
THOUGHT = {"type": "thought", "signature": "c2ln"}
STEPS = [ASKED, THOUGHT, {"type": "function_call", "id": "c1", "name": "now", "arguments": {}}]
RESULT = {"type": "function_result", "call_id": "c1", "result": "12:00"}


@pytest.mark.parametrize("surface", [None, "gemini-api", "vertex"])
@pytest.mark.parametrize(
    ("body", "rules"),
    [
        ({"input": "Hi"}, []),
        ({"input": [ASKED]}, []),
        ({"input": [*STEPS, {**RESULT, "name": "now"}]}, []),
        ({"input": [*STEPS, RESULT]}, ["ix-missing-result-name"]),
        ({"input": [*STEPS, ASKED]}, ["ix-unanswered-requires-action"]),
    ],
)
def test_a_body_with_an_input_is_an_interaction(body: Any, rules: list[str], surface: str | None) -> None:
    for given in (body, {**body, "model": "gemini-3-flash-preview"}):
        assert [finding.rule for finding in wirecheck.check(given, surface=surface)] == rules


def test_the_model_of_an_interaction_is_that_of_its_body_or_the_one_that_is_told() -> None:
    body = {"input": [ASKED, {"type": "model_output", "content": [{"type": "text", "text": "Sure:"}]}]}
    (found,) = wirecheck.check(body, model="gemini-3.8-flash", surface="gemini-api")
    assert (found.rule, found.severity, found.model) == ("ix-trailing-model-output", "error", "gemini-3.8-flash")
    (mild,) = wirecheck.check({**body, "model": "gemini-2.5-flash"}, model="gemini-3.8-flash", surface="gemini-api")
    assert mild.severity != "error"


def test_no_paths_are_no_log() -> None:
    with pytest.raises(wirecheck.CannotCheck, match="no paths: there is nothing to lint"):
        wirecheck.lint([])


def test_a_log_without_traffic_is_not_sound(tmp_path: Path) -> None:
    (log := tmp_path / "log.jsonl").write_text("3\n")
    with pytest.raises(wirecheck.CannotCheck, match=r"log\.jsonl was traffic"):
        wirecheck.lint(log)
