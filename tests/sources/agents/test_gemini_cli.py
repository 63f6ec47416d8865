"""Sessions of gemini-cli, what it prints, and the replies it records."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import findings, judged
from tests.sources.agents.samples import CHAT, CHAT_HEAD, PRINTED, RECORDED, RETURNED, Json, lines, tool_call

LOST = "transcript-missing-function-response"
COUNT = "function-response-count-mismatch"
HEAD, SET, SAID, _, BEGUN, CALLED, GIVEN, SPOKEN = CHAT
REFUSED = "Please use a valid role: user, model."


def calls(*made: Json, **more: Any) -> Json:
    return {**CALLED, "toolCalls": [*made], **more}


def given(*numbers: int) -> Json:
    return {**GIVEN, "content": [RETURNED["parts"][n] for n in numbers]}


UNRETURNED = calls(tool_call(0, result=None), tool_call(1, result=None))
WAITING = calls(tool_call(0), tool_call(1, result=None, status="awaiting_approval"))
BOTH = [f"{LOST}: 3 /toolCalls/0", f"{LOST}: 3 /toolCalls/1"]


@pytest.mark.parametrize(
    ("messages", "found"),
    [
        ((SAID, CALLED, GIVEN, SPOKEN), []),
        # Before the repetition is written, and in versions that do not write it.
        ((SAID, CALLED), []),
        ((SAID, CALLED, SPOKEN), []),
        ((SAID, UNRETURNED), BOTH),
        # It went on without them.
        ((SAID, UNRETURNED, SPOKEN), [f"{LOST}: 4"] * 2),
        # What was sent is the message of the user.
        ((SAID, CALLED, given(1), SPOKEN), [f"{COUNT}: 5"]),
        ((SAID, WAITING), []),
        ((SAID, calls(tool_call(0), tool_call(1, result=None)), SPOKEN), [f"{COUNT}: 4"]),
        # A text is a result as well.
        ((SAID, calls(tool_call(0, result="leeks"), tool_call(1)), SPOKEN), []),
        # Messages of the program, and words to it.
        (
            (
                *(SAID, CALLED, {"id": "x1", "type": "info", "content": "Compressed."}),
                *({"id": "x2", "type": "user", "content": "/stats"}, GIVEN, SPOKEN),
            ),
            [],
        ),
    ],
)
def test_a_session(messages: tuple[Json, ...], found: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "session-1.jsonl", lines(HEAD, *messages)) == found


@pytest.mark.parametrize(
    ("added", "found"),
    [
        ([UNRETURNED], BOTH),
        # A later line with the same id replaces the first, and stays in its place.
        ([UNRETURNED, SPOKEN, CALLED], []),
        # Taken back, up to a message or altogether.
        ([UNRETURNED, {"$rewindTo": "m2"}, SPOKEN], []),
        ([UNRETURNED, SPOKEN, {"$rewindTo": "m1"}, SAID, SPOKEN], []),
        ([UNRETURNED, {"$rewindTo": "unheard of"}, SAID, SPOKEN], []),
        ([UNRETURNED, SPOKEN, {"$rewindTo": "m4"}], BOTH),
        # A checkpoint.
        ([UNRETURNED, {"$set": {"messages": [SAID, SPOKEN]}}], []),
        (
            [{"$set": {"messages": [SAID, UNRETURNED]}}],
            [f"{LOST}: 3 /$set/messages/1/toolCalls/0", f"{LOST}: 3 /$set/messages/1/toolCalls/1"],
        ),
        ([UNRETURNED, {"$set": {"summary": "Soup."}}], BOTH),
    ],
)
def test_lines_are_only_added(added: list[Json], found: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "session-1.jsonl", lines(HEAD, SAID, *added)) == found


@pytest.mark.parametrize("indent", [None, 2])
def test_a_session_of_an_older_version(indent: int | None, tmp_path: Path) -> None:
    sound = {**CHAT_HEAD, "lastUpdated": "x", "messages": [SAID, CALLED, SPOKEN]}
    broken = {**CHAT_HEAD, "lastUpdated": "x", "messages": [SAID, UNRETURNED, SPOKEN]}
    assert judged(tmp_path, "s.json", json.dumps(sound, indent=indent)) == []
    # In a line of its own what went on without it is another record.
    places = ["43 /messages/2"] * 2 if indent else ["1 /messages/1/toolCalls/0", "1 /messages/1/toolCalls/1"]
    assert judged(tmp_path, "b.json", json.dumps(broken, indent=indent)) == [f"{LOST}: {place}" for place in places]


def written(folder: Path, text: str) -> Path:
    path = folder / "session-1.jsonl"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (f"[API Error: {REFUSED} (Status: INVALID_ARGUMENT)]", ["unexplained-rejection: 2"]),
        ('[API Error: {"error":{"code":400,"message":"No."}}]', ["unexplained-rejection: 2"]),
        ("[API Error: Quota. (Status: RESOURCE_EXHAUSTED)]", []),
        ('[API Error: {"error":{"code":503,"message":"No."}}]', []),
        ("[API Error: {", []),
        ("Cancelled.", []),
    ],
)
def test_what_the_server_refused_is_told(said: str, found: list[str], tmp_path: Path) -> None:
    error = {"id": "m9", "type": "error", "content": said}
    assert judged(tmp_path, "session-1.jsonl", lines(HEAD, SAID, error)) == found


def test_an_unfinished_line_is_no_warning(tmp_path: Path) -> None:
    text = lines(HEAD, SAID, CALLED, GIVEN, SPOKEN)
    assert judged(tmp_path, "session-1.jsonl", text + '{"id":"m5","type":"us') == []
    assert judged(tmp_path, "session-1.jsonl", text + '{"id":"m5","type":"us\n') == ["unreadable-line: 6"]


BODY = '{"error":{"code":400,"message":"Odd."}}'
INIT, ASK, USE, OTHER_USE, LOOK, RESULT, OTHER_RESULT, WORDS, DONE = PRINTED


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        (PRINTED, []),
        # It was stopped while the tools ran.
        ((INIT, ASK, USE, OTHER_USE), [f"{LOST}: 3", f"{LOST}: 4"]),
        ((INIT, ASK, USE, OTHER_USE, RESULT), [f"{COUNT}: 5"]),
        ((INIT, ASK, USE, WORDS, DONE), [f"{LOST}: 4"]),
        ((INIT, ASK, USE, {**RESULT, "tool_id": "n7"}, WORDS, DONE), ["function-response-id-mismatch: 4"]),
        (
            (INIT, ASK, {"type": "result", "status": "error", "error": {"message": f"No: {BODY}"}}),
            ["unexplained-rejection: 2"],
        ),
    ],
)
def test_what_it_prints(printed: tuple[Json, ...], found: list[str], tmp_path: Path) -> None:
    told = judged(tmp_path, "run.jsonl", lines(*printed))
    assert [each.partition(" /")[0] for each in told] == found


def test_recorded_replies(tmp_path: Path) -> None:
    bad = {
        "method": "generateContent",
        "response": {"candidates": [{"content": {"role": "model"}, "finishReason": "X"}]},
    }
    counted = {"method": "countTokens", "response": {"totalTokens": 3}}
    path = written(tmp_path, lines(counted, *RECORDED, bad))
    found, reader, inspector = findings(path)
    assert {each.place.line for each in found if each.severity != "info"} == {4}
    assert (inspector.checked.exchanges, reader.problems) == (3, [])
    assert "a recorded reply of another method than generateContent" in str(inspector.checked.skipped)
