"""One line a finding, also where a key is as long as a log."""

import pytest
from msgspec import structs

from tests.report.sample import COUNT_MISMATCH
from wirecheck.finding import Inner, Place
from wirecheck.report import Report, Screen, render

LONG = "/request/body/" + "k" * 10**6


@pytest.mark.parametrize("place", [Place("a.jsonl", 1, LONG), Place("a.jsonl", 1, "/request/body", Inner(LONG, None))])
@pytest.mark.parametrize("name", ["concise", "full", "github"])
def test_a_key_that_nobody_reads_is_cut(name: str, place: Place) -> None:
    report = Report(findings=(structs.replace(COUNT_MISMATCH, place=place),))
    text = "\n".join(render(name, report, Screen()))
    assert "/request/body" in text
    assert "…" in text
    assert len(text) < 5000
