"""Findings in, text out. One module a format, with a function `render`."""

from collections.abc import Iterator
from importlib import import_module

from wirecheck.report.report import Report
from wirecheck.report.screen import Screen, inert
from wirecheck.report.summary import closing

FOR_PEOPLE = ("full", "table", "concise")  # these end with the closing line; programs get the findings alone
COMMANDS = ("github",)  # whose lines are commands for the runner of a CI job
FORMATS = (*FOR_PEOPLE, "json", "json-lines", *COMMANDS)


def render(format_name: str, report: Report, screen: Screen) -> Iterator[str]:
    """The lines of a report."""
    # Imported on demand: the library for tables takes longer to load than a small log takes to judge.
    module = import_module(f"wirecheck.report.{format_name.replace('-', '_')}")
    lines: Iterator[str] = module.render(report, screen)
    yield from lines if format_name in COMMANDS else map(inert, lines)


__all__ = ["COMMANDS", "FORMATS", "FOR_PEOPLE", "Report", "Screen", "closing", "render"]
