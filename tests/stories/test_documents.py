"""What five people wrote about the formats of Gemini before there was a checker: their right forms are silent, their
wrong ones are found, each under the rule that names it.

The forms are ours; only what they say is theirs. A log goes through the whole belt, as on the command line.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.stories.conversations import GEMINI, LIVE, Json, answer, call, model, reply, user
from wirecheck import Finding, lint

Log = list[Any]  # one JSON value a line

CALLED = [user("Weather in Rome?"), model(call("weather", city="Rome"))]
CALLED_TWICE = [user("Rome and Oslo?"), model(call("weather", city="Rome"), call("forecast", city="Oslo"))]


def told(*these: Any) -> Log:
    return list(these)


def contents(*these: Any) -> Log:
    return [{"contents": list(these)}]


def sent(*these: Any, to: str = "gemini-2.5-flash", **more: Any) -> Log:
    return [{"request": {"method": "POST", "url": GEMINI.format(to), "body": {"contents": list(these), **more}}}]


def replied(*chunks: Any) -> Log:
    request = {"method": "POST", "url": "http://localhost:8053/v1/models/m:generateContent", "body": CALLED_BODY}
    return [{"request": request, "response": {"status": 200, "body": chunks if len(chunks) > 1 else chunks[0]}}]


def live(*frames: tuple[str, Json]) -> Log:
    peers = {">": "client", "<": "server"}
    started = [(">", {"setup": {"model": "models/gemini-live-2.5-flash"}}), *frames]
    return [{"channel": "1", "url": LIVE, "from": peers[side], "data": frame} for side, frame in started]


def judged(log: Log, folder: Path) -> list[Finding]:
    path = folder / "log.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, log)) + b"\n")
    return [finding for finding in lint(path) if finding.severity != "info"]


def holds(right: Mapping[str, Log], wrong: Mapping[str, tuple[set[str], Log]], folder: Path) -> None:
    for name, log in right.items():
        assert (name, judged(log, folder)) == (name, [])
    for name, (rules, log) in wrong.items():
        assert (name, {finding.rule for finding in judged(log, folder)}) == (name, rules)


CALLED_BODY = {"contents": [user("Weather in Rome?")]}
WEATHER = answer("weather", response={"content": "18 degrees"})
SIGNED = {**call("weather", "call_1"), "thoughtSignature": "c2ln"}
BARE = WEATHER["functionResponse"]


@pytest.mark.parametrize("send", [told, contents, sent], ids=["messages", "bare contents", "a request"])
def test_how_a_function_response_is_written(send: Any, tmp_path: Path) -> None:
    right = {
        f"the key {key}": send(*CALLED, user(answer("weather", response={key: "18 degrees"})))
        for key in ("content", "result", "output")
    }
    right["four steps"] = send(*CALLED, user(WEATHER), model("18 degrees in Rome."), user("Thanks"))
    wrong = {
        "a string": ({"function-response-not-object"}, send(*CALLED, user(answer("weather", response="18 degrees")))),
        "role model": ({"function-response-in-model-role"}, send(*CALLED, {"role": "model", "parts": [WEATHER]})),
        "role function": ({"function-role"}, send(*CALLED, {"role": "function", "parts": [WEATHER]})),
        "no parts": ({"parts-missing"}, send(*CALLED, {"role": "user", "functionResponse": BARE})),
        "one of two": ({"function-response-count-mismatch"}, send(*CALLED_TWICE, user(WEATHER), model("18 degrees"))),
    }
    holds(right, wrong, tmp_path)
    assistant = judged(send(*CALLED, {"role": "assistant", "parts": [WEATHER]}), tmp_path)
    assert "function-response-in-model-role" in {finding.rule for finding in assistant}


def test_a_scratchpad_that_goes_on_without_the_response(tmp_path: Path) -> None:
    tool = {"id": "call_7", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Rome"}'}}
    log: Log = [
        {"role": "user", "content": "Weather in Rome?"},
        {"role": "assistant", "content": "", "tool_calls": [tool]},
        {"role": "assistant", "content": "18 degrees."},
    ]
    whole = [*log[:2], {"role": "user", "parts": [answer("weather", "call_7")]}, log[2]]
    wrong = {f"as {name}": ({"transcript-missing-function-response"}, one) for name, one in written(log).items()}
    holds(written(whole), wrong, tmp_path)
    (finding,) = judged(log, tmp_path)
    assert "weather (call_7)" in finding.message
    assert finding.call is not None
    assert (finding.call.name, finding.call.id) == ("weather", "call_7")


def written(log: Log) -> dict[str, Log]:
    return {"messages": log, "one document": [{"messages": log}], "a list": [log]}


def test_what_a_server_that_speaks_gemini_sends(tmp_path: Path) -> None:
    side: Json = {"promptFeedback": {"safetyRatings": []}, "usageMetadata": usage(10, 20, 30)}
    text = {"text": "18 degrees"}
    content = {"role": "model", "parts": [text]}
    right = {
        "a text": replied(reply(content, **side)),
        "a call": replied(reply(model(call("weather", "call_1", city="Rome")), **side)),
        "a stream": replied({"candidates": [{"content": content, "finishReason": None}]}, reply(content)),
        "a result": contents(*CALLED, user(answer("weather", response={"output": "18"}))),
        "a failure": contents(*CALLED, user(answer("weather", response={"error": "no such city"}))),
    }
    openai = {"function_call": {"name": "weather", "arguments": "{}"}}
    wrong = {
        "no candidates": ({"response-no-candidates"}, replied(side)),
        "no content": ({"candidate-content-missing"}, replied({"candidates": [{"index": 0}]})),
        "no parts": ({"candidate-empty-content"}, replied(reply({"role": "model"}))),
        "text in the content": ({"parts-missing"}, replied(reply(text))),
        "role assistant": ({"reply-role-not-model"}, replied(reply({**content, "role": "assistant"}))),
        "a call of OpenAI": ({"openai-style-call"}, replied(reply(model(openai)))),
        "arguments": ({"openai-style-call"}, replied(reply(model({"functionCall": openai["function_call"]})))),
        "counts": ({"reply-token-counts"}, replied(reply(content, usageMetadata=usage(10, 20, 31)))),
        "no finish": ({"finish-reason-missing"}, replied({"candidates": [{"content": content}]})),
        "a stream that breaks off": (
            {"stream-missing-finish"},
            replied(*[{"candidates": [{"content": content}]}] * 2),
        ),
        "finished too early": ({"content-after-finish"}, replied(reply(content), reply(content))),
        "an empty part": ({"part-without-data"}, replied(reply(model({}, text)))),
        "role function": ({"function-role"}, contents(*CALLED, {"role": "function", "parts": [WEATHER]})),
        "no id": (
            {"function-response-id-missing"},
            sent(user("Rome?"), model(SIGNED), user(WEATHER), to="gemini-3-flash-preview"),
        ),
    }
    holds(right, wrong, tmp_path)


def usage(prompt: int, candidates: int, total: int) -> Json:
    return {"promptTokenCount": prompt, "candidatesTokenCount": candidates, "totalTokenCount": total}


def test_how_tools_and_calls_are_written_for_gemini_and_for_others(tmp_path: Path) -> None:
    function = {"name": "weather", "description": "The weather.", "parameters": {"type": "object", "properties": {}}}
    openai = {"type": "function", "function": function}
    as_text = {"functionCall": {"name": "weather", "args": '{"city": "Rome"}'}}
    right = {
        "declarations": sent(user("Hi"), tools=[{"functionDeclarations": [function]}]),
        "args are an object": replied(reply(model(call("weather", city="Rome")))),
    }
    wrong = {
        "the shape of OpenAI": ({"openai-style-tools"}, sent(user("Hi"), tools=[openai])),
        "a bare function": ({"openai-style-tools"}, sent(user("Hi"), tools=[function])),
        "args are text": ({"function-args-not-object"}, replied(reply(model(as_text)))),
        "tool_calls": (
            {"openai-style-call"},
            contents({"role": "model", "tool_calls": [{"function": {"name": "weather", "arguments": "{}"}}]}),
        ),
    }
    holds(right, wrong, tmp_path)


def test_how_a_call_is_answered_over_the_websocket(tmp_path: Path) -> None:
    asked = ("<", {"toolCall": {"functionCalls": [{"id": "c1", "name": "weather", "args": {"city": "Rome"}}]}})
    given = {"id": "c1", "name": "weather", "response": {"result": "18"}}
    unnamed = {"name": "weather", "response": {"output": "18"}}
    turn = {"clientContent": {"turns": [user({"functionResponse": unnamed})], "turnComplete": True}}
    right = {
        "snake_case": live(asked, (">", {"tool_response": {"function_responses": [given]}})),
        "camelCase": live(asked, (">", {"toolResponse": {"functionResponses": [given]}})),
    }
    wrong = {
        "as content": ({"live-function-part-in-client-content"}, live(asked, (">", turn))),
        "the name of the type": (
            {"tool-response-envelope"},
            live(asked, (">", {"BidiGenerateContentToolResponse": {"functionResponses": [given]}})),
        ),
        "without the envelope": ({"tool-response-envelope"}, live(asked, (">", {"functionResponses": [given]}))),
        "no id": ({"tool-response-missing-id"}, live(asked, (">", {"toolResponse": {"functionResponses": [unnamed]}}))),
        "another name": (
            {"tool-response-name"},
            live(asked, (">", {"toolResponse": {"functionResponses": [{**given, "name": "tool"}]}})),
        ),
    }
    holds(right, wrong, tmp_path)
    (content,) = judged(wrong["as content"][1], tmp_path)
    assert content.severity == "warning"
    for name in ("the name of the type", "without the envelope"):
        assert {finding.severity for finding in judged(wrong[name][1], tmp_path)} == {"error"}


def test_a_list_of_responses_is_no_content(tmp_path: Path) -> None:
    bare = [{"function_response": answer(name)["functionResponse"]} for name in ("weather", "forecast")]
    right = {
        "in parts": contents(*CALLED_TWICE, user(*bare)),
        "in parts, without a role": contents(*CALLED_TWICE, {"parts": bare}),
    }
    wrong = {
        "a list alone": ({"function-responses-not-in-content"}, [bare]),
        "appended": ({"function-responses-not-in-content"}, contents(*CALLED_TWICE, *bare)),
        "one too few": ({"function-response-count-mismatch"}, contents(*CALLED_TWICE, user(bare[0]))),
    }
    holds(right, wrong, tmp_path)
