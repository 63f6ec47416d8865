"""Reads the short script of an example into Records.

`> {json}` is what the client sends, `< {json}` or `< 400 {json}` what the server does, `X< 1007 reason` the close of a
Live session. The URL follows from the example's surface, model and protocol.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Raw, json

from wirecheck.rules.language.rule import Example
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Peer, Record, Replied, Site

PATH = "example"
LINE = re.compile(r"(X?)([<>])\s*(?:([0-9]{3,4})(?=\s|$))?\s*(.*)", re.DOTALL)
FIRST_KEY = re.compile(r'\{\s*"(\w+)"')
LIVE = """setup clientContent realtimeInput toolResponse contextUpdate setupComplete serverContent toolCall goAway
    toolCallCancellation sessionResumptionUpdate functionResponses BidiGenerateContentToolResponse
    client_content tool_response realtime_input tool_call tool_call_cancellation server_content"""
BY_KEY = {**dict.fromkeys(LIVE.split(), "live"), "messages": "chat", "input": "interactions"}

# URLs by protocol and surface; MODEL and VERB are filled in.
_GEMINI = "https://generativelanguage.googleapis.com/v1beta"
_VERTEX = "https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/us-central1"
_FIREBASE = "https://firebasevertexai.googleapis.com/v1beta/projects/p/models"
URLS: dict[str, dict[str, str]] = {
    "generate-content": {
        "gemini-api": f"{_GEMINI}/models/MODEL:VERB",
        "vertex": f"{_VERTEX}/publishers/google/models/MODEL:VERB",
        "code-assist": "https://cloudcode-pa.googleapis.com/v1internal:VERB",
        "firebase": f"{_FIREBASE}/MODEL:VERB",
        "unknown": "http://localhost:8080/v1beta/models/MODEL:VERB",
    },
    "live": {
        "gemini-api": "wss://generativelanguage.googleapis.com/ws/"
        "google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent",
        "vertex": "wss://us-central1-aiplatform.googleapis.com/ws/"
        "google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent",
        "unknown": "ws://localhost:8080/live",
    },
    "interactions": {
        "gemini-api": f"{_GEMINI}/interactions",
        "vertex": f"{_VERTEX}/interactions",
        "unknown": "http://localhost:8080/v1beta/interactions",
    },
    "chat": {
        "gemini-api": f"{_GEMINI}/openai/chat/completions",
        "openai-compat": f"{_GEMINI}/openai/chat/completions",
        "vertex": f"{_VERTEX}/endpoints/openapi/chat/completions",
        "unknown": "http://localhost:8080/v1/chat/completions",
    },
}


class ScriptLine(NamedTuple):
    """One line of a script."""

    number: int
    closes: bool
    peer: Peer
    code: int | None
    text: str


def records(example: Example) -> Iterator[Record]:
    """The records of an example; empty where its log is not a script."""
    said = list(_script(example.log))
    if said and _protocol(example, said) == "live":
        yield from _session(example, said)
    elif said:
        yield from _exchanges(example, said)


def faults(log: str) -> Iterator[str]:
    """Problems of a script: a line without a direction, or broken JSON. A log that is not a script has none."""
    sides = {said.number: said.text for said in _script(log)}
    for number, text in enumerate(log.split("\n"), 1):
        if not sides or not text.strip() or text.startswith("#"):
            continue
        if number not in sides:
            yield f"line {number} of the log is neither > nor <"
        elif sides[number][:1] in ("{", "[") and not _is_json(sides[number].encode()):
            yield f"line {number} of the log is not JSON"


def _script(log: str) -> Iterator[ScriptLine]:
    """The lines of a script; empty where the log is something else."""
    for number, text in enumerate(log.split("\n"), 1):
        if (line := LINE.fullmatch(text.strip())) is not None:
            closes, side, code, rest = line.groups()
            yield ScriptLine(
                number, bool(closes), "client" if side == ">" else "server", int(code) if code else None, rest
            )


def _protocol(example: Example, said: list[ScriptLine]) -> str:
    if example.protocol is not None:
        return example.protocol
    if any(each.closes for each in said):
        return "live"
    return next((BY_KEY[key] for each in said if (key := _first_key(each.text)) in BY_KEY), "generate-content")


def _first_key(text: str) -> str:
    key = FIRST_KEY.match(text)
    return key[1] if key else ""


def _url(example: Example, protocol: str, verb: str = "") -> str:
    urls = URLS.get(protocol, {})
    url = urls.get(example.surface) or urls.get("unknown", "http://localhost:8080/")
    return url.replace("MODEL", example.model or "").replace("VERB", verb)


def _session(example: Example, said: list[ScriptLine]) -> Iterator[Record]:
    """A Live session. Lines after a close are on another connection."""
    starts = [0, *(n for n, each in enumerate(said, 1) if each.closes and n < len(said))]
    for channel, (start, end) in enumerate(zip(starts, [*starts[1:], len(said)], strict=True), 1):
        yield from _connection(example, str(channel), said[start:end])


def _connection(example: Example, channel: str, said: list[ScriptLine]) -> Iterator[Record]:
    """One connection. Where its lines have no setup, one is put before them."""
    first = Origin(PATH, said[0].number)
    yield Opened(channel=channel, origin=first, method="GET", url=_url(example, "live"))
    if example.model is not None and all(_first_key(each.text) != "setup" for each in said):
        setup = json.encode({"setup": {"model": f"models/{example.model}"}})
        yield Frame(channel=channel, origin=first, sender="client", body=Body(setup, Site(first)))
        yield Frame(channel=channel, origin=first, sender="server", body=Body(b'{"setupComplete":{}}', Site(first)))
    for each in said:
        origin = Origin(PATH, each.number)
        if each.closes:
            yield Closed(channel=channel, origin=origin, code=each.code, reason=each.text, by=each.peer)
            return
        yield _frame(each, channel)
    yield Closed(channel=channel, origin=Origin(PATH, said[-1].number), recorded=False)


def _exchanges(example: Example, said: list[ScriptLine]) -> Iterator[Record]:
    """HTTP exchanges: each request with the lines of its reply."""
    starts = sorted({0, *(index for index, each in enumerate(said) if each.peer == "client")})
    for channel, (start, end) in enumerate(zip(starts, [*starts[1:], len(said)], strict=True), 1):
        yield from _exchange(example, str(channel), said[start:end], _protocol(example, said))


def _exchange(example: Example, channel: str, said: list[ScriptLine], protocol: str) -> Iterator[Record]:
    first, replies = said[0], [each for each in said if each.peer == "server"]
    yield _opened(example, channel, first, protocol, streams=len(replies) > 1)
    if not replies:
        return
    bare = example.model is None
    if replies[0].code is not None or not bare:
        headers = {"content-type": "text/event-stream" if len(replies) > 1 else "application/json"}
        origin = Origin(PATH, replies[0].number)
        yield Replied(channel=channel, origin=origin, status=replies[0].code or 200, headers=headers)
    yield from (_frame(each, channel) for each in replies if each.text)
    yield Closed(channel=channel, origin=Origin(PATH, replies[-1].number))


def _opened(example: Example, channel: str, first: ScriptLine, protocol: str, *, streams: bool) -> Opened:
    """The request. Without a model it is a bare body, as in a log without URLs."""
    origin = Origin(PATH, first.number)
    body = _body(first) if first.peer == "client" else None
    if example.model is None:
        return Opened(channel=channel, origin=origin, body=body)
    url = _url(example, protocol, "streamGenerateContent?alt=sse" if streams else "generateContent")
    if example.surface == "code-assist" and body is not None and b'"request"' not in body.raw:
        wrapped = json.encode({"model": example.model, "project": "p", "request": Raw(body.raw)})
        body = Body(wrapped, body.site)
    return Opened(channel=channel, origin=origin, method="POST", url=url, body=body)


def _frame(said: ScriptLine, channel: str) -> Frame:
    return Frame(channel=channel, origin=Origin(PATH, said.number), sender=said.peer, body=_body(said))


def _body(said: ScriptLine) -> Body:
    raw = said.text.encode()
    return Body(raw, Site(Origin(PATH, said.number)), "json" if _is_json(raw) else "text")


def _is_json(raw: bytes) -> bool:
    try:
        json.decode(raw)
    except ValueError:
        return False
    return True
