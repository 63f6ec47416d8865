"""Conversations out of calls that recite what came before: each is told once, and to its end."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import findings
from tests.sources.telemetry.samples import OPENAI as FUNCTIONS
from tests.sources.telemetry.samples import openai_call, openai_result
from tests.sources.telemetry.test_opentelemetry import COUNT, LOST
from tests.sources.telemetry.traces import BASE, Json, Told, Turn, otlp_span, resource_spans
from tests.work import work
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.telemetry import recited_calls
from wirecheck.sources.telemetry.recited_calls import LlmCall, RecitedCalls
from wirecheck.sources.telemetry.told_bodies import asked
from wirecheck.sources.telemetry.told_messages import messages
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Record, Replied, Site

Parts = list[Json]
OTHER: Json = {
    "role": "assistant",
    "tool_calls": [{"id": "x", "type": "function", "function": {"name": "other", "arguments": "{}"}}],
}


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
    known = RecitedCalls()
    for n in range(9):
        list(known.call(told(n, [spoken(f"{n % 4}")], [FUNCTIONS.called], trace=str(n % 3))))
    assert known._open
    assert known._by_call
    list(known.end())
    assert (known._open, known._by_asked, known._by_call, known._bytes) == ({}, {}, {}, 0)


def node(n: int, messages: Sequence[Json]) -> JsonNode:
    return JsonNode(json.dumps(messages).encode(), Site(Origin("x", n)))


def told(n: int, given: Sequence[Json], said: Sequence[Json] = (), **more: Any) -> LlmCall:
    reply = messages([("model", node(n, said))]) if said else []
    return LlmCall(site=Site(Origin("x", n)), asked=asked(node(n, given)), said=reply, **more)


def spoken(said: str) -> Json:
    return {"role": "user", "content": said}


def drawn(records: list[Record]) -> dict[str, list[str]]:
    """Of each channel the texts that were told, and at its end whether it is whole."""
    channels = dict[str, list[str]]()
    for each in records:
        if isinstance(each, Opened):
            assert each.channel not in channels
            channels[each.channel] = []
        elif isinstance(each, Frame):
            parts = json.loads(each.body.raw).get("parts", [{"text": "refused"}])
            channels[each.channel].append(parts[0].get("text", ""))
        elif isinstance(each, Closed):
            channels[each.channel].append(str(each.recorded))
    return channels


def run(*some: LlmCall, whole: bool = True) -> list[Record]:
    calls = RecitedCalls(whole=whole)
    return [record for each in some for record in calls.call(each)] + list(calls.end())


A, B, C, D = map(spoken, "abcd")


@pytest.mark.parametrize(
    ("turns", "channels"),
    [
        (([A], [A, B, C]), [["a", "b", "c", "True"]]),
        (([A, B, C], [A]), [["a", "b", "c", "True"]]),
        (([A], [A]), [["a", "True"]]),
        (([A], [B]), [["a", "True"], ["b", "True"]]),
        (([A], [A, B, C], [A, B, C, D]), [["a", "b", "c", "d", "True"]]),
        # A branch: what is common to both is told in both.
        (([A, B], [A, B, C], [A, B, D]), [["a", "b", "c", "True"], ["a", "b", "d", "True"]]),
    ],
)
def test_histories(turns: tuple[list[Json], ...], channels: list[list[str]]) -> None:
    assert list(drawn(run(*(told(n, each) for n, each in enumerate(turns, 1)))).values()) == channels


def test_a_log_that_is_not_whole_may_go_on() -> None:
    assert list(drawn(run(told(1, [A], [FUNCTIONS.called]), whole=False)).values()) == [["a", "", "False"]]


def test_groups_do_not_recite_each_other_and_traces_that_begin_alike_are_several() -> None:
    other = told(2, [A, B, C], group="other")
    assert len(drawn(run(told(1, [A]), other))) == 2
    answered = [A, FUNCTIONS.called, *FUNCTIONS.returned]
    for given, conversations in (([A, *answered], 1), (answered[1:], 1), (answered[2:], 1)):
        for group in ("", "other"):
            some = told(1, [A, A], [FUNCTIONS.called]), told(2, given, group=group)
            assert len(drawn(run(*some))) == conversations + bool(group)
    assert len(drawn(run(told(1, [A], [B]), told(2, [A], [B], trace="other")))) == 2


@pytest.mark.parametrize(
    ("again", "conversations"),
    [
        ({}, 1),  # nothing came of it
        ({"said": [B]}, 1),
        ({"said": [FUNCTIONS.called]}, 1),  # told twice
        ({"said": [FUNCTIONS.called], "trace": "other"}, 2),
        ({"said": [OTHER]}, 2),
        ({"said": [OTHER], "trace": "other"}, 2),
    ],
)
@pytest.mark.parametrize("later", [0, 1])
def test_what_is_asked_again(again: Json, conversations: int, later: int) -> None:
    """At once, or when its conversation has gone on."""
    went_on = told(2, [A, FUNCTIONS.called, *FUNCTIONS.returned], [D])
    some = told(1, [A], [FUNCTIONS.called]), *[went_on] * later, told(3, [A], **again)
    assert len(drawn(run(*some))) == conversations


def test_a_refusal_that_is_told_late_is_told() -> None:
    refused = 400, Body(b"{}", Site(Origin("x", 9)))
    some = told(1, [A, B]), told(2, [A, B, C]), told(3, [A, B], refused=refused)
    assert [each.status for each in run(*some) if isinstance(each, Replied)] == [400]


def test_the_model_is_told_as_it_is_recited_and_at_the_end_as_it_came() -> None:
    turns = told(1, [A], [spoken("as it came")]), told(2, [A, B, C], [spoken("the last")])
    assert list(drawn(run(*turns)).values()) == [["a", "b", "c", "the last", "True"]]


def test_calls_tell_which_of_those_alike_goes_on() -> None:
    """The one that called is recited by one that has the call, whichever was told last."""
    calling = told(1, [A], [FUNCTIONS.called], trace="1")
    silent = told(2, [A], [B], trace="2")
    answered = told(3, [A, FUNCTIONS.called, *FUNCTIONS.returned], trace="3")
    for turns in ((calling, silent, answered), (silent, calling, answered)):
        lengths = sorted(map(len, drawn(run(*turns)).values()))
        assert lengths == [3, 4]


@pytest.mark.parametrize(
    ("recited", "conversations"),
    [
        ([FUNCTIONS.called, *FUNCTIONS.returned], 1),
        ([{**FUNCTIONS.called, "tool_calls": [openai_call(0) | {"id": "x"}]}, openai_result(0)], 1),  # others are lost
        ([B, C], 2),
        ([OTHER, {**openai_result(0), "tool_call_id": "x"}], 2),
    ],
)
def test_in_another_trace_goes_on_what_has_some_of_its_calls(recited: list[Json], conversations: int) -> None:
    some = told(1, [A], [FUNCTIONS.called], trace="1"), told(2, [A, *recited], [D], trace="2")
    assert len(drawn(run(*some))) == conversations
    assert len(drawn(run(some[0], told(2, [A, *recited], [D], trace="1")))) == 1


@pytest.mark.parametrize(
    ("more", "whole"),
    [({}, "True"), ({"final": True}, "False"), ({"trace": "ran"}, "False"), ({"trace": "else"}, "True")],
)
def test_when_a_call_at_the_end_waits(more: Any, whole: str) -> None:
    calls = RecitedCalls()
    calls.ran("ran", "needed")
    found = [*calls.call(told(1, [A], [FUNCTIONS.called], **more)), *calls.end()]
    ((*_, end),) = drawn(found).values()
    assert end == whole


def test_after_a_refusal_nothing_waits() -> None:
    refused = told(2, [A, B, C], refused=(400, Body(b"{}", Site(Origin("x", 2)))))
    assert list(drawn(run(told(1, [A], [B]), refused)).values()) == [["a", "b", "False"], ["refused", "True"]]
    again = told(3, [A, B, D])
    told_all = list(drawn(run(told(1, [A], [B]), refused, again)).values())
    assert told_all == [["a", "b", "d", "True"], ["refused", "True"]]


@pytest.mark.parametrize(("name", "most"), [("OPEN", 10), ("BYTES", 400)])
def test_what_is_held_is_bounded(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those idle longest are ended, and nothing says that they were whole where another trace may go on with them;
    those in use are not."""
    monkeypatch.setattr(recited_calls, name, most)
    calls, found = RecitedCalls(), list[Record]()
    for n in range(1, 200):
        found += calls.call(told(2 * n, [A, *[B] * (n if name == "OPEN" else 1), spoken(str(n))][: n + 1], group="use"))
        trace = str(n) if n % 2 else "other"
        found += calls.call(told(2 * n + 1, [spoken(str(n))], [D], group=str(n), trace=trace))
        assert len(calls._open) <= most
    ended = [each for each in found if isinstance(each, Closed)]
    assert len(ended) > 100
    odd = [each for each in ended if each.origin.line % 2]
    assert all(each.recorded == (each.origin.line // 2 % 2 == 1) for each in odd)
    found += calls.end()
    assert (calls._open, calls._by_asked, calls._by_call, calls._bytes) == ({}, {}, {}, 0)


def test_what_is_known_of_histories_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recited_calls, "REMEMBERED", 10)
    calls = RecitedCalls()
    for n in range(200):
        list(
            calls.call(told(n, [A, *[B] * n], [{**FUNCTIONS.called, "tool_calls": [openai_call(0) | {"id": str(n)}]}]))
        )
    assert len(calls._asked._young) + len(calls._asked._old) <= 10
    assert len(calls._made._young) + len(calls._made._old) <= 10


def test_traces_of_which_tools_are_known_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recited_calls, "TRACES", 10)
    monkeypatch.setattr(recited_calls, "NAMES", 5)
    calls = RecitedCalls()
    for n in range(100):
        for name in range(20):
            calls.ran(str(n), str(name))
    assert list(calls._ran) == [str(n) for n in range(90, 100)]
    assert {len(names) for names in calls._ran.values()} == {5}


def test_a_history_costs_what_it_is_long() -> None:
    long = [spoken(str(n)) for n in range(2000)]

    def read(turns: int) -> int:
        some = [told(n, long[: len(long) - turns + n]) for n in range(turns)]
        return work(lambda: run(*some))

    assert read(40) < 3 * read(20)


def test_those_that_begin_alike_cost_what_they_are_many() -> None:
    """Which of them goes on is looked up by its calls."""

    def read(many: int) -> int:
        some, later = list[LlmCall](), list[LlmCall]()
        for n in range(many):
            called = {**FUNCTIONS.called, "tool_calls": [openai_call(0) | {"id": f"x{n}"}]}
            some.append(told(n, [A], [called], trace=f"{n}"))
            later.append(told(many + n, [A, called, openai_result(0) | {"tool_call_id": f"x{n}"}], [B], trace=f"y{n}"))
        return work(lambda: run(*some, *later))

    assert read(400) < 3 * read(200)
