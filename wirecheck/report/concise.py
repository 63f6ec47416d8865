"""One line a finding: `path:line: severity[code name] message pointer`, for pipes and editors."""

from collections.abc import Iterator

from wirecheck.finding import Finding, Place
from wirecheck.report.report import Report
from wirecheck.report.screen import Screen, clean

WIDEST = 1000  # columns of a pointer


def render(report: Report, screen: Screen) -> Iterator[str]:
    for finding in report.findings:
        yield line(finding, screen)


def line(finding: Finding, screen: Screen) -> str:
    head = screen.paint(f"{finding.severity}[{finding.code} {finding.rule}]", finding.severity)
    again = f" ({finding.repeated} × again)" if finding.repeated else ""
    where = screen.paint(pointer(finding.place), "dim")
    return f"{at(finding.place)}: {head} {clean(finding.message)}{again} {where}".rstrip()


def at(place: Place) -> str:
    return f"{clean(place.path)}:{place.line}"


def pointer(place: Place) -> str:
    """The pointer, followed by the one inside a string of the line, if any."""
    if place.inner is None:
        return clean(place.pointer, WIDEST)
    event = "" if place.inner.event is None else f" event {place.inner.event}"
    return clean(f"{place.pointer}{event} {place.inner.pointer}".strip(), WIDEST)
