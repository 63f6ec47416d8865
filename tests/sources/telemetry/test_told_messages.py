"""Messages in whichever words, as contents."""

import json
from typing import Any

import pytest

from wirecheck.dialects.messages import Spot
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.telemetry.told_messages import ToldHistory, around, contents, messages
from wirecheck.wire.records import Origin, Site

AT = Origin("x", 3)


def node(value: Any, pointer: str = "/held") -> JsonNode:
    return JsonNode(json.dumps(value).encode(), Site(AT, pointer))


def told(value: Any, role: str = "user", *, one: bool = False) -> list[Any]:
    return [json.loads(message.body.raw) for message in messages([(role, node(value))], one=one)]


def content(role: str, *parts: Any) -> Any:
    return {"role": role, "parts": [{"text": part} if isinstance(part, str) else part for part in parts]}


CALL = {"functionCall": {"id": "c1", "name": "now", "args": {"zone": "CET"}}}
BARE = {"functionCall": {"name": "now", "args": {"zone": "CET"}}}
ANSWER = {"functionResponse": {"id": "c1", "name": "now", "response": {"output": "12:00"}}}


def typed(**more: Any) -> Any:
    """A call in a typed part."""
    return {"type": "tool_call", "name": "now", "arguments": {"zone": "CET"}, **more}


CALL_MESSAGE = content("model", CALL)
AI_CALL = {"toolCallId": "c1", "toolName": "now", "input": '{"zone":"CET"}'}
OPENAI = {"id": "c1", "function": {"name": "now", "arguments": '{"zone":"CET"}'}}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Hi", [content("user", "Hi")]),
        (json.dumps([{"role": "user", "content": "Hi"}]), [content("user", "Hi")]),
        ({"role": "assistant", "content": "Hi"}, [content("model", "Hi")]),
        ({"role": "developer", "content": "Hi"}, [content("system", "Hi")]),
        # What only looks like structure was said so.
        ({"role": "user", "content": '{"a": [1]}'}, [content("user", '{"a": [1]}')]),
        ({"role": "user", "content": "[1, 2]"}, [content("user", "[1, 2]")]),
        ({"role": "user", "content": '[{"type": "text", "text": "Hi"}]'}, [content("user", "Hi")]),
        ({"role": "user", "content": [{"type": "input_text", "text": "Hi"}, "Ho"]}, [content("user", "Hi", "Ho")]),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {}}]}, [content("user", "[image_url]")]),
        ({"parts": [{"type": "blob", "content": "eA==", "modality": "image"}]}, [content("user", "[blob]")]),
        ({"parts": [{"type": "reasoning", "content": "Hm"}]}, [content("user", {"text": "Hm", "thought": True})]),
        ({"parts": [{"text": "Hi"}, "Ho"], "role": "model"}, [content("model", {"text": "Hi"}, "[text]")]),
        ({"content": {"role": "model", "parts": [{"text": "Hi"}]}, "finish_reason": "STOP"}, [content("model", "Hi")]),
        ({"index": 0, "message": {"role": "assistant", "content": "Hi"}}, [content("model", "Hi")]),
        (
            {
                "role": "assistant",
                "tool_calls": [{"id": "c1", "function": {"name": "now", "arguments": '{"zone":"CET"}'}}],
            },
            [content("model", CALL)],
        ),
        (
            {"role": "assistant", "tool_calls": json.dumps([{"name": "now", "arguments": {"zone": "CET"}}])},
            [content("model", BARE)],
        ),
        (
            {
                "role": "model",
                "parts": [{"type": "tool_call", "id": "now_3", "name": "now", "arguments": {"zone": "CET"}}],
            },
            [content("model", BARE)],
        ),
        ({"role": "user", "content": "<elided>"}, []),
        ({"role": "user", "content": ""}, []),
        ({"role": "user", "parts": []}, []),
        ({"role": 7, "content": 7, "tool_calls": 7}, []),
        ([[[[[[{"role": "user", "content": "Hi"}]]]]]], []),
        (None, []),
    ],
)
def test_a_message(value: Any, found: list[Any]) -> None:
    assert told(value) == found


def test_responses_know_the_names_of_their_calls_and_are_one_content() -> None:
    call = {
        "role": "assistant",
        "parts": [{"type": "tool_call", "id": "c1", "name": "now", "arguments": {"zone": "CET"}}],
    }
    for answer in (
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "12:00"}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "result": "12:00"}]},
        {"role": "tool", "tool_call_id": "c1", "content": "12:00"},
        {"role": "tool", "id": "c1", "content": "12:00"},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "12:00"}]},
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1", "output": "12:00"}]},
    ):
        assert told([call, answer, answer]) == [content("model", CALL), content("user", ANSWER, ANSWER)]


def test_responses_that_are_told_twice_are_one() -> None:
    """Apart, and in the content in which they were sent beside a text."""
    call = {"role": "model", "content": [{"function_call": {"name": "now", "args": {}}}]}
    answer = {"functionResponse": {"name": "now", "response": {"output": "12:00"}}}
    both = {"role": "user", "content": [answer, {"text": "Well?"}]}
    found = messages([("assistant", node(call)), ("tool", node({"id": "now_0", "content": {}})), ("user", node(both))])
    assert [json.loads(message.body.raw)["parts"] for message in found] == [call["content"], both["content"]]


def test_what_the_server_executed_is_no_call_and_no_response() -> None:
    parts = [typed(id="c1", builtin=True), {"type": "tool_call_response", "id": "c1", "builtin": True}, typed(id="c2")]
    (found,) = told({"role": "assistant", "parts": parts})
    assert found["parts"][:2] == [{"text": "[tool_call]"}, {"text": "[tool_call_response]"}]
    assert found["parts"][2]["functionCall"]["id"] == "c2"


def test_calls_beside_a_message_belong_to_it() -> None:
    calls = [OPENAI]
    assert told({"index": 0, "message": {"role": "assistant", "content": ""}, "tool_calls": calls}) == [
        content("model", CALL)
    ]
    twice = {"message": {"role": "model", "content": [BARE]}, "tool_calls": [{**OPENAI, "id": "now_0"}]}
    assert told(twice) == [content("model", BARE)]


def test_pieces_of_a_reply_are_one_content() -> None:
    said = [{"role": "assistant", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]
    assert told(said, "model") == [content("model", "Hi"), content("model", "Ho")]
    assert told(said, "model", one=True) == [content("model", "Hi", "Ho")]


def test_a_history_that_is_recited_is_known_by_its_hashes() -> None:
    def hashes(*said: str, group: str = "") -> list[int]:
        return ToldHistory([("user", node(said))]).hashes(group)

    assert hashes("Hi", "Ho", "Hi")[:2] == hashes("Hi", "Ho")
    assert len({*hashes("Hi", "Ho", "Hi"), *hashes("Hi", "Hi"), *hashes("Hi", group="other")}) == 5


def test_a_history_begins_with_the_first_message_that_does_not_instruct() -> None:
    """So it is known again where the instruction is another one."""
    one, other = (
        ToldHistory([("user", node([{"role": role, "content": said}, {"role": "user", "content": ""}, "Hi", "Ho"]))])
        for role, said in (("system", "Be brief."), ("developer", "Be long."))
    )
    assert len(one) == 2
    assert one.hashes("") == other.hashes("")
    later = ToldHistory([("user", node(["Hi", {"role": "system", "content": "Be brief."}]))])
    assert (len(later), len(later.told())) == (2, 1)


def test_declarations_of_tools_are_no_messages() -> None:
    declared = {"role": "tool", "content": {"type": "function", "function": {"name": "now", "parameters": {}}}}
    history = ToldHistory([("user", node(["Hi", declared, declared]))])
    assert (len(history), len(history.told())) == (1, 1)
    assert told(["Hi", declared, "Ho"]) == [content("user", "Hi"), content("user", "Ho")]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"type": "human", "content": "Hi"}, [content("user", "Hi")]),
        ({"type": "ai", "content": "Hi"}, [content("model", "Hi")]),
        ({"type": "system", "content": "Hi"}, [content("system", "Hi")]),
        ({"type": "ai", "content": "", "tool_calls": [{**CALL["functionCall"], "type": "tool_call"}]}, [CALL_MESSAGE]),
        ({"role": "assistant", "additional_kwargs": {"tool_calls": [OPENAI]}}, [CALL_MESSAGE]),
        ({"role": "assistant", "function_call": OPENAI["function"]}, [content("model", BARE)]),
        ({"role": "assistant", "text": "Hi", "toolCalls": json.dumps([AI_CALL])}, [content("model", "Hi", CALL)]),
    ],
)
def test_messages_of_frameworks(value: Any, found: list[Any]) -> None:
    assert told(value) == found


@pytest.mark.parametrize("said", [{"role": "user", "content": ""}, {"role": "system", "parts": []}, [], "", "<elided>"])
def test_a_history_of_nothing_is_none(said: Any) -> None:
    assert not ToldHistory([("user", node(said))])
    assert ToldHistory([("user", node([{"role": "system", "content": "Be brief."}, said]))]).told() == []


def test_places_of_a_request_that_was_put_together() -> None:
    value = [
        {"role": "user", "content": "Hi"},
        {"parts": [{"type": "tool_call", "name": "now", "arguments": {"a": 1}}]},
    ]
    body = contents(Site(AT), messages([("user", node(value))]))
    spot = Spot(body.site)
    assert spot.to("contents", 0).place().pointer == "/held/0"
    call = ("contents", 1, "parts", 0, "functionCall")
    assert spot.to(*call, "args", "zone").place().pointer == "/held/1/parts/0/arguments/zone"
    inner = contents(Site(AT), messages([("user", node(json.dumps(value)).inner())]))
    place = Spot(inner.site).to(*call, "name").place()
    assert (place.pointer, place.inner and place.inner.pointer) == ("/held", "/1/parts/0/name")
    both = messages([("user", node(value, "/a/0")), ("user", node(json.dumps(value), "/a/1").inner())])
    mixed = Spot(contents(Site(AT), both).site)
    assert mixed.to("contents", 0).place().pointer == "/a/0/0"
    assert mixed.to("contents", 3, "parts", 0).place().pointer == "/a/1"
    assert contents(Site(AT), []).raw == b'{"contents":[]}'


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("/a/b/c", "/a/b/d", "/a/b"),
        ("/a/bc", "/a/bd", "/a"),
        ("/a", "/a", "/a"),
        ("/a", "/b", ""),
        ("/a/b", "/a", "/a"),
    ],
)
def test_where_both_lie(one: str, other: str, found: str) -> None:
    assert around(Site(AT, one), Site(AT, other)).pointer == found
