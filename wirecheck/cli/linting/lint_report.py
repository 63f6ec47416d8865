"""Reports a run of lint: compares with the baseline, renders reports, and writes them."""

import sys
from collections.abc import Iterator

from wirecheck.cli import output
from wirecheck.cli.exits import FAILED, FINE, FOUND, Refusal, complain
from wirecheck.cli.linting import baseline
from wirecheck.cli.linting.inspect import report_skipped
from wirecheck.cli.linting.inspection import Inspection
from wirecheck.cli.linting.lint_options import LintOptions
from wirecheck.finding import Finding, at_least
from wirecheck.report import COMMANDS, FOR_PEOPLE, render
from wirecheck.report.github import job_summary
from wirecheck.report.report import Report, Summary, count
from wirecheck.report.screen import Screen
from wirecheck.report.summary import closing, statistics
from wirecheck.rules import Ruleset
from wirecheck.sources.files.folder_search import why_passed


def report(asked: LintOptions, inspected: Inspection, rules: Ruleset, failed: bool, settings: str) -> Report:
    new, suppressed = _against_baseline(asked, inspected, {rule.name for rule in rules.rules}, failed)
    wanted = at_least(asked.min_severity)
    listed = tuple(finding for finding in new if finding.severity in wanted)
    shown = listed if asked.max_findings is None else listed[: asked.max_findings]
    return Report(
        findings=shown,
        found=tuple(new),
        checked=inspected.checked,
        summary=count(new, suppressed, inspected.counted),
        hidden=len(listed) - len(shown),
        why=rules.why,
        settings=settings,
    )


def _against_baseline(
    asked: LintOptions, inspected: Inspection, rules: set[str], failed: bool
) -> tuple[list[Finding], int]:
    if asked.baseline is None:
        return inspected.findings, 0
    if asked.update_baseline and failed:
        raise Refusal(f"{asked.baseline}: not updated, for not everything could be checked")
    found = inspected.findings
    known = baseline.update(asked.baseline, found, rules) if asked.update_baseline else baseline.load(asked.baseline)
    new, suppressed, stale = baseline.split(known, found, rules)
    if stale and not asked.quiet:
        complain(f"{asked.baseline}: no longer found: {', '.join(stale)}; --update-baseline forgets them")
    return new, suppressed


def formats(asked: LintOptions) -> list[str]:
    """The formats: first of standard output (or -o), then of --report."""
    first = output.auto(sys.stdout) if asked.output_format == "auto" else asked.output_format
    return [first, *(name for name, _ in asked.report)]


def deliver(asked: LintOptions, report: Report) -> None:
    name, *_ = formats(asked)
    if asked.output is None:
        lines = _lines(asked, name, report, output.screen(sys.stdout, asked.color))
        output.write(lines, commands=name in COMMANDS)
    else:
        output.write_file(asked.output, _lines(asked, name, report, output.page(asked.color)))
    for other, path in asked.report:
        output.write_file(path, _lines(asked, other, report, output.page(asked.color)))
    if name not in FOR_PEOPLE or asked.output is not None:
        output.write(_ending(asked, report, output.screen(sys.stderr, asked.color)), sys.stderr)
    if name == "github":
        output.append_summary(job_summary(report, output.page()))


def _lines(asked: LintOptions, name: str, report: Report, screen: Screen) -> Iterator[str]:
    if not (asked.statistics and name in FOR_PEOPLE):
        yield from render(name, report, screen)
    if name in FOR_PEOPLE:
        yield from _ending(asked, report, screen)


def _ending(asked: LintOptions, report: Report, screen: Screen) -> Iterator[str]:
    if asked.statistics:
        yield from statistics(report, screen)
    if not asked.quiet:
        yield from closing(report, screen)


def exit_code(summary: Summary, fail_on: str, failed: bool) -> int:
    """The exit code. It does not depend on the format, nor on which findings are listed."""
    if failed:
        return FAILED
    return FOUND if any(summary.of(severity) for severity in at_least(fail_on)) else FINE


def tell_more(inspected: Inspection) -> None:
    """Says what was not judged (--verbose)."""
    for fault in {each.what: each for each in reversed(inspected.faults)}.values():
        complain(f"  the calls that led to the fault at {fault.place}, innermost last:")
        for call in fault.trace:
            complain(f"    {call}")
    if inspected.checked.judged:
        report_skipped(inspected.checked)
    for kind, times in inspected.checked.unjudged.items():
        complain(f"  not judged: {kind} ({times} ×)")
    for guess in inspected.checked.guesses:
        complain(f"  {guess.path}: read as {', '.join(guess.formats)}, which is a guess: traffic was found inside")
    for path in inspected.passed:
        complain(f"  {path}: passed over: {why_passed(path)}")
    if inspected.passed:
        complain("  a file that is named is read, whatever it is called")
