"""One exchange in one value: `{"request": {…}, "response": {…}}` with URL, status and headers.

Logs of exchanges are long, so there is a quick way for those written as they should be, and a patient one
for all others. Both give the same records.
"""

from collections.abc import Iterator

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from wirecheck.sources import kinds, loose, replies
from wirecheck.wire import payload
from wirecheck.wire.record import Body, Closed, Opened, Record, Replied, Site


class Request(Struct):
    method: str | None = None
    url: str | None = None
    headers: dict[str, str] | None = None
    body: Raw | UnsetType = UNSET


class Response(Struct):
    status: int | None = None
    headers: dict[str, str] | None = None
    body: Raw | UnsetType = UNSET


class Exchange(Struct):
    request: Request
    response: Response | None = None


_exchange = msgspec.json.Decoder(Exchange).decode
NOTHING = Raw(b"null")


def quick(raw: bytes, site: Site) -> list[Record] | None:
    """The records of an exchange whose keys all have the usual types, else None."""
    try:
        exchange = _exchange(raw)
    except (msgspec.DecodeError, RecursionError):
        return None
    response = exchange.response
    if exchange.request.body is UNSET or (response is not None and response.body is UNSET):
        return None
    return list(_records(exchange, site, "/response/body"))


def patient(keys: dict[str, Raw], site: Site) -> Iterator[Record]:
    asked, answered = _object(keys["request"]), keys.get("response", NOTHING)
    request = Request(
        loose.text(asked.get("method")),
        loose.text(asked.get("url")),
        loose.headers(asked.get("headers")),
        asked.get("body", UNSET),
    )
    response, reply_at = _response(answered)
    return _records(Exchange(request, response), site, reply_at)


def _response(raw: Raw) -> tuple[Response | None, str]:
    """A response and where its body stands: some programs log the bare body in its place."""
    keys = _object(raw)
    if bytes(raw) == b"null":
        return None, ""
    if keys and kinds.look(raw).kind != "reply":
        return (
            Response(loose.integer(keys.get("status")), loose.headers(keys.get("headers")), keys.get("body", UNSET)),
            "/response/body",
        )
    return Response(body=raw), "/response"


def _object(raw: Raw) -> dict[str, Raw]:
    return kinds.look(raw).keys


def _records(exchange: Exchange, site: Site, reply_at: str) -> Iterator[Record]:
    request, response, origin = exchange.request, exchange.response, site.origin
    channel = channel_of(site)
    yield Opened(
        channel=channel,
        origin=origin,
        method=request.method or "POST",
        url=request.url or "",
        headers=request.headers or {},
        body=_asked(request.body, site),
    )
    if response is not None:
        if response.status is not None:
            yield Replied(
                channel=channel,
                origin=origin,
                status=response.status,
                headers=response.headers or {},
                pointer=site.pointer + "/response/status",
            )
        if response.body is not UNSET:
            yield from replies.frames(response.body, site.to(reply_at), channel)
    yield Closed(channel=channel, origin=origin, recorded=response is not None)


def _asked(raw: Raw | UnsetType, site: Site) -> Body | None:
    if raw is UNSET:
        return None
    body = payload.of_value(bytes(raw), site.to("/request/body"))
    return body if body is not None and body.raw else None


def channel_of(site: Site) -> str:
    """A channel nobody else in the file has."""
    return f"line {site.origin.line}{site.pointer}{site.inner_pointer}"
