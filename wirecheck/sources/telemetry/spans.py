"""Spans and log records, out of what exporters write: OTLP in JSON, and what the SDKs print.

Identifiers are only compared, so it does not matter that one writes them in hexadecimal and another in base64.
"""

from collections.abc import Collection, Iterator

from msgspec import Struct

from wirecheck.sources.formats.node import JsonNode, first, text
from wirecheck.sources.telemetry.attributes import Attributes, any_value, attributes
from wirecheck.wire.records import Site

# Where lists of spans and log records lie: within each item of the first list, and so on.
SPANS = (
    ("resourceSpans", "scopeSpans", "spans"),
    ("resourceSpans", "instrumentationLibrarySpans", "spans"),
    ("resource_spans", "scope_spans", "spans"),
    ("batches", "scopeSpans", "spans"),  # Tempo
    ("data",),  # the API of Phoenix
)
LOGS = (("resourceLogs", "scopeLogs", "logRecords"), ("resource_logs", "scope_logs", "log_records"))
# By who wrote the span, the names of what tells its identity, and when it began.
CONTEXTS = ("context", "_spanContext")
TRACES, IDS = ("traceId", "trace_id"), ("spanId", "span_id", "id")
PARENTS = ("parentSpanId", "parent_id", "parent_span_id", "parentSpanContext")
BEGINNINGS = ("startTimeUnixNano", "start_time_unix_nano", "start_time")
NOBODY = ("", "0", "0x", "null", "undefined")


class SpanEvent(Struct, frozen=True):
    """An event of a span, or a log record."""

    name: str
    attributes: Attributes
    body: JsonNode


class Span(Struct, frozen=True):
    """A span; without `ended` a log record, which belongs to the span of this id."""

    site: Site
    trace: str
    id: str
    parent: str
    attributes: Attributes
    events: tuple[SpanEvent, ...]
    began: str = ""
    failed: tuple[JsonNode, ...] = ()  # what it tells of its failure
    ended: bool = True


def spans(node: JsonNode) -> list[Span]:
    """The spans and log records in one value of a file, as they began: a tool may list the last one first."""
    found = [span for item in (*node, node) for span in _one(item)]
    if all(span.began for span in found):
        found.sort(key=began)
    return found


def began(span: Span) -> str:
    return span.began


def _one(node: JsonNode) -> Iterator[Span]:
    names = node.names()
    for path in SPANS:
        for item in _along(node, path) if path[0] in names else ():
            yield _span(item)
    for path in LOGS:
        for item in _along(node, path) if path[0] in names else ():
            yield _record(item)
    if "attributes" in names:
        yield _record(node) if is_record(names) else _span(node)


def is_record(names: Collection[str]) -> bool:
    """Whether keys are of a log record, as the SDKs print it."""
    return any(name in names for name in ("body", "severityText", "severity_number", "severity_text"))


def _along(node: JsonNode, path: tuple[str, ...]) -> Iterator[JsonNode]:
    for item in node[path[0]]:
        if len(path) > 1:
            yield from _along(item, path[1:])
        else:
            yield item


def _span(node: JsonNode) -> Span:
    names, held = node.names(), node["attributes"]
    context = next((node[name] for name in CONTEXTS if name in names), node)
    status = node["status"] if "status" in names else None
    events = tuple([_event(event) for event in node["events"]]) if "events" in names else ()
    parent = next((node[name] for name in PARENTS if name in names), None)
    failed = [event.attributes["exception.message"] for event in events if "exception.message" in event.attributes]
    if status is not None:
        failed += [status[name] for name in status.names() if name in ("description", "message")]
    if "status_message" in names:
        failed.append(node["status_message"])
    return Span(
        site=node.site,
        trace=_text(context, TRACES),
        id=_text(context, IDS),
        parent="" if parent is None else _id(parent["spanId"] if parent.names() else parent),
        attributes=attributes(held),
        events=events,
        began=_text(node, BEGINNINGS),
        failed=tuple(failed),
    )


def _text(node: JsonNode, names: tuple[str, ...]) -> str:
    """The text of the first of these members that is there."""
    known = node.names()
    return next((text(node[name]) for name in names if name in known), "")


def _record(node: JsonNode) -> Span:
    """A log record: what it tells is an event of its span."""
    held, context = node["attributes"], node["spanContext"]
    found = attributes(held)
    body = first(_typed(node["body"]), node["_body"])
    name = text(first(node["eventName"], node["event_name"], found.get("event.name", node["name"])))
    return Span(
        site=node.site,
        trace=text(first(node["traceId"], node["trace_id"], context["traceId"])),
        id=_id(first(node["spanId"], node["span_id"], context["spanId"])),
        parent="",
        attributes={},
        events=(SpanEvent(name, found, body),),
        ended=False,
    )


def _event(node: JsonNode) -> SpanEvent:
    return SpanEvent(text(node["name"]), attributes(node["attributes"]), JsonNode(None, node.site))


def _typed(body: JsonNode) -> JsonNode:
    """The body of a log record: in OTLP an AnyValue."""
    found = any_value(body) if any(name.endswith(("Value", "_value")) for name in body.names()) else body
    return found if found else body


def _id(node: JsonNode) -> str:
    found = text(node)
    return "" if found.strip("0x") in NOBODY else found
