"""Fields the API does not have, wherever they stand: each is found at its place, and what is known is left alone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stories.conversations import answer, call, exchange, facts, model, user
from tests.work import work
from wirecheck.dialects.vocabulary.field_tables import ENUMS, MESSAGES, limits, table
from wirecheck.inspector import Inspector
from wirecheck.rules import load
from wirecheck.talk.facts import FieldFact

ROOT = Path(__file__).parent.parent.parent.parent
MEDIA = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}
Json = dict[str, Any]
Where = list[str | int]


def sound() -> Json:
    """A request with something of each message in it."""
    asked, given = call("f"), answer("f")
    given["functionResponse"]["parts"] = [json.loads(json.dumps(MEDIA))]
    return {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            user("hi", json.loads(json.dumps(MEDIA)), {"fileData": {"fileUri": "u"}, "videoMetadata": {"fps": 1}}),
            model({**asked, "thoughtSignature": "Ep4C"}),
            user(given),
        ],
        "tools": [{"functionDeclarations": [{"name": "f", "description": "It does."}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}},
        "safetySettings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],
        "generationConfig": {"maxOutputTokens": 5, "thinkingConfig": {"thinkingBudget": 0}, "speechConfig": {}},
    }


def strays(body: Any, **where: Any) -> list[tuple[str, str, str]]:
    """Why, in which message, and at which place of the body."""
    found = [fact for fact in facts(exchange(1, body, **where)) if isinstance(fact, FieldFact)]
    return [(fact.why, fact.message, fact.spot.place().pointer.removeprefix("/request/body")) for fact in found]


def put(body: Json, steps: Where, key: str, value: Any) -> Json:
    at: Any = body
    for step in steps:
        at = at[step]
    at[key] = value
    return body


# A place in the sound request, the message that stands there, a key it does not have, and why that is so.
PLACES: dict[str, tuple[Where, str, str, str]] = {
    "the request": ([], "request", "temperature", "misplaced"),
    "the system instruction": (["systemInstruction"], "content", "text", "misplaced"),
    "its part": (["systemInstruction", "parts", 0], "part", "cache_control", "foreign"),
    "a content": (["contents", 0], "content", "name", "misplaced"),
    "a text": (["contents", 0, "parts", 0], "part", "type", "foreign"),
    "a picture": (["contents", 0, "parts", 1, "inlineData"], "inlineData", "mime-type", "misspelt"),
    "a file": (["contents", 0, "parts", 2, "fileData"], "fileData", "fileURI", "misspelt"),
    "a video": (["contents", 0, "parts", 2, "videoMetadata"], "videoMetadata", "startOffest", "misspelt"),
    "a call": (["contents", 1, "parts", 0, "functionCall"], "functionCall", "index", "unknown"),
    "a response": (["contents", 2, "parts", 0, "functionResponse"], "functionResponse", "is_error", "foreign"),
    "a part of a response": (
        ["contents", 2, "parts", 0, "functionResponse", "parts", 0],
        "functionResponsePart",
        "text",
        "misplaced",
    ),
    "a tool": (["tools", 0], "tool", "googleSerch", "misspelt"),
    "a declaration": (["tools", 0, "functionDeclarations", 0], "functionDeclaration", "input_schema", "foreign"),
    "the settings of tools": (["toolConfig"], "toolConfig", "mode", "misplaced"),
    "those of calls": (["toolConfig", "functionCallingConfig"], "functionCallingConfig", "strictly", "unknown"),
    "a setting of safety": (["safetySettings", 0], "safetySetting", "level", "unknown"),
    "the settings": (["generationConfig"], "generationConfig", "max_tokens", "foreign"),
    "those of thinking": (["generationConfig", "thinkingConfig"], "thinkingConfig", "thinking_bugdet", "misspelt"),
    "those of speech": (["generationConfig", "speechConfig"], "speechConfig", "voice", "unknown"),
}


@pytest.mark.parametrize(("steps", "message", "key", "why"), PLACES.values(), ids=PLACES)
def test_a_field_no_message_has_is_found_where_it_stands(steps: Where, message: str, key: str, why: str) -> None:
    body = put(sound(), steps, key, 1)
    assert strays(body) == [(why, message, "".join(f"/{step}" for step in [*steps, key]))]


@pytest.mark.parametrize(("steps", "message", "key", "why"), PLACES.values(), ids=PLACES)
def test_a_field_that_is_null_is_as_good_as_absent(steps: Where, message: str, key: str, why: str) -> None:
    assert strays(put(sound(), steps, key, None)) == []


def test_what_the_sound_request_has_is_known_in_both_spellings() -> None:
    assert strays(sound()) == []
    assert strays(snake(sound())) == []


def snake(value: Any) -> Any:
    if isinstance(value, list):
        return [snake(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {"".join(f"_{c.lower()}" if c.isupper() else c for c in key): snake(inner) for key, inner in value.items()}


# What a value may be, by what its field holds.
VALUES: dict[str, Any] = {
    "": [1],
    "one": 1,
    "text": "x",
    "bytes": "eA==",
    "mime": "image/png",
    "signature": "eA==",
    "number": 0.5,
    "whole": "5",
}
VALUES |= {kind: words[1].lower() for kind, words in ENUMS.items()}


def filled(message: str, surface: str, version: str) -> Json:
    """A message with every field it has there."""
    fields = table(surface, version)[message].items()
    return {name: value(kind, surface, version) for name, kind in fields if name != "contents"}


def value(kind: str, surface: str, version: str) -> Any:
    if kind in VALUES:
        return VALUES[kind]
    inner = filled(kind.rstrip("*"), surface, version)
    return [inner] if kind.endswith("*") else inner


URLS = {
    (
        "gemini-api",
        "v1beta",
    ): "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent",
    ("gemini-api", "v1"): "https://generativelanguage.googleapis.com/v1/models/gemini-3.6-flash:generateContent",
    (
        "vertex",
        "v1",
    ): "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/m:generateContent",
    ("unknown", "v1beta"): "http://localhost/v1beta/models/gemini-3.6-flash:generateContent",
}


@pytest.mark.parametrize(("surface", "version"), URLS)
def test_every_field_of_the_tables_is_left_alone_where_it_is_known(surface: str, version: str) -> None:
    body = {**filled("request", surface, version), "contents": [filled("content", surface, version)]}
    assert strays(body, url=URLS[surface, version]) == []


@pytest.mark.parametrize(("surface", "version"), [key for key in URLS if limits(*key)])
def test_a_field_of_another_surface_or_version_is_told_as_such(surface: str, version: str) -> None:
    rows = [(message, name, why) for message, names in limits(surface, version).items() for name, why in names.items()]
    for message, name, why in rows:
        if message in ("request", "generationConfig"):
            holder = {name: 1} if message == "request" else {message: {name: 1}}
            found = strays({**holder, "contents": [user("hi")]}, url=URLS[surface, version])
            assert [(each, of) for each, of, _ in found] == [(why, message)]


FORMS: dict[str, tuple[Json, list[tuple[str, str, str]]]] = {
    "a field twice": (
        {"generationConfig": {"topP": 1, "top_p": 1}},
        [("twice", "generationConfig", "/generationConfig/top_p")],
    ),
    "a list for one object": ({"toolConfig": []}, [("list", "request", "/toolConfig")]),
    "a list for one text": ({"cachedContent": ["c"]}, [("list", "request", "/cachedContent")]),
    "a text for an object": ({"systemInstruction": "Hi"}, [("type", "request", "/systemInstruction")]),
    "nothing in any list": (
        {
            "safetySettings": [],
            "tools": [{"functionDeclarations": []}],
            "systemInstruction": {"parts": []},
            "generationConfig": {"stopSequences": [], "responseModalities": []},
        },
        [],
    ),
    "no tools at all": ({"tools": [], "safety_settings": []}, []),
    "an object for a list": ({"tools": {"googleSearch": {}}}, []),
    "a number as a text": ({"generationConfig": {"topK": "5", "temperature": "1e-1", "seed": 2.0}}, []),
    "a text for a number": (
        {"generationConfig": {"temperature": "hot"}},
        [("type", "generationConfig", "/generationConfig/temperature")],
    ),
    "no number": ({"generationConfig": {"seed": True}}, [("type", "generationConfig", "/generationConfig/seed")]),
    "a fraction": ({"generationConfig": {"seed": 1.5}}, [("type", "generationConfig", "/generationConfig/seed")]),
    "infinitely many": (
        {"generationConfig": {"seed": "inf"}},
        [("type", "generationConfig", "/generationConfig/seed")],
    ),
    "the number of a word": ({"toolConfig": {"functionCallingConfig": {"mode": 2}}}, []),
    "a word of another API": (
        {"toolConfig": {"functionCallingConfig": {"mode": "REQUIRED"}}},
        [("enum", "functionCallingConfig", "/toolConfig/functionCallingConfig/mode")],
    ),
    "a text in a list of objects": (
        {"tools": [{"functionDeclarations": ["f"]}]},
        [("type", "tool", "/tools/0/functionDeclarations/0")],
    ),
    "a tool of OpenAI": ({"tools": [{"type": "function", "function": {}, "x": 1}]}, []),
}


@pytest.mark.parametrize(("around", "found"), FORMS.values(), ids=FORMS)
def test_a_value_is_of_the_kind_its_field_holds(around: Json, found: list[tuple[str, str, str]]) -> None:
    assert strays({**around, "contents": [user("hi")]}) == found


PARTS: dict[str, tuple[Any, list[str]]] = {
    "a number": ({"text": 5}, ["type"]),
    "a list": ({"text": ["hi"]}, ["list"]),
    "a number for a signature": ({"text": "hi", "thoughtSignature": 5}, ["type"]),
    "a number for an id": ({"functionCall": {"id": 5, "name": "f"}}, ["type"]),
    "a data URL": ({"inlineData": {"mimeType": "image/png", "data": "DATA:image/png;base64,eA=="}}, ["url"]),
    "an empty one": ({}, []),
    "a block of another API": ({"type": "tool_use", "input": {}}, []),
    "a slip of the pen": ({"texts": "hi", "more": 1}, ["misspelt"]),
    "a call of OpenAI": ({"functionCall": {"name": "f", "arguments": "{}", "type": "function"}}, []),
    "no object": (5, []),
}


@pytest.mark.parametrize(("part", "whys"), PARTS.values(), ids=PARTS)
def test_parts(part: Any, whys: list[str]) -> None:
    assert [why for why, *_ in strays([{"role": "user", "parts": [part]}])] == whys


@pytest.mark.parametrize("body", [{"_binary": "blob.bin"}, {"prompt": "hi"}], ids=str)
def test_a_body_that_is_no_request_has_no_strange_fields(body: Json) -> None:
    assert strays(body) == []


def logs() -> Iterator[Path]:
    return (
        folder / "log.jsonl"
        for folder in sorted((ROOT / "fixtures").glob("*-sound"))
        if (folder / "log.jsonl").exists()
    )


REQUESTS = [json.loads(line) for log in logs() for line in log.read_text("utf-8").splitlines()]
BODIES = [line["request"] for line in REQUESTS if "contents" in (line.get("request") or {}).get("body", ())]


@given(request=st.sampled_from(BODIES), data=st.data())
def test_one_strange_key_in_a_sound_conversation_is_the_one_error(request: Json, data: st.DataObject) -> None:
    body = json.loads(json.dumps(request["body"]))
    n = data.draw(st.integers(0, len(body["contents"]) - 1))
    holder, place = body["contents"][n], f"/request/body/contents/{n}"
    if data.draw(st.booleans()):
        m = data.draw(st.integers(0, len(holder["parts"]) - 1))
        holder, place = holder["parts"][m], f"{place}/parts/{m}"
    holder["cache_control"] = {"type": "ephemeral"}
    inspector = Inspector(load(), predict=True)
    found = [each for record in exchange(1, body, url=request["url"]) for each in inspector.feed(record)]
    errors = [(each.rule, each.place.pointer) for each in found + inspector.close() if each.severity == "error"]
    assert errors == [("unknown-field", f"{place}/cache_control")]


def test_many_strange_keys_cost_the_same_each_and_are_told_in_part() -> None:
    def judge(count: int) -> int:
        part = {f"key{n}": n for n in range(count)}
        records = list(exchange(1, [{"role": "user", "parts": [{"text": "hi", **part}, part]}]))
        inspector = Inspector(load())
        return work(lambda: [inspector.feed(record) for record in records])

    few, many = judge(200), judge(3200)
    assert many < 1.3 * 16 * few
    assert len(strays([{"role": "user", "parts": [{"text": "hi", **{f"key{n}": n for n in range(99)}}]}])) == 20


def test_every_kind_in_the_tables_is_one_that_is_looked_into() -> None:
    kinds = {kind.rstrip("*") for fields in MESSAGES.values() for kind in fields.values()}
    assert kinds <= {*MESSAGES, *VALUES}
