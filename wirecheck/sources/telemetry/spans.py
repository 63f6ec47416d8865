"""Spans and log records, out of what exporters write: OTLP in JSON, and what the SDKs print.

Identifiers are only compared, so it does not matter that one writes them in hexadecimal and another in base64.
"""

from collections.abc import Iterator

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
METRICS = ("resourceMetrics", "resource_metrics")
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
    held: Site  # where the attributes lie
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
    names = set(node.names())
    for path in SPANS:
        for item in _along(node, path) if path[0] in names else ():
            yield _span(item)
    for path in LOGS:
        for item in _along(node, path) if path[0] in names else ():
            yield _record(item)
    if "attributes" in names:
        yield _record(node) if is_record(names) else _span(node)


def is_record(names: set[str]) -> bool:
    """Whether keys are of a log record, as the SDKs print it."""
    return not names.isdisjoint(("body", "severityText", "severity_number", "severity_text"))


def _along(node: JsonNode, path: tuple[str, ...]) -> Iterator[JsonNode]:
    for item in node[path[0]]:
        if len(path) > 1:
            yield from _along(item, path[1:])
        else:
            yield item


def _span(node: JsonNode) -> Span:
    context, status = first(node["context"], node["_spanContext"]), node["status"]
    held = node["attributes"]
    events = tuple([_event(event) for event in node["events"]])
    parent = first(node["parentSpanId"], node["parent_id"], node["parent_span_id"], node["parentSpanContext"]["spanId"])
    failed = (
        *(event.attributes["exception.message"] for event in events if "exception.message" in event.attributes),
        *(status[key] for key in ("description", "message") if status[key]),
        *(node["status_message"],) * bool(node["status_message"]),
    )
    return Span(
        site=node.site,
        trace=text(first(node["traceId"], node["trace_id"], context["trace_id"], context["traceId"])),
        id=text(first(node["spanId"], node["span_id"], context["span_id"], context["spanId"], node["id"])),
        parent=_id(parent),
        attributes=attributes(held),
        held=held.site,
        events=events,
        began=text(first(node["startTimeUnixNano"], node["start_time_unix_nano"], node["start_time"])),
        failed=failed,
    )


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
        held=held.site,
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
