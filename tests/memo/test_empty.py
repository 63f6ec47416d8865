"""Logs in which something is empty here and there, or is what does not belong there."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.memo.agree import agree
from tests.memo.test_tools import URL, USAGE
from wirecheck.rules import Ruleset, load

SIGNED = "c2lnbmVkIGJ5IHNvbWVib2R5"
NOTHING: tuple[Any, ...] = ("", {}, [], None)


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def exchanges(n: int) -> list[dict[str, Any]]:
    """A call with its answer, in a conversation of its own."""
    call = {"name": "find", "args": {"city": f"Rome {n}"}, "id": f"c{n}"}
    said = {"role": "model", "parts": [{"functionCall": call, "thoughtSignature": SIGNED}]}
    answer = {"name": "find", "response": {"output": f"{n} °C"}, "id": f"c{n}"}
    picture = {"inlineData": {"mimeType": "image/png", "data": "aGk="}}
    asked = {"role": "user", "parts": [{"text": f"find it {n}"}, picture]}
    text = {"role": "model", "parts": [{"text": f"so {n}", "thought": True}, {"text": f"It is {n}"}]}
    return [
        exchange([asked], said),
        exchange([asked, said, {"role": "user", "parts": [{"functionResponse": answer}]}], text),
    ]


def exchange(contents: list[Any], said: dict[str, Any]) -> dict[str, Any]:
    declared = {"name": "find", "description": "Finds.", "parameters": {"type": "OBJECT", "properties": {}}}
    system = {"parts": [{"text": "be brief"}]}
    body = {"contents": contents, "systemInstruction": system, "tools": [{"functionDeclarations": [declared]}]}
    candidate = {"content": said, "finishReason": "STOP", "finishMessage": "done", "safetyRatings": [{"category": "x"}]}
    reply = {"candidates": [candidate], "usageMetadata": dict(USAGE), "modelVersion": "m", "responseId": "r"}
    return {"request": {"method": "POST", "url": URL, "body": body}, "response": {"status": 200, "body": reply}}


def emptied(rng: Random, value: Any) -> Any:
    """The same with nothing in one place, or with something that does not belong there."""
    places: list[tuple[Any, Any]] = []
    walk(value, places)
    holder, key = rng.choice(places)
    holder[key] = rng.choice((*NOTHING, 0, True, "skip_thought_signature_validator"))
    return value


def walk(value: Any, places: list[tuple[Any, Any]]) -> None:
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        if key != "contents":
            places.append((value, key))
        if isinstance(each, dict | list):
            walk(each, places)


def written(rng: Random, value: Any) -> bytes:
    """In one of the ways that programs write JSON."""
    item, key = rng.choice(((",", ":"), (", ", ": "), (" , ", " : ")))
    text = json.dumps(value, separators=(item, key), ensure_ascii=rng.random() < 0.5)
    return (
        text.replace("{}", rng.choice(("{}", "{ }", "{\t}"))).encode() + b"\n"
        if rng.random() < 0.5
        else text.encode() + b"\n"
    )


@pytest.mark.parametrize("seed", range(16))
def test_the_same_is_found_wherever_there_is_nothing(rules: Ruleset, tmp_path: Path, seed: int) -> None:
    rng, lines = Random(seed), []
    for n in range(120):
        for one in exchanges(n):
            lines.append(written(rng, emptied(rng, one) if n > 5 and rng.random() < 0.4 else one))
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(lines))
    agree(rules, path)
