"""Sketches a Live frame in a few short lines. Knows what frames contain, not when they may come."""

from collections.abc import Callable, Iterator
from typing import Any

from wirecheck.dialects.vocabulary.field_names import get, keys_of
from wirecheck.sketch.content_sketch import Kind, SketchLine, answer, call, compact, shown, sketch


def sketch_frame(value: Any, width: int = 200) -> list[SketchLine]:
    """Sketches a frame. A value with none of the known keys is taken for a content."""
    if not isinstance(value, dict):
        return sketch(value, width)
    pieces = [piece for key, read in FRAMES.items() for piece in _read(read, get(value, key))]
    return shown(pieces, width) or sketch(value, width)


def _read(read: "Sketcher", value: Any) -> Iterator[SketchLine]:
    if isinstance(value, dict):
        yield from read(value)


def _setup(value: dict[str, Any]) -> Iterator[SketchLine]:
    resumption = get(value, "sessionResumption")
    goes_on = isinstance(resumption, dict) and bool(get(resumption, "handle"))
    yield SketchLine(f"setup {'with a handle, ' if goes_on else ''}{get(value, 'model') or '(no model)'}", "other")


def _client_content(value: dict[str, Any]) -> Iterator[SketchLine]:
    yield from sketch(get(value, "turns", []))
    yield from _flags(value, "turnComplete")


def _realtime_input(value: dict[str, Any]) -> Iterator[SketchLine]:
    for key in ("audio", "video", "mediaChunks", "media"):
        found = get(value, key, [])
        for blob in found if isinstance(found, list) else [found]:
            yield from sketch({"inlineData": blob})
    if (text := get(value, "text")) is not None:
        yield from sketch({"text": text})
    yield from _flags(value, "activityStart", "activityEnd", "audioStreamEnd")


def _tool_response(value: dict[str, Any]) -> Iterator[SketchLine]:
    for one in _dicts(get(value, "functionResponses")):
        yield answer(one.get("name"), one.get("response"), one.get("id"))


def _server_content(value: dict[str, Any]) -> Iterator[SketchLine]:
    if (turn := get(value, "modelTurn")) is not None:
        yield from sketch(turn)
    for key, kind in TRANSCRIPTIONS.items():
        if isinstance(found := get(value, key), dict) and found.get("text"):
            yield SketchLine(str(found["text"]), kind)
    yield from _flags(value, "interrupted", "generationComplete", "turnComplete", "waitingForInput")
    yield from _words(value, "turnCompleteReason", "interactionStatus")


def _tool_call(value: dict[str, Any]) -> Iterator[SketchLine]:
    for one in _dicts(get(value, "functionCalls")):
        yield call(one.get("name"), one.get("args"), one.get("id"))


def _cancellation(value: dict[str, Any]) -> Iterator[SketchLine]:
    ids = get(value, "ids")
    for one in ids if isinstance(ids, list) else [ids]:
        yield SketchLine(f"cancels {one if isinstance(one, str) else compact(one, 60)}", "answer", str(one))


def _go_away(value: dict[str, Any]) -> Iterator[SketchLine]:
    left = get(value, "timeLeft")
    yield SketchLine(f"(goAway{f', {left} left' if isinstance(left, str) else ''})", "other")


def _named(name: str) -> Callable[[dict[str, Any]], Iterator[SketchLine]]:
    def read(value: dict[str, Any]) -> Iterator[SketchLine]:
        yield SketchLine(f"({name})", "other")

    return read


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict))


def _flags(value: dict[str, Any], *keys: str) -> Iterator[SketchLine]:
    yield from (SketchLine(f"({key})", "other") for key in keys if get(value, key, False) is not False)


def _words(value: dict[str, Any], *keys: str) -> Iterator[SketchLine]:
    yield from (SketchLine(f"({key} {text})", "other") for key in keys if isinstance(text := get(value, key), str))


def _context_update(value: dict[str, Any]) -> Iterator[SketchLine]:
    yield SketchLine(f"contextUpdate {', '.join(keys_of(value)) or '(empty)'}", "other")


TRANSCRIPTIONS: dict[str, Kind] = {"inputTranscription": "heard", "outputTranscription": "said"}
Sketcher = Callable[[dict[str, Any]], Iterator[SketchLine]]
FRAMES: dict[str, Sketcher] = {
    "setup": _setup,
    "setupComplete": _named("setupComplete"),
    "clientContent": _client_content,
    "contextUpdate": _context_update,
    "realtimeInput": _realtime_input,
    "toolResponse": _tool_response,
    "serverContent": _server_content,
    "toolCall": _tool_call,
    "toolCallCancellation": _cancellation,
    "goAway": _go_away,
    "sessionResumptionUpdate": _named("sessionResumptionUpdate"),
    "voiceActivity": lambda value: _words(value, "voiceActivityType"),
}
