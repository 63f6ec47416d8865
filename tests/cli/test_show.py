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
        "2 lines → 2 exchanges → 1 conversation, 2 rules · 1 info (not listed)",
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
        "  0 │ client    setup models/gemini-live-2.5-flash",
        "  1 │ server    (setupComplete)",
        "  2 │ client    <audio/pcm 3 B> × 2",
        "  4 │ server    (said) I'll look.",
        '  6 │ server    get_weather(city="Rome")  id call_1',
        '  7 │ client    → get_weather {"temp": 18}  id call_1',
        '  8 │ server    cancels ["call_2"]',
    ]


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
