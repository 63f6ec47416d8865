"""A table with one row a finding: where, rule, what, and the server's verdict."""

from collections.abc import Iterator, Sequence

from wirecheck.finding import Finding
from wirecheck.report.concise import at
from wirecheck.report.report import Report
from wirecheck.report.screen import Screen, cells, clean, wrap

HEADERS = ("where", "rule", "what", "the server")
GAP = 2  # columns between two columns
FILLER = "\0"  # never part of a shown text
NARROW = 60  # columns; on a narrower screen the cells of a row are stacked


def render(report: Report, screen: Screen) -> Iterator[str]:
    if not report.findings:
        return
    rows = [_row(finding) for finding in report.findings]
    severities = [finding.severity for finding in report.findings]
    if screen.width < NARROW:
        yield from _stacked(rows, severities, screen)
        return
    yield from grid(HEADERS, rows, screen, styles=[("", severity, "", "dim") for severity in severities])
    yield ""


def _row(finding: Finding) -> tuple[str, ...]:
    again = f" ({finding.repeated} × again)" if finding.repeated else ""
    rule = f"{finding.severity} {finding.code} {finding.rule}"
    word = finding.server
    said = (word.verdict, str(word.status or ""), clean((word.text or "").strip()))
    return at(finding.place), rule, clean(finding.message) + again, " ".join(filter(None, said))


def _stacked(rows: list[tuple[str, ...]], severities: Sequence[str], screen: Screen) -> Iterator[str]:
    for row, severity in zip(rows, severities, strict=True):
        for cell, style in zip(row, ("bold", severity, "", "dim"), strict=True):
            yield from (screen.paint(line, style) for line in wrap(cell, screen.width))
        yield ""


def grid(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    screen: Screen,
    styles: Sequence[Sequence[str]] = (),
) -> Iterator[str]:
    """A table that fits the screen, with long cells wrapped."""
    # Imported late: it takes longer than judging a small log.
    from tabulate import tabulate

    widths = _widths(headers, rows, screen.width)
    styles = styles or [[""] * len(headers)] * len(rows)
    painted = [
        [
            "\n".join(screen.paint(_counted(line), style) for line in wrap(cell, width))
            for cell, width, style in zip(row, widths, kinds, strict=True)
        ]
        for row, kinds in zip(rows, styles, strict=True)
    ]
    lines = tabulate(painted, headers=headers, tablefmt="simple", disable_numparse=True).splitlines()
    yield from (line.replace(FILLER, "") for line in lines)


def _counted(text: str) -> str:
    """Adds a filler after each character of two columns, since tabulate counts characters."""
    return text if text.isascii() else "".join(char + FILLER * (cells(char) - 1) for char in text)


def _widths(headers: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """The widths of the columns: those of their cells, if there is room; else the widest shrink first."""
    least = [cells(header) + GAP for header in headers]  # the least that tabulate accepts
    widths = [max((low, *map(cells, column))) for low, *column in zip(least, *rows, strict=True)]
    while sum(widths) + GAP * (len(widths) - 1) > room and widths != least:
        widest = max(width for width, low in zip(widths, least, strict=True) if width > low)
        widths[widths.index(widest)] -= 1
    return widths
