"""Conversations out of calls that recite what came before: each is told once, and to its end."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import findings
from tests.sources.telemetry.test_opentelemetry import COUNT, LOST
from tests.sources.telemetry.traces import BASE, Json, Told, Turn, otlp_span, resource_spans
from wirecheck.sources.telemetry import recited_calls

Parts = list[Json]


def text(said: str) -> Parts:
    return [{"type": "text", "content": said}]


def call(id: str | None, name: str = "now", **args: Any) -> Json:
    return {"type": "tool_call", **({} if id is None else {"id": id}), "name": name, "arguments": args}


def response(id: str | None, returned: Any = "12:00") -> Json:
    return {"type": "tool_call_response", **({} if id is None else {"id": id}), "response": returned}


def user(parts: Parts) -> Json:
    return {"role": "user", "parts": parts}


def model(parts: Parts) -> Json:
    return {"role": "assistant", "parts": parts}


class Calls:
    """A file of calls, as they are added."""

    def __init__(self, path: Path) -> None:
        self._path, self._number = path, 0
        path.write_text("")

    def add(self, asked: list[Json], *said: Parts, trace: str = "a", **attributes: Any) -> None:
        self._number += 1
        found = {**BASE, "gen_ai.input.messages": json.dumps(asked), **attributes}
        if said:
            found["gen_ai.output.messages"] = json.dumps([model(parts) for parts in said])
        span = {**otlp_span(Turn(self._number), Told(found)), "traceId": trace * 32}
        with self._path.open("a") as file:
            file.write(json.dumps(resource_spans(span)) + "\n")

    def told(self) -> tuple[list[str], int, int]:
        """What is found, how many conversations there are, and how many calls are open in them."""
        found, reader, inspector = findings(self._path)
        assert reader.problems == []
        checked = inspector.checked
        return [each.rule for each in found if each.severity != "info"], checked.conversations, checked.open_calls


@pytest.fixture
def calls(tmp_path: Path) -> Calls:
    return Calls(tmp_path / "spans.jsonl")


ASKED = [user(text("What time is it?"))]
CALLED, RETURNED = [call("c1")], [response("c1")]


def test_a_long_conversation_is_one(calls: Calls) -> None:
    history = list(ASKED)
    for n in range(20):
        calls.add(history, [call(f"c{n}")], trace="abcdef"[n % 6])
        history += [model([call(f"c{n}")]), user([response(f"c{n}")])]
        calls.add(history, text(f"It is {n}."), trace="abcdef"[n % 6])
        history += [model(text(f"It is {n}.")), user(text("And now?"))]
    assert calls.told() == ([], 1, 0)


def test_a_mistake_is_told_once_however_often_it_is_recited(calls: Calls) -> None:
    history = [*ASKED, model([call("c1"), call("c2")]), user([response("c1")])]
    calls.add(ASKED, [call("c1"), call("c2")])
    for n in range(5):
        calls.add(history, text(f"{n}"))
        history += [model(text(f"{n}")), user(text("And now?"))]
    assert calls.told() == ([COUNT], 1, 0)


@pytest.mark.parametrize("id", ["c1", None])
def test_a_history_that_was_shortened_goes_on(id: str | None, calls: Calls) -> None:
    calls.add([user(text("Hello")), model(text("Hi")), *ASKED], [call(id)])
    calls.add([user(text("Hello, what time is it?")), model([call(id)]), user([response(id)])], text("Noon."))
    assert calls.told() == ([], 1, 0)


@pytest.mark.parametrize("ids", [("c1", "c2"), (None, None)])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_conversations_that_begin_alike_are_kept_apart(
    ids: tuple[str | None, ...], order: tuple[int, ...], calls: Calls
) -> None:
    for n, id in enumerate(ids):
        calls.add(ASKED, [call(id)], trace="ab"[n])
    for n in order:
        history = [*ASKED, model([call(ids[n])]), user([response(ids[n])])]
        calls.add(history, text(f"It is {n}."), trace="ab"[n])
        calls.add([*history, model(text(f"It is {n}.")), user(text("Thanks"))], text("Bye"), trace="ab"[n])
    assert calls.told() == ([], 2, 0)


def test_interactions_recite_nothing(calls: Calls) -> None:
    create = {"gen_ai.operation.name": "interactions.create"}
    calls.add(ASKED, [call("c1"), call("c2")], **create)
    calls.add([user([response("c1"), response("c2")])], [call("c3")], **create)
    assert calls.told() == ([LOST], 1, 0)
    calls.add([user([response("c3")])], text("Noon."), **create)
    calls.add([user(text("Thanks"))], text("Bye"), **create)
    assert calls.told() == ([], 2, 0)


def test_an_interaction_that_answers_too_few_calls(calls: Calls) -> None:
    calls.add(ASKED, [call("c1"), call("c2")])
    calls.add([user([response("c2")])], text("Noon."))
    assert calls.told() == ([COUNT], 1, 0)


def test_who_asks_the_same_again_begins_anew(calls: Calls) -> None:
    calls.add(ASKED, CALLED)
    calls.add(ASKED, [call("c2")])
    calls.add([*ASKED, model([call("c2")]), user([response("c2")])], text("Noon."))
    assert calls.told() == ([LOST], 2, 0)


def test_a_call_whose_reply_is_not_told_may_be_made_again(calls: Calls) -> None:
    calls.add(ASKED)
    calls.add(ASKED, CALLED)
    calls.add([*ASKED, model(CALLED), user(RETURNED)], text("Noon."))
    assert calls.told() == ([], 1, 0)


def test_what_was_sent_stands_for_what_was_said(calls: Calls) -> None:
    """Replies lack ids, and a program may drop a call that it does not know."""
    calls.add(ASKED, [call(None)])
    calls.add([*ASKED, model(CALLED), user(RETURNED)], [call("c2", "nobody")])
    calls.add([*ASKED, model(CALLED), user(RETURNED), user(text("And?"))], text("Noon."))
    assert calls.told() == ([], 1, 0)


OUTPUT = json.dumps({"function_tools": [], "output_tools": [{"name": "final_result", "parameters": {}}]})
FORCED = json.dumps({"tool_config": {"function_calling_config": {"mode": "ANY"}}, "temperature": 0})
AUTO = FORCED.replace("ANY", "AUTO")


@pytest.mark.parametrize(
    ("name", "attributes", "found"),
    [
        ("final_result", {"model_request_parameters": OUTPUT}, []),
        ("now", {"model_request_parameters": OUTPUT}, [LOST]),
        ("now", {"llm.invocation_parameters": FORCED}, []),
        ("now", {"llm.invocation_parameters": AUTO}, [LOST]),
        ("now", {"input.value": json.dumps({"model": "m", "config": json.loads(FORCED)})}, []),
        ("now", {"gcp.vertex.agent.llm_request": FORCED}, []),
        ("now", {"llm.invocation_parameters": '{"tool_choice": "required"}'}, []),
        ("now", {"llm.invocation_parameters": '{"tool_choice": {"type": "function", "function": {}}}'}, []),
        ("now", {"llm.invocation_parameters": '{"tool_choice": {"type": "auto"}}'}, [LOST]),
        ("now", {"ai.prompt.toolChoice": '{"type":"tool","toolName":"now"}'}, []),
        ("now", {"ai.prompt.toolChoice": '{"type":"auto"}'}, [LOST]),
        # An argument is no setting.
        ("now", {"input.value": '{"contents": [{"parts": [{"functionCall": {"args": {"mode": "ANY"}}}]}]}'}, [LOST]),
        ("now", {}, [LOST]),
    ],
)
def test_a_call_that_is_the_result_is_not_missing_an_answer(
    name: str, attributes: Json, found: list[str], calls: Calls
) -> None:
    calls.add(ASKED, [call("c1", name)], **attributes)
    assert calls.told()[0] == found


def test_of_several_candidates_the_first_is_taken_and_pieces_of_a_stream_are_one(calls: Calls) -> None:
    several: Json = {"gen_ai.request.choice.count": 2}
    calls.add(ASKED, text("Noon."), CALLED, **several)
    assert calls.told()[0] == []
    calls.add([user(text("Now?"))], text("I look."), [call("c8")], [call("c9")])
    said = [*text("I look."), call("c8"), call("c9")]
    calls.add([user(text("Now?")), model(said), user([response("c8"), response("c9")])], text("Noon."))
    assert calls.told() == ([], 2, 0)


@pytest.mark.parametrize("before", [0, 2])
def test_ids_that_were_made_of_the_place_of_a_part_are_none(before: int, calls: Calls) -> None:
    """Google's instrumentation makes them where the server gave none, of a call and of its response."""
    said = [*text("I look.") * before, call(f"now_{before}"), call(f"in_stock_{before + 1}", "in_stock")]
    answers = [response("now_0"), response("in_stock_1")]
    calls.add(ASKED, said)
    calls.add([*ASKED, model(said), user(answers)], text("Noon."))
    assert calls.told() == ([], 1, 0)


def test_ids_that_end_with_a_number_are_ids(calls: Calls) -> None:
    calls.add(ASKED, [call("call_1")])
    calls.add([*ASKED, model([call("call_1")]), user([response("call_2")])], text("Noon."))
    assert calls.told()[0] == ["function-response-id-mismatch"]


def test_conversations_that_nobody_goes_on_with_are_ended(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recited_calls, "OPEN", 3)
    for n in range(10):
        calls.add([user(text(f"Question {n}"))], [call(f"c{n}")])
    assert calls.told() == ([LOST] * 10, 10, 0)


def test_nothing_is_kept_of_what_is_over() -> None:
    known = recited_calls.RecitedCalls()
    assert list(known.end()) == []
    assert [each for each in vars(known).values() if each] == []
