"""`wirecheck show`: shows the conversations of logs, turn by turn, with findings in place."""

import sys
from collections.abc import Iterator
from typing import Any

import click

from wirecheck.cli import options, output
from wirecheck.cli.config import Configured, in_force, shown
from wirecheck.cli.exits import FAILED, FINE, Refusal
from wirecheck.cli.linting.inspect import inspect, report_problems
from wirecheck.cli.linting.inspection import Inspection
from wirecheck.cli.linting.lint_options import ReadingOptions
from wirecheck.cli.rule_selection import ruleset
from wirecheck.cli.stories import Stories
from wirecheck.finding import Finding, at_least
from wirecheck.report.concise import at
from wirecheck.report.report import Report, count
from wirecheck.report.screen import Screen
from wirecheck.report.summary import closing
from wirecheck.report.turns_view import ConversationView, render, verdict
from wirecheck.rules.language.fields import suggest

EPILOG = """\b
Examples:
  wirecheck show logs.jsonl                     all conversations of a log
  wirecheck show logs.jsonl --conversation c3   one of them
  wirecheck show logs/ --color always | less -R

Exit codes: 0 shown, whatever was found, 2 could not read."""


class ShowOptions(ReadingOptions, frozen=True, kw_only=True):
    """All options of show, checked and complete."""

    conversation: tuple[str, ...]


@click.command(cls=Configured, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH|-]...")
@click.option(
    "--conversation", multiple=True, callback=options.listed, metavar="ID", help="Only these conversations, as c3."
)
@options.which_rules
@options.min_severity
@options.reading
@options.color
@options.allow_empty
@options.configuration
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Show the conversations of logs turn by turn, findings in place."""
    asked = ShowOptions(**given)
    if not asked.paths:
        raise click.UsageError("Say what to show: a log, a directory of logs, or - for standard input.")
    stories = Stories()
    inspected = inspect(
        asked.paths,
        ruleset(asked.rules, asked.select, asked.ignore),
        input_format=asked.input_format,
        predict=asked.predict,
        listen=stories.hear,
        # With known prefixes skipped, conversations that begin alike would lack their beginning.
        memo=False,
        pictures=False,
    )
    failed = report_problems(inspected, asked.allow_empty)
    conversations = stories.conversations()
    known = [each.name for each in conversations]
    for name in asked.conversation:
        if name not in known:
            raise Refusal(f"no conversation '{name}'{suggest(name, known)}")
    wanted = [each for each in conversations if not asked.conversation or each.name in asked.conversation]
    settings = shown(in_force(ctx))
    output.write(_lines(asked, wanted, inspected, settings, output.screen(sys.stdout, asked.color)))
    ctx.exit(FAILED if failed else FINE)


def _lines(
    asked: ShowOptions, wanted: list[ConversationView], inspected: Inspection, settings: str, screen: Screen
) -> Iterator[str]:
    listed = at_least(asked.min_severity)
    findings = [finding for finding in inspected.findings if finding.severity in listed]
    of: dict[str | None, list[Finding]] = {}
    for finding in findings:
        of.setdefault(finding.conversation, []).append(finding)
    for conversation in wanted:
        yield from render(conversation, of.get(conversation.name, []), screen)
        yield ""
    if not asked.conversation:  # then also findings without a conversation: unreadable lines
        names = {conversation.name for conversation in wanted}
        others = [finding for finding in findings if finding.conversation not in names]
        for finding in others:
            yield at(finding.place)
            yield from verdict(finding, screen)
        if others:
            yield ""
    report = Report(
        findings=tuple(findings),
        checked=inspected.checked,
        summary=count(inspected.findings),
        settings=settings,
    )
    yield from closing(report, screen)
