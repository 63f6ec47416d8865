"""`wirecheck explain`: the page of a rule, found by its name, its code, or by what the server says."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from wirecheck.cli import options, output
from wirecheck.cli.config import RulesConfigured
from wirecheck.cli.ending import Refusal
from wirecheck.cli.inspect import ruleset
from wirecheck.report.markdown import render
from wirecheck.report.screen import clean
from wirecheck.rules import Rule, Ruleset
from wirecheck.rules.fields import suggest
from wirecheck.rules.page import page
from wirecheck.rules.select import matches
from wirecheck.rules.verdict import predicts

EPILOG = """\b
Examples:
  wirecheck explain unanswered-function-call
  wirecheck explain WC301
  wirecheck explain WC3                          the rules whose codes begin so
  wirecheck explain "Please ensure that the number of function response parts"
  wirecheck explain WC301 > page.md              plain Markdown in a pipe"""


@click.command(cls=RulesConfigured, epilog=EPILOG)
@click.argument("what", metavar="NAME|CODE|TEXT")
@options.more_rules
@options.color
@options.configuration
def command(what: str, rules: tuple[str, ...], color: str, **_: Any) -> None:
    """Explain a rule by its name, its code, or the server's error text; list those of a prefix."""
    known = ruleset(rules)
    output.write(_answer(known, _meant(known.rules, what), color))


def _meant(rules: Sequence[Rule], what: str) -> list[Rule]:
    found = [rule for rule in rules if what.lower() == rule.name or what.upper() == rule.code]
    found = found or [rule for rule in rules if (_said_of if " " in what.strip() else matches)(rule, what)]
    if found:
        return found
    if " " in what.strip():
        raise Refusal(f"no rule is known for the text '{what}'; `wirecheck rules list` lists all rules")
    names = [rule.code if what.isupper() else rule.name for rule in rules]
    raise Refusal(f"unknown rule '{what}'{suggest(what, names)}; `wirecheck rules list` lists all rules")


def _said_of(rule: Rule, text: str) -> bool:
    """Whether the server says this of the rule; the text may be cut short."""
    even = " ".join(text.lower().split())
    return predicts(rule, text) or any(even in " ".join(each.lower().split()) for each in rule.server)


def _answer(known: Ruleset, found: list[Rule], color: str) -> Iterator[str]:
    if len(found) > 1:
        yield f"{len(found)} rules; `wirecheck explain CODE` shows the page of one."
        yield from (clean(f"{rule.code}  {rule.name}: {rule.title}") for rule in found)
        return
    text = page(found[0], known.models)
    screen = output.screen(sys.stdout, color)
    yield from render(text, screen) if sys.stdout.isatty() or screen.colour else map(clean, text.splitlines())
