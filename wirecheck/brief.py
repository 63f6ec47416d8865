"""A content, a message or a frame in one short line, for people.

What other people wrote is cut, scrubbed and made plain here; a payload is never printed as it was sent.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from wirecheck.dialects.names import get, keys_of
from wirecheck.wire.scrub import plain, scrub

_WIDTH = 72


def brief(value: Any, width: int = _WIDTH) -> str:
    """What a content, message or frame says, in at most `width` characters."""
    pieces = [piece for piece in _pieces(value) if piece]
    return plain(scrub(" · ".join(pieces) or "(nothing)"), width)


def brief_json(value: Any, width: int = 48) -> str:
    """A JSON value in one line. Only the beginning is looked at: it may be megabytes."""
    return plain(scrub(msgspec.json.encode(_trim(value, 3)).decode(errors="replace")), width)


def _pieces(value: Any) -> Iterator[str]:
    if type(value) is not dict:
        yield brief_json(value)
        return
    parts = get(value, "parts")
    for part in parts[:8] if type(parts) is list else [parts] if type(parts) is dict else []:
        yield _part(part)
    yield from _message(value)
    if parts is None and "content" not in value and get(value, "toolCalls") is None:
        yield _part(value)


def _message(value: Mapping[str, Any]) -> Iterator[str]:
    """What an OpenAI-style message says beside its parts."""
    content, calls = value.get("content"), get(value, "toolCalls")
    role = value.get("role")
    if content not in (None, ""):
        said = _quoted(content) if type(content) is str else brief_json(content)
        yield f"→ {value.get('name') or ''} {said}".replace("  ", " ") if role in ("tool", "function") else said
    for call in calls[:8] if type(calls) is list else []:
        if type(call) is dict:
            inner = call.get("function")
            yield _call({**(inner if type(inner) is dict else call), "id": call.get("id")})


def _part(part: Any) -> str:
    if type(part) is not dict:
        return brief_json(part)
    keys = keys_of(part)
    for key, show in SHOWS.items():
        if key in keys and (value := get(part, key)) is not None:
            return ("(thought) " if part.get("thought") else "") + show(value)
    return brief_json(part)


def _call(value: Any) -> str:
    if type(value) is not dict:
        return brief_json(value)
    args = value.get("args", value.get("arguments"))
    inside = ", ".join(f"{key}={brief_json(one, 24)}" for key, one in args.items()) if type(args) is dict else ""
    if type(args) is str:
        inside = args
    name = f"{value.get('name') or '(no name)'}({plain(inside, 40)})"
    return f"{name} {value['id']}" if type(value.get("id")) is str else name


def _answer(value: Any) -> str:
    if type(value) is not dict:
        return f"→ {brief_json(value)}"
    label = f"→ {value.get('name') or '(no name)'} {brief_json(value.get('response'), 36)}"
    return f"{label} {value['id']}" if type(value.get("id")) is str else label


def _blob(value: Any) -> str:
    if type(value) is not dict:
        return "<data>"
    data = value.get("data")
    weight = f" {_weight(len(data) * 3 // 4)}" if type(data) is str else ""
    return f"<{get(value, 'mimeType') or 'data'}{weight}>"


def _weight(size: int) -> str:
    return f"{size} B" if size < 1000 else f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"


def _quoted(value: Any) -> str:
    return f'"{value[:200]}"' if type(value) is str else brief_json(value)


def _names(key: str, show: Callable[[Any], str]) -> Callable[[Any], str]:
    """The members of a list field, one after the other."""

    def shown(value: Any) -> str:
        items = get(value, key) if type(value) is dict else value
        return ", ".join(map(show, items if type(items) is list else [items]))

    return shown


def _turns(value: Any) -> str:
    turns = get(value, "turns") if type(value) is dict else None
    said = [brief(turn) for turn in (turns if type(turns) is list else [turns] if turns else [])]
    ends = ["turnComplete"] if type(value) is dict and get(value, "turnComplete") else []
    return " · ".join(said + ends)


def _server_content(value: Any) -> str:
    if type(value) is not dict:
        return brief_json(value)
    turn = get(value, "modelTurn")
    flags = [key for key in keys_of(value) if key != "modelTurn"]
    return " · ".join(([brief(turn)] if turn is not None else []) + flags)


SHOWS: dict[str, Callable[[Any], str]] = {
    "functionCall": _call,
    "functionResponse": _answer,
    "text": _quoted,
    "inlineData": _blob,
    "fileData": lambda value: f"<{get(value, 'mimeType') or 'file'}>" if type(value) is dict else "<file>",
    "executableCode": lambda value: "<code>",
    "codeExecutionResult": lambda value: "<result of code>",
    "toolCall": _names("functionCalls", _call),
    "toolResponse": _names("functionResponses", _answer),
    "clientContent": _turns,
    "serverContent": _server_content,
    "realtimeInput": lambda value: f"<{', '.join(keys_of(value))}>" if type(value) is dict else "<input>",
    "setup": lambda value: f"setup {get(value, 'model') or ''}".strip() if type(value) is dict else "setup",
}


def _trim(value: Any, depth: int) -> Any:
    """The beginning of a value, as far as a short line can show it."""
    if type(value) is str:
        return value[:200]
    if type(value) is list:
        return [_trim(one, depth - 1) for one in value[:8]] if depth else "…"
    if type(value) is dict:
        return {key[:60]: _trim(one, depth - 1) for key, one in list(value.items())[:8]} if depth else "…"
    return value
