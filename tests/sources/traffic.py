"""Traffic for the files of other programs, sound and broken, and what is found in a file of it."""

import io
import json
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load
from wirecheck.sources import Reader, ReadProblem
from wirecheck.verdicts.statistics import Statistics

HOST = "https://generativelanguage.googleapis.com"
PATH = "/v1beta/models/gemini-2.5-flash:generateContent"
STREAM = "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
LIVE = "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
REFUSED = (
    "Please ensure that the number of function response parts is equal to the number of function call parts "
    "of the function call turn."
)
MISCOUNT, LOST_ID = "function-response-count-mismatch", "tool-response-unknown-id"
# Where the request of the second exchange says what is wrong with it.
HERE = "/contents/1/parts/1"


class Spoken(NamedTuple):
    """One exchange. Several chunks are a stream."""

    path: str
    asked: dict[str, Any]
    status: int
    said: list[dict[str, Any]]

    @property
    def request(self) -> str:
        return json.dumps(self.asked)

    @property
    def reply(self) -> str:
        """The body of the reply as it was on the wire."""
        if "alt=sse" not in self.path or self.status != 200:
            return json.dumps(self.said[0], indent=1)
        return "".join(f"data: {json.dumps(chunk)}\r\n\r\n" for chunk in self.said)


def _call(name: str, n: int) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {"city": "Rome"}, "id": f"call_{n}"}}


def _response(name: str, n: int) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "id": f"call_{n}", "response": {"result": "sunny, 21 °C"}}}


def _chunk(parts: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    content = {"role": "model", "parts": parts}
    return {"candidates": [{"content": content, "index": 0, **more}], "usageMetadata": usage, "modelVersion": MODEL}


MODEL = "gemini-2.5-flash"
SCHEMA = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}
TOOLS = [{"functionDeclarations": [{"name": name, "parameters": SCHEMA} for name in ("get_weather", "find_flights")]}]
QUESTION = {"role": "user", "parts": [{"text": "Weather and flights – today? \\o/"}]}
CALLS = {"role": "model", "parts": [_call("get_weather", 1), _call("find_flights", 2)]}
ANSWERS = [_response("get_weather", 1), _response("find_flights", 2)]


def _second(answers: list[dict[str, Any]]) -> dict[str, Any]:
    return {"contents": [QUESTION, CALLS, {"role": "user", "parts": answers}], "tools": TOOLS}


def _conversation(path: str, answers: list[dict[str, Any]]) -> list[Spoken]:
    calls = [_call("get_weather", 1), _call("find_flights", 2)]
    asked = Spoken(path, {"contents": [QUESTION], "tools": TOOLS}, 200, [_chunk(calls, finishReason="STOP")])
    if len(answers) < len(ANSWERS):
        error = {"error": {"code": 400, "message": REFUSED, "status": "INVALID_ARGUMENT"}}
        return [asked, Spoken(path, _second(answers), 400, [error])]
    said = [_chunk([{"text": "Sunny, "}]), _chunk([{"text": "and go."}], finishReason="STOP")]
    return [asked, Spoken(path, _second(answers), 200, said if "alt=sse" in path else said[1:])]


SOUND, BROKEN = _conversation(PATH, ANSWERS), _conversation(PATH, ANSWERS[:1])
STREAMED, STREAMED_BROKEN = _conversation(STREAM, ANSWERS), _conversation(STREAM, ANSWERS[:1])


def session(answer: str) -> list[tuple[str, dict[str, Any]]]:
    """A Live session: who sent what. `answer` is the id of its response."""
    call = {"functionCalls": [{"id": "fc-1", "name": "get_weather", "args": {"city": "Rome"}}]}
    response = {"id": answer, "name": "get_weather", "response": {"result": "sunny"}}
    text = {"role": "model", "parts": [{"text": "Sunny."}]}
    return [
        ("client", {"setup": {"model": "models/gemini-live-2.5-flash-preview", "tools": TOOLS}}),
        ("server", {"setupComplete": {}}),
        ("client", {"clientContent": {"turns": [QUESTION], "turnComplete": True}}),
        ("server", {"toolCall": call}),
        ("client", {"toolResponse": {"functionResponses": [response]}}),
        ("server", {"serverContent": {"modelTurn": text}}),
        ("server", {"serverContent": {"generationComplete": True}}),
        ("server", {"serverContent": {"turnComplete": True}}),
    ]


SESSION, LOST = session("fc-1"), session("wrong-1")


class Judged(NamedTuple):
    """What was found in a file, infos apart, and what it held."""

    findings: list[Finding]
    infos: list[Finding]
    checked: Statistics
    problems: list[ReadProblem]

    @property
    def places(self) -> list[str]:
        """Each finding as `line: rule pointer`, with the pointer that leads on in a text."""
        return [
            f"{each.place.line}: {each.rule} {each.place.pointer}{each.place.inner.pointer if each.place.inner else ''}"
            for each in self.findings
        ]

    @property
    def skipped(self) -> list[str]:
        return [why for _, _, why, _ in self.checked.skipped]


def judged(path: Any, data: bytes | None = None, memo: bool = True) -> Judged:
    """Reads a file, or these bytes, and judges it."""
    stdin = None if data is None else io.BytesIO(data)
    reader, inspector = Reader(["-" if data is not None else str(path)], stdin=stdin), Inspector(_rules(), memo=memo)
    findings = [finding for record in reader for finding in inspector.feed(record)] + inspector.close()
    infos = [finding for finding in findings if finding.severity == "info"]
    loud = [finding for finding in findings if finding.severity != "info"]
    return Judged(loud, infos, inspector.checked, reader.problems)


@cache
def _rules() -> Ruleset:
    return load()


def wrong_values(value: Any) -> Iterable[Any]:
    """The value with something else in each of its places, once."""
    others: list[Any] = [None, 7, "x", [], {}, [[1]], True, {"x": {}}, -1.5, "data: {", "[redacted]", 10**400]
    for n, path in enumerate(_paths(value)):
        if path:
            yield _changed(value, path, others[n % len(others)])


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterable[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _paths(item, (*path, key))


def _changed(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    if not path:
        return other
    changed = value.copy()
    changed[path[0]] = _changed(value[path[0]], path[1:], other)
    return changed
