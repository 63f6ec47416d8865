"""Traces of OpenTelemetry, with the attributes of its conventions for GenAI or of OpenInference: OTLP in JSON, and what
the SDKs print.

A span of a call holds messages as an application has them: each conversation is a transcript. What the server refused
is an exchange. Log records tell of the same call as their span, and mostly before it, so they wait for it.
"""

import re
from collections.abc import Iterator

from wirecheck.cache import Cache
from wirecheck.sources.formats.braced_values import BracedValue, braced_values
from wirecheck.sources.formats.file_format import OpenedFile, UnreadableInput
from wirecheck.sources.formats.json_values import node
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.telemetry.console_objects import json_of
from wirecheck.sources.telemetry.llm_calls import elsewhere, found_in, is_cut, is_of_a_call, llm_call, together
from wirecheck.sources.telemetry.recited_calls import RecitedCalls
from wirecheck.sources.telemetry.spans import Span, spans
from wirecheck.wire.records import Record, Site, Unread

PRINTED = re.compile(rb"[\[{]\s{1,99}[A-Za-z_$'\[{][^\"]")  # as console.dir does, where JSON has a quote
WAITING = 100  # calls of which only log records came
REMEMBERED = 20_000  # spans
OTHER = "a span or a log record that is of no call of a model"
TOLD = "a call of a model that was told before"
BESIDE = "lines between the spans"
NO_MESSAGES = "a call of a model without what was asked"
CUT_MESSAGES = "a call of a model of which what was asked is cut off"
CAPTURE = (
    "it tells of calls of a model ({calls}), and of none what was asked. Have that captured by the program that writes "
    "it: OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY, with older instrumentations =true; where it is "
    "OpenInference, without OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS. What is captured in events lies "
    "where the log records are exported to"
)
CUT_OFF = (
    "it tells of calls of a model ({calls}), and what was asked is cut off: console.dir prints 10,000 characters of a "
    "text at most, and OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT is a limit as well. Export OTLP as JSON to a file, without one"
)
NO_CALLS = "none of its spans and log records ({spans}) is of a call of a Gemini model"


def records(file: OpenedFile) -> Iterator[Record]:
    told = ToldSpans()
    for value in braced_values(file):
        found = _value(value)
        if isinstance(found, JsonNode):
            for span in spans(found):
                yield from told.span(span)
        else:
            yield found
    yield from told.end()


def _value(value: BracedValue | Unread) -> JsonNode | Record:
    if isinstance(value, Unread):
        return value
    if not value.written.startswith((b"{", b"[")):
        return Unread(channel="", origin=value.origin, kind="skipped", why=BESIDE)
    printed = value.whole and PRINTED.match(value.written) is not None
    return node(json_of(value.written) if printed else value.written, Site(value.origin))


class ToldSpans:
    """The spans of a file so far."""

    def __init__(self) -> None:
        self._calls = RecitedCalls()
        self._waiting: dict[str, Span] = {}  # log records, by the span they belong to
        self._told, self._around = Cache[str, bool](REMEMBERED), Cache[str, bool](REMEMBERED)
        self._spans = self._silent = self._cut = self._heard = 0

    def span(self, span: Span) -> Iterator[Record]:
        self._spans += 1
        if span.ended or not span.id:
            before = self._waiting.pop(span.id, None)
            yield from self._one(span if before is None else together(before, span))
            return
        before = self._waiting.pop(span.id, None)
        self._waiting[span.id] = span if before is None else together(before, span)
        if len(self._waiting) > WAITING:
            yield from self._one(self._waiting.pop(next(iter(self._waiting))))

    def _one(self, span: Span) -> Iterator[Record]:
        found = found_in(span)
        if not is_of_a_call(span, found):
            yield _skipped(span, OTHER)
        elif provider := elsewhere(found):
            yield _skipped(span, f"a call of a model of {provider}")
        elif self._is_told(span):
            yield _skipped(span, TOLD)
        elif (call := llm_call(span, found)) is None:
            cut = is_cut(found)
            self._silent, self._cut = self._silent + (not cut), self._cut + cut
            yield _skipped(span, CUT_MESSAGES if cut else NO_MESSAGES)
        else:
            self._heard += 1
            self._told.put(span.id, True)
            self._around.put(span.parent, True)
            yield from self._calls.call(call)

    def _is_told(self, span: Span) -> bool:
        """Whether log records told of it, or another instrumentation within or around it."""
        told, around = self._told.get, self._around.get
        return bool(span.id and (told(span.id) or around(span.id))) or bool(span.parent and told(span.parent))

    def end(self) -> Iterator[Record]:
        for span in list(self._waiting.values()):
            yield from self._one(span)
        yield from self._calls.end()
        if self._spans and not self._heard:
            raise UnreadableInput(self._why())

    def _why(self) -> str:
        if self._silent:
            return CAPTURE.format(calls=self._silent)
        return CUT_OFF.format(calls=self._cut) if self._cut else NO_CALLS.format(spans=self._spans)


def _skipped(span: Span, why: str) -> Unread:
    return Unread(channel="", origin=span.site.origin, kind="skipped", why=why)
