"""Messages as most are, decoded strictly: the same comes of them as when each part is looked at."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from wirecheck.dialects.messages import Spot
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.telemetry import told_messages
from wirecheck.sources.telemetry.typed_messages import ToldMessage
from wirecheck.sources.telemetry.usual_messages import usual_messages
from wirecheck.wire.records import Origin, Site

TEXT = {"type": "text", "content": 'Nöon\n"it\'s" – 12:00'}
CALL = {"type": "tool_call", "id": "c1", "name": "now", "arguments": {"zone": ["CET", {"x/y": 1.50}]}}
ANSWER = {"type": "tool_call_response", "id": "c1", "response": {"out": [1]}}
NUMBERED = {**CALL, "id": "now_0"}
OPENAI = {"id": "c1", "type": "function", "function": {"name": "now", "arguments": '{"zone": ["CET", {"x/y": 1.50}]} '}}
BROKEN = {**OPENAI, "function": {"name": "now", "arguments": '{"zone": '}}
USUAL: dict[str, list[Any]] = {
    "a conversation": [
        {"role": "system", "parts": [TEXT]},
        {"role": "user", "parts": [TEXT], "name": None},
        {"role": "assistant", "parts": [TEXT, CALL], "finish_reason": "stop"},
        {"role": "user", "parts": [ANSWER]},
        {"role": "", "parts": [TEXT, TEXT]},
    ],
    "ids that were made up": [
        {"role": "assistant", "parts": [NUMBERED, {**NUMBERED, "name": "then", "id": "then_1"}]},
        {"role": "user", "parts": [{**ANSWER, "id": "now_0"}, {**ANSWER, "id": "then_1"}, {**ANSWER, "id": "else_2"}]},
    ],
    "without ids, without arguments": [
        {"role": "Assistant", "parts": [{"type": "tool_call", "name": "now"}, {**CALL, "arguments": None}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "result": "x"}, {"type": "tool_call_response"}]},
    ],
    "messages of OpenAI": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": 'Nöon\n"it\'s"'},
        {"role": "assistant", "content": None, "tool_calls": [OPENAI, OPENAI | {"id": "c2", "index": 1}]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"at": [12, 0]}'},
        {"role": "assistant", "content": "Hm.", "tool_calls": [OPENAI], "refusal": None},
        {"role": "tool", "tool_call_id": "c1", "name": "now", "content": None},
        {"role": "assistant", "content": "", "tool_calls": [OPENAI | {"id": "now_0"}]},
        {"role": "tool", "tool_call_id": "now_0", "content": ""},
        {"role": "developer", "content": "<b>"},
        {"role": "tool", "tool_call_id": "else", "name": "other", "content": "x"},
    ],
    "contents": [
        {"role": "user", "parts": [{"text": "Hi"}, {"inlineData": {"data": "eA=="}}]},
        {"role": "model", "parts": [{"functionCall": {"name": "now"}, "thoughtSignature": "x"}, {"text": ""}]},
        {"parts": [{"functionResponse": {"name": "now", "response": {"a": 1}}}], "role": "user"},
        {"role": "model", "parts": [{"function_call": {"id": "c1", "name": "now", "args": {"a": [1, 2]}}}]},
        {"role": "function", "parts": [{"function_response": {"id": "c1", "name": "now", "response": None}}]},
        {"parts": [{"text": None, "function_call": None, "function_response": None}]},
    ],
    "one after another": [
        {"role": "user", "content": "Hi"},
        {"role": "model", "parts": [{"text": "Hi"}]},
        {"role": "user", "parts": [TEXT]},
    ],
}
UNUSUAL: dict[str, list[Any]] = {
    "responses in messages of their own": [{"role": "tool", "parts": [ANSWER]}, {"role": "tool", "parts": [ANSWER]}],
    "arguments as a text": [{"role": "assistant", "parts": [{**CALL, "arguments": "{}"}]}],
    "a call without a name": [{"role": "assistant", "parts": [{"type": "tool_call", "id": "c2"}]}],
    "a response with a name": [{"role": "tool", "parts": [{**ANSWER, "name": "now"}]}],
    "nulls": [{"role": "assistant", "parts": [{**CALL, "id": None}]}],
    "parts of other kinds": [{"role": "user", "parts": [TEXT, {"type": "blob"}]}],
    "parts of two conventions": [{"role": "user", "parts": [{"text": "Hi"}, TEXT]}],
    "a text among parts": [{"role": "user", "parts": [{"text": "Hi"}, "Ho"]}],
    "responses in contents of their own": [{"parts": [{"functionResponse": {"name": "now"}}]}] * 2,
    "responses that are told twice": [
        {"role": "tool", "tool_call_id": "c1", "content": "x"},
        {"role": "user", "parts": [{"functionResponse": {"name": "now"}}, {"text": "Well?"}]},
    ],
    "results that are told apart": [{"role": "tool", "tool_call_id": "c1", "content": "x"}] * 2,
    "a result without an id": [{"role": "tool", "content": "x"}],
    "a content in a message": [{"role": "user", "content": {"parts": [{"text": "Hi"}]}}],
    "a content as a text": [{"role": "user", "content": ' [{"type": "text", "text": "Hi"}]'}],
    "a content as a text in a text": [{"role": "user", "content": json.dumps('{"parts": [{"text": "Hi"}]}')}],
    "blocks": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
    "nothing": [{"role": "user", "content": ""}],
    "arguments that are none": [{"role": "assistant", "tool_calls": [BROKEN]}],
    "a call in its own words": [{"role": "assistant", "tool_calls": [{"id": "c1", "name": "now", "args": {}}]}],
    "calls as the AI SDK has them": [{"role": "assistant", "content": "Hi", "toolCalls": []}],
    "calls that LangChain keeps": [{"role": "assistant", "content": "Hi", "additional_kwargs": {}}],
    "what tool_calls replaced": [{"role": "assistant", "content": "Hi", "function_call": {}}],
    "no parts": [{"role": "user", "parts": []}],
    "what was not captured": [{"role": "user", "parts": [{"type": "text", "content": "<elided>"}]}],
    "an empty text": [{"role": "user", "parts": [{"type": "text"}]}],
    "no message": [7],
}


def values(listed: list[Any], *, inner: bool) -> list[tuple[str, JsonNode]]:
    site = Site(Origin("x", 3), "/held")
    node = JsonNode(json.dumps(json.dumps(listed) if inner else listed).encode(), site)
    return [("user", each) for each in (node.inner() if inner else node)]


def told(messages: list[ToldMessage]) -> Iterator[tuple[Any, ...]]:
    for message in messages:
        content = json.loads(message.body.raw)
        yield content, message.role, message.calls, message.body.site.pointer, message.body.site.inner_pointer
        for n, part in enumerate(content["parts"]):
            steps: list[tuple[str | int, ...]] = [("parts", n)]
            for held in ("functionCall", "functionResponse"):
                steps += [("parts", n, held, key) for key in part.get(held, ()) if key != "response"]
            yield tuple(Spot(message.body.site).to(*each).place() for each in steps)
    yield (len(messages),)


@pytest.mark.parametrize("inner", [False, True])
@pytest.mark.parametrize("name", USUAL)
def test_they_are_the_same(name: str, inner: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = usual_messages(values(USUAL[name], inner=inner), False)
    assert quick is not None
    monkeypatch.setattr(told_messages, "usual_messages", lambda *_: None)
    assert list(told(quick)) == list(told(told_messages.messages(values(USUAL[name], inner=inner))))


@pytest.mark.parametrize("name", UNUSUAL)
def test_others_are_left_to_be_looked_at(name: str) -> None:
    assert usual_messages(values(UNUSUAL[name], inner=False), False) is None


def test_pieces_of_a_stream_are_left_as_well() -> None:
    assert usual_messages(values(USUAL["a conversation"], inner=False), True) is None
    assert usual_messages(values(USUAL["a conversation"][:1], inner=False), True) is not None
