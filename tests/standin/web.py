"""What the stand-in says over HTTP/1.1 to one request. Reads and writes no socket itself."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.standin import mind
from tests.standin.framing import TYPES, pieces
from tests.standin.mind import Json
from tests.standin.wishes import Wishes, texts, wishes

METHOD = re.compile(r"(?:/models/(?P<model>[^/:]+)|/v1internal):(?P<verb>\w+)$")


@dataclass(frozen=True)
class Reply:
    """A reply, and what is to go wrong with it."""

    status: int
    headers: list[tuple[str, str]]
    pieces: Iterable[bytes]
    asked: Wishes = field(default_factory=Wishes)


def reply(target: str, body: bytes) -> Reply:
    url = urlsplit(target)
    method = METHOD.search(url.path)
    if method is None or method["verb"] not in VERBS:
        return _plain(404, mind.error(404, f"Requested entity was not found: {url.path}"))
    try:
        request = json.loads(body)
        request["contents" if method["model"] else "request"]
    except (ValueError, RecursionError, TypeError, LookupError):
        return _plain(400, mind.error(400, "Invalid JSON payload received."))
    wrapped = method["model"] is None  # the Code Assist server takes and gives everything in an envelope
    model = method["model"] or request.get("model", "")
    framing = VERBS[method["verb"]]
    if framing == "array" and parse_qs(url.query).get("alt") == ["sse"]:
        framing = "sse"
    return _answer(model, request["request"] if wrapped else request, framing, wrapped)


def _answer(model: str, request: Json, framing: str, wrapped: bool) -> Reply:
    contents = request.get("contents") or []
    asked = wishes(" ".join(texts(contents[-1:])))
    if objection := mind.objection(contents):
        return _plain(400, mind.error(400, objection))
    if asked.status != 200 and not (asked.body or asked.hex):
        return _plain(asked.status, mind.error(asked.status, asked.message), asked)
    if framing == "count":
        return _plain(200, {"totalTokens": 31})
    said = mind.chunks(model, request.get("tools"), asked)
    if wrapped:
        said = [
            {"response": chunk, "traceId": "trace-1"} for chunk in (said if framing == "sse" else [mind.whole(said)])
        ]
        framing = "sse" if framing == "sse" else "one"
    kind = asked.type or TYPES.get(framing, "application/json; charset=UTF-8")
    return Reply(asked.status, _headers(kind, asked), pieces(said, framing, asked), asked)


def _plain(status: int, value: Any, asked: Wishes | None = None) -> Reply:
    asked = asked or Wishes()
    return Reply(status, _headers("application/json; charset=UTF-8", asked), [mind.dump(value)])


def _headers(kind: str, asked: Wishes) -> list[tuple[str, str]]:
    headers = [("content-type", kind)]
    if (encoding := asked.claims or asked.encoding) and asked.status == 200:
        headers.append(("content-encoding", encoding))
    if asked.location:
        headers.append(("location", asked.location))
    return headers


VERBS = {"generateContent": "body", "streamGenerateContent": "array", "countTokens": "count"}
