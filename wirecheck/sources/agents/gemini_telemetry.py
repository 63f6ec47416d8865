"""The telemetry of gemini-cli in a file: objects of several lines, one after the other.

Of each call of the API it tells three times: in a span and in the GenAI events of OpenTelemetry, both made into
another form or cut short, and in `gemini_cli.api_request`, `api_response` and `api_error`, which hold the contents as
they were. These are read. Which reply belongs to which request is told by `prompt_id` and order. The ids of calls have
the name of the function before them in replies: the program adds it, and takes it away before it sends them.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator

import msgspec

from wirecheck.sources import json_texts
from wirecheck.sources.agents.refusals import refusal
from wirecheck.sources.formats.braced_values import braced_values
from wirecheck.sources.formats.building import exchange
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.google_models import method_url
from wirecheck.sources.formats.json_values import node
from wirecheck.sources.formats.node import JsonNode, number, text
from wirecheck.sources.reply_bodies import of_body
from wirecheck.wire import payload
from wirecheck.wire.records import Body, Record, Site, Unread

EVENT = re.compile(rb'"event\.name"\s*:\s*"gemini_cli\.api_(request|response|error)"')
WAITING = 100  # requests that may wait for their replies
UNSAID = "a request without its text: gemini-cli writes it where telemetry.logPrompts is on"
_decode = msgspec.json.Decoder().decode


def records(file: OpenedFile) -> Iterator[Record]:
    asked = deque[tuple[tuple[str, str], JsonNode]]()
    for value in braced_values(file):
        event = None if isinstance(value, Unread) else EVENT.search(value.written)
        if not isinstance(value, Unread) and value.whole and event is None:
            continue  # it tells of no call of the API
        found = value if isinstance(value, Unread) else node(value.written, Site(value.origin))
        if isinstance(found, Record):
            yield found
            continue
        told, which = found["attributes"], event[1] if event is not None else b""
        key = text(told["prompt_id"]), text(told["role"])
        if which == b"request":
            asked.append((key, told))
            if len(asked) > WAITING:
                yield from _exchange(asked.popleft()[1], None)
        elif which:
            at = next((n for n, (name, _) in enumerate(asked) if name == key), None)
            request = None if at is None else asked[at][1]
            if at is not None:
                del asked[at]
            yield from _exchange(request, told)
    for _, told in asked:
        yield from _exchange(told, None)


def _exchange(asked: JsonNode | None, told: JsonNode | None) -> Iterator[Record]:
    one = asked or told
    assert one is not None
    reply = None if told is None else list(_reply(told))
    streamed = told is None or told["response_text"].raw[:2] == b'"['
    body = None if asked is None else _contents(asked["request_text"])
    if body is None and not reply:
        yield Unread(channel="", origin=one.site.origin, kind="skipped", why=UNSAID)
        return
    yield from exchange(
        one.site,
        method="POST" if body is not None else "",
        url=method_url(text(one["auth_type"]), text(one["model"]), streamed=streamed),
        body=body,
        status=None if told is None else number(told["status_code"]),
        status_site=None if told is None else told["status_code"].site,
        reply=reply,
    )


def _contents(written: JsonNode) -> Body | None:
    """The contents of a request, as its body."""
    inner = json_texts.of_value(written.raw, written.site) if written else None
    if inner is None or inner.form != "json":
        return None
    site = Site(inner.site.origin, inner.site.pointer, inner=True, places={(): "", ("contents",): "/"})
    return Body(b'{"contents":%b}' % inner.raw, site)


def _reply(told: JsonNode) -> Iterable[Body]:
    if told["error"]:
        refused = refusal(told["error"], number(told["status_code"]))
        return () if refused is None else (refused[1],)
    written = told["response_text"]
    body = json_texts.of_value(written.raw, written.site) if written else None
    return () if body is None else map(_with_ids_as_sent, of_body(body))


def _with_ids_as_sent(body: Body) -> Body:
    if b"__" not in body.raw or not payload.is_json(body.raw):
        return body
    try:
        value = _decode(body.raw)
        for candidate in _list(value, "candidates"):
            for part in _list(_member(candidate, "content"), "parts"):
                call = _member(part, "functionCall")
                name, id = _member(call, "name"), _member(call, "id")
                if isinstance(call, dict) and isinstance(name, str) and isinstance(id, str):
                    call["id"] = id.removeprefix(f"{name}__")
        return Body(msgspec.json.encode(value), body.site)
    except (msgspec.MsgspecError, RecursionError, OverflowError):  # a number that Python or JSON cannot have
        return body


def _member(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


def _list(value: object, key: str) -> list[object]:
    found = _member(value, key)
    return found if isinstance(found, list) else []
