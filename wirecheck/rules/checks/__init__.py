"""The checks a rule can use: a closed set, one module each."""

from wirecheck.rules.checks.base import Check, Found, Listens, Watch, Watching
from wirecheck.rules.checks.count import Count
from wirecheck.rules.checks.never import Never
from wirecheck.rules.checks.pair import Pair
from wirecheck.rules.checks.schema import SchemaCheck
from wirecheck.rules.checks.shape import Shape
from wirecheck.rules.checks.states import States
from wirecheck.rules.checks.unique import Unique

CHECKS: dict[str, type[Check]] = {
    "never": Never,
    "shape": Shape,
    "schema": SchemaCheck,
    "pair": Pair,
    "states": States,
    "unique": Unique,
    "count": Count,
}

__all__ = ["CHECKS", "Check", "Found", "Listens", "Watch", "Watching"]
