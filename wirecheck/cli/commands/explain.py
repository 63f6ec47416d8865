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
from wirecheck.rules.language.template import outline
from wirecheck.rules.pages.close_page import close_page
from wirecheck.rules.pages.page import page
from wirecheck.rules.pages.vague_page import vague_page
from wirecheck.rules.server_word.texts import LONGEST, likeliest
from wirecheck.secrets.scrub import plain

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
CODE = re.compile(r"(?<!\d)1\d{3}(?!\d)")  # of a close
SHORT = 3  # rules of which none is likelier that are told in short
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
    asked = (standard_input().read(LONGEST) if what == "-" else what).strip()
    told = close_page(asked, known.rules) or vague_page(asked, known.rules)
    if told is not None:
        output.write(_shown(told, color))
    elif named := _named(known.rules, asked):
        output.write(_answer(known, [named], color))
    elif found := likeliest(known.rules, asked):
        output.write(_answer(known, found, color, heard=True))
    elif (code := CODE.search(asked)) is not None and (told := close_page(code[0], known.rules)) is not None:
        output.write(_shown(told, color))
    else:
        raise _unknown(known.rules, asked)


def _named(rules: Sequence[Rule], what: str) -> list[Rule]:
    """The rules that a name, a code or a prefix means."""
    named = [rule for rule in rules if what.lower() == rule.name or what.upper() == rule.code]
    said = [] if " " in what else [rule for rule in rules if matches(rule, what)]
    return named or sorted(said, key=lambda rule: rule.code)


def _unknown(rules: Sequence[Rule], what: str) -> Refusal:
    names = [rule.code if what.isupper() else rule.name for rule in rules]
    held = [name for name in names if what.lower() in name.split("-")]
    near = "" if " " in what else suggest(what, held or names)
    if near or held or OF_A_RULE.fullmatch(what):
        return Refusal(f"unknown rule '{what}'{near}; `wirecheck rules list` lists all rules")
    return Refusal(UNKNOWN.format(plain(what, 200)))


def _answer(known: Ruleset, found: list[list[Rule]], color: str, *, heard: bool = False) -> Iterator[str]:
    """The page of one rule; of several a list, and where a text was `heard`, the likeliest in short."""
    every = [rule for several in found for rule in several]
    if len(every) == 1:
        yield from _shown(page(every[0], known.models), color)
        return
    yield f"{len(every)} rules{', likeliest first' if heard else ''}; `wirecheck explain CODE` shows the page of one."
    for n, rule in enumerate(every):
        yield clean(f"{rule.code}  {rule.name}: {rule.title}")
        if heard and n < max(1, min(len(found[0]), SHORT)):
            yield clean(f"    {rule.why}")
            yield from [clean(f"    What to do: {outline(rule.help.strip())}")] if rule.help else []


def _shown(text: str, color: str) -> Iterator[str]:
    screen = output.screen(sys.stdout, color)
    yield from render(text, screen) if sys.stdout.isatty() or screen.colour else map(clean, text.splitlines())
