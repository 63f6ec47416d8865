"""What the Interactions API sends and answers, whole and in events, in both shapes."""

from typing import Any

import msgspec
import pytest

from tests.stories.conversations import facts
from wirecheck.talk.facts import AnswerFact, CallFact, ContentFact, ReplyFact
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Record, Replied, Site

URL = "https://generativelanguage.googleapis.com/v1beta/interactions"
ORIGIN = Origin("log.jsonl", 1)
CALL = {"type": "function_call", "id": "c1", "name": "f", "arguments": {"a": 1}}
RESULT = {"type": "function_result", "call_id": "c1", "name": "f", "result": "x"}
TEXT = {"type": "text", "text": "hi"}


def body(value: Any) -> Body:
    return Body(msgspec.json.encode(value), Site(ORIGIN))


def exchange(request: Any, *replies: Any, url: str = URL) -> list[Record]:
    asked = Opened(channel="1", origin=ORIGIN, method="POST", url=url, body=None if request is None else body(request))
    frames = [Frame(channel="1", origin=ORIGIN, sender="server", body=body(reply)) for reply in replies]
    return [asked, Replied(channel="1", origin=ORIGIN, status=200), *frames, Closed(channel="1", origin=ORIGIN)]


def told(records: list[Record], kinds: str) -> list[Any]:
    return list(facts(iter(records), kinds=kinds))


INPUTS: dict[str, tuple[Any, list[tuple[str, int, int, int]]]] = {
    "a text": ("hi", [("user", 1, 0, 0)]),
    "a block": (TEXT, [("user", 1, 0, 0)]),
    "blocks": ([TEXT, {"type": "image", "data": "", "mime_type": "image/png"}], [("user", 1, 0, 0), ("user", 1, 0, 0)]),
    "steps": (
        [
            {"type": "user_input", "content": [TEXT, TEXT]},
            {"type": "thought", "signature": "s"},
            CALL,
            RESULT,
            {"type": "model_output", "content": [TEXT]},
        ],
        [("user", 2, 0, 0), ("model", 1, 0, 0), ("model", 1, 1, 0), ("user", 1, 0, 1), ("model", 1, 0, 0)],
    ),
    "results as blocks of the user": ([{"type": "user_input", "content": [RESULT, RESULT]}], [("user", 2, 0, 2)]),
    "turns": (
        [{"role": "user", "content": "hi"}, {"role": "model", "content": [TEXT, CALL]}],
        [("user", 1, 0, 0), ("model", 2, 1, 0)],
    ),
    "what the server called itself": (
        [{"type": "google_search_call", "id": "s"}, {"type": "mcp_server_tool_result", "call_id": "s"}],
        [("model", 1, 0, 0), ("model", 1, 0, 0)],
    ),
    "nonsense": ([None, 7, {"type": 3}, {"content": 5}], [("", 0, 0, 0), ("", 0, 0, 0), ("", 1, 0, 0), ("", 0, 0, 0)]),
}


@pytest.mark.parametrize(("given", "expected"), INPUTS.values(), ids=INPUTS)
def test_an_input_is_read_in_every_shape(given: Any, expected: list[tuple[str, int, int, int]]) -> None:
    contents = [fact for fact in told(exchange({"input": given}), "content") if isinstance(fact, ContentFact)]
    assert [(one.speaker, one.parts, one.calls, one.answers) for one in contents] == expected


def test_a_call_and_its_result_are_read_with_their_places() -> None:
    call, answer = told(exchange({"input": [CALL, {"type": "user_input", "content": [RESULT]}]}), "call answer")
    assert isinstance(call, CallFact)
    assert isinstance(answer, AnswerFact)
    assert (call.id, call.name, call.args, call.spot.place().pointer) == ("c1", "f", {"a": 1}, "/input/0")
    assert (answer.id, answer.response, answer.spot.place().pointer) == ("c1", "x", "/input/1/content/0")


def events(*steps: dict[str, Any], old: bool = False) -> list[dict[str, Any]]:
    """A stream that says these steps, each in pieces."""
    step, created, end = ("content", "start", "complete") if old else ("step", "created", "completed")
    about = {"id": "v1_a", "model": "gemini-3.8-flash"}
    told: list[dict[str, Any]] = [{"event_type": f"interaction.{created}", "interaction": about}]
    for n, one in enumerate(steps):
        told.append({"event_type": f"{step}.start", "index": n, step: started(one)})
        told += [{"event_type": f"{step}.delta", "index": n, "delta": delta} for delta in deltas(one)]
        told.append({"event_type": f"{step}.stop", "index": n})
    return [*told, {"event_type": f"interaction.{end}", "interaction": {**about, "status": "completed"}}]


def started(step: dict[str, Any]) -> dict[str, Any]:
    return {**step, "arguments": {}} if step["type"] == "function_call" else {"type": step["type"]}


def deltas(step: dict[str, Any]) -> list[dict[str, Any]]:
    if step["type"] == "function_call":
        written = msgspec.json.encode(step["arguments"]).decode()
        return [{"type": "arguments_delta", "arguments": piece} for piece in (written[:3], written[3:])]
    if step["type"] == "thought":
        return [{"type": "thought_signature", "signature": step["signature"]}]
    texts = [step["text"]] if "text" in step else [block["text"] for block in step["content"]]
    return [{"type": "text", "text": piece} for text in texts for piece in (text[:1], text[1:])]


SAID: dict[str, list[dict[str, Any]]] = {
    "words": [{"type": "thought", "signature": "s"}, {"type": "model_output", "content": [TEXT]}],
    "calls": [{"type": "thought", "signature": "s"}, CALL, {**CALL, "id": "c2", "arguments": {}}],
    "words and a call": [{"type": "model_output", "content": [TEXT]}, CALL],
}


def heard(records: list[Record]) -> list[Any]:
    contents = [fact for fact in told(records, "content") if isinstance(fact, ContentFact) and fact.sender == "server"]
    calls = [(fact.id, fact.name, fact.args) for fact in told(records, "call")]
    return [[fact.value for fact in contents], [fact.turn for fact in contents], calls]


@pytest.mark.parametrize("steps", SAID.values(), ids=SAID)
def test_a_stream_says_what_the_whole_reply_says(steps: list[dict[str, Any]]) -> None:
    whole = exchange({"input": "hi"}, {"id": "v1_a", "status": "completed", "steps": steps})
    assert heard(exchange({"input": "hi"}, *events(*steps))) == heard(whole)


@pytest.mark.parametrize("old", [False, True])
def test_the_older_events_and_outputs_say_the_same(old: bool) -> None:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": "hi"}, CALL]
    whole = exchange({"input": "hi"}, {"status": "completed", "role": "model", "outputs": blocks})
    assert heard(exchange({"input": "hi"}, *events(*blocks, old=old))) == heard(whole)


def test_a_reply_may_begin_with_the_input_it_answers() -> None:
    steps = [{"type": "user_input", "content": [TEXT]}, {"type": "model_output", "content": [TEXT]}]
    (values, *_) = heard(exchange({"input": "hi"}, {"status": "completed", "steps": steps}))
    assert values == steps[1:]


ENDS: dict[str, tuple[list[Any], tuple[str | None, str | None, int]]] = {
    "completed": (events(CALL), ("completed", None, 1)),
    "cut off within a call": (events(CALL)[:3], (None, None, 1)),
    "cut off at once": (events(CALL)[:1], (None, None, 0)),
    "an error": ([*events()[:1], {"event_type": "error", "error": {"message": "no"}}], (None, "no", 0)),
    "in the background": ([{"id": "v1_a", "status": "in_progress"}], (None, None, 0)),
    "an error in a list": ([[{"error": {"message": "no"}}]], (None, "no", 0)),
}


@pytest.mark.parametrize(("replies", "expected"), ENDS.values(), ids=ENDS)
def test_how_a_reply_ends(replies: list[Any], expected: tuple[str | None, str | None, int]) -> None:
    (reply,) = told(exchange({"input": "hi"}, *replies), "reply")
    assert isinstance(reply, ReplyFact)
    assert (reply.finish, reply.error, reply.calls) == expected


def test_an_unfinished_argument_stays_text() -> None:
    (call,) = told(exchange({"input": "hi"}, *events(CALL)[:3]), "call")
    assert call.args == '{"a'


NOT_OURS = {
    "https://discord.com/api/interactions": {"type": 1, "data": {}},
    f"{URL}/v1_a/cancel": {},
}


@pytest.mark.parametrize(("url", "asked"), NOT_OURS.items())
def test_other_interactions_ask_nothing(url: str, asked: Any) -> None:
    assert told(exchange(asked, url=url), "content request") == []
