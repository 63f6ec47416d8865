"""Tools: functions that come and go, arguments that do not fit, hints that are given once."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.memo.agree import agree
from tests.rules.make import rule
from wirecheck.rules import Ruleset, load

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent"
NAMES = ("add", "find", "send")
CITY = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]}
STRICT = {"type": "object", "properties": {}, "additionalProperties": False}
USAGE = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def declaration(rng: Random, name: str, odd: float) -> dict[str, Any]:
    said = {} if rng.random() < odd else {"description": "d"}
    schema = {"parametersJsonSchema": STRICT} if rng.random() < 0.3 else {"parameters": CITY}
    return {"name": name, **said, **schema}


def log(seed: int, odd: float) -> list[bytes]:
    """Conversations of which some change their tools on the way, and whose model makes up arguments now and then."""
    rng, out = Random(seed), []
    for _ in range(8):
        tools, contents = [{"functionDeclarations": [declaration(rng, name, odd) for name in NAMES]}], []
        for turn in range(8):
            if rng.random() < odd:
                tools = [{"functionDeclarations": [declaration(rng, name, odd) for name in rng.sample(NAMES, 2)]}]
            args = {"city": 5 if rng.random() < odd else f"Rome {rng.random()}"}
            call = {"functionCall": {"name": rng.choice(NAMES), "args": rng.choice((args, {}) if odd else (args,))}}
            contents.append({"role": "user", "parts": [{"text": f"{turn} {rng.random()}"}]})
            out.append(line(contents, tools, said := {"role": "model", "parts": [call]}))
            answer = {"name": call["functionCall"]["name"], "response": {"output": str(rng.random())}}
            contents += [said, {"role": "user", "parts": [{"functionResponse": answer}]}]
            out.append(line(contents, tools, said := {"role": "model", "parts": [{"text": f"so {rng.random()}"}]}))
            contents.append(said)
    return out


def line(contents: list[Any], tools: list[Any], said: dict[str, Any]) -> bytes:
    return exchange({"contents": contents, "tools": tools}, said)


def exchange(body: dict[str, Any], said: dict[str, Any]) -> bytes:
    candidates = [{"content": said, "finishReason": "STOP", "index": 0}]
    reply = {"candidates": candidates, "usageMetadata": USAGE, "modelVersion": "m", "responseId": "r"}
    return json.dumps(
        {"request": {"method": "POST", "url": URL, "body": body}, "response": {"status": 200, "body": reply}}
    ).encode()


@pytest.mark.parametrize("odd", [0, 0.15, 0.5])
@pytest.mark.parametrize("seed", range(6))
def test_the_same_is_found_on_tools(rules: Ruleset, tmp_path: Path, seed: int, odd: float) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(log(seed, odd)))
    agree(rules, path)


AROUND: dict[str, dict[str, Any]] = {
    "an instruction in these words": {"body.systemInstruction.parts.0.text": "b"},
    "a function with this setting": {"body.tools.0.functionDeclarations.0.name": "b", "body.generationConfig.topK": 2},
}


@pytest.mark.parametrize("where", AROUND.values(), ids=AROUND)
def test_what_stands_around_the_contents_is_asked_about_in_all_combinations(
    where: dict[str, Any], tmp_path: Path
) -> None:
    bodies = [
        {
            "contents": [{"role": "user", "parts": [{"text": f"{name} {top} {words} {n}"}]}],
            "tools": [{"functionDeclarations": [{"name": name, "description": "d"}]}],
            "generationConfig": {"topK": top},
            "systemInstruction": {"parts": [{"text": words}]},
        }
        for n, (name, top, words) in enumerate([("a", 1, "a"), ("b", 1, "a"), ("a", 2, "a"), ("b", 2, "b")] * 2)
    ]
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join([exchange(body, {"role": "model", "parts": [{"text": "so"}]}) for body in bodies]))
    rules = Ruleset(
        [rule({"never": None}, builtin=False, given="request", where=where, severity="error")], load().models
    )
    assert [finding.place.line for finding in agree(rules, path)] == [4, 8]
