"""`wirecheck rules`: lists rules, says which want evidence anew, runs their examples, checks rule files."""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from wirecheck.cli import options, output
from wirecheck.cli.config import RulesConfigured
from wirecheck.cli.exits import FAILED, FINE, FOUND
from wirecheck.cli.rule_selection import ruleset
from wirecheck.report.screen import Screen, clean
from wirecheck.report.summary import number
from wirecheck.report.table import grid
from wirecheck.rules import Rule

if TYPE_CHECKING:
    from wirecheck.rules.pages.examples import Failure

HEADERS = ("code", "name", "severity", "title")
STALE_HEADERS = ("code", "name", "seen", "title")
STALE = timedelta(days=365)  # servers change: what was seen longer ago is to be looked at again
CONDITIONS = ("protocol", "surface", "version", "band", "since")


list_format = click.option(
    "--output-format",
    type=options.Word(["table", "json"]),
    default="table",
    show_default=True,
    help="json for programs.",
)


@click.group()
def command() -> None:
    """List the rules, run their examples, check rule files, say which want evidence anew."""


@command.command("list", cls=RulesConfigured)
@options.which_rules
@click.option(
    "--since", callback=options.day, metavar="DATE", help="Only rules whose evidence was seen on this day or later."
)
@list_format
@options.color
@options.configuration
def list_rules(
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    rules: tuple[str, ...],
    since: str | None,
    output_format: str,
    color: str,
) -> None:
    """The rules that lint would judge by."""
    known = sorted(ruleset(rules, select, ignore).rules, key=lambda rule: rule.code)
    if since is not None:
        known = [rule for rule in known if (rule.page().seen or "") >= since]
    output.write(LISTS[output_format](known, output.screen(sys.stdout, color)))


@command.command("stale", cls=RulesConfigured)
@options.which_rules
@list_format
@options.color
@options.configuration
@click.pass_context
def stale_rules(
    ctx: click.Context,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    rules: tuple[str, ...],
    output_format: str,
    color: str,
) -> None:
    """List rules whose evidence is old.

    That is older than a year, or without a date; the oldest first. Exits 1 where there are any.
    """
    limit = str((datetime.now(UTC) - STALE).date())
    known = sorted(ruleset(rules, select, ignore).rules, key=lambda rule: (rule.page().seen or "", rule.code))
    stale = [rule for rule in known if rule.links and (rule.page().seen or "") < limit]
    output.write(STALE_LISTS[output_format](stale, output.screen(sys.stdout, color)))
    ctx.exit(FOUND if stale else FINE)


def _table(rules: Sequence[Rule], screen: Screen) -> Iterator[str]:
    rows = [(rule.code, rule.name, _severity(rule.severity), rule.title) for rule in rules]
    yield from grid(HEADERS, [list(map(clean, row)) for row in rows], screen)
    yield f"{number(len(rules), 'rule')}; `wirecheck explain CODE` shows the page of one"


def _severity(severity: Any) -> str:
    """`error; warning (gemini-1, gemini-2)`: the general severity, then the exceptions. A general `off` is left out."""
    if isinstance(severity, str):
        return severity
    cases = sorted(severity, key=lambda case: len(case) > 1)
    off = len(cases[0]) > 1 or cases[0]["is"] == "off"  # nothing to say in general
    words = (f"{case['is']}{_when(case)}" for case in cases if not off or case["is"] != "off")
    return "; ".join(dict.fromkeys(words)) or "off"


def _when(case: dict[str, Any]) -> str:
    words = [word for key in CONDITIONS if key in case for word in _listed(case[key])]
    words += ["in part"] if "where" in case else []
    return f" ({', '.join(words)})" if words else ""


def _listed(value: Any) -> list[str]:
    return list(map(str, value)) if isinstance(value, list) else [str(value)]


def _json(rules: Sequence[Rule], screen: Screen) -> Iterator[str]:
    import orjson

    from wirecheck.report.json import text

    keys = ("code", "name", "title", "severity", "given", "server", "links", "builtin", "path")
    listed = [{**{key: getattr(rule, key) for key in keys}, "seen": rule.page().seen} for rule in rules]
    yield text(listed, orjson.OPT_INDENT_2)


def _stale_table(rules: Sequence[Rule], screen: Screen) -> Iterator[str]:
    if rules:
        rows = [(rule.code, rule.name, rule.page().seen or "no date", rule.title) for rule in rules]
        yield from grid(STALE_HEADERS, [list(map(clean, row)) for row in rows], screen)
    yield f"{number(len(rules), 'rule')} with evidence older than a year, or without a date"


LISTS = {"table": _table, "json": _json}
STALE_LISTS = {"table": _stale_table, "json": _json}


@command.command("test", short_help="Run the examples of rules.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.pass_context
def test_rules(ctx: click.Context, paths: tuple[str, ...]) -> None:
    """Run the examples of rules: the built-in ones, or those of rule files. Exits 1 where one does not behave."""
    from wirecheck.compare import compare_records
    from wirecheck.inspector import Inspector
    from wirecheck.rules.pages.examples import failures
    from wirecheck.sources import read_file

    known = ruleset(paths)
    asked = [rule for rule in known.rules if rule.builtin != bool(paths)]
    failed = list(failures(asked, known, Inspector, read_file, compare_records))
    output.write(line for failure in failed for line in _failure(failure))
    examples = sum(len(page.good) + len(page.bad) for page in (rule.page() for rule in asked))
    output.write([f"{number(examples, 'example')} of {number(len(asked), 'rule')}, {number(len(failed), 'failure')}"])
    ctx.exit(FOUND if failed else FINE)


def _failure(failure: "Failure") -> Iterator[str]:
    """The lines of a failure: what was expected and not found, and what was found and not expected."""
    yield clean(f"{failure.rule.path}: {failure.rule.name}: {failure.example.name}")
    yield from (clean(f"  expected  {line}") for line in failure.expected if line not in failure.found)
    yield from (clean(f"  found     {line}") for line in failure.found if line not in failure.expected)


@command.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.pass_context
def check_rules(ctx: click.Context, paths: tuple[str, ...]) -> None:
    """Check rule files: their form, and that what they name exists. Exits 2 where something is wrong."""
    from wirecheck.rules.engine.checked_files import check

    found = check(paths)
    output.write(map(clean, found or [f"{', '.join(paths) or 'built-in rules'}: nothing wrong"]))
    ctx.exit(FAILED if found else FINE)
