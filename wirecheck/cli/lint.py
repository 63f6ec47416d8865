"""`wirecheck lint`: judge logs, say what was found, exit with the verdict."""

import sys
from collections.abc import Iterator
from typing import Any

import click
from msgspec import Struct

from wirecheck.cli import baseline, options, output
from wirecheck.cli.config import Configured
from wirecheck.cli.ending import Refusal, at_least, complain, exit_code
from wirecheck.cli.inspect import Inspected, inspect, report_problems, report_skipped, ruleset
from wirecheck.finding import Finding
from wirecheck.report import FORMATS, render
from wirecheck.report.closing import closing, statistics
from wirecheck.report.github import job_summary
from wirecheck.report.report import Report, count
from wirecheck.report.screen import Screen
from wirecheck.rules.fields import suggest

EPILOG = """\b
Examples:
  wirecheck lint logs.jsonl                          a log
  wirecheck lint logs/ --select WC3                  all logs of a directory, calls and answers only
  my-app --dump | wirecheck lint -                   standard input
  wirecheck lint logs.jsonl --output-format json     for programs
  wirecheck lint logs.jsonl --report json=out.json   for people, and for programs beside
  wirecheck lint logs.jsonl --baseline known.json --update-baseline

Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 could not check."""


class Options(Struct, frozen=True, kw_only=True):
    """What was asked for, by the names of the options."""

    paths: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    rules: tuple[str, ...]
    fail_on: str
    min_severity: str
    predict: bool
    input_format: str | None
    output_format: str
    output: str | None
    report: tuple[tuple[str, str], ...]
    baseline: str | None
    update_baseline: bool
    statistics: bool
    max_findings: int | None
    color: str
    allow_empty: bool
    quiet: bool
    verbose: bool
    config: str | None
    isolated: bool


def target(value: str) -> tuple[str, str]:
    """`json=findings.json`: a format, and the file that gets it."""
    name, _, path = value.partition("=")
    if not path:
        raise click.BadParameter(f"'{value}' is not FORMAT=PATH, as in json=findings.json")
    if name not in FORMATS:
        raise click.BadParameter(f"no format '{name}'{suggest(name, FORMATS)}")
    return name, path


@click.command(cls=Configured, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH|-]...")
@options.which_rules
@click.option(
    "--fail-on",
    type=options.Word([*options.MOST_SEVERE_FIRST, "never"]),
    default="warning",
    show_default=True,
    help="The mildest severity that makes the exit code 1, listed or not.",
)
@options.min_severity
@options.reading
@click.option(
    "--output-format",
    type=options.Word(["auto", *FORMATS]),
    default="auto",
    show_default=True,
    help="auto: github in GitHub Actions, full on a terminal, else concise.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the findings to FILE.")
@click.option(
    "--report", multiple=True, type=target, metavar="FORMAT=PATH", help="One more report, in a file; repeatable."
)
@click.option("--baseline", metavar="FILE", help="Do not count the findings that FILE knows.")
@click.option("--update-baseline", is_flag=True, help="Write what was found to the baseline.")
@click.option("--statistics", is_flag=True, help="Show how often each rule found something.")
@click.option("--max-findings", type=click.IntRange(min=0), metavar="N", help="List no more than N; all are counted.")
@options.color
@options.allow_empty
@options.configuration
@click.option("-q", "--quiet", is_flag=True, help="Only findings and failures.")
@click.option("-v", "--verbose", is_flag=True, help="Say also what was not judged, and why.")
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Judge logs of Gemini traffic. Directories are searched; - is standard input."""
    asked = Options(**given)
    _check(asked)
    rules = ruleset(asked.rules, asked.select, asked.ignore)
    formats = {_format(asked), *(name for name, _ in asked.report)}
    inspected = inspect(
        asked.paths,
        rules,
        input_format=asked.input_format,
        predict=asked.predict,
        pictures="full" in formats,
    )
    failed = report_problems(inspected, asked.allow_empty)
    new, suppressed = _against_baseline(asked, inspected, failed)
    why = {rule.name: _first_paragraph(rule.doc) for rule in rules.rules}
    report = _report_of(asked, inspected, new, suppressed, why)
    _deliver(asked, report, new)
    if asked.verbose:
        _tell_more(ctx, inspected)
    ctx.exit(exit_code(report.summary, asked.fail_on, failed))


def _check(asked: Options) -> None:
    """What would be in vain is said before the work."""
    if not asked.paths:
        raise click.UsageError("Say what to judge: a log, a directory of logs, or - for standard input.")
    if asked.update_baseline and not asked.baseline:
        raise click.UsageError("--update-baseline needs --baseline FILE.")
    for path in (asked.output, *(path for _, path in asked.report)):
        if path is not None:
            output.check_writable(path)


def _first_paragraph(text: str) -> str:
    return " ".join(text.strip().partition("\n\n")[0].split())


def _against_baseline(asked: Options, inspected: Inspected, failed: bool) -> tuple[list[Finding], int]:
    if asked.baseline is None:
        return inspected.findings, 0
    if asked.update_baseline and failed:
        raise Refusal(f"{asked.baseline}: not updated, for not everything could be checked")
    known = (
        baseline.save(asked.baseline, inspected.findings) if asked.update_baseline else baseline.load(asked.baseline)
    )
    new, suppressed, stale = baseline.split(known, inspected.findings)
    if stale and not asked.quiet:
        complain(f"{asked.baseline}: no longer found: {', '.join(stale)}; --update-baseline forgets them")
    return new, suppressed


def _report_of(
    asked: Options, inspected: Inspected, new: list[Finding], suppressed: int, why: dict[str, str]
) -> Report:
    wanted = at_least(asked.min_severity)
    listed = tuple(finding for finding in new if finding.severity in wanted)
    shown = listed if asked.max_findings is None else listed[: asked.max_findings]
    return Report(
        findings=shown,
        checked=inspected.checked,
        summary=count(new, suppressed),
        hidden=len(listed) - len(shown),
        why=why,
    )


def _format(asked: Options) -> str:
    return output.auto(sys.stdout) if asked.output_format == "auto" else asked.output_format


def _deliver(asked: Options, report: Report, new: list[Finding]) -> None:
    name = _format(asked)
    if asked.output is None:
        output.write(_lines(asked, name, report, new, output.screen(sys.stdout, asked.color)))
    else:
        output.write_file(asked.output, _lines(asked, name, report, new, output.page(asked.color)))
    for other, path in asked.report:
        output.write_file(path, _lines(asked, other, report, new, output.page(asked.color)))
    if not FORMATS[name].people or asked.output is not None:
        output.write(_ending(asked, report, new, output.screen(sys.stderr, asked.color)), sys.stderr)
    if name == "github":
        output.append_summary(job_summary(report, output.page()))


def _tell_more(ctx: click.Context, inspected: Inspected) -> None:
    """What was not judged, and by which settings."""
    if settings := ctx.meta.get("wirecheck.config"):
        complain(f"settings from {settings}")
    if inspected.checked.traffic:
        report_skipped(inspected.checked)
    for kind, times in inspected.checked.unjudged.items():
        complain(f"  not judged: {kind} ({times} ×)")


def _lines(asked: Options, name: str, report: Report, new: list[Finding], screen: Screen) -> Iterator[str]:
    if not (asked.statistics and FORMATS[name].people):
        yield from render(name, report, screen)
    if FORMATS[name].people:
        yield from _ending(asked, report, new, screen)


def _ending(asked: Options, report: Report, new: list[Finding], screen: Screen) -> Iterator[str]:
    if asked.statistics:
        yield from statistics(new, screen)
    if not asked.quiet:
        yield closing(report, screen)
