"""One exchange in one value: `{"request": {…}, "response": {…}}` with URL, status and headers.

`quick` decodes the usual form with one typed decoder; `patient` reads whatever else is an exchange. Both give the
same records.
"""

import re
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from wirecheck.sources import json_texts, lenient, reply_bodies
from wirecheck.sources.detect import head, keys_of, kind_of
from wirecheck.wire import payload
from wirecheck.wire.recited_prefix import Elided
from wirecheck.wire.records import Body, Closed, Frame, Opened, Record, Replied, Site


class LoggedRequest(Struct):
    method: str | None = None
    url: str | None = None
    uri: str | None = None
    headers: dict[str, str] | None = None
    body: Raw | UnsetType = UNSET


class LoggedResponse(Struct, forbid_unknown_fields=True):  # an object with other keys may be a bare body
    status: int | None = None
    headers: dict[str, str] | None = None
    body: Raw | UnsetType = UNSET


class LoggedExchange(Struct):
    request: LoggedRequest
    response: LoggedResponse | None = None
    error: Raw | UnsetType = UNSET
    v: Raw | UnsetType = UNSET
    kind: Raw | UnsetType = UNSET
    channel: Raw | UnsetType = UNSET


class ReplyPointers(NamedTuple):
    """Where the status of a reply stands, and its body."""

    status: str
    body: str


REPLIED = ReplyPointers("/response/status", "/response/body")
_exchange = msgspec.json.Decoder(LoggedExchange).decode
# How an object begins that may hold its body as a string. Bodies are long; this decides without decoding them.
WRAPPED = re.compile(
    rb'\{\s{0,99}(?:"encoding"\s{0,99}:\s{0,99}"[^"\\]{0,30}"\s{0,99},\s{0,99})?'
    rb'"[^"\\]{1,60}"\s{0,99}:\s{0,99}"(?:\\[nrt]|\s){0,9}(?:[{[:]|data:|event:|id:)'
)
NOTHING = Raw(b"null")


def quick(
    raw: bytes, site: Site, asked: payload.Made = payload.copied, elided: Elided | None = None
) -> Iterable[Record] | None:
    """The records of an exchange whose keys all have the usual types, else None.

    `elided` is given where `raw` is a short line (wire/recited_prefix.py).
    """
    try:
        exchange = _exchange(raw)
    except (msgspec.DecodeError, RecursionError):
        return None
    response = exchange.response
    if UNSET not in (exchange.v, exchange.kind, exchange.channel):  # a record of the wirecheck log
        return None
    if exchange.request.body is UNSET or (response is not None and response.body is UNSET):
        return None
    if response is None and exchange.error is not UNSET:
        return None
    return _records(exchange, site, REPLIED, asked, elided)


def patient(keys: dict[str, Raw], site: Site) -> Iterable[Record]:
    asked = keys_of(keys["request"])
    request = LoggedRequest(
        lenient.text(asked.get("method")),
        lenient.text(asked.get("url")),
        lenient.text(asked.get("uri")),
        lenient.headers(asked.get("headers")),
        asked.get("body", UNSET),
    )
    response, at = _response(keys.get("response", NOTHING))
    if response is None:
        response, at = _failure(keys.get("error", NOTHING))
    return _records(LoggedExchange(request, response), site, at, payload.copied)


def _response(raw: Raw) -> tuple[LoggedResponse | None, ReplyPointers]:
    """A response and its pointers. Some programs log the bare body in its place."""
    written, keys = bytes(raw), keys_of(raw)
    if written == b"null":
        return None, REPLIED
    if written[:1] != b"{" or kind_of(keys) == "reply" or "candidates" in keys:
        return LoggedResponse(body=raw), ReplyPointers("/response/status", "/response")
    status = keys.get("status")
    code = lenient.integer(keys_of(status).get("code", status))
    return LoggedResponse(code, lenient.headers(keys.get("headers")), keys.get("body", UNSET)), REPLIED


def _failure(raw: Raw) -> tuple[LoggedResponse | None, ReplyPointers]:
    """An error that a program logged in place of a response: `{"error": {…}}` as the server sent it, or only what is
    in it."""
    keys = keys_of(raw)
    whole = "error" in keys
    code = lenient.integer((keys_of(keys["error"]) if whole else keys).get("code"))
    if code is None:
        return None, REPLIED
    if whole:
        return LoggedResponse(code, body=raw), ReplyPointers("/error/error/code", "/error")
    return LoggedResponse(code, body=Raw(b'{"error":%b}' % bytes(raw))), ReplyPointers("/error/code", "")


def _records(
    exchange: LoggedExchange, site: Site, at: ReplyPointers, asked: payload.Made, elided: Elided | None = None
) -> Iterable[Record]:
    request, response, origin, channel = exchange.request, exchange.response, site.origin, channel_of(site)
    opened = Opened(
        channel=channel,
        origin=origin,
        method=request.method or "POST",
        url=request.url or request.uri or "",
        headers=request.headers or {},
        body=_asked(request.body, site, asked, elided),
    )
    if response is None:
        return [opened, Closed(channel=channel, origin=origin, recorded=False)]
    begun: list[Record] = [opened]
    if response.status is not None:
        headers, pointer = response.headers or {}, site.to(at.status).pointer
        begun.append(Replied(channel=channel, origin=origin, status=response.status, headers=headers, pointer=pointer))
    bodies = () if response.body is UNSET else reply_bodies.bodies(*_unwrapped(response.body, site.to(at.body)))
    frames = (Frame(channel=channel, origin=origin, sender="server", body=body) for body in bodies)
    return chain(begun, frames, (Closed(channel=channel, origin=origin),))


def _asked(raw: Raw | UnsetType, site: Site, made: payload.Made, elided: Elided | None) -> Body | None:
    if raw is UNSET:
        return None
    if elided is not None and head(raw) == b"{" and not WRAPPED.match(raw):
        return replace(made(raw, site.to("/request/body")), elided=elided)
    body = json_texts.of_value(*_unwrapped(raw, site.to("/request/body")), made)
    return body if body is not None and body.payload else None


def _unwrapped(raw: Raw, site: Site) -> tuple[Raw, Site]:
    """A body, taken out of the object that cassettes put around it: `{"encoding": "UTF-8", "string": "…"}`."""
    if WRAPPED.match(raw):
        members = keys_of(raw)
        held = [key for key in members if key != "encoding"]
        if len(held) == 1 and held != ["contents"] and not kind_of(members):
            return members[held[0]], site.to(lenient.step(held[0]))
    return raw, site


def channel_of(site: Site) -> str:
    """A channel name that is unique in the file."""
    return f"line {site.origin.line}{site.pointer}{site.inner_pointer}"
