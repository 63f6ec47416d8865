"""A set of rules: which there are, which are asked, and what asking costs."""

import pytest

from tests.rules.make import content, fact, misses, rule, ruleset
from wirecheck.rules import Rule, RuleError, load
from wirecheck.rules.checks.never import Never
from wirecheck.rules.engine.ruleset import RuleCrashed
from wirecheck.rules.language.fields import UnknownName
from wirecheck.rules.language.select import choose
from wirecheck.talk.facts import FACTS, PartFact

RULES = [
    rule({"never": None}, name="unanswered-function-call", code="WC301"),
    rule({"never": None}, name="function-responses-split", code="WC303"),
    rule({"never": None}, name="invalid-role", code="WC201"),
    rule({"never": None}, name="mine", code="MY100"),
]

SELECTED: list[tuple[list[str], list[str], list[str]]] = [
    ([], [], ["WC301", "WC303", "WC201", "MY100"]),
    (["WC301"], [], ["WC301"]),
    (["invalid-role", "mine"], [], ["WC201", "MY100"]),
    (["WC3"], [], ["WC301", "WC303"]),
    (["wc"], [], ["WC301", "WC303", "WC201"]),
    (["*function*"], [], ["WC301", "WC303"]),
    (["WC?01"], [], ["WC301", "WC201"]),
    (["*"], ["WC3"], ["WC201", "MY100"]),
    ([], ["unanswered-function-call"], ["WC303", "WC201", "MY100"]),
    (["WC301"], ["WC"], []),
]


@pytest.mark.parametrize(("select", "ignore", "codes"), SELECTED, ids=str)
def test_rules_are_selected_and_then_ignored(select: list[str], ignore: list[str], codes: list[str]) -> None:
    assert [each.code for each in choose(RULES, select, ignore)] == codes


UNKNOWN = {
    "invalid-rule": "unknown rule 'invalid-rule', did you mean 'invalid-role'?",
    "WC302": "unknown rule 'WC302', did you mean 'WC303'?",
    "WX": "unknown rule 'WX'",
    "nothing*": "unknown rule 'nothing*'",
    "": "unknown rule ''",
}


@pytest.mark.parametrize(("term", "said"), UNKNOWN.items())
def test_a_term_that_means_no_rule_is_an_error(term: str, said: str) -> None:
    for select, ignore in (([term], []), ([], [term])):
        with pytest.raises(UnknownName) as refused:
            choose(RULES, select, ignore)
        assert str(refused.value).startswith(said)


def test_loading_says_which_rule_is_unknown() -> None:
    with pytest.raises(RuleError, match="unknown rule 'no-such-rule-anywhere'"):
        load(select=["no-such-rule-anywhere"])


def test_a_fact_of_a_kind_nobody_asks_for_is_well() -> None:
    assert misses(ruleset(*RULES), [fact(PartFact)]) == []


def test_rules_are_asked_in_order_and_each_for_itself() -> None:
    one = rule({"never": None}, where={"value.a": 1}, name="one")
    two = rule({"shape": {"value.a": 1}}, name="two")
    three = rule({"never": None}, where={"value.a": 1, "role": "user"}, name="three")
    rules = ruleset(one, two, three)
    assert [miss.rule.name for miss in rules.judge(content(value={"a": 1}))] == ["one", "three"]
    assert [miss.rule.name for miss in rules.judge(content(value={"a": 2}))] == ["two"]


def test_a_fault_of_ours_says_where_in_the_log_it_showed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Never, "look", None)
    with pytest.raises(RuleCrashed, match=r"'content' at log\.jsonl:7"):
        ruleset(RULES[0]).judge(content(7))


@pytest.mark.parametrize("kind", FACTS)
def test_every_kind_of_fact_can_be_asked_for(kind: str) -> None:
    made: Rule = rule({"shape": {"surface|starts": "gemini"}}, given=kind, where={"model|exists": True, "turn": None})
    assert callable(ruleset(made)._judging(kind))
