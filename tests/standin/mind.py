"""What the model says to contents: text, or calls of the functions that were declared.

Knows the shapes of Gemini's JSON and the one law that most clients break; no bytes and no connections.
"""

import base64
import json
from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from typing import Any

from tests.standin.wishes import Wishes

Json = dict[str, Any]
COUNTS = (
    "Please ensure that the number of function response parts is equal to the number of function call parts of the "
    "function call turn."
)
STATUS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND"} | {
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
WITHOUT_IDS = ("gemini-1", "gemini-2")  # models that give their calls no ids
SAMPLES: dict[str, Any] = {"STRING": "Paris", "INTEGER": 3, "NUMBER": 2.5, "BOOLEAN": True, "ARRAY": [], "OBJECT": {}}
USAGE = {"promptTokenCount": 7, "candidatesTokenCount": 9, "totalTokenCount": 16}
_numbers = count(1)


def error(status: int, message: str) -> Json:
    return {"error": {"code": status, "message": message, "status": STATUS.get(status, "UNKNOWN")}}


def objection(contents: Sequence[Json]) -> str | None:
    """What Google says to a history in which calls and responses do not add up."""
    for before, after in pairwise(contents):
        calls = _having(before, "functionCall", "function_call") if before.get("role") == "model" else 0
        if calls and calls != _having(after, "functionResponse", "function_response"):
            return COUNTS
    return None


def chunks(model: str, tools: Any, asked: Wishes) -> list[Json]:
    """The reply as a stream gives it: every call in a chunk of its own, as Gemini 3 does."""
    parts = list(calls(tools, asked, ids=not model.startswith(WITHOUT_IDS))) or [
        {"text": piece} for piece in _pieces(asked.say, asked.chunks)
    ]
    name = f"response-{next(_numbers)}"  # of the whole reply: Google's chunks all have one
    said = [_chunk(model, [part], name) for part in parts]
    said[-1]["candidates"][0]["finishReason"] = asked.finish
    said[-1]["candidates"][0]["safetyRatings"] = []
    said[-1] |= {"promptFeedback": {}, "usageMetadata": USAGE}
    return said


def whole(said: Sequence[Json]) -> Json:
    """The same reply in one piece."""
    parts = [part for chunk in said for part in chunk["candidates"][0]["content"]["parts"]]
    if all("text" in part for part in parts):
        parts = [{"text": "".join(part["text"] for part in parts)}]
    content = {"role": "model", "parts": parts}
    return {**said[-1], "candidates": [{**said[-1]["candidates"][0], "content": content}]}


def calls(tools: Any, asked: Wishes, ids: bool = True) -> Iterator[Json]:
    """A part for each function that is to be called; the first carries the signature."""
    declared = {each["name"]: each for each in _declarations(tools)}
    one = next(_numbers)
    for number, name in enumerate(filter(None, asked.call.split(","))):
        known = {"id": f"call_{one if asked.same else next(_numbers)}"} if ids else {}
        call = {**known, "name": name, "args": _arguments(declared.get(name, {}))}
        signed = {"thoughtSignature": base64.b64encode(f"signature {one}".encode()).decode()}
        yield {"functionCall": call, **(signed if number == 0 else {})}


def _declarations(tools: Any) -> Iterator[Json]:
    for tool in tools or []:
        yield from tool.get("functionDeclarations") or tool.get("function_declarations") or []


def _arguments(declaration: Json) -> Json:
    """A value of the right type for all that is required."""
    keys = {key.replace("_", "").lower(): value for key, value in declaration.items()}
    schema = keys.get("parameters") or keys.get("parametersjsonschema") or {}
    kinds = schema.get("properties", {})
    return {name: SAMPLES[str(kinds[name].get("type", "STRING")).upper()] for name in schema.get("required", [])}


def _chunk(model: str, parts: list[Json], name: str) -> Json:
    return {
        "candidates": [{"content": {"parts": parts, "role": "model"}, "index": 0}],
        "modelVersion": model,
        "responseId": name,
    }


def _pieces(text: str, number: int) -> list[str]:
    """A text in so many pieces, fewer where it is short."""
    size = max(1, -(-len(text) // number))
    return [text[start : start + size] for start in range(0, len(text), size)] or [""]


def _having(content: Json, *spellings: str) -> int:
    return sum(any(key in part for key in spellings) for part in content.get("parts", []))


def dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode()
