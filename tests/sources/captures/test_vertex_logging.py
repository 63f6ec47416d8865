"""Rows of the table to which Vertex AI logs are exchanges, with the model of the row, however the table was read."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import findings, judged
from tests.sources.agents.samples import GENERATION, LAST_REPLY, NEXT_GENERATION, REPLY, Json, lines
from tests.sources.telemetry.samples import COUNTS, LACKING, MODEL, REFUSED, logged

COUNT = "function-response-count-mismatch"
FIRST, SOUND, BROKEN = logged(GENERATION, REPLY), logged(NEXT_GENERATION, LAST_REPLY), logged(LACKING, REFUSED)


def texts(row: Json) -> Json:
    return {**row, **{key: json.dumps(row[key]) for key in ("full_request", "full_response")}}


def older(row: Json) -> Json:
    return {**row, "full_request": None, "full_response": None}


@pytest.mark.parametrize(
    ("form", "place"),
    [
        (dict, "/full_request/contents/1/parts/1"),
        (texts, "/full_request » /contents/1/parts/1"),
        (older, "/request_payload/0 » /contents/1/parts/1"),
    ],
)
def test_every_way_to_read_the_table(form: Any, place: str, tmp_path: Path) -> None:
    assert judged(tmp_path, "x.jsonl", lines(form(FIRST), form(SOUND))) == []
    assert judged(tmp_path, "x.json", json.dumps([form(FIRST), form(SOUND)])) == []
    assert judged(tmp_path, "x.jsonl", lines(form(FIRST), form(BROKEN))) == [f"{COUNT}: 2 {place}"]
    assert judged(tmp_path, "x.json", json.dumps([form(FIRST), form(BROKEN)])) == [f"{COUNT}: 1 /1{place}"]
    pretty = json.dumps([form(FIRST), form(BROKEN)], indent=2)
    line = pretty[: pretty.rfind('"endpoint"')].count("\n")
    assert judged(tmp_path, "x.json", pretty) == [f"{COUNT}: {line} /1{place}"]


def test_model_surface_and_verdict_are_those_of_the_row(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    for more, model in (
        ({}, MODEL),
        ({"model": None}, MODEL),
        ({"model": None, "endpoint": "projects/1/locations/x/endpoints/77", "deployed_model_id": "9"}, None),
    ):
        path.write_text(lines({**BROKEN, **more}))
        (found,) = findings(path)[0]
        assert (found.rule, found.model, found.severity) == (COUNT, model, "error")
        assert found.surface == "vertex"
        assert (found.server.verdict, found.server.status, found.server.text) == ("confirmed", 400, COUNTS)


def test_a_stream_is_a_list_of_chunks(tmp_path: Path) -> None:
    chunk, last = json.loads(json.dumps(LAST_REPLY)), LAST_REPLY
    del chunk["candidates"][0]["finishReason"]
    for reply in ([chunk, last], json.dumps([chunk, last])):
        row = logged(NEXT_GENERATION, reply, api_method="streamGenerateContent")
        assert judged(tmp_path, "x.jsonl", lines(FIRST, row)) == []
        payloads = [json.dumps(each) for each in (chunk, last)]
        assert judged(tmp_path, "x.jsonl", lines(FIRST, older({**row, "response_payload": payloads}))) == []


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"model": "publishers/anthropic/models/claude-sonnet-4"}, "another model"),
        ({"full_request": None, "request_payload": []}, "without its request"),
    ],
)
def test_what_is_passed_over_is_counted(more: Json, why: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(lines({**BROKEN, **more}, FIRST))
    found, _, inspector = findings(path)
    assert (found, inspector.checked.exchanges) == ([], 1)
    assert why in str(inspector.checked.skipped)
