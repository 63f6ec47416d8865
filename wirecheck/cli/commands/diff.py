"""`wirecheck diff`: compares what an application logged with what crossed the wire."""

import sys
from collections.abc import Iterator
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from wirecheck.cli import options, output
from wirecheck.cli.config import Configured
from wirecheck.cli.exits import Refusal, complain
from wirecheck.cli.linting.inspect import inspect, report_problems
from wirecheck.cli.linting.inspection import Inspection, joined
from wirecheck.cli.linting.lint_report import exit_code
from wirecheck.cli.rule_selection import ruleset
from wirecheck.compare import Compared, Listener, compare, findings
from wirecheck.finding import SEVERITIES, at_least
from wirecheck.report import FOR_PEOPLE, render
from wirecheck.report.report import Report, count
from wirecheck.report.screen import Screen, wrap
from wirecheck.report.summary import number
from wirecheck.rules import Ruleset
from wirecheck.talk.facts import LoggedFact

READING = ("unreadable-line", "log-out-of-order")  # what is found in either side while it is read
EPILOG = """\b
Examples:
  wirecheck diff scratchpad.json wire.jsonl          a log of the application, and a recording
  wirecheck diff sessions.db recordings/             all conversations of a database, in a folder
  wirecheck diff app.jsonl wire.har --min-severity info
  wirecheck diff app.jsonl wire.jsonl --output-format json

Both sides are read as `wirecheck lint` reads them. Texts, function calls and their responses are compared; thoughts,
media and the system instruction are not, nor what was spoken in a Live session without a transcription.

Exit codes: 0 nothing at or above --fail-on, 1 differences, 2 could not compare."""


class DiffOptions(Struct, frozen=True, kw_only=True):
    """All options of diff."""

    log: str
    wire: str
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    rules: tuple[str, ...]
    fail_on: str
    min_severity: str
    output_format: str
    color: str
    quiet: bool


@click.command(cls=Configured, epilog=EPILOG)
@click.argument("log")
@click.argument("wire")
@options.which_rules
@options.fail_on
@options.min_severity
@options.output_format
@options.color
@options.configuration
@click.option("-q", "--quiet", is_flag=True, help="Only findings and failures.")
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Compare what an application logged with what crossed the wire: what one side has and the other lacks, other ids,
    names, roles, order. Either may be a file, a directory, or - for standard input."""
    asked = DiffOptions(**given)
    if asked.log == asked.wire == "-":
        raise click.UsageError("Only one side can be standard input.")
    rules = ruleset(asked.rules, asked.select, asked.ignore)
    about = [rule for rule in rules.rules if rule.given == LoggedFact.kind]
    if not about:
        raise Refusal(
            "no rule about a log and the wire is left: --select or --ignore, here or in the settings, takes them away"
        )
    logged, log = _heard(asked.log, rules)
    sent, wire = _heard(asked.wire, rules)
    sides = ((logged, asked.log), (sent, asked.wire))
    failed = [report_problems(heard, allow_empty=False, side=side) for heard, side in sides]
    compared = compare(log.conversations(), wire.conversations())
    if not any(failed) and not compared.found:
        failed.append(_nothing_in_common(asked, compared))
    both = joined([logged, sent])
    found = [*both.findings, *findings(compared, rules)]
    listed = at_least(asked.min_severity)
    report = Report(
        findings=tuple(each for each in found if each.severity in listed),
        found=tuple(found),
        checked=replace(both.checked, rules=len(about)),
        summary=count(found),
        why=rules.why,
    )
    _deliver(asked, report, compared)
    ctx.exit(exit_code(report.summary, asked.fail_on, any(failed)))


def _heard(path: str, rules: Ruleset) -> tuple[Inspection, Listener]:
    listener = Listener()
    reading = Ruleset([rule for rule in rules.rules if rule.name in READING], rules.models)
    # With known prefixes skipped, conversations that begin alike would lack their beginning.
    return inspect((path,), reading, listen=listener.hear, memo=False, pictures=False), listener


def _nothing_in_common(asked: DiffOptions, compared: Compared) -> bool:
    for path, conversations in ((asked.log, compared.logged), (asked.wire, compared.sent)):
        complain(f"{path}: {number(conversations, 'conversation')}, none of which is in the other")
    complain("nothing was compared: do the two tell of the same run?")
    return True


def _deliver(asked: DiffOptions, report: Report, compared: Compared) -> None:
    name = output.auto(sys.stdout) if asked.output_format == "auto" else asked.output_format
    screen = output.screen(sys.stdout, asked.color)
    lines = list(_closing(report, compared, screen)) if not asked.quiet else []
    output.write([*render(name, report, screen), *(lines if name in FOR_PEOPLE else ())], commands=name == "github")
    if name not in FOR_PEOPLE:
        output.write(lines, sys.stderr)


def _closing(report: Report, compared: Compared, screen: Screen) -> Iterator[str]:
    sides = f"{number(compared.logged, 'conversation')} logged, {compared.sent} on the wire, {compared.found} compared"
    told = [number(times, word) for word in reversed(SEVERITIES) if (times := report.summary.of(word))]
    line = " · ".join([sides, ", ".join(told) or ("no difference" if compared.found else "nothing compared")])
    yield from wrap(line, screen.width) if screen.terminal else [line]
