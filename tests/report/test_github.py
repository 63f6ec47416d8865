"""Annotations: ten of them, the worst first, with paths as the repository knows them."""

import pytest
from msgspec import structs

from tests.report.sample import CONVENTION, COUNT_MISMATCH
from wirecheck.finding import Place
from wirecheck.report import Report, Screen, render


def annotations(report: Report, root: str = "/repo") -> list[str]:
    return list(render("github", report, Screen(root=root)))


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("/repo/logs/a.jsonl", "file=logs/a.jsonl,line=17"),
        ("/repo/odd,name:%.jsonl", "file=odd%2Cname%3A%25.jsonl,line=17"),
        ("/elsewhere/a.jsonl", None),
        ("<stdin>", None),
    ],
)
def test_a_path_is_relative_to_the_repository_or_left_out(path: str, file: str | None) -> None:
    (line,) = annotations(Report(findings=(structs.replace(COUNT_MISMATCH, place=Place(path, 17)),)))
    properties = line.split("::")[1].split(",", 1)
    assert properties[1:] == ([file] if file else [])


def test_ten_are_shown_the_most_severe_first_and_the_rest_is_counted() -> None:
    lines = annotations(Report(findings=(CONVENTION,) * 8 + (COUNT_MISMATCH,) * 5, hidden=4))
    assert [line.split(" ")[0] for line in lines] == ["::error"] * 5 + ["::notice"] * 6
    assert lines[-1] == "::notice title=wirecheck::7 more findings: see the summary of this job"
