"""What a server streamed is taken apart wherever the log, or the stream, broke off."""

import io
import json
from typing import Any

import pytest

from wirecheck.inspector import Inspector
from wirecheck.rules import load
from wirecheck.sources import read_file

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent"
CHUNK = json.dumps({"candidates": [{"content": {"role": "model", "parts": [{"text": "On [the"}]}}]})
FAILED = json.dumps({"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}})
BROKEN = {
    "after a comma": (f"[{CHUNK}\n,\n", "stream-missing-finish"),
    "after a chunk": (f"[{CHUNK}", "stream-missing-finish"),
    "within a chunk": (f"[{CHUNK},\r\n{CHUNK[:30]}", "stream-missing-finish"),
    "after an error": (f"[{CHUNK}\n,\n{FAILED}\n", "stream-error-mid-body"),
    "in the first chunk": (f"[{CHUNK[:30]}", "unreadable-line"),
    "a text of somebody else": ("[Error] no such host", "unreadable-line"),
}


def found(text: str, url: str = URL) -> list[Any]:
    asked = {"contents": [{"role": "user", "parts": [{"text": "Go on"}]}]} if url == URL else {"input": "Go on"}
    request = {"method": "POST", "url": url, "body": asked}
    line = json.dumps({"request": request, "response": {"status": 200, "headers": {}, "body": text}}).encode()
    inspector, records = Inspector(load()), read_file(io.BytesIO(line), "log.jsonl")
    return [each for record in records for each in inspector.feed(record)] + inspector.close()


@pytest.mark.parametrize(("text", "rule"), BROKEN.values(), ids=BROKEN)
def test_an_array_that_breaks_off_is_a_stream_that_does(text: str, rule: str) -> None:
    (one,) = found(text)
    assert (one.rule, one.place.pointer) == (rule, "/response/body")


LAST = json.dumps({"candidates": [{"content": {"role": "model", "parts": [{"text": " it."}]}, "finishReason": "STOP"}]})
STEP = {"event_type": "step.start", "index": 0, "step": {"type": "model_output"}}
STARTED, STOPPED = json.dumps(STEP), json.dumps({"event_type": "interaction.completed", "interaction": {"id": "v1"}})
INTERACTIONS = "https://generativelanguage.googleapis.com/v1beta/interactions"
EVENTS: dict[str, tuple[str, list[str], list[int]]] = {
    "all sound": (URL, [CHUNK, LAST], []),
    "one between others": (URL, [CHUNK, CHUNK[:30], LAST], [1]),
    "two between others": (URL, [CHUNK, CHUNK[:30], CHUNK[:20], LAST], [1, 2]),
    "the last": (URL, [CHUNK, LAST, LAST[:30]], []),
    "one of an interaction": (INTERACTIONS, [STARTED, STARTED[:30], STOPPED], [1]),
    "the last of an interaction": (INTERACTIONS, [STARTED, STOPPED, STOPPED[:30]], []),
}


@pytest.mark.parametrize(("url", "events", "broken"), EVENTS.values(), ids=EVENTS)
def test_an_event_is_broken_where_another_follows_it(url: str, events: list[str], broken: list[int]) -> None:
    given = found("".join(f"data: {event}\r\n\r\n" for event in events), url)
    assert [each.place.inner.event for each in given if each.rule == "unreadable-line"] == broken


REFUSED = {"code": 400, "message": "Nobody knows why.", "status": "INVALID_ARGUMENT"}
FAILURES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "what is in it": ({"error": REFUSED}, ["unexplained-rejection"]),
    "as it came": ({"error": {"error": REFUSED}}, ["unexplained-rejection"]),
    "beside no response": ({"error": REFUSED, "response": None}, ["unexplained-rejection"]),
    "of the program": ({"error": "timed out"}, []),
    "without a code": ({"error": {"message": "timed out"}}, []),
    "none": ({"error": None}, []),
    "beside a response": ({"error": REFUSED, "response": {"status": 200, "body": json.loads(LAST)}}, []),
}


@pytest.mark.parametrize(("more", "rules"), FAILURES.values(), ids=FAILURES)
def test_an_error_in_place_of_a_response_is_what_the_server_said(more: dict[str, Any], rules: list[str]) -> None:
    asked = {"url": URL, "body": {"contents": [{"role": "user", "parts": [{"text": "Go on"}]}]}}
    inspector, line = Inspector(load()), json.dumps({"request": asked, **more}).encode()
    given = [each for one in read_file(io.BytesIO(line), "log.jsonl") for each in inspector.feed(one)]
    given += inspector.close()
    assert [each.rule for each in given] == rules
    assert all((each.server.verdict, each.server.status) == ("confirmed", 400) for each in given)
