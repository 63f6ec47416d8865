"""The two sides of a comparison, as lists of messages."""

import io
import json
from typing import Any

from wirecheck.compare.judging import heard as heard_in
from wirecheck.compare.spoken import SpokenConversation
from wirecheck.rules import load
from wirecheck.sources import read_file

Side = list[dict[str, Any]]
URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
RULES = load()


def chat(*texts: str) -> Side:
    """A conversation of texts: of the user, of the model, and so on."""
    return [{"role": ("user", "model")[n % 2], "parts": [{"text": text}]} for n, text in enumerate(texts)]


def call(name: str = "now", id: str | None = "c1", **args: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args} | ({"id": id} if id else {})}


def answer(response: Any, name: str = "now", id: str | None = "c1") -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": response} | ({"id": id} if id else {})}


def model(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def user(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def sent(history: Side) -> bytes:
    """What crosses the wire of this history: an exchange for each content of the model."""
    lines = [
        {
            "request": {"method": "POST", "url": URL, "body": {"contents": history[:n]}},
            "response": {"status": 200, "body": {"candidates": [{"content": content, "finishReason": "STOP"}]}},
        }
        for n, content in enumerate(history)
        if content["role"] == "model" and n
    ]
    if history and history[-1]["role"] != "model":
        lines.append({"request": {"method": "POST", "url": URL, "body": {"contents": history}}})
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def logged(*messages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in messages)


def heard(data: bytes, path: str = "log.jsonl") -> list[SpokenConversation]:
    return heard_in(read_file(io.BytesIO(data), path), RULES)


def side(history: Side) -> list[SpokenConversation]:
    return heard(sent(history))
