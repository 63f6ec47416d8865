"""Entries of Cloud Logging: what an application logged in them is read as any line is, at the place of the entry."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import findings, judged
from tests.sources.agents.samples import GENERATION, LAST_REPLY, NEXT_GENERATION, REPLY, Json, lines
from tests.sources.telemetry.samples import COUNTS, LACKING, MODEL, REFUSED, TOLD, URL, entry, structured

COUNT = "function-response-count-mismatch"
BROKEN = (*TOLD[:3], {"url": URL, "request": LACKING}, {"response": REFUSED})
HERE = "/request/contents/1/parts/1"


def in_entries(told: tuple[Json, ...]) -> list[Json]:
    return [entry(n, each) for n, each in enumerate(told)]


def in_texts(told: tuple[Json, ...]) -> list[Json]:
    return [entry(n, json.dumps(each), "textPayload") for n, each in enumerate(told)]


def after_prefixes(told: tuple[Json, ...]) -> list[Json]:
    return [entry(n, f"INFO:app.llm:{json.dumps(each)}\n", "textPayload") for n, each in enumerate(told)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (lambda told: json.dumps(in_entries(told), indent=2), "{line} /3/jsonPayload" + HERE),
        (lambda told: json.dumps({"entries": in_entries(told)}), "1 /entries/3/jsonPayload" + HERE),
        (lambda told: lines(*in_entries(told)), "4 /jsonPayload" + HERE),
        (lambda told: lines(*in_texts(told)), "4 /textPayload » " + HERE),
        (lambda told: lines(*after_prefixes(told)), "4 /textPayload » " + HERE),
        (lambda told: lines(*map(structured, told)), "4 " + HERE),
    ],
    ids=["gcloud", "the API", "a sink", "texts", "texts after a prefix", "standard output"],
)
def test_every_shape(text: Any, place: str, tmp_path: Path) -> None:
    assert judged(tmp_path, "x.json", text(TOLD)) == []
    written, path = text(BROKEN), tmp_path / "y.json"
    line = written[: written.rfind('"insertId": "i3"')].count("\n")
    assert judged(tmp_path, "x.json", written) == [f"{COUNT}: {place.format(line=line)}"]
    path.write_text(written)
    (found,) = (each for each in findings(path)[0] if each.severity != "info")
    assert (found.model, found.surface) == (MODEL, "gemini-api")
    assert (found.server.verdict, found.server.text) == ("confirmed", COUNTS)


@pytest.mark.parametrize(
    ("told", "model"),
    [
        ({"uri": URL, "request": LACKING}, MODEL),
        ({"endpoint": URL, "body": LACKING}, MODEL),
        ({"contents": LACKING["contents"], "httpRequest": {"requestUrl": URL}}, MODEL),
        ({"request": {"url": URL, "body": LACKING}}, MODEL),
        ({"event": {"payload": json.dumps(LACKING)}}, None),
        ({"url": "https://app.example/chat", "request": LACKING}, None),
        ({"url": 7, "request": LACKING}, None),
        ({**LACKING, "severity": "INFO", "httpRequest": {}, "url": URL, "message": "asks", "time": "…"}, MODEL),
    ],
)
def test_what_an_application_logs_has_any_form(told: Json, model: str | None, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(lines(entry(1, told)))
    found = [each for each in findings(path)[0] if each.severity != "info"]
    assert [(each.rule, each.model) for each in found] == [(COUNT, model)]


def test_entries_without_traffic_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    broken = [entry(3, f"INFO {text}", "textPayload") for text in ('{"contents": [', '{"contents": []} and more')]
    others = entry(1, "listening", "textPayload"), entry(2, {"x": 1}), {"insertId": "i", "logName": "l"}, *broken
    path.write_text(lines(*others, *in_entries(TOLD)))
    found, _, inspector = findings(path)
    assert [each for each in found if each.severity != "info"] == []
    assert (inspector.checked.exchanges, sum(count for *_, count in inspector.checked.skipped)) == (2, 6)


def test_requests_and_replies_of_one_entry(tmp_path: Path) -> None:
    both = {"url": URL, "request": NEXT_GENERATION, "response": LAST_REPLY}
    assert (
        judged(tmp_path, "x.jsonl", lines(entry(1, {"request": GENERATION, "response": REPLY}), entry(2, both))) == []
    )
