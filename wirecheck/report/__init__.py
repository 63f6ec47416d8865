"""Findings in, text out. One module a format, with a function `render`."""

from collections.abc import Iterator
from importlib import import_module

from msgspec import Struct

from wirecheck.report.report import Report
from wirecheck.report.screen import Screen
from wirecheck.report.summary import closing


class Format(Struct, frozen=True):
    """A format. With `people` the closing line is part of the output; programs get the findings alone."""

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
    # Imported on demand: the library for tables takes longer to load than a small log takes to judge.
    lines: Iterator[str] = import_module(f"wirecheck.report.{FORMATS[format_name].module}").render(report, screen)
    yield from lines


__all__ = ["FORMATS", "Format", "Report", "Screen", "closing", "render"]
