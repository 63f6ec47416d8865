"""Messages, steps and generations of Vercel's AI SDK."""

import json
from pathlib import Path

import pytest

from tests.sources.agents.judged import findings, judged
from tests.sources.agents.samples import (
    AI_MESSAGES,
    AI_STEPS,
    ASKED,
    CALLED,
    GENERATION,
    NEXT_GENERATION,
    REPLY,
    RETURNED,
    UI_MESSAGES,
    Json,
    ai_call,
    ai_error,
    ai_result,
    ai_step,
    generation,
    generations,
    lines,
    shown,
)
from tests.sources.agents.test_adk import only

LOST = "transcript-missing-function-response"
COUNT = "function-response-count-mismatch"
SAID, CALLING, GIVEN, SPOKEN = AI_MESSAGES


def calling(*content: Json) -> Json:
    return {"role": "assistant", "content": [*content]}


def giving(*content: Json) -> Json:
    return {"role": "tool", "content": [*content]}


APPROVAL = {"type": "tool-approval-request", "approvalId": "a1", "toolCallId": "n2"}


@pytest.mark.parametrize(
    ("messages", "found"),
    [
        (AI_MESSAGES, []),
        ((CALLING, GIVEN, SPOKEN), []),
        ((SAID, CALLING), [f"{LOST}: 1 /1/content/1", f"{LOST}: 1 /1/content/2"]),
        ((SAID, CALLING, giving(ai_result(0)), SPOKEN), [f"{COUNT}: 1 /1/content/2"]),
        ((SAID, CALLING, giving(ai_result(0)), giving(ai_result(1)), SPOKEN), []),
        (
            (SAID, calling(ai_call(0)), giving(ai_result(1)), SPOKEN),
            ["function-response-id-mismatch: 1 /2/content/0"],
        ),
        # The user is asked first.
        ((SAID, calling(ai_call(0), ai_call(1), APPROVAL), giving(ai_result(0))), []),
        ((SAID, calling(ai_call(1), APPROVAL)), []),
        ((SAID, calling(ai_call(0), ai_call(1), APPROVAL)), [f"{LOST}: 1 /1/content/0"]),
        # The provider ran it.
        ((SAID, calling(ai_call(0, providerExecuted=True), ai_call(1)), giving(ai_result(1)), SPOKEN), []),
        # Older versions.
        (
            (
                *(SAID, calling({"type": "tool-call", "toolCallId": "n1", "toolName": "needed", "args": {}})),
                *(giving({"type": "tool-result", "toolCallId": "n1", "toolName": "needed", "result": 7}), SPOKEN),
            ),
            [],
        ),
    ],
)
def test_messages(messages: tuple[Json, ...], found: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "m.json", json.dumps(messages)) == found
    held = [each.replace(" /", " /messages/") for each in found]
    assert judged(tmp_path, "h.json", json.dumps({"id": "c1", "messages": messages})) == held


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_message_has_the_line_it_begins_on(wrapped: bool, tmp_path: Path) -> None:
    said = [SAID, SPOKEN, SAID, CALLING]
    text = json.dumps({"messages": said} if wrapped else said, indent=1)
    begins = [n for n, line in enumerate(text.splitlines(), 1) if line == " " * (1 + wrapped) + "{"]
    at = f"{begins[3]} {'/messages' * wrapped}/3/content"
    assert judged(tmp_path, "m.json", text) == [f"{LOST}: {at}/1", f"{LOST}: {at}/2"]


def test_messages_one_a_line(tmp_path: Path) -> None:
    assert judged(tmp_path, "m.jsonl", lines(*AI_MESSAGES)) == []
    assert judged(tmp_path, "b.jsonl", lines(SAID, CALLING)) == [f"{LOST}: 2 /content/1", f"{LOST}: 2 /content/2"]


def ui(*parts: Json) -> str:
    return json.dumps([UI_MESSAGES[0], {"id": "m2", "role": "assistant", "parts": [{"type": "step-start"}, *parts]}])


WORDS: Json = {"type": "text", "text": "Leeks."}
V4 = {"state": "call", "toolCallId": "n1", "toolName": "needed", "args": {}}


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ((shown(0), shown(1), WORDS), []),
        ((shown(0), {"type": "step-start"}, shown(1), {"type": "step-start"}, WORDS), []),
        ((shown(0, state="input-available", output=None),), [f"{LOST}: 1 /1/parts/1"]),
        ((shown(0), shown(1, state="input-available"), WORDS), [f"{COUNT}: 1 /1/parts/2"]),
        ((shown(0, state="approval-requested"),), []),
        ((shown(0, state="output-error", errorText="Fire."), WORDS), []),
        ((shown(0, state="input-available", providerExecuted=True), WORDS), []),
        (
            ({**shown(0, state="input-available"), "type": "dynamic-tool", "toolName": "needed"},),
            [f"{LOST}: 1 /1/parts/1"],
        ),
        (({"type": "tool-invocation", "toolInvocation": V4},), [f"{LOST}: 1 /1/parts/1/toolInvocation"]),
        (({"type": "tool-invocation", "toolInvocation": {**V4, "state": "result", "result": 7}}, WORDS), []),
    ],
)
def test_messages_of_a_user_interface(parts: tuple[Json, ...], found: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "ui.json", ui(*parts)) == found


FIRST, SECOND = AI_STEPS
PARTS = "Please ensure that the number of function response parts is equal to the number of function call parts"
LACKING: Json = {"contents": [ASKED, CALLED, only(RETURNED, 0)], "generationConfig": {}}


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        (AI_STEPS, []),
        ((FIRST, {**SECOND, "request": {"body": LACKING}}), [f"{COUNT}: 1 /1/request/body/contents/1/parts/1"]),
        # It stopped after the tools, of which one gave nothing.
        ((FIRST,), []),
        ((ai_step(0, GENERATION, REPLY, ai_call(0), ai_call(1), ai_result(0)),), [f"{COUNT}: 1 /0/content/1"]),
        (
            (ai_step(0, GENERATION, REPLY, ai_call(0), ai_call(1)),),
            [f"{LOST}: 1 /0/content/0", f"{LOST}: 1 /0/content/1"],
        ),
        (
            (ai_step(0, GENERATION, REPLY, ai_call(1), {**APPROVAL, "toolCallId": None, "toolCall": ai_call(1)}),),
            [],
        ),
    ],
)
def test_steps(steps: tuple[Json, ...], found: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "steps.json", json.dumps(steps)) == found
    held = [each.replace(" /", " /steps/", 1) for each in found]
    assert judged(tmp_path, "held.json", json.dumps({"text": "", "steps": steps})) == held


def test_steps_without_bodies(tmp_path: Path) -> None:
    bare = [{**step, "request": {}, "response": {"modelId": "x"}} for step in AI_STEPS]
    assert judged(tmp_path, "steps.json", json.dumps(bare)) == []
    bare[0]["content"] = [ai_call(0), ai_call(1), ai_result(0)]
    assert judged(tmp_path, "steps.json", json.dumps(bare)) == [f"{COUNT}: 1 /0/content/1"]


def test_model_and_surface_of_steps(tmp_path: Path) -> None:
    path = tmp_path / "steps.json"
    vertex = {"provider": "google.vertex.chat", "modelId": "gemini-2.5-flash"}
    for step, surface in (
        ({**SECOND, "request": {"body": LACKING}}, "gemini-api"),
        ({**SECOND, "model": vertex}, "vertex"),
    ):
        path.write_text(json.dumps([{**step, "request": {"body": LACKING}}]))
        (found,) = (each for each in findings(path)[0] if each.rule == COUNT)
        assert (found.model, found.surface) == ("gemini-2.5-flash", surface)


def test_a_sound_generation_on_vertex(tmp_path: Path) -> None:
    vertex = {"provider": "google.vertex.chat", "modelId": "gemini-2.5-flash"}
    assert judged(tmp_path, "steps.json", json.dumps([{**step, "model": vertex} for step in AI_STEPS])) == []


def test_a_step_of_another_provider_is_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "steps.json"
    path.write_text(json.dumps([{**FIRST, "model": {"provider": "openai.responses", "modelId": "x"}}]))
    _, _, inspector = findings(path)
    assert "a step that asked another model than Google's" in str(inspector.checked.skipped)


@pytest.mark.parametrize(
    ("body", "message", "found"),
    [
        (LACKING, PARTS, [f"{COUNT}: 1 /requestBodyValues/contents/1/parts/1"]),
        (NEXT_GENERATION, "Odd.", ["unexplained-rejection: 1 /requestBodyValues"]),
    ],
)
def test_errors(body: Json, message: str, found: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "e.jsonl", lines(ai_error(body, 400, message))) == found


@pytest.mark.parametrize(
    ("step", "found"),
    [
        (generation(1, LACKING, None), [f"{COUNT}: 1 /steps/0/raw_request » /contents/1/parts/1"]),
        (
            generation(1, GENERATION, None, error='Bad: {"error":{"code":400,"message":"Odd."}}'),
            ["unexplained-rejection: 1 /steps/0/raw_request »"],
        ),
        (generation(1, GENERATION, None, error="fetch failed"), []),
        # The response of a stream is made of its chunks.
        (
            generation(
                *(1, GENERATION, None),
                type="stream",
                raw_chunks=json.dumps([REPLY]),
                raw_response=json.dumps([{"type": "stream-start"}]),
            ),
            [],
        ),
        # It failed: there is no body.
        (generation(1, None, None, input=json.dumps({"prompt": AI_MESSAGES[:3]}), error="Odd."), []),
        (
            generation(1, None, None, input=json.dumps({"prompt": [SAID, CALLING, SPOKEN]}), error="Odd."),
            [f"{LOST}: 1 /steps/0/input » /prompt/1/content/1", f"{LOST}: 1 /steps/0/input » /prompt/1/content/2"],
        ),
    ],
)
def test_generations(step: Json, found: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "generations.json", json.dumps(generations(step))) == found
