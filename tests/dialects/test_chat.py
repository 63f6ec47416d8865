"""Messages that applications wrote down, in all their dialects."""

from typing import Any

import msgspec
import pytest

from tests.stories.conversations import facts
from wirecheck.talk.facts import AnswerFact, CallFact, CallSettledFact, ContentFact
from wirecheck.wire.records import Body, Closed, Opened, Origin, Site

ORIGIN = Origin("log.json", 1)


def told(messages: list[Any], kinds: str, **more: Any) -> list[Any]:
    body = Body(msgspec.json.encode({"messages": messages, **more}), Site(ORIGIN))
    opened = Opened(channel="1", origin=ORIGIN, body=body)
    return list(facts(iter([opened, Closed(channel="1", origin=ORIGIN, recorded=False)]), kinds=kinds))


CALLS: dict[str, tuple[dict[str, Any], tuple[str | None, str | None, Any]]] = {
    "OpenAI": (
        {"tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}]},
        ("1", "f", {"a": 1}),
    ),
    "OpenAI, arguments that are no JSON": (
        {"tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{a"}}]},
        ("1", "f", "{a"),
    ),
    "OpenAI before tool_calls": ({"function_call": {"name": "f", "arguments": "{}"}}, (None, "f", {})),
    "tool_calls in Gemini's words": ({"tool_calls": [{"name": "f", "args": {"a": 1}}]}, (None, "f", {"a": 1})),
    "Gemini parts": ({"parts": [{"functionCall": {"id": "1", "name": "f", "args": {}}}]}, ("1", "f", {})),
    "Anthropic blocks": (
        {"content": [{"type": "tool_use", "id": "1", "name": "f", "input": {"a": 1}}]},
        ("1", "f", {"a": 1}),
    ),
    "Vercel's AI SDK": (
        {"content": [{"type": "tool-call", "toolCallId": "1", "toolName": "f", "input": {"a": 1}}]},
        ("1", "f", {"a": 1}),
    ),
    "parts and tool_calls, the same call": (
        {
            "parts": [{"functionCall": {"name": "f", "args": {}}}],
            "tool_calls": [{"id": "1", "function": {"name": "f"}}],
        },
        ("1", "f", {}),
    ),
}


@pytest.mark.parametrize(("message", "expected"), CALLS.values(), ids=CALLS)
def test_a_call_is_read_in_every_dialect(message: dict[str, Any], expected: tuple[str | None, str | None, Any]) -> None:
    (fact,) = told([{"role": "assistant", **message}], "call")
    assert isinstance(fact, CallFact)
    assert (fact.id, fact.name, fact.args) == expected


ANSWERS: dict[str, tuple[dict[str, Any], tuple[str | None, str | None]]] = {
    "OpenAI": ({"role": "tool", "tool_call_id": "1", "content": "18"}, ("1", None)),
    "with a name and an id of its own": ({"role": "tool", "id": "m7", "name": "f", "content": "18"}, (None, "f")),
    "before tool_calls": ({"role": "function", "name": "f", "content": "18"}, (None, "f")),
    "Gemini parts": ({"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}, (None, "f")),
    "Vercel's AI SDK": (
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "1", "toolName": "f", "output": {}}]},
        ("1", "f"),
    ),
    "Anthropic blocks": (
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "x"}]},
        ("1", None),
    ),
    "under the assistant": ({"role": "assistant", "functionResponse": {"name": "f", "response": {}}}, (None, "f")),
}


@pytest.mark.parametrize(("message", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_read_in_every_dialect(message: dict[str, Any], expected: tuple[str | None, str | None]) -> None:
    (fact,) = told([message], "answer")
    assert isinstance(fact, AnswerFact)
    assert (fact.id, fact.name) == expected


CALLED = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}]}
TWICE = {"role": "assistant", "tool_calls": [{"id": one, "function": {"name": "f"}} for one in "12"]}
SAYS = {"role": "assistant", "content": "It is 18."}
TOLD = {"role": "tool", "tool_call_id": "1", "content": "18"}
ENDS: dict[str, tuple[list[Any], list[str]]] = {
    "answered": ([CALLED, TOLD, SAYS], ["answered"]),
    "answered after a word between": ([CALLED, SAYS, TOLD, SAYS], ["answered"]),
    "the assistant goes on": ([CALLED, SAYS], ["unanswered"]),
    "the user goes on": ([CALLED, {"role": "user", "content": "well?"}], ["unanswered"]),
    "the assistant calls again": ([CALLED, SAYS, CALLED], ["unanswered"]),
    "nothing came yet": ([CALLED], []),
    "one of two came yet": ([TWICE, TOLD], []),
    "one of two came, and the assistant goes on": ([TWICE, TOLD, SAYS], ["answered", "unanswered"]),
}


@pytest.mark.parametrize(("messages", "ends"), ENDS.values(), ids=ENDS)
def test_how_a_call_of_a_transcript_ends(messages: list[Any], ends: list[str]) -> None:
    settled = told([{"role": "user", "content": "How warm is it?"}, *messages], "call-settled")
    assert [fact.how for fact in settled if isinstance(fact, CallSettledFact)] == ends


def test_an_id_of_another_call_is_seen() -> None:
    other = {"role": "tool", "tool_call_id": "9", "content": "18"}
    (fact,) = told([{"role": "user", "content": "hi"}, CALLED, other, SAYS], "answer-settled")
    assert fact.ids == "foreign"


def test_what_the_provider_executed_is_no_call() -> None:
    block = {"type": "tool-call", "toolCallId": "1", "toolName": "f", "input": {}, "providerExecuted": True}
    assert told([{"role": "assistant", "content": [block]}], "call") == []


def test_results_of_one_message_are_told_one_by_one() -> None:
    blocks: list[Any] = [{"type": "tool-result", "toolCallId": n, "toolName": "f", "output": {}} for n in ("1", "2")]
    assert [fact.id for fact in told([{"role": "tool", "content": blocks}], "answer")] == ["1", "2"]


def test_a_scratchpad_names_its_model() -> None:
    (fact,) = told([{"role": "user", "content": "hi"}], "content", identity_info={"model": "gemini-2.5-flash"})
    assert isinstance(fact, ContentFact)
    assert (fact.context.protocol, fact.context.model, fact.context.whole) == ("transcript", "gemini-2.5-flash", False)
