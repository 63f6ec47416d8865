"""A content view for mitmproxy: contents, steps, replies and Live frames in a few lines.

mitmproxy 12 changed the interface of views; both kinds wrap `picture`, which knows no mitmproxy.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from mitmproxy import contentviews

from wirecheck.dialects.vocabulary.field_names import get
from wirecheck.recorder.mitm import step_view
from wirecheck.report.screen import clean
from wirecheck.sketch import sketch, sketch_frame
from wirecheck.sketch.frame_sketch import FRAMES
from wirecheck.wire import sse

NAME = "Gemini"
ROLE = 10  # columns of a role
WIDTH = 500  # columns of a line
PRIORITY = 2.0  # above the view for JSON
LOOKED_AT = 4096  # bytes that are examined to recognise a body
CONTENTS = ("contents", "candidates", "turns", "parts", "messages")
INTERACTION = ("interaction", "user_input", "function_result", "previous_interaction_id")
SIGNS = tuple(f'"{key}"'.encode() for key in (*CONTENTS, *INTERACTION, *FRAMES))
EVENTS = (b"data:", b"event: interaction")


def picture(data: bytes) -> str:
    """Draws a body: JSON, or the events of a stream. Raises ValueError where it is neither."""
    return "\n".join(line for value in step_view.together(_values(data)) for line in _lines(value))


def fits(data: bytes, path: str = "") -> bool:
    head = data[:LOOKED_AT]
    ours = path.partition("?")[0].endswith("/interactions") or any(sign in head for sign in SIGNS)
    return (head.lstrip()[:1] in (b"{", b"[") and ours) or head.startswith(EVENTS)


def _values(data: bytes) -> Iterator[Any]:
    if data.lstrip()[:1] in (b"{", b"["):
        value = msgspec.json.decode(data)
        yield from value if isinstance(value, list) else [value]
    else:
        yield from map(msgspec.json.decode, sse.events(data))


def _lines(value: Any) -> Iterator[str]:
    inner = get(value, "request", get(value, "response")) if isinstance(value, dict) else None
    value = inner if isinstance(inner, dict) else value  # Code Assist wraps requests and replies
    if not isinstance(value, dict):
        yield from _said("", value)
        return
    known = [(read, found) for key, read in READERS.items() if (found := get(value, key)) is not None]
    for read, found in known:
        yield from read(found)
    if not known:
        yield from (_line("" if n else "frame", piece.text) for n, piece in enumerate(sketch_frame(value, WIDTH)))


def _contents(found: Any) -> Iterator[str]:
    for content in found if isinstance(found, list) else [found]:
        role = get(content, "role") if isinstance(content, dict) else None
        yield from _said(role or "user", content)


def _candidates(found: Any) -> Iterator[str]:
    for candidate in found if isinstance(found, list) else ():
        content = get(candidate, "content") if isinstance(candidate, dict) else None
        if content is not None:
            yield from _said(get(content, "role") or "model", content)
        finish = get(candidate, "finishReason") if isinstance(candidate, dict) else None
        if finish:
            yield _line("", f"(finish: {finish})")


def _steps(by: str) -> Callable[[Any], Iterator[str]]:
    def read(found: Any) -> Iterator[str]:
        for role, step in step_view.said(found, by):
            yield from _said(role, step)

    return read


def _status(found: Any) -> Iterator[str]:
    yield _line("", f"({found})")


def _error(found: Any) -> Iterator[str]:
    message = get(found, "message") if isinstance(found, dict) else found
    yield _line("error", str(message))


READERS: dict[str, Callable[[Any], Iterator[str]]] = {
    "systemInstruction": lambda found: _said("system", found),
    "contents": _contents,
    "messages": _contents,
    "candidates": _candidates,
    "input": _steps("user"),
    "steps": _steps("model"),
    "outputs": _steps("model"),
    "status": _status,
    "error": _error,
}


def _said(role: Any, content: Any) -> Iterator[str]:
    for n, piece in enumerate(sketch(content, WIDTH)):
        yield _line("" if n else str(role), piece.text)


def _line(role: str, text: str) -> str:
    return f"{clean(role, ROLE):{ROLE}}{clean(text)}"


def _path(flow: Any) -> str:
    return str(flow.request.path) if hasattr(flow, "request") else ""


def register() -> None:
    """Registers the view once, in the way of the installed mitmproxy."""
    views: Any = contentviews  # its types differ between versions
    if hasattr(views, "Contentview"):
        if NAME not in views.registry.available_views():
            views.add(_new_view(views.Contentview))
    elif views.get(NAME) is None:
        views.add(_old_view(views.View))


def _new_view(base: Any) -> Any:
    """For mitmproxy 12 and later."""

    class GeminiContentview(base):  # type: ignore[misc]
        name = NAME
        syntax_highlight = "none"

        def prettify(self, data: bytes, metadata: Any) -> str:
            return picture(data)

        def render_priority(self, data: bytes, metadata: Any) -> float:
            return PRIORITY if fits(data, _path(metadata.flow)) else -1

    return GeminiContentview


def _old_view(base: Any) -> Any:
    """For mitmproxy 11."""

    class GeminiView(base):  # type: ignore[misc]
        name = NAME

        def __call__(self, data: bytes, **metadata: Any) -> tuple[str, Iterator[list[tuple[str, str]]]]:
            return NAME, ([("text", line)] for line in picture(data).split("\n"))

        def render_priority(self, data: bytes, **metadata: Any) -> float:
            return PRIORITY if fits(data, _path(metadata.get("flow"))) else -1

    return GeminiView()
