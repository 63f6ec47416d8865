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
        # An unknown rule may be named in the settings.
        terms = {"select": select, "ignore": ignore}
        keys = [key for key, named in terms.items() if any(f"unknown rule '{term}'" in str(error) for term in named)]
        at = next(filter(None, map(place, keys)), "")
        raise Refusal(f"{at}: {error}" if at else str(error)) from None


def each_once(paths: Sequence[str]) -> list[str]:
    """Paths without repetitions, also in another spelling."""
    named: dict[str, str] = {}
    for path in paths:
        named.setdefault("-" if path == "-" else os.path.realpath(path), path)
    return list(named.values())
