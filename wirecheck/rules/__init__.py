"""Facts in, Findings out. Rule files, checks, severities. No protocol."""

from wirecheck.rules.load import RuleError, load
from wirecheck.rules.rule import Example, Miss, Page, Rule
from wirecheck.rules.ruleset import Ruleset

__all__ = ["Example", "Miss", "Page", "Rule", "RuleError", "Ruleset", "load"]
