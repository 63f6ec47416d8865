"""states, unique, count, and that memory is kept by conversation, saved and put back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.make import answer, call, content, fact, messages, misses, rule, ruleset
from wirecheck.rules import Rule
from wirecheck.talk.facts import FrameFact

MOVES = {
    "new": {"setup": "ready"},
    "ready": {"clientContent": "ready", "toolResponse": "ready", "bye": "over"},
    "over": {},
}
TALKS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("setup clientContent toolResponse bye", {}, []),
    ("clientContent setup clientContent", {}, ["1: clientContent while new, where setup"]),
    ("setup setup bye", {}, ["2: setup while ready, where clientContent, toolResponse, bye"]),
    ("setup bye bye", {}, ["3: bye while over, where nothing"]),
    ("setup gossip bye", {}, []),
    ("setup gossip bye", {"closed": True}, ["2: gossip while ready, where clientContent, toolResponse, bye"]),
]


@pytest.mark.parametrize(("talk", "more", "found"), TALKS)
def test_states_find_a_move_the_table_lacks(talk: str, more: dict[str, Any], found: list[str]) -> None:
    options = {"by": "says", "start": "new", "moves": MOVES, **more}
    made = rule({"states": options}, given="frame", message="{found.value} while {found.state}, where {found.allowed}")
    assert messages(made, [fact(FrameFact, line, says=says) for line, says in enumerate(talk.split(), 1)]) == found


def test_states_are_kept_for_each_value_and_move_by_other_words_than_text() -> None:
    options = {"by": "parts", "each": "role", "start": "a", "moves": {"a": {"1": "b"}, "b": {"2": "a"}}}
    made = rule({"states": options}, message="{role} {found.value}")
    facts = [
        content(1, role="user"),
        content(2, role="model"),
        content(3, role="user"),
        content(4, role="model", parts=2),
    ]
    assert messages(made, facts) == ["3: user 1"]


def test_unique_finds_the_second_and_relates_the_first() -> None:
    made = rule({"unique": {"value": "id"}}, given="call", message="{found.value}")
    found = misses(made, [call(id="a"), call(id="b", line=2), call(id=None), call(id=None), call(id="a", line=4)])
    assert [(miss.fact.spot.site.origin.line, dict(miss.values)) for miss in found] == [(4, {"value": "a"})]
    assert [(each.spot.site.origin.line, each.label) for each in found[0].related] == [(1, "the first")]


SCOPES = {"turn": ["2: a"], "conversation": ["2: a", "3: a"]}


@pytest.mark.parametrize(("within", "found"), SCOPES.items())
def test_unique_within(within: str, found: list[str]) -> None:
    made = rule({"unique": {"value": "id", "within": within}}, given="call", message="{id}")
    assert messages(made, [call(id="a", turn=1), call(id="a", turn=1, line=2), call(id="a", turn=3, line=3)]) == found


def test_unique_tells_values_apart_as_json_does() -> None:
    made = rule({"unique": {"value": "args"}}, given="call", message="{args}")
    args: list[Any] = [1, True, "1", {"a": 1, "b": 2}, [1], {"b": 2, "a": 1}]
    assert messages(made, [call(args=each, line=line) for line, each in enumerate(args)]) == ['5: {"b":2,"a":1}']


COUNTS: list[tuple[dict[str, Any], bool, list[str]]] = [
    ({"max": 2}, True, ["3: 3"]),
    ({"max": 4}, True, []),
    ({"max": 1, "of": "name"}, True, ["4: 2"]),
    ({"max": 1, "within": "turn"}, True, ["2: 2", "4: 2"]),
    ({"min": 5}, True, ["4: 4"]),
    ({"min": 5}, False, []),
    ({"min": 3, "within": "turn"}, True, ["2: 2", "4: 2"]),
]


@pytest.mark.parametrize(("options", "end", "found"), COUNTS, ids=str)
def test_count(options: dict[str, Any], end: bool, found: list[str]) -> None:
    made = rule({"count": options}, given="call", message="{found.count}")
    facts = [
        call("a", line=1, turn=1),
        call("a", line=2, turn=1),
        call("a", line=3, turn=3),
        call("b", line=4, turn=3),
    ]
    assert messages(made, facts, end=end) == found


REMEMBERING = [
    rule({"unique": {"value": "id"}}, given="call", name="unique"),
    rule({"count": {"max": 2, "of": "id"}}, given="call", name="count"),
    rule(
        {"states": {"by": "id", "start": "a", "moves": {"a": {"a": "b"}, "b": {"b": "a"}}}}, given="call", name="states"
    ),
    rule({"pair": {"with": "answer", "by": "id", "within": "next-turn", "same": ["count", "order"]}}, given="call"),
]
FACTS = st.lists(st.tuples(st.booleans(), st.sampled_from(["a", "b", "c"])), max_size=12)


def facts(drawn: list[tuple[bool, str]], conversation: str, start: int = 0) -> list[Any]:
    made = enumerate(drawn, start)
    return [
        (call if calls else answer)(id=id, line=line, conversation=conversation, turn=line)
        for line, (calls, id) in made
    ]


def shown(found: Any) -> list[tuple[str, int, dict[str, Any]]]:
    return [(miss.rule.name, miss.fact.spot.site.origin.line, dict(miss.values)) for miss in found]


@given(FACTS, FACTS, st.randoms(use_true_random=False))
def test_conversations_do_not_hear_of_each_other(one: list[Any], other: list[Any], random: Any) -> None:
    mixed, rules = facts(one, "c1") + facts(other, "c2"), ruleset(*REMEMBERING)
    order = sorted(mixed, key=lambda each: (each.turn, random.random()))
    found = misses(rules, order, end=True)
    for conversation, alone in (("c1", one), ("c2", other)):
        here = [miss for miss in found if miss.fact.context.conversation == conversation]
        assert shown(here) == shown(misses(ruleset(*REMEMBERING), facts(alone, conversation), end=True))


@given(FACTS, FACTS, FACTS)
def test_what_was_saved_is_put_back_as_it_was(start: list[Any], away: list[Any], further: list[Any]) -> None:
    """A conversation that goes another way from some point on is judged as if it had always gone there."""
    rules = ruleset(*REMEMBERING)
    misses(rules, facts(start, "c1"))
    saved = rules.save("c1")
    misses(rules, facts(away, "c1", len(start)))
    rules.restore("c2", saved)
    found = misses(rules, facts(further, "c2", len(start)), end=True)
    straight = ruleset(*REMEMBERING)
    misses(straight, facts(start, "c2"))
    assert [miss for miss in shown(found) if miss[1] >= len(start)] == [
        miss for miss in shown(misses(straight, facts(further, "c2", len(start)), end=True)) if miss[1] >= len(start)
    ]


@pytest.mark.parametrize("made", REMEMBERING, ids=lambda made: made.check)
def test_a_conversation_that_is_over_is_forgotten(made: Rule) -> None:
    rules, said = ruleset(made), facts([(True, "a"), (False, "a"), (True, "b")], "c1")
    first = shown(misses(rules, said, end=True))
    assert shown(misses(rules, said, end=True)) == first
    assert rules.save("c1") == {}
