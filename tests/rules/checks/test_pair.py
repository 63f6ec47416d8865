"""pair: the given fact must have its partner."""

from typing import Any

import pytest

from tests.rules.make import answer, call, content, fact, findings, messages, rule
from wirecheck.rules import Rule
from wirecheck.talk.facts import CallSettledFact


def facts(script: str) -> list[Any]:
    """`c:a` a call with id a, `r:a` its response, `u` and `m` texts of user and model, `x:a` a cancellation."""
    made: list[Any] = []
    for line, (word, _, id) in enumerate((each.partition(":") for each in script.split()), 1):
        match word:
            case "c":
                made.append(call(id=id or None, line=line))
            case "r" | "f":
                made.append(answer(id=id or None, line=line, role="function" if word == "f" else "user"))
            case "x":
                made.append(fact(CallSettledFact, line, id=id, how="cancelled"))
            case speaker:
                made.append(content(line, speaker={"u": "user", "m": "model"}[speaker]))
    return made


def pair(**options: Any) -> Rule:
    options = {"with": "answer", "by": "id", **options}
    return rule({"pair": options}, given="call", message="{id} {found.why}")


CASES: list[tuple[str, dict[str, Any], str, list[str]]] = [
    ("answered", {}, "c:a c:b r:b r:a", []),
    ("unanswered", {}, "c:a c:b r:b", ["1: a missing"]),
    ("answered twice", {}, "c:a r:a r:a", ["3: a again"]),
    ("answered never or twice", {"times": "at-most-one"}, "c:a c:b r:b r:b", ["4: b again"]),
    ("asked twice", {}, "c:a r:a c:a r:a", []),
    ("no call", {}, "r:a", []),
    ("no id", {}, "c: r:", []),
    ("no tie: in order", {"by": None}, "c:a c:b r:x", ["2: b missing"]),
    ("in the next turn", {"within": "next-turn"}, "u c:a c:b r:a r:b m", []),
    ("too late", {"within": "next-turn"}, "u c:a u m r:a", ["2: a missing"]),
    ("calls in several contents", {"within": "next-turn"}, "u m c:a m c:b u r:a r:b m", []),
    ("role", {"role": "user"}, "c:a c:b f:a r:b", ["3: a role"]),
    ("cancelled", {"cancelled-by": {"given": "call-settled", "where": {"how": "cancelled"}}}, "c:a c:b x:a r:b", []),
    ("cancelled, another field", {"cancelled-by": "call-settled", "cancel-by": "by"}, "c:a x:a", ["1: a missing"]),
]


@pytest.mark.parametrize(("options", "script", "found"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_pair(options: dict[str, Any], script: str, found: list[str]) -> None:
    assert messages(pair(**options), facts(script), end=True) == found


SAME = [
    ("c:a c:b r:a r:b m", []),
    ("c:a c:b r:b r:a m", ["1: order of 2"]),
    ("c:a c:b c:c r:a m", ["1: count of 3", "2: missing of nothing", "3: missing of nothing"]),
    ("c:a r:a r:z m", ["1: count of 1"]),
    ("c:a c:b u m", ["1: missing of nothing", "2: missing of nothing"]),
    ("c:a r:a c:b r:b r:c m", ["3: count of 1"]),
]


@pytest.mark.parametrize(("script", "found"), SAME)
def test_partners_of_a_turn_are_as_many_and_in_order(script: str, found: list[str]) -> None:
    options = {"with": "answer", "by": "id", "within": "next-turn", "same": ["count", "order"]}
    made = rule({"pair": options}, given="call", message="{found.why} of {found.wanted}")
    assert sorted(messages(made, facts(script))) == found


def test_nothing_is_missing_where_the_log_merely_stops() -> None:
    assert messages(pair(), facts("c:a"), end=False) == []


def test_the_partner_may_have_to_come_before() -> None:
    options = {"with": {"given": "call", "where": {"name": "now"}}, "by": "id", "comes": "before"}
    made = rule({"pair": options}, given="answer", message="{id} {found.why}")
    said = [
        call(id="a"),
        answer(id="a", line=2),
        call("then", id="b", line=3),
        answer(id="b", line=4),
        answer(id="c", line=5),
    ]
    assert messages(made, said, end=True) == ["4: b missing", "5: c missing"]


def test_the_two_may_be_tied_by_fields_of_different_names() -> None:
    made = rule({"pair": {"with": "answer", "by": {"given": "id", "with": "name"}}}, given="call", message="{id}")
    assert messages(made, [call(id="a"), call(id="b", line=2), answer("a", id="z")], end=True) == ["2: b"]


RELATED = {"c:a r:a r:a": (2, "the first"), "c:a f:a": (1, "what it belongs to")}


@pytest.mark.parametrize(("script", "other"), RELATED.items())
def test_the_other_half_is_related(script: str, other: tuple[int, str]) -> None:
    (found,) = findings(pair(role="user"), facts(script))
    assert [(each.place.line, each.label) for each in found.related] == [other]
