"""The functions of rules are kept with them, and used for the very rules that they were made of."""

from pathlib import Path

import pytest

from tests.rules.make import content, rule, ruleset
from wirecheck import parsed, shipped
from wirecheck.rules import Rule, RuleError, Ruleset, load
from wirecheck.rules.code import Function
from wirecheck.rules.load import builtin
from wirecheck.rules.precompiled import kept
from wirecheck.rules.ruleset import WRITERS

RULE = """
name: first
code: XX100
title: A title
severity: error
doc: Why.
given: content
where: {{{field}: user}}
check: {{never: null}}
message: "said"
examples: {{good: [], bad: []}}
"""


def made(rules: Ruleset) -> list[object]:
    return [rules._function(purpose, kind) for kind in rules.wants for purpose in WRITERS]


def test_all_functions_of_built_in_rules_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load()
    monkeypatch.setattr(Function, "make", None)
    assert len(made(rules)) == 3 * len(rules.wants)


def test_where_a_rule_is_left_out_what_is_kept_of_its_kind_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    (left_out,) = load(select=["invalid-role"]).rules
    rules = load(ignore=["invalid-role"])
    assert [miss.rule.name for miss in load().judge(content(role="nobody"))] == ["invalid-role"]
    assert rules.judge(content(role="nobody")) == []
    monkeypatch.setattr(Function, "make", None)
    with pytest.raises(TypeError):
        load(ignore=["invalid-role"])._function("judge", left_out.given)


PLAIN = [
    rule({"never": None}, where={"role": ["function", "tool"], "value.parts.0.text|exists": True}, name="one"),
    rule({"shape": {"role|pattern": "^[a-z]+$", "keys|contains": "parts"}}, name="two"),
    rule({"never": None}, severity=[{"band": "gemini-1", "is": "off"}, {"is": "info"}], name="three"),
    rule({"never": None}, where={"model|starts": "gemini-9"}, name="four"),
]
FACTS = [content(role=role, model=model) for role in ("user", "tool", "A") for model in ("gemini-9", "other", None)]


def test_what_is_kept_does_the_same() -> None:
    plain = ruleset(*PLAIN)
    functions = {kind: (tuple(PLAIN), each) for kind, (_, each) in plain.kept().items()}
    kept = Ruleset(PLAIN, shipped.models(), kept=functions)
    for fact in FACTS:
        assert [miss.rule for miss in kept.judge(fact)] == [miss.rule for miss in plain.judge(fact)]
        assert kept.spares(fact) == plain.spares(fact)
        assert kept.kin(fact.context.model, ["content", "part"]) == plain.kin(fact.context.model, ["content", "part"])


def test_a_check_that_is_more_than_a_condition_is_not_kept() -> None:
    assert not ruleset(rule({"schema": {"of": "value", "is": {"type": "string"}}}, given="part")).kept()


@pytest.mark.parametrize("rules", [PLAIN, builtin()], ids=["plain", "built in"])
def test_it_is_made_the_same_each_time(rules: list[Rule]) -> None:
    first, second = (ruleset(*rules).kept() for _ in range(2))
    assert list(first) == list(second)
    assert [paths for paths, _ in first.values()] == [paths for paths, _ in second.values()]


class Checkout:
    """One with a single rule, the files of which are old enough to be kept."""

    def __init__(self, folder: Path) -> None:
        self._rule = folder / "rules" / "first.yaml"
        self._rule.parent.mkdir()
        (folder / "rules" / "models.yaml").write_text("{}")
        (folder / "pyproject.toml").touch()

    def finds(self, field: str) -> bool:
        """Whether it finds something wrong with a user's words where it asks this."""
        self._rule.write_text(RULE.format(field=field))
        return bool(load().judge(content(role="user")))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    shipped.models()
    monkeypatch.setattr(parsed, "SETTLED", -(1 << 62))
    monkeypatch.setattr(shipped, "PACKAGE", str(tmp_path / "wirecheck"))
    return Checkout(tmp_path)


def test_a_checkout_keeps_it_and_sees_each_change(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [checkout.finds(field) for field in ("role", "role|not", "role")] == [True, False, True]
    monkeypatch.setattr(Function, "make", None)
    assert load().judge(content(role="user"))


def test_a_change_is_seen_that_came_just_now(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept of it yet, and what is kept is of the rule as it was."""
    assert checkout.finds("role")
    monkeypatch.setattr(parsed, "SETTLED", 1 << 62)
    assert [checkout.finds(field) for field in ("role|not", "role", "role|not")] == [False, True, False]


@pytest.mark.parametrize("settled", [-(1 << 62), 1 << 62])
def test_a_rule_that_names_what_there_is_not_is_told_at_once(
    checkout: Checkout, settled: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checkout.finds("role")
    monkeypatch.setattr(parsed, "SETTLED", settled)
    for _ in range(2):
        with pytest.raises(RuleError, match=r"^rules/first\.yaml:8:9: a fact 'content' has no 'rol'"):
            checkout.finds("rol")


def test_a_wheel_for_another_python_carries_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "checkout", lambda: None)
    monkeypatch.setattr(shipped, "COMPILED", "/nowhere")
    assert kept(PLAIN) == {}
