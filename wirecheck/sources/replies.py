"""A reply's body, taken apart into what the server sent one by one: chunks of a list, events of a text."""

from collections.abc import Iterable, Iterator

from wirecheck.sources.kinds import list_of
from wirecheck.wire import array, payload, sse
from wirecheck.wire.record import Body, Site

FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")  # how a line of an event stream begins


def bodies(raw: bytes, site: Site) -> Iterable[Body]:
    if raw[:1] == b"{":
        return (Body(raw, site),)
    body = payload.of_value(raw, site)
    if body is None or not body.raw:
        return ()
    if body.form == "json":
        return elements(body)
    return list(stream(body) if is_stream(body.raw) else cut_off(body)) or (body,)


def elements(body: Body) -> Iterator[Body]:
    """The chunks of a list, each with its own place; anything else is one chunk."""
    if body.raw.lstrip()[:1] != b"[":
        yield body
        return
    for n, item in enumerate(list_of(body.raw)):
        yield Body(bytes(item), body.site.to(f"/{n}"))


def stream(body: Body) -> Iterator[Body]:
    """The events of a text."""
    for n, event in enumerate(sse.events(body.raw)):
        site = payload.within(body.site, n)
        if payload.is_json(event):
            yield from elements(Body(event, site))
        else:
            yield Body(event, site, "text")


def cut_off(body: Body) -> Iterator[Body]:
    """The chunks of a list without its end: a stream without `alt=sse` that was not heard to the last."""
    splitter = array.Splitter()
    items = splitter.feed(body.raw) + splitter.end() if body.raw.lstrip()[:1] == b"[" else []
    if items and payload.is_json(items[0]):
        for n, item in enumerate(items):
            yield Body(item, payload.within(body.site, n), "json" if payload.is_json(item) else "text")


def is_stream(text: bytes) -> bool:
    return text[:64].lstrip().startswith(FIELDS)
