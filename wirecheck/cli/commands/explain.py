"""`wirecheck explain`: the page of a rule, found by its name, its code, or by what a server, an SDK or a proxy says;
and what is known of a close code of Live sessions.
"""

import re
import sys
from collections.abc import Iterator, Sequence

import click

from wirecheck.cli import options, output
from wirecheck.cli.config import RulesConfigured
from wirecheck.cli.exits import Refusal, standard_input
from wirecheck.cli.rule_selection import ruleset
from wirecheck.report.markdown import render
from wirecheck.report.screen import clean
from wirecheck.rules import Rule, Ruleset
from wirecheck.rules.language.fields import suggest
from wirecheck.rules.language.select import matches
from wirecheck.rules.pages.close_page import close_page
from wirecheck.rules.pages.page import page
from wirecheck.rules.server_word.texts import LONGEST, likely
from wirecheck.wire.scrub import plain

EPILOG = """\b
Examples:
  wirecheck explain unanswered-function-call
  wirecheck explain WC301
  wirecheck explain WC3               the rules whose codes begin so
  wirecheck explain "Please ensure that the number of function response parts"
  wirecheck explain - < error.txt     a text with quotes of every kind
  wirecheck explain 1007              a close code of Live sessions
  wirecheck explain WC301 > page.md   plain Markdown in a pipe"""
OF_A_RULE = re.compile(r"[A-Za-z]+\d+|[a-z]++(-[a-z]++)+")  # looks like a code or a name, not like an error text
UNKNOWN = """no rule is known for the text '{}'
It may be new, or have nothing to do with the conversation: a key, a quota, a model's name, a server that is down.
If it is about what was sent, record it (`wirecheck record -- COMMAND`) and see `wirecheck lint LOG`: rules look at the
request itself, whatever the server says of it. `wirecheck rules list` lists all rules."""


@click.command(cls=RulesConfigured, epilog=EPILOG)
@click.argument("what", metavar="NAME|CODE|TEXT")
@options.more_rules
@options.color
@options.configuration
def command(what: str, rules: tuple[str, ...], color: str) -> None:
    """Explain a rule by its name, its code, or an error text of a server, an SDK or a proxy; a close code of Live
    sessions; list the rules of a prefix.
    """
    known = ruleset(rules)
    asked = standard_input().read(LONGEST).strip() if what == "-" else what
    order = ", likeliest first" if " " in asked.strip() else ""
    if (closed := close_page(asked, known.rules)) is not None:
        output.write(_shown(closed, color))
    else:
        output.write(_answer(known, _meant(known.rules, asked), color, order))


def _meant(rules: Sequence[Rule], what: str) -> list[Rule]:
    """The rules a term may mean, the likeliest first."""
    named = [rule for rule in rules if what.lower() == rule.name or what.upper() == rule.code]
    said = [] if " " in what.strip() else [rule for rule in rules if matches(rule, what)]
    if found := named or sorted(said, key=lambda rule: rule.code) or likely(rules, what):
        return found
    names = [rule.code if what.isupper() else rule.name for rule in rules]
    held = [name for name in names if what.lower() in name.split("-")]
    near = "" if " " in what.strip() else suggest(what, held or names)
    if near or held or OF_A_RULE.fullmatch(what):
        raise Refusal(f"unknown rule '{what}'{near}; `wirecheck rules list` lists all rules")
    raise Refusal(UNKNOWN.format(plain(what, 200)))


def _answer(known: Ruleset, found: list[Rule], color: str, order: str) -> Iterator[str]:
    if len(found) > 1:
        yield f"{len(found)} rules{order}; `wirecheck explain CODE` shows the page of one."
        yield from (clean(f"{rule.code}  {rule.name}: {rule.title}") for rule in found)
        return
    yield from _shown(page(found[0], known.models), color)


def _shown(text: str, color: str) -> Iterator[str]:
    screen = output.screen(sys.stdout, color)
    yield from render(text, screen) if sys.stdout.isatty() or screen.colour else map(clean, text.splitlines())
