"""Sketches a content or message in a few short lines: enough to recognise it, never all of it.

Every line is scrubbed and plain. Works on the payload as written, in any spelling, valid or not; knows no conversation.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.dialects.vocabulary.field_names import get
from wirecheck.secrets.scrub import plain, scrub
from wirecheck.wire.media_summary import UNTOLD, bytes_in, light, mime_of, weighed

Kind = Literal["text", "thought", "heard", "said", "call", "answer", "media", "other"]  # heard, said: transcribed audio
LONG = 2000  # characters of a text that are looked at
SCRUBBED = ("call", "answer")  # scrubbed argument by argument: a cut one has no closing quote, and would hide the next


class SketchLine(Struct, frozen=True, gc=False):
    """One line and its kind. `key` is the id of a call (or its name), or the type of media; `weight` the bytes of
    media."""

    text: str
    kind: Kind = "text"
    key: str = ""
    weight: int = 0


def sketch(value: Any, width: int = 200) -> list[SketchLine]:
    """Sketches a content (`parts`), a chat message (`content`, `tool_calls`), or anything in their place."""
    return shown(_content(value), width)


def shown(pieces: Iterable[SketchLine], width: int) -> list[SketchLine]:
    """The lines, scrubbed, each on one line and cut to the width."""
    return [replace(piece, text=plain(_scrubbed(piece), width)) for piece in pieces if piece.text]


def _scrubbed(piece: SketchLine) -> str:
    return piece.text if piece.kind in SCRUBBED else scrub(piece.text)


def call(name: Any, args: Any, call_id: Any) -> SketchLine:
    """`get_weather(city="Rome")  id call_1`"""
    given = args if isinstance(args, dict) else {}
    listed = ", ".join(scrub(f"{key}={compact(item, 60, str(key))}") for key, item in list(given.items())[:10])
    written = listed if args is None or isinstance(args, dict) else scrub(_text(args).text)[:60]
    return SketchLine(f"{_name(name)}({written}){_id(call_id)}", "call", _key(name, call_id))


def answer(name: Any, response: Any, call_id: Any) -> SketchLine:
    """`→ get_weather {"temp": 18}  id call_1`"""
    written = "" if response is None else f" {compact(response, 100)}"
    return SketchLine(f"→ {_name(name)}{written}{_id(call_id)}", "answer", _key(name, call_id))


def compact(value: Any, room: int, key: str = "") -> str:
    """A value as JSON, cut to the room there is. Scrubbed before it is cut, since half a secret is not recognised."""
    text = ""
    for token in _tokens(value, key=key):
        text += token
        if len(text) > room:
            return f"{scrub(text)[: room - 1]}…"
    return scrub(text)


def _tokens(value: Any, mime: str = UNTOLD, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        mime = mime_of(value)
        yield "{"
        for index, (name, item) in enumerate(value.items()):
            yield f"{', ' if index else ''}{_scalar(name)}: "
            yield from _tokens(item, mime, str(name))
        yield "}"
    elif isinstance(value, list | tuple):
        yield "["
        for index, item in enumerate(value):
            yield ", " if index else ""
            yield from _tokens(item, mime, key)
        yield "]"
    else:
        yield _scalar(light(value, mime, key=key))


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value[:LONG].replace("\\", "\\\\").replace('"', '\\"') + '"'
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _name(name: Any) -> str:
    return scrub(name) if isinstance(name, str) and name else "(no name)"


def _key(name: Any, call_id: Any) -> str:
    return next((each for each in (call_id, name) if isinstance(each, str) and each), "")


def _id(call_id: Any) -> str:
    return f"  id {scrub(call_id)}" if isinstance(call_id, str) and call_id else ""


def _content(value: Any) -> Iterator[SketchLine]:
    if isinstance(value, list):
        for item in value:
            yield from _content(item)
    elif not isinstance(value, dict):
        yield _text(value)
    elif parts := get(value, "parts"):
        yield from _content(parts)
    elif (read := STEPS.get(value["type"]) if type(value.get("type")) is str else None) is not None:
        yield from read(value)
    elif any(key in value for key in ("content", "tool_calls", "function_call")) and "type" not in value:
        yield from _message(value)
    else:
        yield _part(value)


def _text(value: Any, kind: Kind = "text") -> SketchLine:
    return SketchLine(light(value)[:LONG] if isinstance(value, str) else compact(value, LONG), kind)


def _message(value: dict[str, Any]) -> Iterator[SketchLine]:
    """Sketches an OpenAI-style message."""
    if "tool_call_id" in value or value.get("role") in ("tool", "function"):
        yield answer(value.get("name"), value.get("content"), value.get("tool_call_id"))
    elif value.get("content") is not None:
        yield from _content(value["content"])
    calls = value.get("tool_calls") or [value.get("function_call")]
    for entry in calls if isinstance(calls, list) else ():
        if isinstance(entry, dict):
            inside = entry.get("function")
            function = inside if isinstance(inside, dict) else entry
            yield call(function.get("name"), function.get("arguments", function.get("args")), entry.get("id"))


def _step(value: dict[str, Any]) -> Iterator[SketchLine]:
    yield from _content(value.get("content") or [])


def _thought(value: dict[str, Any]) -> Iterator[SketchLine]:
    """Sketches a thought, without its signature."""
    said = value.get("summary")
    texts = [one.get("text") for one in said if isinstance(one, dict)] if isinstance(said, list) else []
    yield _text(" ".join(text for text in texts if isinstance(text, str)) or "(thought)", "thought")


def _step_call(value: dict[str, Any]) -> Iterator[SketchLine]:
    yield call(value.get("name"), value.get("arguments"), value.get("id"))


def _step_result(value: dict[str, Any]) -> Iterator[SketchLine]:
    yield answer(value.get("name"), value.get("result"), value.get("call_id"))


def _step_media(value: dict[str, Any]) -> Iterator[SketchLine]:
    yield _media({**value, "fileUri": value.get("uri")}, value)


def _part(value: dict[str, Any]) -> SketchLine:
    for key, read in READERS.items():
        if (found := get(value, key)) is not None:
            return read(found, value) if isinstance(found, dict) or key not in OBJECTS else _other(value)
    return _other({key: item for key, item in value.items() if key != "role"})


def _other(part: dict[str, Any]) -> SketchLine:
    return SketchLine(compact(part, LONG), "other")


def _said(text: Any, part: dict[str, Any]) -> SketchLine:
    return _text(text, "thought" if part.get("thought") is True else "text")


def _called(found: Any, part: dict[str, Any]) -> SketchLine:
    if (streamed := get(found, "partialArgs")) is not None:  # a streamed piece of a call
        return SketchLine(f"{_name(found.get('name')) if found.get('name') else '…'} {compact(streamed, LONG)}", "call")
    return call(found.get("name"), found.get("args", found.get("arguments")), found.get("id"))


def _answered(found: Any, part: dict[str, Any]) -> SketchLine:
    return answer(found.get("name"), found.get("response"), found.get("id"))


def _media(found: Any, part: dict[str, Any]) -> SketchLine:
    data, mime = found.get("data"), str(get(found, "mimeType") or "media")
    if isinstance(data, str):
        return SketchLine(weighed(mime, count := bytes_in(data)), "media", mime, count)
    return SketchLine(f"<{mime} {compact(get(found, 'fileUri'), 60)}>", "media", mime)


def _code(found: Any, part: dict[str, Any]) -> SketchLine:
    return SketchLine(f"<code> {compact(found, 200)}", "other")


OBJECTS = ("functionCall", "functionResponse", "inlineData", "fileData")  # what has to be an object to be read
READERS: dict[str, Callable[[Any, dict[str, Any]], SketchLine]] = {
    "functionCall": _called,
    "functionResponse": _answered,
    "text": _said,
    "inlineData": _media,
    "fileData": _media,
    "executableCode": _code,
    "codeExecutionResult": _code,
}
# Steps and blocks of the Interactions API, by their type.
STEPS: dict[str, Callable[[dict[str, Any]], Iterator[SketchLine]]] = {
    "user_input": _step,
    "model_output": _step,
    "thought": _thought,
    "function_call": _step_call,
    "function_result": _step_result,
    "image": _step_media,
    "audio": _step_media,
    "video": _step_media,
    "document": _step_media,
}
