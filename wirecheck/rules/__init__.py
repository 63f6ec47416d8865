"""Facts in, Findings out. Rule files, checks, severities. No protocol."""

from wirecheck.rules.load import RuleError, check, load
from wirecheck.rules.rule import Example, Miss, Rule
from wirecheck.rules.ruleset import Ruleset

__all__ = ["Example", "Miss", "Rule", "RuleError", "Ruleset", "check", "load"]
