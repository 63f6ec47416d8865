"""`wirecheck lint`: judges logs, reports findings, exits with the verdict."""

from functools import partial
from typing import Any

import click

from wirecheck.cli import options, output
from wirecheck.cli.config import Configured, in_force, shown
from wirecheck.cli.exits import Refusal
from wirecheck.cli.linting import baseline, lint_report, output_safety
from wirecheck.cli.linting.inspect import inspect, report_problems
from wirecheck.cli.linting.lint_options import LintOptions
from wirecheck.cli.rule_selection import ruleset
from wirecheck.finding import milder_than

EPILOG = """\b
Examples:
  wirecheck lint logs.jsonl                          a log
  wirecheck lint logs/ --select WC3                  calls and answers only
  my-app --dump | wirecheck lint -                   standard input
  wirecheck lint logs.jsonl --output-format json     for programs
  wirecheck lint logs.jsonl --report json=out.json   both at once
  wirecheck lint logs.jsonl --baseline known.json --update-baseline

Settings stand in wirecheck.toml or under [tool.wirecheck] in pyproject.toml; their names are the long options.

Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 could not check."""


@click.command(cls=Configured, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH|-]...")
@options.which_rules
@options.fail_on
@options.min_severity
@options.reading
@options.output_format
@click.option("-o", "--output", type=options.file, metavar="FILE", help="Write the findings to FILE.")
@options.report
@click.option("--baseline", metavar="FILE", help="Do not count the findings that FILE knows.")
@click.option("--update-baseline", is_flag=True, help="Write what was found to the baseline.")
@click.option("--statistics", is_flag=True, help="Show how often each rule found something.")
@click.option("--max-findings", type=options.Number(min=0), metavar="N", help="List no more than N; all are counted.")
@click.option(
    "--jobs",
    type=options.Number(min=1),
    metavar="N",
    help="No more processes than this, for several files; by default as many as help.",
)
@options.color
@options.allow_empty
@options.configuration
@click.option("-q", "--quiet", is_flag=True, help="Only findings and failures.")
@click.option("-v", "--verbose", is_flag=True, help="Say also what was not judged, and why.")
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Judge logs of Gemini traffic. Directories are searched; - is standard input."""
    asked = LintOptions(**given)
    _check(asked, in_force(ctx))
    load = partial(ruleset, asked.rules, asked.select, asked.ignore)
    rules = load()
    if not rules.rules:
        raise Refusal("no rule is left to judge by: --ignore takes away all that --select picks")
    inspected = inspect(
        asked.paths,
        rules,
        input_format=asked.input_format,
        predict=asked.predict,
        pictures="full" in lint_report.formats(asked),
        jobs=asked.jobs,
        load=load,
        counted=() if asked.statistics or asked.baseline is not None else milder_than(asked.min_severity),
    )
    failed = report_problems(inspected, asked.allow_empty)
    report = lint_report.report(asked, inspected, rules, failed, shown(in_force(ctx)))
    lint_report.deliver(asked, report)
    if asked.verbose:
        lint_report.tell_more(inspected)
    ctx.exit(lint_report.exit_code(report.summary, asked.fail_on, failed))


def _check(asked: LintOptions, settings: str | None) -> None:
    """Refuses, before any work, what would be useless or would overwrite something."""
    if not asked.paths:
        raise click.UsageError("Say what to judge: a log, a directory of logs, or - for standard input.")
    if asked.update_baseline and not asked.baseline:
        raise click.UsageError("--update-baseline needs --baseline FILE.")
    for path in (asked.output, *(path for _, path in asked.report)):
        if path is not None:
            output.check_writable(path)
    output_safety.check(asked, settings)
    if asked.baseline is not None and asked.update_baseline:
        output.check_writable(asked.baseline)
        baseline.check_replaceable(asked.baseline)
