"""The same is found in whichever order models, surfaces and functions come."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.memo.agree import agree
from tests.memo.test_histories import changed
from tests.memo.test_tools import URL, log
from wirecheck.dialects.vocabulary.field_tables import MESSAGES, limits
from wirecheck.rules import Ruleset, load

API = "https://generativelanguage.googleapis.com/{version}/models/{model}:generateContent"
VERTEX = (
    "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/{model}:generateContent"
)
URLS = (
    API.format(version="v1beta", model="gemini-2.5-flash"),
    API.format(version="v1beta", model="gemini-3-flash-preview"),
    API.format(version="v1beta", model="gemini-3.6-flash"),
    API.format(version="v1", model="gemini-3.6-flash"),
    VERTEX.format(model="gemini-2.5-pro"),
    VERTEX.format(model="gemini-3.6-flash"),
)
USAGE = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
# What usual contents and replies hold, and usual declarations.
USUAL = {
    "content": {"role", "parts"},
    "part": {"text", "functionCall", "functionResponse", "inlineData", "thought", "thoughtSignature"},
    "functionCall": {"name", "args", "id"},
    "functionResponse": {"name", "response", "id"},
    "inlineData": {"mimeType", "data"},
}
SURFACES = ("gemini-api", "vertex", "code-assist", "firebase", "openai-compat")


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def line(url: str, n: int, name: str, *, signed: bool, given: str, ids: bool = True, **settings: Any) -> bytes:
    """The end of a short conversation in which a function was called."""
    signature, mark = {"thoughtSignature": "c2lnbmF0dXJl"} if signed else {}, {"id": f"c{n}"} if ids else {}
    contents = [
        {"role": "user", "parts": [{"text": f"What of {n}?"}]},
        {"role": "model", "parts": [{"functionCall": {**mark, "name": name, "args": {}}, **signature}]},
        {
            "role": "user",
            "parts": [{"functionResponse": {**mark, "name": name, "response": {given: f"It is {n}."}}}],
        },
    ]
    tools = [{"functionDeclarations": [{"name": each, "description": "Does it."} for each in ("add", "find")]}]
    return exchange(
        url, {"contents": contents, "tools": tools, "generationConfig": {"maxOutputTokens": 9, **settings}}, n
    )


def exchange(url: str, body: Any, n: int) -> bytes:
    """A request that is answered."""
    candidates = [{"content": {"role": "model", "parts": [{"text": f"So {n}."}]}, "finishReason": "STOP"}]
    reply = {"candidates": candidates, "usageMetadata": USAGE, "modelVersion": "m", "responseId": f"r{n}"}
    request = {"method": "POST", "url": url, "body": body}
    return json.dumps({"request": request, "response": {"status": 200, "body": reply}}).encode() + b"\n"


@pytest.mark.parametrize("given", ["output", "result"])
@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("first", range(len(URLS)))
@pytest.mark.parametrize("settings", [{}, {"temperature": 0.5}])
def test_the_same_is_found_in_whichever_order_models_come(
    rules: Ruleset, tmp_path: Path, given: str, signed: bool, first: int, settings: dict[str, Any]
) -> None:
    path, urls = tmp_path / "log.jsonl", (*URLS[first:], *URLS[:first])
    each = [(url, name) for url in urls for name in ("add", "find", "add")]
    written = [line(url, n, name, signed=signed, given=given, **settings) for n, (url, name) in enumerate(each)]
    path.write_bytes(b"".join(written))
    agree(rules, path)


@pytest.mark.parametrize("odd", [0.03, 0.1])
@pytest.mark.parametrize("seed", range(6))
def test_the_same_is_found_where_everything_comes_to_several_models(
    rules: Ruleset, tmp_path: Path, seed: int, odd: float
) -> None:
    rng, path, written = Random(seed), tmp_path / "log.jsonl", list[bytes]()
    for n, each in enumerate([*log(seed, odd), *log(seed + 100, odd)]):
        exchange = json.loads(each.replace(URL.encode(), URLS[(n // 16 + seed) % len(URLS)].encode()))
        if rng.random() < odd:
            exchange["request"]["body"]["generationConfig"] = {"temperature": 1, "candidateCount": 2}
        exchange = changed(rng, exchange) if rng.random() < odd else exchange
        written.append(json.dumps(exchange).encode() + b"\n")
    path.write_bytes(b"".join(written))
    agree(rules, path)


@pytest.mark.parametrize("message", USUAL)
def test_what_is_usual_in_contents_may_stand_there_on_every_surface(message: str) -> None:
    assert USUAL[message] - set(MESSAGES[message]) == set()
    for surface in SURFACES:
        for version in ("v1", "v1beta", "v1beta1", "v1alpha", None):
            assert USUAL[message].isdisjoint(limits(surface, version).get(message, {}))
