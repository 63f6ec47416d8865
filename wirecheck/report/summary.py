"""The closing line of a report (what was checked and found), and the counts for each rule."""

from collections import Counter
from collections.abc import Iterator

from wirecheck.finding import SEVERITIES
from wirecheck.report.report import Checked, Report
from wirecheck.report.screen import Screen, clean, wrap


def number(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def closing(report: Report, screen: Screen) -> list[str]:
    """The closing line; on a terminal it is wrapped."""
    nothing = "nothing found" if report.checked.judged else "nothing judged"
    verdict = ", ".join(_severities(report, screen)) or nothing
    line = " · ".join([_checked(report.checked), verdict, *_asides(report)])
    return wrap(line, screen.width) if screen.terminal else [line]


def _checked(checked: Checked) -> str:
    channels = []
    if checked.exchanges:
        channels.append(number(checked.exchanges, "exchange"))
    if checked.sessions:
        channels.append(f"{number(checked.sessions, 'session')} of {number(checked.frames, 'frame')}")
    spoken = number(checked.conversations, "conversation") if checked.conversations or not checked.sessions else ""
    steps = [number(checked.lines, "line"), ", ".join(channels), spoken]
    return f"{' → '.join(filter(None, steps))}, {number(checked.rules, 'rule')}"


def _severities(report: Report, screen: Screen) -> Iterator[str]:
    listed = {finding.severity for finding in report.findings}
    for severity in reversed(SEVERITIES):
        if count := report.summary.of(severity):
            unlisted = "" if severity in listed or report.hidden else " (not listed)"
            yield screen.paint(number(count, severity), severity) + unlisted


def _asides(report: Report) -> Iterator[str]:
    if report.hidden:
        yield f"{report.hidden} more not listed"
    if report.summary.suppressed:
        yield f"{report.summary.suppressed} suppressed"
    if report.checked.open_calls:
        yield f"{number(report.checked.open_calls, 'call')} still open"
    if unjudged := sum(report.checked.unjudged.values()):
        yield f"{unjudged} not judged"
    if skipped := sum(entry.count for entry in report.checked.skipped):
        yield f"{number(skipped, 'line')} skipped"
    if passed := sum(report.checked.passed_over.values()):
        yield f"{number(passed, 'file')} passed over"
    if report.checked.prefixed:
        yield f"JSON after a prefix in {number(report.checked.prefixed, 'line')}"
    if report.checked.guesses:
        yield _guessed(report.checked)
    if report.settings:
        yield f"settings: {clean(report.settings)}"


def _guessed(checked: Checked) -> str:
    formats = ", ".join(sorted({name for guess in checked.guesses for name in guess.formats}))
    several = f"{len(checked.guesses)} of {checked.files} files " if checked.files > 1 else ""
    return f"{several}read as {formats}: a guess"


def statistics(report: Report, screen: Screen) -> Iterator[str]:
    """The counts, one line a rule, most frequent first."""
    tally = Counter((finding.severity, finding.code, finding.rule) for finding in report.found)
    for (severity, code, rule), count in sorted(tally.items(), key=lambda entry: (-entry[1], entry[0][1])):
        yield f"{count:>6}  {screen.paint(f'{severity:7}', severity)}  {code}  {rule}"
