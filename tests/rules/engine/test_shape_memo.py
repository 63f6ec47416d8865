"""The first piece with a key is asked about in full; of the next one only what rules may have something to say of."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pytest

from tests.rules.make import call, content, context, rule, ruleset
from wirecheck.cache import Cache
from wirecheck.rules import Ruleset
from wirecheck.rules.engine.shape_memo import ShapeMemo
from wirecheck.talk.facts import Fact
from wirecheck.talk.lazy_facts import LazyFacts

SILENT = ruleset(rule({"never": None}, where={"role": "nobody"}))


class Asked:
    """Pieces as the inspector asks about them, and how many facts were made for that."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules, self.memo, self.made = rules, ShapeMemo(rules), 0

    def about(self, key: Hashable, facts: Sequence[Fact], halves: tuple[Hashable, ...] = ()) -> list[int]:
        """The numbers of the facts that are asked about."""

        def make() -> Iterator[Fact]:
            for each in facts:
                self.made += 1
                yield each

        asked = []
        for each in self.memo.worth_asking(LazyFacts(key, make, halves)):
            self.rules.judge(each)
            asked.append(facts.index(each))
        return asked


def facts(*roles: str) -> list[Any]:
    return [content(n, role=role) for n, role in enumerate(roles, 1)]


def test_where_no_rule_speaks_nothing_is_asked_again() -> None:
    asked = Asked(SILENT)
    assert not asked.memo.holds("a")
    assert asked.about("a", facts("user", "model")) == [0, 1]
    assert asked.memo.holds("a")
    assert asked.about("a", facts("user", "model")) == []
    assert (asked.memo.heard, asked.memo.regular) == (2, 1)


def test_what_a_rule_speaks_of_is_asked_each_time_and_the_rest_is_not() -> None:
    asked = Asked(SILENT)
    for _ in range(3):
        found = asked.about("a", facts("user", "nobody", "model"))
        assert not asked.memo.holds("a")
    assert found == [1]


def test_without_a_key_all_is_asked() -> None:
    asked = Asked(SILENT)
    assert [asked.about(None, facts("user")) for _ in range(3)] == [[0]] * 3


def test_what_no_key_decides_is_asked_each_time() -> None:
    asked = Asked(ruleset(rule({"never": None}, given="call", where={"args.city": "Rome"})))
    each = [content(1), call(args={"city": "Oslo"}, line=2)]
    assert [asked.about("a", each) for _ in range(3)] == [[0, 1], [1], [1]]


def test_a_rule_that_speaks_only_at_other_times_is_asked_each_time() -> None:
    late = ruleset(rule({"never": None}, severity=[{"since": "2099-01-01", "is": "error"}], where={"role": "user"}))
    asked = Asked(late)
    assert [asked.about("a", facts("user", "model")) for _ in range(2)] == [[0, 1], [0]]


@pytest.mark.parametrize(("roles", "holds"), [(("user",), True), (("user", "nobody"), False)])
def test_halves_are_quiet_where_the_whole_is(roles: tuple[str, ...], holds: bool) -> None:
    asked = Asked(SILENT)
    asked.about("ab", facts(*roles), ("a", "b"))
    assert [asked.memo.holds(half) for half in "ab"] == [holds] * 2


def test_a_piece_that_is_left_in_the_middle_is_not_known() -> None:
    """Whoever asks may find a fault."""
    asked = Asked(SILENT)
    next(asked.memo.worth_asking(LazyFacts("a", lambda: facts("user", "model"))))
    assert not asked.memo.holds("a")
    assert asked.about("a", facts("user", "model")) == [0, 1]


def test_keys_are_forgotten_when_there_are_many() -> None:
    asked = Asked(SILENT)
    asked.memo._asked = Cache(8)
    for n in range(100):
        asked.about(n, facts("user"))
        asked.about("often", facts("user"))
    assert asked.memo.holds("often")
    assert not asked.memo.holds(0)
    assert asked.about(0, facts("user")) == [0]
    assert len([*asked.memo._asked]) <= 16


CONTEXTS: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    ({"conversation": "c2"}, True),
    ({"model": "gemini-3.6-pro"}, True),
    ({"model": "gemini-3.6-flash-lite"}, False),
    ({"band": "gemini-3"}, False),
    ({"surface": "vertex"}, False),
    ({"version": "v1"}, False),
    ({"protocol": "chat"}, False),
    ({"whole": False}, False),
    ({"method": "BidiGenerateContent"}, False),
]


@pytest.mark.parametrize(("other", "alike"), CONTEXTS, ids=str)
def test_contexts_are_one_where_no_rule_can_tell_them(other: dict[str, Any], alike: bool) -> None:
    memo = ShapeMemo(ruleset(rule({"never": None}, where={"model|ends": "-lite"})))
    assert (memo.context_class(context()) == memo.context_class(context(**other))) is alike
