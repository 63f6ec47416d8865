"""Traces and observations as Langfuse exports them: the file of a trace, what its API answers, rows of its tables.

An observation of the type GENERATION is one turn of an application's record. Those of one trace, and of its session,
recite their history. Others are not read, but for the tools that were executed: calls of these do not wait.
"""

import re
from collections.abc import Iterable, Iterator

from wirecheck.sources.formats.building import skipped
from wirecheck.sources.formats.csv_rows import csv_rows
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.google_models import ELSEWHERE, is_google
from wirecheck.sources.formats.json_values import rows
from wirecheck.sources.formats.node import JsonNode, first, short_text, text
from wirecheck.sources.telemetry.generation_messages import Messages, asked, names_called, said
from wirecheck.sources.telemetry.recited_histories import Generation, RecitedHistories
from wirecheck.sources.telemetry.refused_turns import refused_turn
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
# A call that the model had to make: who asked for it wants its arguments.
FORCED = re.compile(
    rb'"(?:tool_?choice|mode)[\\"]*\s*:\s*[\\"{]*(?:type[\\": ]*)?(?:\w{1,40}\.)?(?:required|any|function|tool)\b',
    re.IGNORECASE,
)
SETTINGS = ("config", "tool_config", "toolConfig", "model_parameters")  # beside the contents of a request


def records(file: OpenedFile) -> Iterator[Record]:
    yield from _read(rows(file, *LISTS))


def table(file: OpenedFile) -> Iterator[Record]:
    yield from _read(csv_rows(file))


def _read(observations: Iterable[JsonNode | Record]) -> Iterator[Record]:
    histories, trace, batch, weight = RecitedHistories(whole=True), "", list[JsonNode](), 0
    for row in observations:
        if isinstance(row, Record):
            yield row
            continue
        here = short_text(_of(row, "traceId"), LONGEST)
        if here != trace or len(batch) == MOST or weight > HEAVY:
            yield from _traced(trace, batch, histories)
            trace, batch, weight = here, [], 0
        batch.append(row)
        weight += row.size
    yield from _traced(trace, batch, histories)
    yield from histories.end()


def _traced(trace: str, batch: list[JsonNode], histories: RecitedHistories) -> Iterator[Record]:
    """Observations of one trace, in the order of their time: exports begin with the latest, or with any."""
    generations = list[JsonNode]()
    for row in sorted(batch, key=lambda row: short_text(_of(row, "startTime"), LONGEST)):
        if short_text(row["type"], LONGEST) == "GENERATION":
            generations.append(row)
        elif name := short_text(row["name"], LONGEST).split():
            histories.ran(trace, name[-1])
    # One that others are part of tells again what they tell.
    around = {text(_of(row, "parentObservationId")) for row in generations}
    for row in generations:
        if text(row["id"]) not in around:
            yield from _generation(trace, row, histories)


def _generation(trace: str, row: JsonNode, histories: RecitedHistories) -> Iterator[Record]:
    given = row["input"].inner()
    model = short_text(first(row["model"], _of(row, "providedModelName"), given["model"]), LONGEST)
    if not is_google(model):
        yield skipped(row.site, ELSEWHERE)
        return
    history = asked(given)
    if not history:
        yield skipped(row.site, UNKNOWN)
        return
    told, refused, reply = _of(row, "statusMessage"), list[Record](), said(row["output"])
    if told and text(row["level"]) == "ERROR":
        refused = refused_turn(row.site, history, told, way=_way(row), model=model)
        yield from refused
    yield from histories.turn(
        Generation(
            site=row.site,
            asked=history,
            said=reply,
            group=short_text(_of(row, "sessionId"), LONGEST) or trace,
            run=trace,
            refused=bool(refused),
            final=_is_final(row, given, reply),
        )
    )


def _is_final(row: JsonNode, given: JsonNode, reply: Messages) -> bool:
    """Whether a call is what was wanted: the model had to make it, or the framework declared it as its result."""
    called = set(names_called(reply))
    if not called:
        return False
    declared = row["metadata"].inner()["attributes"]["model_request_parameters"].inner()["output_tools"]
    if not called.isdisjoint(text(tool["name"]) for tool in declared):
        return True
    kept = (_of(row, "modelParameters"), *(given[key] for key in SETTINGS))
    return any(FORCED.search(each.raw) is not None for each in kept if each)


def _way(row: JsonNode) -> str:
    """By which way the model was asked, as instrumentations tell it."""
    told = row["metadata"].inner()["attributes"]
    return short_text(first(told["server.address"], told["gen_ai.system"], told["gen_ai.provider.name"]), LONGEST)


def _of(row: JsonNode, name: str) -> JsonNode:
    """A member by its name, in either spelling."""
    return row[name] if name in row else row[SNAKE[name]]
