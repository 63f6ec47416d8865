"""Replies in the OpenAI style, whole and in deltas."""

from typing import Any

import msgspec
import pytest

from tests.stories.conversations import facts
from wirecheck.talk.facts import CallFact, ContentFact
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Record, Replied, Site

URL = "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"
ORIGIN = Origin("log.jsonl", 1)


def reply(*chunks: Any) -> list[Record]:
    asked = Body(b'{"messages":[{"role":"user","content":"hi"}],"model":"gemini-3.8-flash"}', Site(ORIGIN))
    frames = [
        Frame(channel="1", origin=ORIGIN, sender="server", body=Body(msgspec.json.encode(chunk), Site(ORIGIN)))
        for chunk in chunks
    ]
    opened = Opened(channel="1", origin=ORIGIN, method="POST", url=URL, body=asked)
    return [opened, Replied(channel="1", origin=ORIGIN, status=200), *frames, Closed(channel="1", origin=ORIGIN)]


def delta(finish: str | None = None, **said: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": said, **({"finish_reason": finish} if finish else {})}]}


def piece(index: int | None = None, id_: str = "", name: str = "", arguments: str = "", **more: Any) -> dict[str, Any]:
    function = {**({"name": name} if name else {}), "arguments": arguments}
    return {
        **({} if index is None else {"index": index}),
        **({"id": id_} if id_ else {}),
        "function": function,
        **more,
    }


SIGNED = {"extra_content": {"google": {"thought_signature": "s"}}}
BOTH = [("c1", "f", {"a": 1}), ("c2", "g", {})]
CALLS: dict[str, list[Any]] = {
    "whole": [
        {
            "choices": [
                {
                    "finish_reason": "tool_calls",
                    "message": {
                        "role": "assistant",
                        "tool_calls": [piece(0, *one) for one in (("c1", "f", '{"a":1}'), ("c2", "g", "{}"))],
                    },
                }
            ]
        }
    ],
    "as Google streams them: no index, each in one piece": [
        delta(tool_calls=[piece(None, "c1", "f", '{"a":1}', **SIGNED)]),
        delta(tool_calls=[piece(None, "c2", "g", "{}")]),
        delta("stop"),
    ],
    "as OpenAI streams them: by index": [
        delta(tool_calls=[piece(0, "c1", "f"), piece(1, "c2", "g")]),
        delta(tool_calls=[piece(0, arguments='{"a"'), piece(1, arguments="{")]),
        delta(tool_calls=[piece(1, arguments="}"), piece(0, arguments=":1}")]),
        delta("tool_calls"),
    ],
    "in pieces without an index": [
        delta(tool_calls=[piece(None, "c1", "f", '{"a"')]),
        delta(tool_calls=[piece(None, arguments=":1}")]),
        delta("tool_calls", tool_calls=[piece(None, "c2", "g", "{}")]),
    ],
    "cut off": [delta(tool_calls=[piece(0, "c1", "f", '{"a":1}'), piece(1, "c2", "g", "{}")])],
}


@pytest.mark.parametrize("chunks", CALLS.values(), ids=CALLS)
def test_calls_are_put_together(chunks: list[Any]) -> None:
    calls = [fact for fact in facts(iter(reply(*chunks)), kinds="call") if isinstance(fact, CallFact)]
    assert [(call.id, call.name, call.args) for call in calls] == BOTH


def test_words_are_told_as_they_come() -> None:
    contents = facts(iter(reply(delta(content="Hel"), delta("stop", content="lo"))), kinds="content")
    said = [fact.value["content"] for fact in contents if isinstance(fact, ContentFact) and fact.sender == "server"]
    assert said == ["Hel", "lo"]


ENDS: dict[str, tuple[list[Any], tuple[str | None, int]]] = {
    "words": ([delta(content="Hi"), delta("stop")], ("stop", 0)),
    "calls": ([delta("tool_calls", tool_calls=[piece(0, "c1", "f", "{}")])], ("tool_calls", 1)),
    "cut off": ([delta(tool_calls=[piece(0, "c1", "f", "{")])], (None, 1)),
    "an error in a list": ([[{"error": {"message": "no"}}]], (None, 0)),
}


@pytest.mark.parametrize(("chunks", "expected"), ENDS.values(), ids=ENDS)
def test_how_a_reply_ends(chunks: list[Any], expected: tuple[str | None, int]) -> None:
    (told,) = facts(iter(reply(*chunks)), kinds="reply")
    assert (told.finish, told.calls) == expected  # type: ignore[attr-defined]
