"""The rules wirecheck comes with: well formed, documented, and shown by their examples."""

import re
from pathlib import Path, PurePath

import pytest
from msgspec.structs import replace

from wirecheck import sources
from wirecheck.compare import compare_records
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import Example, Rule, Ruleset, load
from wirecheck.rules.engine.checked_files import check
from wirecheck.rules.pages.examples import failures, records
from wirecheck.rules.pages.reference import ROOT

RULESET = load()
# The hundreds of codes, by subject.
SUBJECTS = {
    "shape": "1",
    "config": "1",
    "roles": "2",
    "order": "23",
    "pairing": "3",
    "ids": "3",
    "signatures": "4",
    "recital": "3",
    "replies": "5",
    "tools": "6",
    "live": "7",
    "interactions": "8",
    "chat": "8",
    "log": "9",
}


def test_evidence_has_a_date() -> None:
    """But for one rule, whose evidence has none."""
    undated = [rule.name for rule in load().rules if rule.links and rule.page().seen is None]
    assert undated == ["first-content-model"]


def test_the_built_in_rules_are_well_formed() -> None:
    assert check() == []


@pytest.mark.parametrize("rule", RULESET.rules, ids=lambda rule: rule.name)
def test_a_built_in_rule_is_documented_and_shown(rule: Rule) -> None:
    page = rule.page()
    assert page.good
    assert page.bad
    assert all(example.finds for example in page.bad)
    assert rule.help
    assert rule.code.startswith("WC")
    assert len(rule.code) == 5


@pytest.mark.parametrize("rule", RULESET.rules, ids=lambda rule: rule.name)
def test_a_code_says_its_subject(rule: Rule) -> None:
    assert rule.code[2] in SUBJECTS[PurePath(rule.path).parent.name]


@pytest.mark.parametrize("rule", RULESET.rules, ids=lambda rule: rule.name)
def test_the_examples_of_a_built_in_rule_behave(rule: Rule) -> None:
    failed = failures([rule], RULESET, Inspector, sources.read_file, compare_records)
    assert [(each.example.name, each.expected, each.found) for each in failed] == []


@pytest.mark.parametrize("rule", RULESET.rules, ids=lambda rule: rule.name)
def test_every_severity_of_a_built_in_rule_is_shown_by_an_example(rule: Rule) -> None:
    declared = {rule.severity} if isinstance(rule.severity, str) else {case["is"] for case in rule.severity}
    assert {each.severity for example in rule.page().bad for each in found(rule, example)} == declared - {"off"}


def found(rule: Rule, example: Example) -> list[Finding]:
    alone = Ruleset([rule], RULESET.models)
    if example.wire:
        wire = records(replace(example, log=example.wire), sources.read_file)
        return compare_records(records(example, sources.read_file), wire, alone)
    inspector = Inspector(alone, predict=example.predict)
    heard = [finding for record in records(example, sources.read_file) for finding in inspector.feed(record)]
    return heard + inspector.close()


def test_the_rule_in_the_guide_behaves(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "writing-rules.md").read_text("utf-8")
    example = re.search(r"```yaml\n(name: .*?)```", guide, re.DOTALL)
    assert example is not None
    text = re.sub(r"(?m)^name: \S+", "name: mine", re.sub(r"(?m)^code: \S+", "code: MY100", example[1]))
    (tmp_path / "mine.yaml").write_text(text, "utf-8")
    ruleset = load([str(tmp_path)], select=["mine"])
    failed = failures(ruleset.rules, ruleset, Inspector, sources.read_file, compare_records)
    assert [(each.example.name, each.expected, each.found) for each in failed] == []


def test_the_very_file_of_a_built_in_rule_may_be_named() -> None:
    folder = str(ROOT / "rules" / "roles")
    assert check([folder]) == []
    rules = load([folder]).rules
    assert sorted(rule.name for rule in rules) == sorted(rule.name for rule in RULESET.rules)
    assert {PurePath(rule.path).parent.name for rule in rules if not rule.builtin} == {"roles"}
