"""One finding a line, each the same object as in the JSON report, for programs that process a stream."""

from collections.abc import Iterator

from wirecheck.report.json import as_json, text
from wirecheck.report.report import Report
from wirecheck.report.screen import Screen


def render(report: Report, screen: Screen) -> Iterator[str]:
    for finding in report.findings:
        yield text(as_json(finding))
