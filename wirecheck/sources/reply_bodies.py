"""Splits the body of a reply into what the server sent one by one: items of a list, events of an SSE text."""

from collections.abc import Iterable, Iterator

from msgspec import Raw

from wirecheck.sources import json_texts
from wirecheck.sources.detect import head, list_of
from wirecheck.wire import json_array, payload, sse
from wirecheck.wire.records import Body, Site

FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")  # how a line of an event stream begins


def bodies(raw: bytes | Raw, site: Site) -> Iterable[Body]:
    """The bodies in a logged reply. An iterator where possible: together they may be many megabytes."""
    if head(raw) == b'"' and is_stream(next(json_texts.pieces(raw))):
        return _streamed(raw, site)
    if head(raw) == b"[":
        return (Body(bytes(item), site.to(f"/{n}")) for n, item in enumerate(list_of(raw)))
    body = json_texts.of_value(raw, site)
    return () if body is None or not body.raw else of_body(body)


def of_body(body: Body) -> Iterable[Body]:
    """The items of a list, also of one that breaks off; anything else is one body."""
    return elements(body) if body.form == "json" else list(cut_off(body)) or (body,)


def elements(body: Body) -> Iterator[Body]:
    """Yields the items of a list, each with its own place; anything else is one item."""
    if body.raw.lstrip()[:1] != b"[":
        yield body
        return
    for n, item in enumerate(list_of(body.raw)):
        yield Body(bytes(item), body.site.to(f"/{n}"))


def stream(pieces: Iterable[bytes], site: Site) -> Iterator[Body]:
    """Yields the events of an SSE text."""
    for n, event in enumerate(_events(pieces)):
        place = payload.within(site, n)
        if payload.is_json(event):
            yield from elements(Body(event, place))
        else:
            yield Body(event, place, "text")


def _events(pieces: Iterable[bytes]) -> Iterator[bytes]:
    splitter = sse.EventSplitter()
    for piece in pieces:
        yield from splitter.feed(piece)
    yield from splitter.end()


def _streamed(raw: bytes | Raw, site: Site) -> Iterator[Body]:
    """Yields the events of a JSON string; where it has none, the string as a text."""
    events = stream(json_texts.pieces(raw), site)
    if (first := next(events, None)) is not None:
        yield first
        yield from events
    elif (body := json_texts.of_value(raw, site)) is not None:
        yield body


def cut_off(body: Body) -> Iterator[Body]:
    """Yields the items of a list that breaks off: a stream without `alt=sse` that was not received to its end."""
    splitter = json_array.ArraySplitter()
    items = splitter.feed(body.raw) + splitter.end() if body.raw.lstrip()[:1] == b"[" else []
    if items and payload.is_json(items[0]):
        for n, item in enumerate(items):
            yield Body(item, payload.within(body.site, n), "json" if payload.is_json(item) else "text")


def is_stream(text: bytes) -> bool:
    return text[:64].lstrip().startswith(FIELDS)
