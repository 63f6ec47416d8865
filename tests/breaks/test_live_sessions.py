"""Sound Live sessions, broken in every way that the catalogue names: each break is found, under its rule, in its frame.

A break takes the frames of a session and gives them back broken, with the number of the frame in which that shows
(None: the close), or nothing where the session has nothing of the kind to break.
"""

import io
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.sources.telling import singly
from tests.stories.conversations import LIVE, session
from tests.stories.test_fixtures import FIXTURES, SOUND, log
from wirecheck import Inspector, Reader, load
from wirecheck.finding import Finding
from wirecheck.rules import Ruleset
from wirecheck.sources import read_file
from wirecheck.wire.records import Frame as Sent
from wirecheck.wire.records import Opened

Frame = tuple[str, Any]
Frames = list[Frame]
Broken = tuple[Frames, int | None] | None
VERTEX = "wss://us-central1-aiplatform.googleapis.com/ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent"


def told(story: str) -> tuple[str, Frames]:
    """The URL and the frames of a story."""
    records = list(singly(Reader([str(log(story))])))
    url = next(record.url for record in records if isinstance(record, Opened))
    sent = [record for record in records if isinstance(record, Sent)]
    return url, [(">" if each.sender == "client" else "<", msgspec.json.decode(each.body.raw)) for each in sent]


def made(model: str, call_id: str | None) -> Frames:
    """A session of our own: a question, two calls, their responses, a turn, and another question."""
    ids = {"id": call_id} if call_id else {}
    names = ("now", "zone")
    calls = [{**ids, "id": f"{call_id}{n}", "name": name, "args": {}} for n, name in enumerate(names)]
    answers = [{"id": call["id"], "name": call["name"], "response": {"output": 1}} for call in calls]
    tools = [{"functionDeclarations": [{"name": name, "behavior": "BLOCKING"} for name in names]}]
    ask = {"clientContent": {"turns": [{"role": "user", "parts": [{"text": "When?"}]}], "turnComplete": True}}
    turn: Frames = [
        ("<", {"serverContent": {"modelTurn": {"role": "model", "parts": [{"text": "Now."}]}}}),
        ("<", {"serverContent": {"generationComplete": True}}),
        ("<", {"serverContent": {"turnComplete": True}, "usageMetadata": {"totalTokenCount": 3}}),
    ]
    return [
        (">", {"setup": {"model": model, "tools": tools}}),
        ("<", {"setupComplete": {}}),
        (">", ask),
        ("<", {"toolCall": {"functionCalls": calls}}),
        (">", {"toolResponse": {"functionResponses": answers}}),
        *turn,
        (">", ask),
        *turn,
    ]


MODELS = {
    "2.5 on the Gemini API": (LIVE, "models/gemini-live-2.5-flash-preview"),
    "3.1 on the Gemini API": (LIVE, "models/gemini-3.1-flash-live-preview"),
    "3.8 on the Gemini API": (LIVE, "models/gemini-3.8-live"),
    "2.5 on Vertex AI": (VERTEX, "projects/p/locations/l/publishers/google/models/gemini-live-2.5-flash"),
    "3.8 on Vertex AI": (VERTEX, "projects/p/locations/l/publishers/google/models/gemini-3.8-live"),
}
SESSIONS: dict[str, tuple[str, Frames]] = {
    **{name: (url, made(model, "fc-")) for name, (url, model) in MODELS.items()},
    **{story: told(story) for story in SOUND if "-live-" in story and (FIXTURES / story).exists()},
}


def first(frames: Frames, key: str, start: int = 0) -> int | None:
    return next((n for n, (_, frame) in enumerate(frames) if n >= start and key in frame), None)


def changed(frames: Frames, n: int, frame: Any) -> Frames:
    return [*frames[:n], (frames[n][0], frame), *frames[n + 1 :]]


def deep(frame: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(frame))


def without_setup(frames: Frames) -> Broken:
    return frames[1:], next(n for n, (side, _) in enumerate(frames[1:]) if side == ">")


def setup_late(frames: Frames) -> Broken:
    asked = next(n for n, (side, _) in enumerate(frames) if n and side == ">")
    return [frames[asked], frames[0], *frames[1:asked], *frames[asked + 1 :]], 0


def setup_twice(frames: Frames) -> Broken:
    return [*frames[:2], frames[0], *frames[2:]], 2


def without_setup_complete(frames: Frames) -> Broken:
    rest = [frames[0], *frames[2:]]
    return rest, next(n for n, (side, _) in enumerate(rest) if side == "<")


def before_setup_complete(frames: Frames) -> Broken:
    n = next((n for n, (side, frame) in enumerate(frames) if n and side == ">" and "toolResponse" not in frame), None)
    return None if n is None else ([frames[0], frames[n], *frames[1:n], *frames[n + 1 :]], 1)


def on_response(change: Callable[[dict[str, Any]], None]) -> Callable[[Frames], Broken]:
    """Each response of the first toolResponse is changed; it shows in that frame."""

    def broken(frames: Frames) -> Broken:
        n = first(frames, "toolResponse")
        if n is None:
            return None
        frame = deep(frames[n][1])
        change(frame["toolResponse"]["functionResponses"][0])
        return changed(frames, n, frame), n

    return broken


def renumbered(response: dict[str, Any]) -> None:
    response["id"] = "mine"


def renamed(response: dict[str, Any]) -> None:
    response["name"] = "other"


def without_id(response: dict[str, Any]) -> None:
    del response["id"]


def under_another_key(response: dict[str, Any]) -> None:
    response["functionCallId"] = response.pop("id")


def with_empty_id(response: dict[str, Any]) -> None:
    response["id"] = ""


def scheduled_within(response: dict[str, Any]) -> None:
    response.pop("scheduling", None)
    response["response"] = {"output": 1, "scheduling": "SILENT"}


def going_on_within(response: dict[str, Any]) -> None:
    response.pop("willContinue", None)
    response["response"] = {"output": 1, "will_continue": True}


def as_list(response: dict[str, Any]) -> None:
    response["response"] = [response["response"]]


def unanswered(frames: Frames) -> Broken:
    """It shows where the user goes on in writing, or at the close, if the call holds the turn up."""
    n = first(frames, "toolResponse")
    if n is None or not holds(frames):
        return None
    rest = [*frames[:n], *frames[n + 1 :]]
    return rest, first(rest, "clientContent", n)


def holds(frames: Frames) -> bool:
    """Whether calls hold the turn up; one that does not may still be running at the close."""
    setup = str(frames[0])
    return "NON_BLOCKING" not in setup and ("BLOCKING" in setup or "3.8" not in setup)


def one_unanswered(frames: Frames) -> Broken:
    n = first(frames, "toolResponse")
    if n is None or not holds(frames) or len(frames[n][1]["toolResponse"]["functionResponses"]) < 2:
        return None
    frame = deep(frames[n][1])
    frame["toolResponse"]["functionResponses"].pop()
    broken = changed(frames, n, frame)
    return broken, first(broken, "clientContent", n)


def answered_twice(frames: Frames) -> Broken:
    n = first(frames, "toolResponse")
    return None if n is None else ([*frames[: n + 1], frames[n], *frames[n + 1 :]], n + 1)


def answered_before_the_call(frames: Frames) -> Broken:
    call, n = first(frames, "toolCall"), first(frames, "toolResponse")
    if call is None or n is None:
        return None
    return [*frames[:call], frames[n], *frames[call:n], *frames[n + 1 :]], call


def cancelled_and_answered(frames: Frames) -> Broken:
    call, n = first(frames, "toolCall"), first(frames, "toolResponse")
    if call is None or n is None:
        return None
    ids = [each["id"] for each in frames[call][1]["toolCall"]["functionCalls"]]
    return [*frames[:n], ("<", {"toolCallCancellation": {"ids": ids}}), *frames[n:]], n + 1


def in_envelope(wrap: Callable[[list[Any]], dict[str, Any]]) -> Callable[[Frames], Broken]:
    """The responses stand in something else."""

    def broken(frames: Frames) -> Broken:
        n = first(frames, "toolResponse")
        return None if n is None else (changed(frames, n, wrap(frames[n][1]["toolResponse"]["functionResponses"])), n)

    return broken


ENVELOPES: dict[str, Callable[[list[Any]], dict[str, Any]]] = {
    "none": lambda given: {"functionResponses": given},
    "the name of the type": lambda given: {"BidiGenerateContentToolResponse": {"functionResponses": given}},
    "one letter less": lambda given: {"toolResponse": {"functionResponse": given}},
    "in snake_case, one letter less": lambda given: {"tool_response": {"function_response": given}},
    "another word": lambda given: {"toolResponse": {"responses": given}},
    "itself": lambda given: {"toolResponse": {"toolResponse": {"functionResponses": given}}},
    "no list": lambda given: {"toolResponse": given},
}


def in_client_content(frames: Frames) -> Broken:
    n = first(frames, "toolResponse")
    if n is None:
        return None
    parts = [{"functionResponse": each} for each in frames[n][1]["toolResponse"]["functionResponses"]]
    return changed(frames, n, {"clientContent": {"turns": [{"role": "user", "parts": parts}], "turnComplete": True}}), n


def as_bare_turns(frames: Frames) -> Broken:
    n = first(frames, "toolResponse")
    if n is None:
        return None
    turns = [{"functionResponse": each} for each in frames[n][1]["toolResponse"]["functionResponses"]]
    return changed(frames, n, {"clientContent": {"turns": turns, "turnComplete": True}}), n


def two_in_one(frames: Frames) -> Broken:
    n = first(frames, "clientContent")
    return None if n is None else (changed(frames, n, {**frames[n][1], "contextUpdate": {"tools": []}}), n)


def called_by_another_name(frames: Frames) -> Broken:
    call, n = first(frames, "toolCall"), first(frames, "toolResponse")
    if call is None or n is None:
        return None
    frame, answer = deep(frames[call][1]), deep(frames[n][1])
    frame["toolCall"]["functionCalls"][0]["name"] = "made_up"
    answer["toolResponse"]["functionResponses"][0]["name"] = "made_up"
    return changed(changed(frames, call, frame), n, answer), call


def called_without_id(frames: Frames) -> Broken:
    call, n = first(frames, "toolCall"), first(frames, "toolResponse")
    if call is None or n is None:
        return None
    frame = deep(frames[call][1])
    del frame["toolCall"]["functionCalls"][0]["id"]
    return changed(frames, call, frame), n


def delivered_twice(frames: Frames) -> Broken:
    call = first(frames, "toolCall")
    if call is None:
        return None
    parts = [{"functionCall": each} for each in frames[call][1]["toolCall"]["functionCalls"]]
    said = ("<", {"serverContent": {"modelTurn": {"role": "model", "parts": parts}}})
    return [*frames[:call], said, *frames[call:]], call + 1


def never_the_last(frames: Frames) -> Broken:
    n = first(frames, "toolResponse")
    if n is None:
        return None
    frame = deep(frames[n][1])
    frame["toolResponse"]["functionResponses"][0]["willContinue"] = True
    return changed(frames, n, frame), None


def a_list_of_messages(frames: Frames) -> Broken:
    n = next(n for n, (side, _) in enumerate(frames) if n and side == ">")
    return [*frames[:n], (">", [frames[n][1]]), *frames[n:]], n


def an_empty_turn(frames: Frames) -> Broken:
    n = first(frames, "serverContent", len(frames) - 2)
    return None if n is None else ([*frames, ("<", {"serverContent": {"generationComplete": True}})], len(frames))


def interrupted_and_complete(frames: Frames) -> Broken:
    n = next((n for n, (_, frame) in enumerate(frames) if "generationComplete" in frame.get("serverContent", {})), None)
    return None if n is None else ([*frames[:n], ("<", {"serverContent": {"interrupted": True}}), *frames[n:]], n + 1)


def rejected_turn(frames: Frames) -> Broken:
    said = {"serverContent": {"turnComplete": True, "turnCompleteReason": "MALFORMED_FUNCTION_CALL"}}
    return [*frames, ("<", said)], len(frames)


# Name: the break, the rule that must find it, and rules that may be told besides, because the one leads to the other.
BREAKS: dict[str, tuple[Callable[[Frames], Broken], str, set[str]]] = {
    "no setup": (without_setup, "live-setup-not-first", set()),
    "setup late": (setup_late, "live-setup-not-first", {"live-send-before-setup-complete"}),
    "setup twice": (setup_twice, "live-setup-repeated", set()),
    "no setupComplete": (without_setup_complete, "live-setup-complete-missing", set()),
    "input before setupComplete": (before_setup_complete, "live-send-before-setup-complete", set()),
    "another id": (on_response(renumbered), "tool-response-unknown-id", set()),
    "another name": (on_response(renamed), "tool-response-name", set()),
    "no id": (on_response(without_id), "tool-response-missing-id", set()),
    "an empty id": (on_response(with_empty_id), "tool-response-missing-id", set()),
    "an id under another name": (on_response(under_another_key), "live-client-unknown-key", set()),
    "scheduling within the response": (on_response(scheduled_within), "tool-response-scheduling-misplaced", set()),
    "more to come within the response": (on_response(going_on_within), "tool-response-will-continue-misplaced", set()),
    "responses in the place of turns": (as_bare_turns, "function-responses-not-in-content", set()),
    "two messages in one frame": (two_in_one, "live-client-multiple-keys", {"live-mixed-input-channels"}),
    "a response that is a list": (on_response(as_list), "tool-response-not-object", set()),
    "no response": (unanswered, "tool-response-missing", set()),
    "one response missing": (one_unanswered, "tool-response-partial", set()),
    "answered twice": (answered_twice, "tool-response-duplicate", set()),
    "answered before the call": (answered_before_the_call, "tool-response-before-call", {"tool-response-missing"}),
    "cancelled and answered": (cancelled_and_answered, "tool-response-after-cancellation", set()),
    **{
        f"wrong nesting: {name}": (in_envelope(wrap), "tool-response-envelope", {"tool-response-missing"})
        for name, wrap in ENVELOPES.items()
    },
    "answered as content": (in_client_content, "live-function-part-in-client-content", set()),
    "a call nobody declared": (called_by_another_name, "tool-call-undeclared", set()),
    "an id for a call without": (called_without_id, "tool-response-invented-id", {"tool-call-server-missing-id"}),
    "a call delivered twice": (delivered_twice, "tool-call-duplicate-delivery", set()),
    "never the last response": (never_the_last, "tool-response-will-continue", set()),
    "a list of messages": (a_list_of_messages, "live-frame-not-json", set()),
    "an empty turn": (an_empty_turn, "live-empty-turn", set()),
    "interrupted and complete": (interrupted_and_complete, "live-turn-order", set()),
    "a call that cannot be read": (rejected_turn, "tool-malformed-call", set()),
}


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def judged(
    frames: Frames, url: str, rules: Ruleset, close: tuple[int, str] | None = (1000, ""), by: Any = "client"
) -> list[Finding]:
    inspector = Inspector(rules)
    records = list(session(*frames, url=url, close=close))
    records[-1] = msgspec.structs.replace(records[-1], by=by if close else None)
    found = [finding for record in records for finding in inspector.feed(record)]
    return found + inspector.close()


@pytest.mark.parametrize(("url", "frames"), SESSIONS.values(), ids=SESSIONS)
def test_a_sound_session_is_silent(url: str, frames: Frames, rules: Ruleset) -> None:
    assert [finding.rule for finding in judged(frames, url, rules)] == []


@pytest.mark.parametrize(("url", "frames"), SESSIONS.values(), ids=SESSIONS)
@pytest.mark.parametrize(("broken", "rule", "also"), BREAKS.values(), ids=BREAKS)
def test_every_break_is_found_in_its_frame_and_nothing_else(
    broken: Callable[[Frames], Broken], rule: str, also: set[str], url: str, frames: Frames, rules: Ruleset
) -> None:
    result = broken(frames)
    if result is None:
        return
    after, at = result
    found = judged(after, url, rules)
    line = (len(after) if at is None else at) + 2
    assert {finding.place.line for finding in found if finding.rule == rule} == {line}
    assert {finding.rule for finding in found} - also == {rule}


def in_lines(frames: Frames, url: str) -> bytes:
    """One frame a line."""
    told = [{"from": "client" if side == ">" else "server", "url": url, "data": frame} for side, frame in frames]
    return b"".join(msgspec.json.encode(each) + b"\n" for each in [*told, {"close": CLOSE}])


def in_one_line(frames: Frames, url: str) -> bytes:
    """One session a line, its close among the frames."""
    told = [{"dir": "client" if side == ">" else "server", "data": frame} for side, frame in frames]
    return msgspec.json.encode({"url": url, "frames": [*told, {"at": 9, "close": CLOSE}]}) + b"\n"


CLOSE = {"code": 1000, "reason": "", "by": "client"}
ONE_EACH = {"setup twice", "setup late"}  # where a line names no channel, a setup begins a session


@pytest.mark.parametrize("form", [in_lines, in_one_line])
@pytest.mark.parametrize("name", sorted(BREAKS.keys() - ONE_EACH))
def test_a_break_is_found_in_every_form_of_a_log(
    name: str, form: Callable[[Frames, str], bytes], rules: Ruleset
) -> None:
    for url, frames in SESSIONS.values():
        result = BREAKS[name][0](frames)
        if result is None or not url:  # without a URL nothing says that a line is the first of its session
            continue
        inspector, log = Inspector(rules), io.BytesIO(form(result[0], url))
        found = [finding for record in read_file(log, "x") for finding in inspector.feed(record)] + inspector.close()
        expected = judged(result[0], url, rules)
        assert [(each.rule, each.severity) for each in found] == [(each.rule, each.severity) for each in expected]


@pytest.mark.parametrize("name", BREAKS)
def test_every_break_is_tried(name: str) -> None:
    assert any(BREAKS[name][0](frames) for _, frames in SESSIONS.values())


@pytest.mark.parametrize(("broken", "rule", "also"), BREAKS.values(), ids=BREAKS)
def test_a_close_in_the_words_of_the_rule_confirms_it(
    broken: Callable[[Frames], Broken], rule: str, also: set[str], rules: Ruleset
) -> None:
    """The reason is cut, as the protocol wants it."""
    text = next((text for each in rules.rules if each.name == rule for text in each.server), None)
    result = broken(made("models/gemini-live-2.5-flash-preview", "fc-"))
    if text is None or result is None:
        return
    reason = (text if "Request" in text else f"{text}{'.' * 120}")[:123]
    close = judged(result[0], LIVE, rules, (1007, reason), "server")[-1]
    assert (close.server.verdict, close.server.status, close.severity) == ("confirmed", 1007, "error")
    assert close.rule in {rule} | also
    assert not any(
        finding.rule == "live-close-unexplained" for finding in judged(result[0], LIVE, rules, (1007, reason))
    )
