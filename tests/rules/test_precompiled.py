"""What rules are compiled to is kept with them: nothing is compiled that is known, and what is known is never wrong."""

import marshal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rules.make import content, misses, rule, ruleset
from wirecheck import parsed, shipped
from wirecheck.rules import RuleError, load
from wirecheck.rules.code import KNOWN, Function
from wirecheck.rules.load import builtin
from wirecheck.rules.precompiled import compiled, know

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


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    known = dict(KNOWN)
    yield
    KNOWN.clear()
    KNOWN.update(known)


def test_all_functions_of_built_in_rules_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load()
    monkeypatch.setattr(Function, "_compile", None)
    made = [function.make() for function in rules.functions()]
    assert len(made) > 2 * len(rules.wants)
    assert rules.judge(content(role="nobody"))


def test_what_is_known_does_the_same() -> None:
    rules = [rule({"never": None}, where={"role": word}) for word in ("function", "tool")]
    KNOWN.clear()
    before = [misses(each, [content(role="tool")]) for each in rules]
    KNOWN.update(marshal.loads(compiled(rules[:1])))
    assert [misses(each, [content(role="tool")]) for each in rules] == before
    assert list(map(len, before)) == [0, 1]


def test_what_is_not_known_is_compiled() -> None:
    KNOWN.clear()
    assert ruleset(rule({"never": None})).judge(content())
    assert not KNOWN


def test_it_is_made_the_same_each_time() -> None:
    keys = [list(marshal.loads(compiled(builtin()))) for _ in range(2)]
    assert keys[0] == keys[1]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One with a single rule, the files of which are old enough to be kept."""
    shipped.models()
    monkeypatch.setattr(parsed, "SETTLED", -(1 << 62))
    monkeypatch.setattr(shipped, "PACKAGE", str(tmp_path / "wirecheck"))
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "models.yaml").write_text("{}")
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


def test_a_checkout_keeps_it_and_sees_each_change(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "rules" / "first.yaml").write_text(RULE.format(field="role"))
    load()
    kept = (checkout / "build" / shipped.CODE).read_bytes()
    (checkout / "rules" / "first.yaml").write_text(RULE.format(field="role|not"))
    load()
    assert (checkout / "build" / shipped.CODE).read_bytes() != kept
    KNOWN.clear()
    monkeypatch.setattr(Function, "_compile", None)
    load().judge(content())


def test_a_rule_of_a_checkout_that_names_what_there_is_not_is_told_at_once(checkout: Path) -> None:
    (checkout / "rules" / "first.yaml").write_text(RULE.format(field="rol"))
    for _ in range(2):
        with pytest.raises(RuleError, match=r"^rules/first\.yaml:8:9: a fact 'content' has no 'rol'"):
            load()


def test_a_wheel_for_another_python_carries_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "checkout", lambda: None)
    monkeypatch.setattr(shipped, "COMPILED", "/nowhere")
    KNOWN.clear()
    rules = [rule({"never": None})]
    know(rules)
    assert ruleset(*rules).judge(content())
    assert not KNOWN
