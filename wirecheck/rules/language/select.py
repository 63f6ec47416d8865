"""Selects rules by name, code, prefix of a code (WC3), or glob."""

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from wirecheck.rules.language.fields import UnknownName, suggest
from wirecheck.rules.language.rule import Rule

_PREFIX = re.compile(r"[A-Z]{1,8}[0-9]*")


def choose(rules: Sequence[Rule], select: Sequence[str], ignore: Sequence[str]) -> list[Rule]:
    """The selected rules (all by default) without the ignored ones. Raises UnknownName for a term that fits none."""
    selected = _matching(rules, select) if select else set(rules)
    ignored = _matching(rules, ignore)
    return [rule for rule in rules if rule in selected and rule not in ignored]


def matches(rule: Rule, term: str) -> bool:
    """Whether a term matches a rule."""
    if any(sign in term for sign in "*?["):
        return fnmatchcase(rule.name, term.lower()) or fnmatchcase(rule.code, term.upper())
    return term.lower() == rule.name or (bool(_PREFIX.fullmatch(term.upper())) and rule.code.startswith(term.upper()))


def _matching(rules: Sequence[Rule], terms: Iterable[str]) -> set[Rule]:
    found: set[Rule] = set()
    for term in terms:
        several = {rule for rule in rules if matches(rule, term)}
        if not several:
            names = [rule.code if term.isupper() else rule.name for rule in rules]
            raise UnknownName(f"unknown rule '{term}'{suggest(term, names)}")
        found |= several
    return found
