"""The checks a rule can use: a closed set, one module each."""

from wirecheck.rules.checks.base import Check, Found
from wirecheck.rules.checks.never import Never
from wirecheck.rules.checks.schema import SchemaCheck
from wirecheck.rules.checks.shape import Shape

CHECKS: dict[str, type[Check]] = {
    "never": Never,
    "shape": Shape,
    "schema": SchemaCheck,
}

__all__ = ["CHECKS", "Check", "Found"]
