"""Facts in, Findings out. Rule files, checks, severities. Knows no protocol."""

from wirecheck.rules.engine.load import RuleError, load
from wirecheck.rules.engine.ruleset import Ruleset
from wirecheck.rules.language.rule import Example, Miss, Page, Rule

__all__ = ["Example", "Miss", "Page", "Rule", "RuleError", "Ruleset", "load"]
