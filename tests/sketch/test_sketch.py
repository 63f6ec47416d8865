"""Payloads in a few lines: recognisable, short, and harmless whatever they hold."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.report.screen import cells
from wirecheck.sketch import sketch, sketch_frame

CALL = {"name": "get_weather", "args": {"city": "Rome", "days": [1, True, None]}, "id": "call_1"}
ANSWER = {"name": "get_weather", "response": {"temp": 18}, "id": "call_1"}
CALLED = 'get_weather(city="Rome", days=[1, true, null])  id call_1'
ANSWERED = '→ get_weather {"temp": 18}  id call_1'
BLOB = {"mimeType": "image/png", "data": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo="}
PCM = {"mimeType": "audio/pcm", "data": "A" * 4096}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"  # base64 that needs no padding


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ({"role": "user", "parts": [{"text": "Hi"}, {"text": "there"}]}, ["Hi", "there"]),
        ({"parts": {"text": "a bare part"}}, ["a bare part"]),
        ({"parts": "a string"}, ["a string"]),
        ({"role": "user", "text": "beside the parts"}, ["beside the parts"]),
        ({"parts": [{"functionCall": CALL}]}, [CALLED]),
        ({"parts": [{"function_call": CALL}]}, [CALLED]),
        ({"parts": [{"functionCall": {}}]}, ["(no name)()"]),
        ({"parts": [{"functionCall": 3}]}, ['{"functionCall": 3}']),
        ({"parts": [{"functionResponse": ANSWER}]}, [ANSWERED]),
        ([{"functionResponse": ANSWER}], [ANSWERED]),
        ({"parts": [{"inlineData": PCM}]}, ["<audio/pcm 3 kB>"]),
        ({"parts": [{"fileData": {"mimeType": "image/png", "fileUri": "gs://x"}}]}, ['<image/png "gs://x">']),
        ({"parts": [{"nonsense": 1.5}]}, ['{"nonsense": 1.5}']),
        ({"role": "user", "parts": []}, ['{"parts": []}']),
        ({"role": "assistant", "content": "Hello"}, ["Hello"]),
        ({"role": "user", "content": [{"type": "text", "text": "Hi"}]}, ["Hi"]),
        (
            {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "now", "arguments": "{}"}}]},
            ["now({})  id c1"],
        ),
        ({"role": "tool", "tool_call_id": "c1", "content": "noon"}, ['→ (no name) "noon"  id c1']),
        ({"type": "user_input", "content": [{"type": "text", "text": "Hi"}]}, ["Hi"]),
        ({"type": "model_output"}, []),
        ({"type": "function_call", "id": "c1", "name": "now", "arguments": {}}, ["now()  id c1"]),
        ({"type": "function_result", "call_id": "c1", "name": "now", "result": 3}, ["→ now 3  id c1"]),
        ({"type": "thought", "signature": "x" * 99}, ["(thought)"]),
        ({"type": "thought", "summary": [{"type": "text", "text": "Hm"}, 3]}, ["Hm"]),
        ([{"type": "image", "mime_type": "image/png", "data": "A" * 4096}], ["<image/png 3 kB>"]),
        ({"type": "document", "uri": "gs://x"}, ['<media "gs://x">']),
        ({"type": ["thought"]}, ['{"type": ["thought"]}']),
        (None, ["null"]),
        ("text", ["text"]),
        ({"parts": [{"text": "two\nlines \x1b[2J"}]}, ["two\\nlines \\x1b[2J"]),
        ({"parts": [{"text": f"key {'AIza' + 'x' * 35}"}]}, ["key [redacted]"]),
    ],
)
def test_a_content(value: Any, lines: list[str]) -> None:
    assert [piece.text for piece in sketch(value)] == lines


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ({"setup": {"model": "models/m"}}, ["setup models/m"]),
        ({"clientContent": {"turns": [{"parts": [{"text": "Hi"}]}], "turnComplete": True}}, ["Hi", "(turnComplete)"]),
        ({"realtimeInput": {"audio": PCM}}, ["<audio/pcm 3 kB>"]),
        ({"realtime_input": {"media_chunks": [PCM, PCM]}}, ["<audio/pcm 3 kB>", "<audio/pcm 3 kB>"]),
        (
            {
                "realtimeInput": {
                    "audio": {"mimeType": "audio/pcm", "data": f"[audio/pcm, 3200 bytes, sha256 {'0' * 64}]"}
                }
            },
            ["<audio/pcm 3 kB>"],
        ),
        ({"realtimeInput": {"activityStart": {}}}, ["(activityStart)"]),
        ({"toolCall": {"functionCalls": [CALL]}}, [CALLED]),
        ({"toolResponse": {"functionResponses": [ANSWER]}}, [ANSWERED]),
        ({"tool_response": {"function_responses": ANSWER}}, [ANSWERED]),
        ({"toolCallCancellation": {"ids": ["call_1"]}}, ["cancels call_1"]),
        ({"serverContent": {"modelTurn": {"parts": [{"text": "Hi"}]}, "interrupted": True}}, ["Hi", "(interrupted)"]),
        ({"serverContent": {"outputTranscription": {"text": "Hi"}}}, ["Hi"]),
        (
            {"serverContent": {"turnComplete": True, "turnCompleteReason": "RESPONSE_REJECTED"}},
            ["(turnComplete)", "(turnCompleteReason RESPONSE_REJECTED)"],
        ),
        ({"serverContent": {"waitingForInput": True}}, ["(waitingForInput)"]),
        ({"voiceActivity": {"voiceActivityType": "ACTIVITY_START"}}, ["(voiceActivityType ACTIVITY_START)"]),
        ({"contextUpdate": {"tools": [], "system_instruction": {}}}, ["contextUpdate tools, systemInstruction"]),
        (
            {"setup": {"model": "models/m", "sessionResumption": {"handle": "h"}}},
            ["setup with a handle, models/m"],
        ),
        (
            {"functionResponses": [ANSWER]},
            ['{"functionResponses": [{"name": "get_weather", "response": {"temp": 18}, "id": "call_1"}]}'],
        ),
        ({"audio": BLOB}, ['{"audio": {"mimeType": "image/png", "data": "<image/png 27 B>"}}']),
        ({"media_chunks": [BLOB]}, ['{"media_chunks": [{"mimeType": "image/png", "data": "<image/png 27 B>"}]}']),
        ({"inlineData": BLOB["data"]}, ['{"inlineData": "<base64 27 B>"}']),
        ({"media": "A" * 4000}, ['{"media": "<base64 3 kB>"}']),
        ({"digest": "0a" * 32}, [f'{{"digest": "{"0a" * 32}"}}']),
        ({"inlineData": PIXEL}, ['{"inlineData": "<base64 33 B>"}']),
        ({"mime_type": "audio/pcm", "data": "A" * 24}, ['{"mime_type": "audio/pcm", "data": "<audio/pcm 18 B>"}']),
        ({"realtimeInput": {"text": PIXEL}}, ["<base64 33 B>"]),
        ({"clientContent": {"turns": [{"role": "user", "parts": [{"text": PIXEL}]}]}}, ["<base64 33 B>"]),
        ({"fileId": PIXEL}, [f'{{"fileId": "{PIXEL}"}}']),
        ({"tool": "getWeatherForecast2DaysAhead"}, ['{"tool": "getWeatherForecast2DaysAhead"}']),
        ({"toolCall": {"functionCalls": [{"name": "see", "args": {"it": PIXEL}}]}}, ['see(it="<base64 33 B>")']),
        (
            {"toolResponse": {"functionResponses": [{"name": "look", "response": {"inlineData": BLOB}}]}},
            ['→ look {"inlineData": {"mimeType": "image/png", "data": "<image/png 27 B>"}}'],
        ),
        ({"role": "user", "parts": [{"text": "no frame"}]}, ["no frame"]),
    ],
)
def test_a_frame(value: Any, lines: list[str]) -> None:
    assert [piece.text for piece in sketch_frame(value)] == lines


KEYS = st.sampled_from(
    [
        "parts",
        "text",
        "content",
        "functionCall",
        "function_response",
        "tool_calls",
        "args",
        "response",
        "name",
        "id",
        "inlineData",
        "data",
        "setup",
        "serverContent",
        "modelTurn",
        "toolCall",
        "functionCalls",
        "realtimeInput",
        "audio",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.integers(8, 80))
def test_whatever_it_holds_its_lines_are_short_and_printable(value: Any, width: int) -> None:
    for piece in (*sketch(value, width), *sketch_frame(value, width)):
        assert piece.text.isprintable()
        assert cells(piece.text) <= width


def test_much_is_not_even_looked_at() -> None:
    deep: Any = 1
    for _ in range(5000):
        deep = [deep]
    assert len(sketch({"parts": [{"functionCall": {"name": "f", "args": {"a": deep}}}]})[0].text) < 100


@pytest.mark.parametrize("name", ["password", "clientSecret", "api_key", "access_token", "cookie", "x-my-key"])
@pytest.mark.parametrize("length", [1, 40, 55, 60, 200, 5000])
def test_no_secret_is_shown_however_much_is_cut(name: str, length: int) -> None:
    secret = "s3cr3t" * length
    given = {name: secret, "then": {name: secret}, "api_key": "s3cr3t", "city": "Rome"}
    for part in (
        {"functionCall": {"name": "f", "args": given, "id": "call_1"}},
        {"functionResponse": {"name": "f", "response": given, "id": "call_1"}},
        {"content": None, "tool_calls": [{"id": "call_1", "function": {"name": "f", "arguments": json.dumps(given)}}]},
    ):
        (piece,) = sketch(part, 1000)
        assert "s3cr" not in piece.text
        assert piece.text.endswith("id call_1")
