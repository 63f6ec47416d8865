"""Sound conversations over the Interactions API and the OpenAI-style endpoint, broken in every way that is known."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wirecheck import Inspector, load
from wirecheck.sources import read_file

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
RULESET = load()
MODELS = ("gemini-1.5-pro", "gemini-2.5-flash", "gemini-3-flash-preview", "gemini-3.5-flash", "gemini-3.6-flash")
HOSTS = {
    "gemini-api": "https://generativelanguage.googleapis.com/v1beta/",
    "vertex": "https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global/",
}
Break = Callable[[list[Any]], object]  # of the entries of a request


def told(story: str, entries: str, broken: Break, model: str, surface: str) -> list[tuple[str, str]]:
    """What is found in the first two exchanges of a story, the second one broken."""
    lines = [json.loads(line) for line in (FIXTURES / story / "log.jsonl").read_text("utf-8").splitlines()][:2]
    broken(lines[1]["request"]["body"][entries])
    for line in lines:
        line["request"]["body"]["model"] = model
        line["request"]["url"] = line["request"]["url"].replace(HOSTS["gemini-api"], HOSTS[surface])
    inspector, given = Inspector(RULESET, predict=True), []
    for record in read_file(io.BytesIO("\n".join(map(json.dumps, lines)).encode()), "log.jsonl"):
        given += inspector.feed(record)
    given += inspector.close()
    assert {one.place.line for one in given if one.severity != "info"} <= {2}
    return [(one.rule, one.severity) for one in given if one.severity != "info"]


def drop(*numbers: int) -> Break:
    return lambda entries: [entries.pop(n) for n in sorted(numbers, reverse=True)]


def put(n: int, **fields: Any) -> Break:
    return lambda entries: entries[n].update(fields)


def without(n: int, field: str) -> Break:
    return lambda entries: entries[n].pop(field)


def both(*breaks: Break) -> Break:
    return lambda entries: [one(entries) for one in breaks]


def add(entry: Any) -> Break:
    return lambda entries: entries.append(entry)


NEVER_MIND = {"type": "user_input", "content": [{"type": "text", "text": "Never mind"}]}
# 0 the user, 1 a thought, 2 and 3 calls, 4 and 5 their results
STEPS: dict[str, tuple[Break, list[tuple[str, str]]]] = {
    "sound": (drop(), []),
    "a result is lost": (drop(5), [("ix-result-count-mismatch", "error")]),
    "a result comes twice": (lambda said: said.append(said[5]), [("ix-result-count-mismatch", "error")]),
    "no result": (both(drop(4, 5), add(NEVER_MIND)), [("ix-unanswered-requires-action", "error")] * 2),
    "another id": (put(4, call_id="x"), [("ix-result-mismatch", "error")]),
    "another name": (put(4, name="x"), [("ix-result-mismatch", "error")]),
    "no id": (without(4, "call_id"), [("ix-missing-call-id", "warning")]),
    "no name": (without(5, "name"), [("ix-missing-result-name", "error")]),
    "an id of its own": (put(4, id="x"), [("ix-unknown-step-field", "error")]),
    "a call_id on the call": (put(2, call_id="x"), [("ix-unknown-step-field", "error")]),
    "one id for both": (both(put(3, id="hv1a"), put(5, call_id="hv1a")), [("ix-duplicate-call-id", "error")]),
    "the calls are lost": (drop(1, 2, 3), [("ix-result-without-call", "error")] * 2),
    "an empty text": (put(0, content=[{"type": "text", "text": ""}]), [("ix-empty-text", "error")]),
}
# What only some bands ask for.
BY_BAND: dict[str, tuple[Break, str, tuple[str, ...]]] = {
    "the thought is lost": (drop(1), "ix-unsigned-thought", MODELS[2:]),
    "the signature is lost": (without(1, "signature"), "ix-unsigned-thought", MODELS[2:]),
    "the model speaks last": (
        add({"type": "model_output", "content": [{"type": "text", "text": "Hive"}]}),
        "ix-trailing-model-output",
        MODELS[4:],
    ),
}
STORY = "hives-interactions-stateless-sound"


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("surface", HOSTS)
@pytest.mark.parametrize(("broken", "expected"), STEPS.values(), ids=STEPS)
def test_broken_steps(broken: Break, expected: list[tuple[str, str]], surface: str, model: str) -> None:
    assert told(STORY, "input", broken, model, surface) == expected


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("surface", HOSTS)
@pytest.mark.parametrize(("broken", "rule", "models"), BY_BAND.values(), ids=BY_BAND)
def test_what_only_some_bands_ask_for(
    broken: Break, rule: str, models: tuple[str, ...], surface: str, model: str
) -> None:
    assert told(STORY, "input", broken, model, surface) == ([(rule, "error")] if model in models else [])


# 0 and 1 results; the calls stand with the server
KEPT: dict[str, tuple[Break, list[tuple[str, str]]]] = {
    "sound": (drop(), []),
    "a result is lost": (drop(0), [("ix-result-count-mismatch", "error")]),
    "no result": (both(drop(0, 1), add(NEVER_MIND)), [("ix-unanswered-requires-action", "error")] * 2),
    "another id": (put(0, call_id="x"), [("ix-result-mismatch", "error")]),
    "another name": (put(1, name="x"), [("ix-result-mismatch", "error")]),
    "one too many": (lambda said: said.append(said[1]), [("ix-result-count-mismatch", "error")]),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("broken", "expected"), KEPT.values(), ids=KEPT)
def test_broken_results_of_calls_the_server_keeps(broken: Break, expected: list[tuple[str, str]], model: str) -> None:
    assert told("tides-interactions-sound", "input", broken, model, "gemini-api") == expected


def unsigned(messages: list[Any]) -> None:
    messages[1]["tool_calls"][0].pop("extra_content")


# 0 the user, 1 both calls, 2 and 3 tool messages
MESSAGES: dict[str, tuple[Break, list[tuple[str, str]]]] = {
    "sound": (drop(), []),
    "a tool message is lost": (drop(3), [("function-response-count-mismatch", "error")]),
    "another id, no name": (
        both(put(2, tool_call_id="x"), without(2, "name")),
        [("oai-tool-id-unresolvable", "error")],
    ),
    "another id": (put(2, tool_call_id="x"), [("oai-tool-id-unresolvable", "warning")]),
    "no id": (without(2, "tool_call_id"), [("oai-tool-id-unresolvable", "warning")]),
    "another name": (put(2, name="x"), [("function-response-name-mismatch", "warning")]),
    "the calls are lost": (drop(1), [("oai-tool-id-unresolvable", "warning")] * 2),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("broken", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_broken_messages(broken: Break, expected: list[tuple[str, str]], model: str) -> None:
    assert told("mugs-openai-compat-stream-sound", "messages", broken, model, "gemini-api") == expected


@pytest.mark.parametrize("model", MODELS)
def test_a_dropped_signature(model: str) -> None:
    expected = [("oai-signature-dropped", "error")] if model in MODELS[2:] else []
    assert told("mugs-openai-compat-stream-sound", "messages", unsigned, model, "gemini-api") == expected
