"""Sessions, events and eval sets of the Agent Development Kit: what is broken in them is found at its place."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import judged
from tests.sources.agents.samples import (
    ASKED,
    CALLED,
    CONTENTS,
    NEW_STEPS,
    OLD_STEPS,
    RETURNED,
    SPOKEN,
    Json,
    adk_session,
    eval_set,
    event,
    invocation,
    lines,
    snake,
)

LOST = "transcript-missing-function-response"
COUNT = "function-response-count-mismatch"


def only(content: Json, *numbers: int) -> Json:
    return {**content, "parts": [content["parts"][n] for n in numbers]}


@pytest.mark.parametrize("dumped", [lambda content: content, snake])
@pytest.mark.parametrize(
    ("contents", "found"),
    [
        (CONTENTS, []),
        # It ends in calls: nobody will answer them.
        ((ASKED, CALLED), [f"{LOST}: 1 /events/1/content/parts/0", f"{LOST}: 1 /events/1/content/parts/1"]),
        ((ASKED, CALLED, only(RETURNED, 0)), [f"{COUNT}: 1 /events/1/content/parts/1"]),
        ((ASKED, CALLED, only(RETURNED, 1), SPOKEN), [f"{COUNT}: 1 /events/1/content/parts/0"]),
        ((ASKED, CALLED, SPOKEN), [f"{LOST}: 1 /events/1/content/parts/0", f"{LOST}: 1 /events/1/content/parts/1"]),
    ],
)
def test_a_session(contents: tuple[Json, ...], found: list[str], dumped: Any, tmp_path: Path) -> None:
    session = adk_session(*(event(dumped(content)) for content in contents))
    assert judged(tmp_path, "s.json", json.dumps(session)) == found


def test_an_id_that_was_lost_is_found_at_the_response(tmp_path: Path) -> None:
    changed = json.loads(json.dumps(RETURNED))
    changed["parts"][1]["functionResponse"]["id"] = "n9"
    session = adk_session(*map(event, (ASKED, CALLED, changed, SPOKEN)))
    (found,) = judged(tmp_path, "s.json", json.dumps(session, indent=1))
    assert found == "function-response-id-mismatch: 49 /events/2/content/parts/1"


@pytest.mark.parametrize("under", ["", "/sessions"])
def test_several_sessions_are_a_conversation_each_with_the_lines_of_its_events(under: str, tmp_path: Path) -> None:
    sessions = [adk_session(*map(event, (ASKED, CALLED)))] * 2
    text = json.dumps({"sessions": sessions} if under else sessions, indent=1)
    depth = 4 if under else 3
    events = [n for n, line in enumerate(text.splitlines(), 1) if line == " " * depth + "{"]
    assert judged(tmp_path, "s.json", text) == [
        f"transcript-missing-function-response: {events[2 * n + 1]} {under}/{n}/events/1/content/parts/{part}"
        for n in (0, 1)
        for part in (0, 1)
    ]


def test_events_one_a_line(tmp_path: Path) -> None:
    assert judged(tmp_path, "e.jsonl", lines(*map(event, (ASKED, CALLED, only(RETURNED, 0), SPOKEN)))) == [
        f"{COUNT}: 4 /content"
    ]


def test_events_as_a_list(tmp_path: Path) -> None:
    events = [event(content) for content in (ASKED, CALLED, only(RETURNED, 0), SPOKEN)]
    assert judged(tmp_path, "e.json", json.dumps(events)) == [f"{COUNT}: 1 /1/content/parts/1"]


def test_a_line_that_breaks_off_is_told_and_the_others_are_judged(tmp_path: Path) -> None:
    told = judged(tmp_path, "e.jsonl", lines(*map(event, (ASKED, CALLED))) + '{"content": {\n')
    assert told == ["unreadable-line: 3", f"{LOST}: 2 /content/parts/0", f"{LOST}: 2 /content/parts/1"]


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("400 INVALID_ARGUMENT. {'error': {'code': 400, 'message': 'Odd.'}}", ["unexplained-rejection: 1 /content"]),
        ("429 RESOURCE_EXHAUSTED. {'error': {'code': 429, 'message': 'Odd.'}}", []),
        ("no flights", []),
        (None, []),
    ],
)
def test_what_the_server_refused(told: str | None, found: list[str], tmp_path: Path) -> None:
    failed = {**event(None, 2), "errorCode": "INVALID_ARGUMENT", "errorMessage": told}
    assert judged(tmp_path, "e.jsonl", lines(event(ASKED), failed)) == found


AT = "1 /eval_cases/0/conversation/0"


@pytest.mark.parametrize(
    ("steps", "final", "found"),
    [
        (OLD_STEPS, SPOKEN, []),
        (NEW_STEPS, SPOKEN, []),
        # Old kits keep no responses.
        ({**OLD_STEPS, "tool_responses": []}, SPOKEN, []),
        # Who expects calls need not say what they return.
        ({"invocation_events": NEW_STEPS["invocation_events"][:1]}, SPOKEN, []),
        (
            {**OLD_STEPS, "tool_responses": OLD_STEPS["tool_responses"][:1]},
            SPOKEN,
            [f"{COUNT}: {AT}/intermediate_data/tool_uses/1"],
        ),
        # The run ended with the calls, which are told twice.
        (
            {**OLD_STEPS, "tool_responses": []},
            CALLED,
            [f"{LOST}: {AT}/final_response/parts/0", f"{LOST}: {AT}/final_response/parts/1"],
        ),
        (
            {"invocation_events": NEW_STEPS["invocation_events"][:1]},
            CALLED,
            [
                f"{LOST}: {AT}/intermediate_data/invocation_events/0/content/parts/0",
                f"{LOST}: {AT}/intermediate_data/invocation_events/0/content/parts/1",
            ],
        ),
        # It ended with nothing.
        (
            {**OLD_STEPS, "tool_responses": []},
            None,
            [f"{LOST}: {AT}/intermediate_data/tool_uses/0", f"{LOST}: {AT}/intermediate_data/tool_uses/1"],
        ),
        ({}, SPOKEN, []),
    ],
)
def test_an_eval_set(steps: Json, final: Json | None, found: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "k.evalset.json", json.dumps(eval_set(invocation(steps, final)))) == found


def test_an_eval_set_in_camel_case(tmp_path: Path) -> None:
    steps = {"invocationEvents": [{"author": "cook", "content": CALLED}, {"content": only(RETURNED, 1)}]}
    case = {"conversation": [{"userContent": ASKED, "finalResponse": SPOKEN, "intermediateData": steps}]}
    assert judged(tmp_path, "k.json", json.dumps({"evalSetId": "set", "evalCases": [case]})) == [
        f"{COUNT}: 1 /evalCases/0/conversation/0/intermediateData/invocationEvents/0/content/parts/0"
    ]


def test_cases_do_not_know_each_other(tmp_path: Path) -> None:
    first, second = invocation(NEW_STEPS, None), invocation({}, SPOKEN)
    written = eval_set(first)
    written["eval_cases"].append({"eval_id": "other", "conversation": [second]})
    assert judged(tmp_path, "k.json", json.dumps(written)) == []
