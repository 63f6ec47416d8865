"""Lines that are as many before them, but for one oddity in their bytes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.memo.agree import agree
from tests.memo.test_empty import exchange, exchanges
from tests.memo.test_tools import URL, USAGE
from wirecheck.rules import Ruleset, load

MANY = 20  # conversations before the odd ones


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def written(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def usual() -> list[bytes]:
    return [written(one) for n in range(MANY) for one in exchanges(n)]


# What stands in a line, and what is written in its place.
ODDITIES: dict[str, tuple[bytes, bytes]] = {
    "tools that are overwritten": (b'"tools":[', b'"tools":"\xff","tools":['),
    "a configuration that is overwritten": (b'"tools":[', b'"toolConfig":"\xff","toolConfig":{},"tools":['),
    "a configuration": (b'"tools":[', b'"generationConfig":{"seed":"\xff"},"tools":['),
    "contents that are overwritten": (b'"contents":[', b'"contents":"\xff","contents":['),
    "a reply that is overwritten": (b'"status":200,', b'"status":200,"body":"\xff",'),
    "headers that are overwritten": (b'"status":200,', b'"status":200,"headers":"\xff","headers":{},'),
    "headers of a reply": (b'"status":200,', b'"status":200,"headers":{"a":"\xff"},'),
    "headers of a request": (b'"method":"POST",', b'"method":"POST","headers":{"a":"\xff"},'),
    "headers that are a number": (b'"status":200,', b'"status":200,"headers":5,'),
    "what a function gives": (b'{"output":', b'{"more":"\xff","output":'),
    "what a function gives, a surrogate": (b'{"output":', b'{"more":"\\ud800","output":'),
    "what a function gives, too large a number": (b'{"output":', b'{"more":1e999,"output":'),
    "an escaped key in what a function gives": (b'{"output":', b'{"err\\u006fr":'),
    "an answer that is overwritten": (b'"response":{', b'"response":{"error":1},"response":{'),
    "a call that is overwritten": (b'{"functionCall":', b'{"functionCall":{"name":"x"},"functionCall":'),
    "a name that is overwritten": (b'"name":"find"', b'"name":"x","name":"find"'),
    "an id that is overwritten": (b'"id":"c', b'"id":"","id":"c'),
    "a call with no text": (b'{"functionCall":', b'{"text":null,"functionCall":'),
    "a text that is overwritten": (b'{"text":"find', b'{"text":"","text":"find'),
    "an escaped key of an empty text": (b'{"text":"be brief"', b'{"te\\u0078t":""'),
    "an escaped key of an empty picture": (b'"data":"aGk="', b'"d\\u0061ta":""'),
    "an escaped key of an empty signature": (
        b'"thoughtSignature":"c2lnbmVkIGJ5IHNvbWVib2R5"',
        b'"thoughtSign\\u0061ture":""',
    ),
    "an escaped key of an empty id": (b'"responseId":"r"', b'"respons\\u0065Id":""'),
    "a role that is overwritten": (b'"role":"user"', b'"role":"model","role":"user"'),
    "a finish reason that is overwritten": (b'"finishReason":"STOP"', b'"finishReason":"SAFETY","finishReason":"STOP"'),
    "usage that is overwritten": (b'"usageMetadata":{', b'"usageMetadata":null,"usageMetadata":{'),
    "usage beyond all numbers": (b'"promptTokenCount":1', b'"promptTokenCount":99999999999999999999'),
    "a form feed at the end": (b"}\n", b"}\f\n"),
    "a next line at the end": (b"}\n", b"}\x85\n"),
}


@pytest.mark.parametrize("oddity", sorted(ODDITIES))
def test_the_same_is_found_on_an_odd_line(rules: Ruleset, tmp_path: Path, oddity: str) -> None:
    was, now = ODDITIES[oddity]
    odd = [written(one).replace(was, now) for n in range(MANY, MANY + 3) for one in exchanges(n)]
    assert any(was in written(one) for one in exchanges(0))
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(usual() + odd + odd))
    agree(rules, path)


def said(n: int) -> dict[str, Any]:
    return {"role": "model", "parts": [{"text": f"so {n}"}]}


def asked(n: int) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": f"{n}"}]}


def test_contents_that_stand_in_a_schema_are_not_those_of_the_request(rules: Ruleset, tmp_path: Path) -> None:
    lines = [exchange([asked(n)], said(n)) for n in range(10, 13)]
    for n in (0, 0, 0, 1, 2):
        schema = {"type": "object", "properties": {}, "default": {"contents": [asked(n)]}}
        declared = {"name": "find", "description": "d" * 5000, "parametersJsonSchema": schema}
        one = exchange([asked(0)], said(n))
        one["request"]["body"] = {"tools": [{"functionDeclarations": [declared]}], "contents": [asked(0)]}
        lines.append(one)
    lines.append(exchange([asked(2), said(99), asked(3)], said(3)))
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(map(written, lines)))
    agree(rules, path)


def stream(n: int, *chunks: dict[str, Any]) -> bytes:
    """An exchange whose reply comes in chunks."""
    one = exchange([asked(n)], said(n))
    one["request"]["url"] = URL.replace("generateContent", "streamGenerateContent?alt=sse")
    body = "".join(["data: " + written(chunk).decode() + "\n" for chunk in chunks])
    one["response"]["body"] = body
    return written(one)


def chunk(text: str, **more: Any) -> dict[str, Any]:
    candidate = {"content": {"parts": [{"text": text}], "role": "model"}, **more}
    return {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": "m", "responseId": "r"}


def test_what_every_chunk_has_wrong_is_counted_once(rules: Ruleset, tmp_path: Path) -> None:
    path, more = tmp_path / "log.jsonl", [chunk("b"), chunk("c", index=0), chunk("d")]
    path.write_bytes(b"".join([stream(n, chunk("a", finishReason="STOP"), *more) for n in range(6)]))
    agree(rules, path)


def test_a_lone_carriage_return_ends_a_line_of_a_stream(rules: Ruleset, tmp_path: Path) -> None:
    path, last = tmp_path / "log.jsonl", chunk("b", finishReason="STOP")
    lines = [stream(n, chunk("a"), last) for n in range(6)]
    odd = stream(6, chunk("a"), last).replace(rb'"STOP\"', rb'"STOP\"\r')
    path.write_bytes(b"".join([*lines, odd]))
    agree(rules, path)


def test_what_is_wrong_has_another_place_where_the_body_was_a_text(rules: Ruleset, tmp_path: Path) -> None:
    call = {"role": "model", "parts": [{"functionCall": {"name": "find", "args": {}}}]}
    answer = {"role": "user", "parts": [{"functionResponse": {"name": "find", "response": {"x": 1}}}]}
    lines, history = [exchange([asked(0)], said(0))], list[Any]()
    for n in range(1, 7):
        history = [asked(n), call, answer]
        lines += [exchange([asked(n)], call), exchange(history, said(n))]
    other = {"role": "user", "parts": [{"functionResponse": {"name": "find", "response": {"y": 1}}}]}
    lines.append(exchange([*history[:2], other, said(6), asked(7)], said(7)))
    path = tmp_path / "log.jsonl"
    for one in lines[:9]:
        one["request"]["body"] = written(one["request"]["body"]).decode().strip()
    path.write_bytes(b"".join(map(written, lines)))
    agree(rules, path)
