"""Exports of Langfuse: generations that recite their history are one conversation, in whichever framework's form."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import findings, judged
from tests.sources.agents.samples import Json, lines
from tests.sources.telemetry.samples import (
    AGENT,
    FRAMEWORKS,
    MODEL,
    OPENAI,
    REFUSED,
    TOOL,
    observation,
    plain,
    row,
    table,
    trace,
    turns,
)
from tests.sources.telling import singly
from wirecheck.dialects.messages import Spot
from wirecheck.sources import Reader
from wirecheck.wire.records import Frame

LOST, COUNT = "transcript-missing-function-response", "function-response-count-mismatch"
ADK = FRAMEWORKS["google-adk"]
TRACE = {"id": "t1", "projectId": "p1", "timestamp": "2026-01-02T03:04:00.000Z", "bookmarked": False}


def written(*observations: Json) -> str:
    return json.dumps(trace(*observations))


def conversations(folder: Path, text: str) -> tuple[list[str], int]:
    """What is found, and in how many conversations."""
    path = folder / "export.json"
    path.write_text(text)
    found, reader, inspector = findings(path)
    assert reader.problems == []
    return [each.rule for each in found if each.severity != "info"], inspector.checked.conversations


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_sound_conversation_is_one_and_nothing_is_found(name: str, tmp_path: Path) -> None:
    for make in (lambda each: each, plain, twice):
        text = written(AGENT, *map(make, turns(FRAMEWORKS[name])), TOOL)
        assert conversations(tmp_path, text) == ([], 1)


def twice(observed: Json) -> Json:
    """The texts as texts once more."""
    return {**observed, **{key: json.dumps(observed[key]) for key in ("input", "output")}}


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_response_that_lacks_is_found_where_the_call_is_recited(name: str, tmp_path: Path) -> None:
    framework = FRAMEWORKS[name]
    (told,) = judged(tmp_path, "x.json", written(*turns(framework, framework.lacking())))
    rule, _, place = told.partition(": ")
    at, _, inside = place.partition(" » ")
    assert (rule, at) == (COUNT, "1 /observations/0/input")
    listed = framework.given(framework.lacking())
    messages = listed[framework.where[1:]] if framework.where else listed
    number = messages.index(framework.called)
    assert inside.startswith(f"{framework.where}/{number}")
    assert walked(listed, inside) in contained(framework.called)


def walked(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def contained(message: Json) -> list[Any]:
    """What may be pointed to of a message with two calls: the second, as it stands."""
    told = {**message, **message.get("additional_kwargs", {})}
    return next(each for each in told.values() if isinstance(each, list))


@pytest.mark.parametrize("make", [plain, lambda each: each], ids=["values", "texts"])
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_places_of_what_was_put_together(name: str, make: Any, tmp_path: Path) -> None:
    """Each part leads to what it was made of."""
    path, some = tmp_path / "x.json", trace(*map(make, turns(FRAMEWORKS[name])))
    path.write_text(json.dumps(some))
    followed = 0
    for frame in (each for each in singly(Reader([str(path)])) if isinstance(each, Frame)):
        for n, part in enumerate(json.loads(frame.body.raw)["parts"]):
            place = Spot(frame.body.site).to("parts", n).place()
            stands = walked(some, place.pointer)
            if place.inner is not None:
                stands = walked(json.loads(stands), place.inner.pointer)
            written = json.dumps(stands, ensure_ascii=False)
            told = next(each for each in part.values() if each is not None)
            assert told == stands or told in written if isinstance(told, str) else f'"{told["id"]}"' in written
            followed += 1
    assert followed >= 6


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_call_that_nobody_answered_is_found_in_the_history_and_at_the_end(name: str, tmp_path: Path) -> None:
    framework = FRAMEWORKS[name]
    passed_over = (framework.asked, framework.called, framework.asked)
    assert conversations(tmp_path, written(*turns(framework, passed_over))) == ([LOST, LOST], 1)
    assert conversations(tmp_path, written(turns(framework)[0])) == ([LOST, LOST], 1)


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({}, 2),
        # The model had to call: who asked wants the arguments.
        ({"modelParameters": {"toolChoice": '{"type":"required"}'}}, 0),
        ({"modelParameters": {"tool_choice": {"type": "function", "function": {"name": "needed"}}}}, 0),
        ({"modelParameters": '{"tool_choice": "any"}'}, 0),
        ({"modelParameters": {"toolChoice": '{"type":"auto"}', "mode": None}}, 2),
    ],
)
def test_what_a_trace_says_of_calls_that_it_ends_with(more: Json, found: int, tmp_path: Path) -> None:
    (first, _) = turns(OPENAI)
    assert conversations(tmp_path, written({**first, **more})) == ([LOST] * found, 1)


@pytest.mark.parametrize(("name", "found"), [("needed", []), ("final_result", [LOST, LOST])])
def test_a_tool_that_is_declared_as_the_result(name: str, found: list[str], tmp_path: Path) -> None:
    """As pydantic-ai does it: nobody answers its call."""
    declared = json.dumps({"output_mode": "tool", "output_tools": [{"name": name}]})
    metadata = json.dumps({"attributes": {"model_request_parameters": declared}})
    (first, _) = turns(FRAMEWORKS["pydantic-ai"])
    assert conversations(tmp_path, written({**first, "metadata": metadata})) == (found, 1)


def test_a_call_by_the_mode_of_the_config(tmp_path: Path) -> None:
    (first, _) = turns(FRAMEWORKS["google-genai"])
    given = {**json.loads(first["input"]), "config": {"tool_config": {"function_calling_config": {"mode": "ANY"}}}}
    assert conversations(tmp_path, written({**first, "input": json.dumps(given)})) == ([], 1)


@pytest.mark.parametrize("kind", ["TOOL", "SPAN"])
def test_a_tool_that_was_executed_answered(kind: str, tmp_path: Path) -> None:
    """The turn that tells the model of it is not in the trace."""
    (first, _) = turns(OPENAI)
    assert conversations(tmp_path, written(first, {**TOOL, "type": kind})) == ([], 1)
    assert conversations(tmp_path, written(first, {**TOOL, "type": kind, "name": "other"})) == ([LOST, LOST], 1)
    assert conversations(tmp_path, written(first, {**TOOL, "type": kind, "traceId": "t2"})) == ([LOST, LOST], 1)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (lambda some: json.dumps({"data": some, "meta": {}}), "1 /data/1/input"),
        (lambda some: json.dumps(some), "1 /1/input"),
        (lambda some: json.dumps(some, indent=1), "{line} /1/input"),
        (lambda some: json.dumps({"trace": {**TRACE, "observations": some}}), "1 /trace/observations/1/input"),
        (lambda some: json.dumps({**TRACE, "observations": some}), "1 /observations/1/input"),
        (lambda some: lines(*some), "2 /input"),
        (lambda some: lines(*map(row, some)), "2 /input"),
        (lambda some: lines(row(TOOL), *map(row, some)), "3 /input"),
    ],
    ids=["data", "list", "pretty list", "trace of the interface", "trace of the API", "lines", "snake", "with others"],
)  # fmt: skip
def test_every_way_to_export(text: Any, place: str, tmp_path: Path) -> None:
    some = turns(OPENAI, OPENAI.lacking())
    exported = text(some)
    line = exported[: exported.rfind('"id": "o3"')].count("\n")
    (told,) = judged(tmp_path, "x.json", exported)
    assert told.startswith(f"{COUNT}: {place.format(line=line)} » /messages/2/tool_calls/1")


def test_half_a_character_costs_nothing(tmp_path: Path) -> None:
    """What cuts a text anywhere leaves one: in a line, and in the JSON of a text."""
    for make in (lambda each: each, plain, twice):
        cut = json.loads(json.dumps(turns(OPENAI, OPENAI.lacking())).replace("Leeks,", "Leeks \\ud83d"))
        (told,) = judged(tmp_path, "x.jsonl", lines(*map(make, cut)))
        assert told.startswith(f"{COUNT}: 2 /input")
        assert told.endswith("/messages/2/tool_calls/1")


def test_a_table(tmp_path: Path) -> None:
    """As the program writes it, where a text may have lines of its own, also empty ones."""
    for form in (dict, row):
        sound, broken = (form({**each, "name": "a\n\n\nb"}) for each in (TOOL, AGENT)), turns(OPENAI, OPENAI.lacking())
        assert judged(tmp_path, "x.csv", table(*(form(each) for each in turns(ADK)))) == []
        told = judged(tmp_path, "x.csv", table(*sound, *(form(each) for each in broken)))
        assert told == [f"{COUNT}: 11 /input » /messages/2/tool_calls/1"]
    path = tmp_path / "y.csv"
    for spoiled, why in (
        (b'"x"y,"\n', "line 3: not CSV: "),
        (b'"x\n\ny', "line 3: not CSV: unexpected end of data"),
        (b"\xff\n", "line 3: invalid UTF-8 at byte 0"),
        (b"\0,\n", ""),
    ):
        path.write_bytes(table(*turns(ADK)[:1]).encode() + spoiled)
        problems = [each.why for each in findings(path)[1].problems]
        assert all(each.startswith(why) for each in problems)
        assert len(problems) == bool(why)


def test_a_mistake_in_a_history_is_told_once(tmp_path: Path) -> None:
    given = OPENAI.lacking()
    more = [observation(n, OPENAI.given([*given, *[OPENAI.spoken, OPENAI.asked] * n]), "Yes.") for n in range(4, 9)]
    found = conversations(tmp_path, written(*turns(OPENAI, given), *more))
    assert found == ([COUNT], 1)


def test_whatever_their_order_a_trace_is_read_in_that_of_time(tmp_path: Path) -> None:
    first, second = turns(ADK)
    for some in ([first, second], [second, first], [second, TOOL, first, AGENT]):
        assert conversations(tmp_path, lines(*map(row, some))) == ([], 1)


def test_what_is_known_already_is_not_told_again(tmp_path: Path) -> None:
    """A history that comes late, out of another part of the file; and the same question, asked once more."""
    first, second = turns(OPENAI)
    between = observation(9, "Hi", "Hello.", traceId="t2")
    assert conversations(tmp_path, lines(second, between, first)) == ([], 2)
    again = {**first, "id": "o9", "startTime": "2026-01-02T03:04:02.000Z"}
    assert conversations(tmp_path, lines(first, again, second)) == ([], 1)


def test_one_that_others_are_part_of_tells_again_what_they_tell(tmp_path: Path) -> None:
    outer = observation(0, {"prompt": "What do we need?"}, "Leeks.", id="o0")
    assert conversations(tmp_path, written(outer, *turns(FRAMEWORKS["ai-sdk"]))) == ([], 1)
    assert conversations(tmp_path, written({**outer, "id": "o7"}, *turns(FRAMEWORKS["ai-sdk"]))) == ([], 2)


def test_a_conversation_goes_on_in_the_next_trace_of_a_session(tmp_path: Path) -> None:
    first, second = turns(OPENAI)
    session, second = {"sessionId": "s1"}, {**second, "traceId": "t2"}
    assert conversations(tmp_path, lines(first | session, second | session)) == ([], 1)
    assert conversations(tmp_path, lines(row(first | {"session_id": "s1"}), row(second | {"session_id": "s1"}))) == (
        [],
        1,
    )
    assert conversations(tmp_path, lines(first, second)) == ([LOST, LOST], 2)


def test_two_that_begin_alike_are_two(tmp_path: Path) -> None:
    """Another answer was called for by the same words."""
    session = {"sessionId": "s1"}
    first, second = (each | session for each in turns(OPENAI))
    other = observation(1, OPENAI.given([OPENAI.asked]), "Nothing.", traceId="t2", **session)
    assert conversations(tmp_path, lines(first, other, second)) == ([], 2)


@pytest.mark.parametrize("model", ["gpt-5", "claude-sonnet-4", "mistral/large"])
def test_models_of_others_are_passed_over_and_counted(model: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(lines(*(each | {"model": model} for each in turns(OPENAI, OPENAI.lacking())), *turns(ADK)))
    found, _, inspector = findings(path)
    assert found == []
    assert inspector.checked.conversations == 1
    assert "another model than Google's" in str(inspector.checked.skipped)


@pytest.mark.parametrize(
    "model", [None, "gemini-2.5-flash", "models/gemini-2.5-pro", "google/gemini-3-pro", "projects/1/endpoints/7", 7, {}]
)
def test_models_of_google_and_those_without_a_name_are_read(model: Any, tmp_path: Path) -> None:
    some = (each | {"model": model} for each in turns(OPENAI, OPENAI.lacking()))
    assert conversations(tmp_path, lines(*some))[0] == [COUNT]


@pytest.mark.parametrize("given", [None, {}, {"x": 1}, [], [[1]], [{"x": 1}], {"contents": [7]}, {"messages": {}}])
def test_what_is_in_no_form_that_is_known_is_counted(given: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(lines(observation(1, given, "Hi.")))
    found, _, inspector = findings(path)
    assert (found, inspector.checked.conversations) == ([], 0)
    assert "in a form that is not known" in str(inspector.checked.skipped)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("What is it?", "Leeks."),
        ({"contents": "What is it?"}, {"candidates": [{"content": {"parts": [{"text": "Leeks."}]}}]}),
        ({"contents": ["What is it?", "Say."]}, {"candidates": []}),
        ({"contents": {"parts": [{"text": "What?"}]}}, {"text": "Leeks."}),
        ({"args": [], "kwargs": {"contents": "What is it?"}}, None),
        ({"prompt": "What is it?"}, {"text": "Leeks.", "toolCalls": []}),
        ({"system": "Be brief.", "messages": [OPENAI.asked]}, [OPENAI.spoken]),
        (OPENAI.asked, OPENAI.spoken),
        ([{"message": OPENAI.asked}], [{"message": OPENAI.spoken, "index": 0, "event.name": "gen_ai.choice"}]),
    ],
)
def test_short_forms(given: Any, said: Any, tmp_path: Path) -> None:
    assert conversations(tmp_path, lines(observation(1, given, said))) == ([], 1)


@pytest.mark.parametrize("name", FRAMEWORKS)
@pytest.mark.parametrize(
    "told", [json.dumps(REFUSED), f"ClientError: 400 INVALID_ARGUMENT. {REFUSED!r}", f"APIError: {json.dumps(REFUSED)}"]
)
def test_an_error_holds_the_word_of_the_server(name: str, told: str, tmp_path: Path) -> None:
    framework, path = FRAMEWORKS[name], tmp_path / "x.jsonl"
    first, second = turns(framework, framework.lacking())
    path.write_text(lines(first, {**second, "output": None, "level": "ERROR", "statusMessage": told}))
    (found,) = findings(path)[0]
    assert (found.rule, found.severity, found.place.line, found.place.pointer) == (COUNT, "error", 2, "/input")
    assert found.place.inner is not None
    assert walked(json.loads(second["input"]), found.place.inner.pointer) in contained(framework.called)
    assert (found.server.verdict, found.server.status, found.model) == ("confirmed", 400, MODEL)


def test_the_surface_of_a_refusal(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    _, second = turns(ADK, ADK.lacking())
    for attributes, surface in (
        ({"gen_ai.system": "google-gla"}, "gemini-api"),
        ({"gen_ai.system": "gcp.vertex_ai"}, "vertex"),
        ({"server.address": "generativelanguage.googleapis.com"}, "gemini-api"),
        ({"gen_ai.system": "gcp.vertex.agent"}, "unknown"),
    ):
        metadata = json.dumps({"attributes": attributes})
        failed = {"level": "ERROR", "statusMessage": json.dumps(REFUSED), "metadata": metadata}
        path.write_text(lines({**second, **failed}))
        (found,) = findings(path)[0]
        assert (found.surface, found.model) == (surface, MODEL)


@pytest.mark.parametrize("told", [None, "TimeoutError", "", 7, {"error": REFUSED}, "{" * 1000])
def test_an_error_without_the_word_of_the_server_is_none_of_it(told: Any, tmp_path: Path) -> None:
    first, second = turns(OPENAI)
    failed = {**second, "output": None, "level": "ERROR", "statusMessage": told}
    assert conversations(tmp_path, lines(first, failed)) == ([], 1)


def test_after_a_refusal_the_next_try_goes_on_with_the_conversation(tmp_path: Path) -> None:
    """Calls that were answered in what was refused are not told to wait."""
    first, second = turns(OPENAI, OPENAI.lacking())
    failed = {**second, "output": None, "level": "ERROR", "statusMessage": json.dumps(REFUSED)}
    assert conversations(tmp_path, lines(first, failed)) == ([COUNT], 2)
    again = {**turns(OPENAI)[1], "id": "o4", "startTime": "2026-01-02T03:04:04.000Z"}
    assert conversations(tmp_path, lines(first, failed, again)) == ([COUNT], 2)
