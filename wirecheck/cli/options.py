"""Options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from wirecheck.finding import SEVERITIES
from wirecheck.report import FORMATS as REPORTS
from wirecheck.rules.language.fields import suggest
from wirecheck.rules.language.severity import date_fault
from wirecheck.sources import FORMATS
from wirecheck.sources.formats.known_formats import READ

F = TypeVar("F", bound=Callable[..., Any])
MOST_SEVERE_FIRST = tuple(reversed(SEVERITIES))


class Word(click.Choice[str]):
    """One of a few words. An error suggests the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"unknown value '{value}'{suggest(str(value), map(str, self.choices))}", param, ctx)


class Number(click.IntRange):
    """An integer of a range. An error names the range."""

    @property
    def words(self) -> str:
        return f"a whole number, {self.min} {'or more' if self.max is None else f'to {self.max}'}"

    def holds(self, value: int) -> bool:
        return (self.min is None or self.min <= value) and (self.max is None or value <= self.max)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            self.fail(f"'{value}' is not {self.words}", param, ctx)


def day(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and (no_date := date_fault(value)):
        raise click.BadParameter(no_date)
    return value


def listed(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Splits a repeatable option whose values may be separated by commas."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def target(value: str) -> tuple[str, str]:
    """Parses `json=findings.json`: a format and its file."""
    name, _, path = value.partition("=")
    if not path:
        raise click.BadParameter(f"'{value}' is not FORMAT=PATH, as in json=findings.json")
    if name not in REPORTS:
        raise click.BadParameter(f"no format '{name}'{suggest(name, REPORTS)}")
    return name, file(path)


def file(path: str) -> str:
    if path == "-":
        raise click.BadParameter("'-' is no file; standard output is where findings go without -o")
    return path


def stack(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


more_rules = click.option(
    "--rules", multiple=True, metavar="PATH", help="More rules: a file or a directory of YAML files."
)
which_rules = stack(
    click.option(
        "--select",
        multiple=True,
        callback=listed,
        metavar="RULES",
        help="Only these rules: names, codes, prefixes (WC3) or globs, comma-separated.",
    ),
    click.option("--ignore", multiple=True, callback=listed, metavar="RULES", help="Not these rules."),
    more_rules,
)
input_format = click.option(
    "--input-format",
    type=Word([*FORMATS, *READ]),
    metavar="FORMAT",
    help="Read all input as this (`wirecheck formats`).",
)
reading = stack(
    input_format,
    click.option("--predict", is_flag=True, help="Judge without looking at what the server answered."),
)
color = click.option(
    "--color",
    type=Word(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colour; auto obeys NO_COLOR, then FORCE_COLOR, and is off in pipes.",
)
fail_on = click.option(
    "--fail-on",
    type=Word([*MOST_SEVERE_FIRST, "never"]),
    default="warning",
    show_default=True,
    help="The mildest severity that makes the exit code 1, listed or not.",
)
output_format = click.option(
    "--output-format",
    type=Word(["auto", *REPORTS]),
    default="auto",
    show_default=True,
    help="auto: github in GitHub Actions, full on a terminal, else concise.",
)
report = click.option(
    "--report", multiple=True, type=target, metavar="FORMAT=PATH", help="One more report, in a file; repeatable."
)
min_severity = click.option(
    "--min-severity",
    type=Word(MOST_SEVERE_FIRST),
    default="warning",
    show_default=True,
    help="The mildest severity to list.",
)
allow_empty = click.option("--allow-empty", is_flag=True, help="Nothing to judge is no failure.")
configuration = stack(
    # These two are read by `Configured`, before the command has its options.
    click.option(
        "--config",
        metavar="FILE",
        expose_value=False,
        help="Settings, instead of the nearest wirecheck.toml or pyproject.toml.",
    ),
    click.option("--isolated", is_flag=True, expose_value=False, help="Read no settings at all."),
)
