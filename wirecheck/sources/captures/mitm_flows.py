"""Files of flows, as `mitmdump -w` writes them, read by the mitmproxy that is installed: it knows its older versions.

The line of a record is the number of its flow.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from wirecheck.sources.formats.building import LoggedMessage, socket
from wirecheck.sources.formats.file_format import OpenedFile, UnreadableInput
from wirecheck.sources.formats.node import YamlNode
from wirecheck.sources.formats.recorded_bodies import encoding_of, exchange_of, unpacked
from wirecheck.wire import payload
from wirecheck.wire.records import Closed, Origin, Record, Site, Unread

if TYPE_CHECKING:
    from mitmproxy.http import HTTPFlow, Message

MISSING = "flows of mitmproxy are read by mitmproxy, which is not installed: pip install 'wirecheck[proxy]'"
NOT_HTTP = "a flow that is not HTTP"
STREAMED = "a body that mitmproxy streamed and did not keep"


def records(file: OpenedFile) -> Iterator[Record]:
    try:
        from mitmproxy.io import FlowReader
    except ImportError:
        raise UnreadableInput(MISSING) from None
    flows, n = iter(FlowReader(file.stream).stream()), 0  # type: ignore[arg-type]
    while True:
        n += 1
        try:
            if (flow := next(flows, None)) is None:
                return
            found = list(_flow(flow, Site(Origin(file.path, n))))
        except OSError:
            raise
        except Exception as error:  # mitmproxy believes what is in the file
            raise UnreadableInput(f"flow {n} is broken: {type(error).__name__}: {error}"[:200]) from None
        file.tally.lines += 1
        yield from found


def _flow(flow: Any, site: Site) -> Iterator[Record]:
    if flow.type != "http":
        return iter((Unread(channel="", origin=site.origin, kind="skipped", why=NOT_HTTP),))
    return _exchange(flow, site) if flow.websocket is None else _websocket(flow, site)


def _exchange(flow: "HTTPFlow", site: Site) -> Iterator[Record]:
    reply, status = flow.response, site.to("/response/status_code")
    found = exchange_of(
        YamlNode(None, site),
        _body(flow.request, site.to("/request/content")),
        _body(reply, site.to("/response/content")),
        method=YamlNode(flow.request.method, site),
        url=_url(flow),
        headers=_headers(flow.request),
        status=YamlNode(reply and reply.status_code, status),
        at=flow.request.timestamp_start,
    )
    for record in found:
        if isinstance(record, Closed) and flow.error is not None:
            # Who left is not said in the file. What arrived before is judged, and not the end.
            record = replace(record, reason=_sound(flow.error.msg), recorded=False)
        yield record


def _websocket(flow: "HTTPFlow", site: Site) -> Iterator[Record]:
    assert flow.websocket is not None
    end, place = None, site.to("/websocket")
    if flow.websocket.closed_by_client is not None:
        end = Closed(
            channel="",
            origin=site.origin,
            at=flow.websocket.timestamp_end,
            code=flow.websocket.close_code,
            reason=_sound(flow.websocket.close_reason or ""),
            by="client" if flow.websocket.closed_by_client else "server",
            pointer=place.to("/close_code").pointer,
        )
    messages = (
        LoggedMessage(
            "client" if message.from_client else "server",
            payload.of_bytes(message.content, place.to(f"/messages/{n}/content")),
            message.timestamp,
            not message.is_text,
        )
        for n, message in enumerate(flow.websocket.messages)
        if not message.dropped
    )
    return socket(
        site,
        url=_url(flow),
        headers=_headers(flow.request),
        status_site=site.to("/response/status_code") if flow.response is not None else None,
        messages=messages,
        end=end,
        at=flow.request.timestamp_start,
    )


def _body(half: "Message | None", site: Site) -> YamlNode | Unread:
    if half is not None and half.raw_content is None:
        return Unread(channel="", origin=site.origin, kind="skipped", why=STREAMED)
    raw = None if half is None else half.raw_content
    return unpacked(raw or None, encoding_of(_headers(half)), site)


def _url(flow: "HTTPFlow") -> str:
    """With the host that was asked for. A reverse proxy takes its own upstream, whatever host the client sends."""
    from mitmproxy.proxy.mode_specs import ReverseMode

    reverse = isinstance(flow.client_conn.proxy_mode, ReverseMode)
    return _sound(flow.request.url if reverse else flow.request.pretty_url)


def _headers(half: "Message | None") -> dict[str, str]:
    return {} if half is None else {name.lower(): _sound(value) for name, value in half.headers.items()}


def _sound(text: str) -> str:
    """Text that can be encoded: mitmproxy keeps invalid bytes as lone surrogates."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
