"""Loads the rules that a command line selects. Reads no log."""

import os
from collections.abc import Sequence

from wirecheck.cli.config import place
from wirecheck.cli.exits import Refusal
from wirecheck.rules import RuleError, Ruleset, load


def ruleset(paths: Sequence[str], select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Ruleset:
    try:
        return load(user_paths=each_once(paths), select=select, ignore=ignore)
    except RuleError as error:
        at = _said_by(str(error), select=select, ignore=ignore)
        raise Refusal(f"{at}: {error}" if at else str(error)) from None


def each_once(paths: Sequence[str]) -> list[str]:
    """Paths without repetitions, also in another spelling."""
    named: dict[str, str] = {}
    for path in paths:
        named.setdefault("-" if path == "-" else os.path.realpath(path), path)
    return list(named.values())


def _said_by(error: str, **terms: Sequence[str]) -> str:
    """The place in the settings that names an unknown rule."""
    keys = [key for key, named in terms.items() if any(f"unknown rule '{term}'" in error for term in named)]
    return next(filter(None, map(place, keys)), "")
