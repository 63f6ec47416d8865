"""Loads rules: the built-in ones and a user's own, and selects among them.

A user's rules are validated on each run, those of a checkout when they are parsed, that is after a change.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

from wirecheck.data import shipped
from wirecheck.rules.engine.rule_parts import parts
from wirecheck.rules.engine.ruleset import Ruleset
from wirecheck.rules.language.fields import UnknownName
from wirecheck.rules.language.rule import Rule, page, rule
from wirecheck.rules.language.select import choose
from wirecheck.secrets.scrub import plain

LONGEST = 500  # characters of a line about a problem


class RuleError(Exception):
    """Rules cannot be used. `problems` has one line for each reason."""

    def __init__(self, problems: Iterable[object]) -> None:
        self.problems = tuple(lines(problems))
        super().__init__("\n".join(self.problems))


def load(user_paths: Sequence[str] = (), select: Iterable[str] = (), ignore: Iterable[str] = ()) -> Ruleset:
    """Loads the built-in rules and those of `user_paths`, and keeps `select` (all by default) without `ignore`."""
    known, mine = builtin(), _own(user_paths) if user_paths else []
    rules = [*without(known, mine), *mine]
    if doubled := list(twice(rules)):
        raise RuleError(doubled)
    try:
        chosen = choose(rules, list(select), list(ignore))
    except UnknownName as unknown:
        raise RuleError([str(unknown)]) from None
    return Ruleset(chosen, shipped.models(), set(rules).difference(chosen))


def builtin() -> list[Rule]:
    """The rules that ship with wirecheck."""
    pages = cache(partial(_values, "pages"))
    return [_builtin(path, value, pages) for path, value in _values("rules").items()]


def lines(found: Iterable[object]) -> list[str]:
    """Problems as lines that are safe for a terminal."""
    return [plain(str(each), LONGEST) for each in found]


def without(rules: Sequence[Rule], mine: Sequence[Rule]) -> list[Rule]:
    """The built-in rules without those whose own files the user has named."""
    files = {os.path.realpath(each.path) for each in mine}
    if not files:
        return list(rules)
    return [each for each in rules if os.path.realpath(os.path.join(shipped.root(), each.path)) not in files]


def twice(rules: Sequence[Rule]) -> Iterator[str]:
    """Problems for names and codes used twice: no rule may replace another silently."""
    taken: dict[str, Rule] = {}
    for each in rules:
        for what, name in (("name", each.name), ("code", each.code)):
            first = taken.setdefault(name, each)
            if first is not each:
                yield f"{each.path}: the {what} '{name}' is taken by {first.path}"


def _builtin(path: str, value: Any, pages: Callable[[], Mapping[str, Any]]) -> Rule:
    return rule(value, path, lambda: page(pages()[path]), builtin=True)


def _values(part: str) -> dict[str, Any]:
    """The built-in rules, or their pages, by path."""
    folder = shipped.checkout()
    if folder is None:
        found: dict[str, Any] = shipped.compiled(part)
    else:
        files = shipped.rule_files(folder)
        found = shipped.parsed(part, files, lambda: parts(_parsed(folder))[part])
    return found


# Imported late: most runs neither read YAML nor validate rules.


def _parsed(folder: str) -> dict[str, Any]:
    from wirecheck.rules.engine.checked_files import parse_builtin

    return parse_builtin(folder)


def _own(paths: Sequence[str]) -> list[Rule]:
    from wirecheck.rules.engine.checked_files import own

    return own(paths)
