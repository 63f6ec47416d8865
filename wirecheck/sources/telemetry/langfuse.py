"""Traces and observations as Langfuse exports them: the file of a trace, what its API answers, rows of its tables.

An observation of the type GENERATION is one turn of an application's record. Those of one trace, and of its session,
recite their history. Others are not read, but for the tools that were executed: calls of these do not wait.
"""

from collections.abc import Iterable, Iterator

from wirecheck.sources.agents.refusals import refusal
from wirecheck.sources.formats.building import skipped
from wirecheck.sources.formats.csv_rows import csv_rows
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.google_models import ELSEWHERE, is_google, method_url
from wirecheck.sources.formats.json_values import rows
from wirecheck.sources.formats.node import JsonNode, first, short_text, text
from wirecheck.sources.telemetry.recited_calls import LlmCall, RecitedCalls
from wirecheck.sources.telemetry.told_bodies import asked, said
from wirecheck.sources.telemetry.typed_messages import ToldMessage
from wirecheck.sources.telemetry.wanted_calls import are_wanted
from wirecheck.wire.records import Record

LISTS = (("observations",), ("trace", "observations"), ("data",))
UNKNOWN = "a generation without messages, or with some in a form that is not known"
# Members, and how they are called in a bucket.
SNAKE = {
    "modelParameters": "model_parameters",
    "parentObservationId": "parent_observation_id",
    "providedModelName": "provided_model_name",
    "sessionId": "session_id",
    "startTime": "start_time",
    "statusMessage": "status_message",
    "traceId": "trace_id",
}
MOST, HEAVY = 1000, 1 << 25  # observations of one trace that are put in order, and their bytes
LONGEST = 200  # characters of a name
SETTINGS = ("config", "tool_config", "toolConfig", "model_parameters")  # beside the contents of a request


def records(file: OpenedFile) -> Iterator[Record]:
    yield from _read(rows(file, *LISTS))


def table(file: OpenedFile) -> Iterator[Record]:
    yield from _read(csv_rows(file))


def _read(observations: Iterable[JsonNode | Record]) -> Iterator[Record]:
    calls, trace, batch, weight = RecitedCalls(), "", list[JsonNode](), 0
    for row in observations:
        if isinstance(row, Record):
            yield row
            continue
        here = short_text(_of(row, "traceId"), LONGEST)
        if here != trace or len(batch) == MOST or weight > HEAVY:
            yield from _traced(trace, batch, calls)
            trace, batch, weight = here, [], 0
        batch.append(row)
        weight += row.size
    yield from _traced(trace, batch, calls)
    yield from calls.end()


def _traced(trace: str, batch: list[JsonNode], calls: RecitedCalls) -> Iterator[Record]:
    """Observations of one trace, in the order of their time: exports begin with the latest, or with any."""
    generations = list[JsonNode]()
    for row in sorted(batch, key=lambda row: short_text(_of(row, "startTime"), LONGEST)):
        if short_text(row["type"], LONGEST) == "GENERATION":
            generations.append(row)
        elif name := short_text(row["name"], LONGEST).split():
            calls.ran(trace, name[-1])
    # One that others are part of tells again what they tell.
    around = {text(_of(row, "parentObservationId")) for row in generations}
    for row in generations:
        if text(row["id"]) not in around:
            yield from _generation(trace, row, calls)


def _generation(trace: str, row: JsonNode, calls: RecitedCalls) -> Iterator[Record]:
    given = row["input"].inner()
    model = short_text(first(row["model"], _of(row, "providedModelName"), given["model"]), LONGEST)
    if not is_google(model):
        yield skipped(row.site, ELSEWHERE)
        return
    history = asked(given)
    if not history:
        yield skipped(row.site, UNKNOWN)
        return
    told, reply = _of(row, "statusMessage"), said(row["output"])
    refused = refusal(told) if told and text(row["level"]) == "ERROR" else None
    yield from calls.call(
        LlmCall(
            site=row.site,
            asked=history,
            said=reply,
            group=short_text(_of(row, "sessionId"), LONGEST) or trace,
            trace=trace,
            url="" if refused is None else method_url(_way(row), model),
            refused=refused,
            final=any(message.names for message in reply) and _is_final(row, given, reply),
        )
    )


def _is_final(row: JsonNode, given: JsonNode, reply: list[ToldMessage]) -> bool:
    kept = row["metadata"].inner()["attributes"]["model_request_parameters"]
    return are_wanted(reply, kept, (_of(row, "modelParameters"), *(given[key] for key in SETTINGS)))


def _way(row: JsonNode) -> str:
    """By which way the model was asked, as instrumentations tell it."""
    told = row["metadata"].inner()["attributes"]
    return short_text(first(told["server.address"], told["gen_ai.system"], told["gen_ai.provider.name"]), LONGEST)


def _of(row: JsonNode, name: str) -> JsonNode:
    """A member by its name, in either spelling."""
    return row[name] if name in row else row[SNAKE[name]]
