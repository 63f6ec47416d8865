"""The picture of conversations: who said what, in order, and what is wrong under it."""

import json
from typing import Any

import pytest

from tests.cli.logs import BAD, URL, Desk, content
from tests.work import work

CALL = {"functionCall": {"name": "get_weather", "args": {"city": "Rome"}, "id": "call_1"}}
ANSWER = {"functionResponse": {"name": "get_weather", "response": {"temp": 18}, "id": "call_1"}}


def request(*contents: Any, reply: Any = None) -> str:
    body = {"candidates": [{"content": {"role": "model", "parts": reply}, "finishReason": "STOP"}]} if reply else {}
    asked = {"method": "POST", "url": URL, "body": {"contents": list(contents)}}
    return json.dumps({"request": asked, "response": {"status": 200, "body": body}})


WEATHER = (
    request(content("user", "Weather?"), reply=[CALL]),
    request(
        content("user", "Weather?"),
        {"role": "model", "parts": [CALL]},
        {"role": "user", "parts": [ANSWER]},
        reply=[{"text": "hm", "thought": True}, {"text": "It is 18 degrees."}],
    ),
)
LIVE = (
    {"from": "client", "data": {"setup": {"model": "models/gemini-live-2.5-flash"}}},
    {"from": "server", "data": {"setupComplete": {}}},
    {"from": "client", "data": {"realtimeInput": {"audio": {"mimeType": "audio/pcm", "data": "AAAA"}}}},
    {"from": "client", "data": {"realtimeInput": {"audio": {"mimeType": "audio/pcm", "data": "AAAA"}}}},
    {"from": "server", "data": {"serverContent": {"outputTranscription": {"text": "I'll "}}}},
    {"from": "server", "data": {"serverContent": {"outputTranscription": {"text": "look."}}}},
    {"from": "server", "data": {"toolCall": {"functionCalls": [CALL["functionCall"]]}}},
    {"from": "client", "data": {"toolResponse": {"functionResponses": [ANSWER["functionResponse"]]}}},
    {"from": "server", "data": {"toolCallCancellation": {"ids": ["call_2"]}}},
)


def lines(desk: Desk, *arguments: str) -> list[str]:
    result = desk.run("show", *arguments)
    assert result.exit_code == 0, result.output
    return [line.rstrip() for line in result.stdout.splitlines()]


def test_a_conversation_is_told_once_however_often_it_is_recited(desk: Desk) -> None:
    assert lines(desk, desk.write("log.jsonl", *WEATHER)) == [
        "c1 · gemini-3.6-flash · gemini-api · log.jsonl:1",
        "  0 │ user      Weather?",
        '  1 │ model     get_weather(city="Rome")  id call_1',
        '  2 │ user      → get_weather {"temp": 18}  id call_1',
        "  3 │ model     hm",
        "    │           It is 18 degrees.",
        "",
        "2 lines → 2 exchanges → 1 conversation, 2 rules · 1 info (not listed) · settings: wirecheck.toml",
    ]


def test_findings_stand_under_their_turn(desk: Desk) -> None:
    told = lines(desk, desk.write("log.jsonl", BAD))
    assert told[1:4] == [
        "  0 │ nobody    hi :)",
        "  ╰─ error[OWN201 own-role] role nobody",
        "  1 │ model     (error: Please use a valid role: user, model.)",
    ]


def test_a_live_session_flows(desk: Desk) -> None:
    told = lines(desk, desk.write("log.jsonl", *map(json.dumps, LIVE)))
    assert told[:8] == [
        "s1 · gemini-live-2.5-flash · gemini-api · log.jsonl:1",
        "  0 │ client      setup models/gemini-live-2.5-flash",
        "  1 │ server      (setupComplete)",
        "  2 │ client      <audio/pcm 6 B> × 2",
        "  4 │ server      (said) I'll look.",
        '  6 │ server    ╭ get_weather(city="Rome")  id call_1',
        '  7 │ client    ╰ → get_weather {"temp": 18}  id call_1',
        "  8 │ server      cancels call_2",
    ]


def live(*frames: tuple[str, Any], **more: Any) -> list[str]:
    """Frames a second apart, one a line."""
    return [json.dumps({"from": side, "at": 100 + n, "data": data, **more}) for n, (side, data) in enumerate(frames)]


def call(*names: str) -> tuple[str, Any]:
    return "server", {"toolCall": {"functionCalls": [{"name": name, "id": name} for name in names]}}


def answer(name: str) -> tuple[str, Any]:
    return "client", {"toolResponse": {"functionResponses": [{"name": name, "id": name, "response": {}}]}}


def test_calls_are_drawn_from_where_they_are_made_to_where_they_end(desk: Desk) -> None:
    setup = ("client", {"setup": {"model": "models/gemini-3.8-live"}})
    frames = live(setup, call("a", "b"), answer("b"), call("c"), ("server", {"toolCallCancellation": {"ids": ["a"]}}))
    told = lines(desk, desk.write("log.jsonl", *frames, '{"from": "server", "code": 1000}'))
    assert told[1:8] == [
        "  0 │ 0.0s client       setup models/gemini-3.8-live",
        "  1 │ 1.0s server    ╭  a()  id a",
        "    │                │╭ b()  id b",
        "  2 │ 2.0s client    │╰ → b {}  id b",
        "  3 │ 3.0s server    │╭ c()  id c",
        "  4 │ 4.0s server    ╰│ cancels a",
        "    │      server     ╵ (closed by the server 1000)",
    ]


def test_a_session_over_two_connections_is_one_conversation(desk: Desk) -> None:
    setup = {"setup": {"model": "models/gemini-3.8-live", "sessionResumption": {}}}
    again = {"setup": {"model": "models/gemini-3.8-live", "sessionResumption": {"handle": "h"}}}
    handle = ("server", {"sessionResumptionUpdate": {"newHandle": "h", "resumable": True}})
    away = ("server", {"goAway": {"timeLeft": "50s"}})
    first, second = live(("client", setup), handle, away, channel="a"), live(("client", again), channel="b")
    end = '{"channel": "a", "from": "client", "code": 1000}'
    assert lines(desk, desk.write("log.jsonl", *first, end, *second)) == [
        "s1 · gemini-3.8-live · gemini-api · log.jsonl:1",
        "  0 │ 0.0s client    setup models/gemini-3.8-live",
        "  1 │ 1.0s server    (sessionResumptionUpdate)",
        "  2 │ 2.0s server    (goAway, 50s left)",
        "    │      client    (closed by the client 1000)",
        "  3 │ 0.0s client    setup with a handle, models/gemini-3.8-live",
        "",
        "5 lines → 1 session of 4 frames, 2 rules · nothing found · settings: wirecheck.toml",
    ]


def test_audio_is_weighed(desk: Desk) -> None:
    blob = {"mimeType": "audio/pcm;rate=16000", "data": "A" * 42668}
    frames = [("client", {"realtimeInput": {"audio": blob}})] * 3
    told = lines(desk, desk.write("log.jsonl", *live(("client", {"setup": {}}), *frames)))
    assert told[2] == "  1 │ 1.0s client    <audio/pcm;rate=16000 96 kB, 3.0 s> × 3"


def test_one_conversation_of_many(desk: Desk) -> None:
    log = desk.write("log.jsonl", BAD, *WEATHER)
    assert lines(desk, log, "--conversation", "c2")[0].startswith("c2 ")
    result = desk.run("show", log, "--conversation", "c9")
    assert (result.exit_code, result.stderr) == (2, "wirecheck: no conversation 'c9'; known: c1, c2\n")


def test_lines_that_cannot_be_read_are_findings_of_no_conversation(desk: Desk) -> None:
    unread = "name: own-unread\ncode: OWN901\ntitle: t\nseverity: warning\ndoc: d\ngiven: unread\n"
    desk.write("own/own-unread.yaml", unread + "check: {never: null}\nmessage: '{why}'")
    told = lines(desk, desk.write("log.jsonl", BAD, "{oops}"))
    assert "log.jsonl:2" in told
    assert told[told.index("log.jsonl:2") + 1].startswith("  ╰─ warning[OWN901 own-unread]")


def test_nothing_to_show_is_said(desk: Desk) -> None:
    assert desk.run("show").exit_code == 2
    assert desk.run("show", "missing.jsonl").exit_code == 2
    assert desk.run("show", desk.write("odd.jsonl", "3")).exit_code == 2


CALLS = """name: own-call
code: OWN301
title: t
severity: warning
doc: d
given: call
check: {never: null}
message: "call {call.id}"
"""
SPOKEN: dict[str, Any] = {
    "a long history": lambda n: [content("user", f"hi {i} :)") for i in range(n)],
    "a mistake in each turn": lambda n: [content("nobody", f"hi {i} :)") for i in range(n)],
    "a long turn": lambda n: [{"role": "user", "parts": [{"text": f"hi {i} :)"} for i in range(n)]}],
    "a mistake in each part": lambda n: [{"role": "user", "parts": [{"text": f"hi {i}"} for i in range(n)]}],
}


@pytest.mark.parametrize("command", ["show", "lint --output-format full"])
@pytest.mark.parametrize("spoken", SPOKEN.values(), ids=SPOKEN)
def test_the_work_grows_with_the_log_and_not_with_its_square(desk: Desk, spoken: Any, command: str) -> None:
    def taken(n: int) -> int:
        log = desk.write(f"{n}.jsonl", request(*spoken(n)))
        return work(lambda: desk.run(*command.split(), log, "--min-severity", "info"))

    taken(10)
    few, many = taken(400), taken(1600)
    assert many < 1.3 * 4 * few


def test_many_mistakes_in_one_frame_cost_the_same_each(desk: Desk) -> None:
    def taken(n: int) -> int:
        calls = [{"name": "now", "id": f"c{i}"} for i in range(n)]
        frames = ({"setup": {"model": "models/x"}}, {"toolCall": {"functionCalls": calls}})
        log = desk.write("log.jsonl", *(json.dumps({"from": "server", "data": frame}) for frame in frames))
        return work(lambda: desk.run("show", log, "--isolated", "--rules", "own"))

    desk.write("own/own-call.yaml", CALLS)
    taken(10)
    few, many = taken(100), taken(800)
    assert many < 1.3 * 8 * few
