"""Workflow commands for GitHub Actions: annotations, most severe first, and a Markdown summary of the job.

Messages are escaped and stay on one line, so no text of a log can start a command.
"""

import os
from collections.abc import Iterator
from itertools import chain

from wirecheck.finding import SEVERITIES, Finding
from wirecheck.report.concise import at, pointer
from wirecheck.report.report import Report
from wirecheck.report.screen import Screen, clean
from wirecheck.report.summary import closing, number

LEVELS = {"error": "error", "warning": "warning", "info": "notice"}
SHOWN = 10  # annotations that GitHub shows for a step
ROWS = 200  # of the summary, which GitHub limits to 1 MiB


def render(report: Report, screen: Screen) -> Iterator[str]:
    findings = _most_severe_first(report)
    for finding in findings[:SHOWN]:
        properties = {"title": f"{finding.code} {finding.rule}", **_place(finding, screen)}
        listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
        yield f"::{LEVELS[finding.severity]} {listed}::{_message(finding)}"
    if rest := len(findings) - SHOWN + report.hidden if len(findings) > SHOWN else report.hidden:
        yield f"::notice title=wirecheck::{number(rest, 'more finding')}: see the summary of this job"


def _most_severe_first(report: Report) -> list[Finding]:
    return sorted(report.findings, key=lambda finding: -SEVERITIES.index(finding.severity))


def _place(finding: Finding, screen: Screen) -> dict[str, str]:
    """The file and line of an annotation. Only for files in the repository; others are named in the message."""
    path = os.path.relpath(finding.place.path, screen.root or None)
    if path.startswith("..") or finding.place.path.startswith("<"):
        return {}
    return {"file": clean(path.replace(os.sep, "/")), "line": str(finding.place.line)}


def _message(finding: Finding) -> str:
    help_lines = chain.from_iterable(text.splitlines() for text in (finding.help, finding.url))
    where = f"{at(finding.place)} {pointer(finding.place)}".rstrip()
    return _escaped("\n".join([clean(finding.message), where, *map(clean, help_lines)]))


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def job_summary(report: Report, screen: Screen) -> Iterator[str]:
    """The findings in Markdown, for the summary of the job."""
    yield "### wirecheck"
    yield ""
    yield from map(_cell, closing(report, screen))
    yield ""
    findings = _most_severe_first(report)
    if findings:
        yield "| where | severity | rule | what |"
        yield "|---|---|---|---|"
    for finding in findings[:ROWS]:
        cells = (at(finding.place), finding.severity, f"{finding.code} {finding.rule}", clean(finding.message))
        yield f"| {' | '.join(map(_cell, cells))} |"
    if len(findings) > ROWS:
        yield ""
        yield f"{len(findings) - ROWS} more"


def _cell(text: str) -> str:
    """Text with Markdown and HTML escaped."""
    return "".join(f"&#{ord(char)};" if char in "\\`*_{}[]<>()#+!|&~@:" else char for char in text)
