"""Workflow commands for GitHub Actions: annotations, most severe first, and a Markdown summary of the job.

A command ends with its line and a message is escaped, so no text of a log can begin a command of its own.
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
SHOWN = 10  # GitHub shows this many annotations a step
ROWS = 200  # a summary of a job is cut at 1 MiB


def render(report: Report, screen: Screen) -> Iterator[str]:
    findings = _most_severe_first(report)
    for finding in findings[:SHOWN]:
        yield _annotation(finding, screen)
    if rest := len(findings) - SHOWN + report.hidden if len(findings) > SHOWN else report.hidden:
        yield f"::notice title=wirecheck::{number(rest, 'more finding')}: see the summary of this job"


def _most_severe_first(report: Report) -> list[Finding]:
    return sorted(report.findings, key=lambda finding: -SEVERITIES.index(finding.severity))


def _annotation(finding: Finding, screen: Screen) -> str:
    properties = {"title": f"{finding.code} {finding.rule}", **_place(finding, screen)}
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{LEVELS[finding.severity]} {listed}::{_message(finding)}"


def _place(finding: Finding, screen: Screen) -> dict[str, str]:
    """GitHub finds files by their path in the repository; of others it is told only in the message."""
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
    """Markdown for the page of the job."""
    yield "### wirecheck"
    yield ""
    yield from closing(report, screen)
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
    """Text as text: Markdown and HTML in it mean nothing."""
    return "".join(f"&#{ord(char)};" if char in "\\`*_{}[]<>()#+!|&~@:" else char for char in text)
