"""Findings in, text out. One file a format."""

from collections.abc import Iterator
from importlib import import_module

from msgspec import Struct

from wirecheck.report.report import Report
from wirecheck.report.screen import Screen
from wirecheck.report.summary import closing


class Format(Struct, frozen=True):
    """`people` read the last line with the findings; programs get the findings alone."""

    module: str
    people: bool


FORMATS = {
    "full": Format("full", people=True),
    "table": Format("table", people=True),
    "concise": Format("concise", people=True),
    "json": Format("json", people=False),
    "json-lines": Format("json_lines", people=False),
    "github": Format("github", people=False),
}


def render(format_name: str, report: Report, screen: Screen) -> Iterator[str]:
    """The lines of a report."""
    # A format is imported when it is asked for: the table's library takes longer to load than a small log to judge.
    lines: Iterator[str] = import_module(f"wirecheck.report.{FORMATS[format_name].module}").render(report, screen)
    yield from lines


__all__ = ["FORMATS", "Format", "Report", "Screen", "closing", "render"]
