"""The JSON report is a contract: its shape, its order, and what it says to a reader who trusts nobody."""

import json
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from msgspec import structs

from tests.report.sample import COUNT_MISMATCH, REPORT, TOLERATED
from tests.report.strategies import reports
from wirecheck.report import Report, Screen, render

SCHEMA = json.loads(files("wirecheck.report").joinpath("report.schema.json").read_text(encoding="utf-8"))
FINDING = Draft202012Validator({"$ref": "#/$defs/finding", "$defs": SCHEMA["$defs"]})


def as_json(report: Report) -> Any:
    return json.loads("\n".join(render("json", report, Screen())))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@given(reports())
def test_every_report_has_the_published_shape(report: Report) -> None:
    Draft202012Validator(SCHEMA).validate(as_json(report))
    for line in render("json-lines", report, Screen()):
        FINDING.validate(json.loads(line))


@given(reports())
def test_json_lines_are_the_findings_of_the_report(report: Report) -> None:
    assert [json.loads(line) for line in render("json-lines", report, Screen())] == as_json(report)["findings"]


def test_keys_come_in_the_order_of_the_contract() -> None:
    report = as_json(REPORT)
    assert list(report) == ["version", "tool", "checked", "summary", "findings"]
    assert list(report["findings"][1]) == SCHEMA["$defs"]["finding"]["required"]


def test_nothing_is_lost_that_a_terminal_would_act_on() -> None:
    odd = structs.replace(COUNT_MISMATCH, model="a\x9b\u202eb\u200b\x1b[31m")
    text = "".join(render("json-lines", Report(findings=(odd,)), Screen()))
    assert text.isascii() or all(char.isprintable() for char in text)
    assert json.loads(text)["model"] == odd.model


@pytest.mark.parametrize("path", ["caf\udce9.jsonl", "a\ud800b"])
def test_a_path_that_is_no_text_is_still_said(path: str) -> None:
    odd = structs.replace(TOLERATED, place=structs.replace(TOLERATED.place, path=path))
    assert "\\ud" in as_json(Report(findings=(odd,)))["findings"][0]["path"]


def test_no_secret_is_in_it() -> None:
    key = "AIza" + "x" * 35
    odd = structs.replace(COUNT_MISMATCH, message=f"see {key}", model=key)
    assert key not in "".join(render("json", Report(findings=(odd,)), Screen()))
