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


def found(text: str) -> list[Any]:
    request = {"method": "POST", "url": URL, "body": {"contents": [{"role": "user", "parts": [{"text": "Go on"}]}]}}
    line = json.dumps({"request": request, "response": {"status": 200, "headers": {}, "body": text}}).encode()
    inspector, records = Inspector(load()), read_file(io.BytesIO(line), "log.jsonl")
    return [each for record in records for each in inspector.feed(record)] + inspector.close()


@pytest.mark.parametrize(("text", "rule"), BROKEN.values(), ids=BROKEN)
def test_an_array_that_breaks_off_is_a_stream_that_does(text: str, rule: str) -> None:
    (one,) = found(text)
    assert (one.rule, one.place.pointer) == (rule, "/response/body")
