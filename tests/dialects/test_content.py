"""Contents in all the ways people write them."""

from typing import Any

import msgspec
import pytest

from tests.stories.conversations import exchange, facts
from wirecheck.talk.facts import AnswerFact, CallFact, ContentFact, PartFact

SHAPES: dict[str, tuple[Any, tuple[str, str]]] = {
    "as it should be": ({"role": "user", "parts": [{"text": "hi"}]}, ("list", "user")),
    "a bare part": ({"role": "user", "parts": {"text": "hi"}}, ("object", "user")),
    "parts as text": ({"role": "user", "parts": "hi"}, ("string", "user")),
    "no parts": ({"role": "model"}, ("missing", "model")),
    "null parts": ({"role": "model", "parts": None}, ("null", "model")),
    "a number of parts": ({"role": "model", "parts": 3}, ("other", "model")),
    "a bare response": ({"functionResponse": {"name": "f", "response": {}}}, ("response", "user")),
    "a bare response with a role": ({"role": "user", "function_response": {"name": "f"}}, ("missing", "user")),
    "no content at all": ("hi", ("none", "")),
    "the role of another protocol": ({"role": "assistant", "parts": [{"text": "hi"}]}, ("list", "model")),
    "a role nobody knows": ({"role": "bot", "parts": [{"text": "hi"}]}, ("list", "")),
    "a role in capitals": ({"role": "MODEL", "parts": [{"text": "hi"}]}, ("list", "model")),
    "a role that is no text": ({"role": 5, "parts": [{"text": "hi"}]}, ("list", "")),
    "no role": ({"parts": [{"text": "hi"}]}, ("list", "user")),
    "no role but a call": ({"parts": [{"functionCall": {"name": "f"}}]}, ("list", "model")),
}


@pytest.mark.parametrize(("content", "expected"), SHAPES.values(), ids=SHAPES)
def test_a_content_is_read_whatever_it_is(content: Any, expected: tuple[str, str]) -> None:
    (fact,) = facts(exchange(1, [content]), kinds="content")
    assert isinstance(fact, ContentFact)
    assert (fact.shape, fact.speaker) == expected


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 5000, "1" * 30])
def test_a_number_that_no_float_holds_hides_nothing(number: str) -> None:
    call = {"name": "f", "args": {"n": msgspec.Raw(number.encode())}}
    content, made = facts(exchange(1, [{"role": "model", "parts": [{"functionCall": call}]}]), kinds="content call")
    assert isinstance(content, ContentFact)
    assert isinstance(made, CallFact)
    assert (content.shape, made.name) == ("list", "f")


PARTS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "text": ({"text": "hi", "thought": True, "thoughtSignature": "x"}, ("text",)),
    "snake_case": ({"inline_data": {"mime_type": "image/png", "data": ""}}, ("inlineData",)),
    "two": ({"text": "hi", "functionCall": {"name": "f"}}, ("text", "functionCall")),
    "null is absent": ({"text": None, "functionCall": {"name": "f"}}, ("functionCall",)),
    "none": ({"thoughtSignature": "x"}, ()),
    "of another protocol": ({"type": "tool_use", "id": "1"}, ()),
    "no object": ("hi", ()),
}


@pytest.mark.parametrize(("part", "data"), PARTS.values(), ids=PARTS)
def test_what_a_part_holds(part: Any, data: tuple[str, ...]) -> None:
    (fact,) = facts(exchange(1, [{"role": "user", "parts": [part]}]), kinds="part")
    assert isinstance(fact, PartFact)
    assert fact.data == data


CALLS: dict[str, tuple[dict[str, Any], tuple[str | None, str | None, tuple[str, ...]]]] = {
    "in a part": (
        {"parts": [{"functionCall": {"id": "1", "name": "f", "args": {}}}]},
        ("1", "f", ("id", "name", "args")),
    ),
    "snake_case": ({"parts": [{"function_call": {"name": "f", "args": {}}}]}, (None, "f", ("name", "args"))),
    "with arguments": (
        {"parts": [{"functionCall": {"name": "f", "arguments": "{}"}}]},
        (None, "f", ("name", "arguments")),
    ),
    "as tool_calls beside the parts": (
        {"tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        ("1", "f", ("name", "arguments")),
    ),
    "a name that is no text": ({"parts": [{"functionCall": {"name": 5}}]}, (None, None, ("name",))),
    "no object": ({"parts": [{"functionCall": "f()"}]}, (None, None, ())),
}


@pytest.mark.parametrize(("content", "expected"), CALLS.values(), ids=CALLS)
def test_what_a_call_says(content: dict[str, Any], expected: tuple[str | None, str | None, tuple[str, ...]]) -> None:
    (fact,) = facts(exchange(1, [{"role": "model", **content}]), kinds="call")
    assert isinstance(fact, CallFact)
    assert (fact.id, fact.name, fact.keys) == expected


BODIES: dict[str, tuple[Any, str, str]] = {
    "plain": ({"contents": [{"parts": [{"text": "x"}]}]}, "", "/request/body/contents/0/parts/0"),
    "a bare content": ({"contents": {"parts": [{"text": "x"}]}}, "", "/request/body/contents/parts/0"),
    "a list of contents, as a gateway may take it": (
        [{"parts": [{"text": "x"}]}],
        "https://llm.example/v1beta/models/gemini-2.5-flash:generateContent",
        "/request/body/0/parts/0",
    ),
    "Code Assist": (
        {"model": "gemini-2.5-pro", "project": "p", "request": {"contents": [{"parts": [{"text": "x"}]}]}},
        "https://cloudcode-pa.googleapis.com/v1internal:generateContent",
        "/request/body/request/contents/0/parts/0",
    ),
    "countTokens of a whole request": (
        {"generateContentRequest": {"model": "models/gemini-2.5-pro", "contents": [{"parts": [{"text": "x"}]}]}},
        "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:countTokens",
        "/request/body/generateContentRequest/contents/0/parts/0",
    ),
}


@pytest.mark.parametrize(("body", "url", "pointer"), BODIES.values(), ids=BODIES)
def test_contents_are_found_where_they_are_and_pointed_at_as_written(body: Any, url: str, pointer: str) -> None:
    (fact,) = facts(exchange(1, msgspec.Raw(msgspec.json.encode(body)), url=url or None), kinds="part")
    assert fact.spot.place().pointer == pointer


def test_keys_are_pointed_at_as_they_were_written() -> None:
    (fact,) = facts(exchange(1, [{"role": "user", "parts": [{"function_response": {"name": "f"}}]}]), kinds="answer")
    assert isinstance(fact, AnswerFact)
    assert fact.spot.place().pointer == "/request/body/contents/0/parts/0/function_response"
