"""Calls of a reply, each recited once."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.work import work
from wirecheck.dialects.messages import Call, Spot
from wirecheck.talk.made_calls import MadeCalls, hashable
from wirecheck.wire.records import Origin, Site

SPOT = Spot(Site(Origin("log.jsonl", 1)))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.0, 1.0, 0.5, "", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)
CALLS = st.lists(
    st.builds(
        Call,
        id=st.sampled_from([None, "", "1", "2"]),
        name=st.sampled_from([None, "f", "g"]),
        args=st.none() | st.dictionaries(st.just("x"), st.sampled_from([1, 1.0, 2]), max_size=1),
        spot=st.just(SPOT),
    ),
    max_size=6,
)


@given(JSON, JSON)
def test_keys_are_equal_where_values_are(one: Any, other: Any) -> None:
    assert (hashable(one) == hashable(other)) == (one == other)


@given(CALLS, CALLS)
def test_each_takes_the_call_of_its_id_else_one_alike(made: list[Call], recited: list[Call]) -> None:
    left, calls = list(made), MadeCalls(made)
    for call in recited:
        named = [n for n, each in enumerate(left) if call.id and each.id == call.id]
        same = [n for n, each in enumerate(left) if (each.name, each.args or {}) == (call.name, call.args or {})]
        expected = next(iter(named + same), None)
        assert calls.take(call) is (None if expected is None else left.pop(expected))


def test_arguments_too_deep_to_compare_are_no_difference() -> None:
    deep: Any = 0
    for _ in range(5_000):
        deep = [deep]
    made = [Call(id=None, name=name, args={"x": deep}, spot=SPOT) for name in "fg"]
    assert MadeCalls(made).take(Call(id="1", name="g", args={"x": deep}, spot=SPOT)) is made[1]


def test_calls_cost_the_same_each() -> None:
    def taken(count: int) -> int:
        made = [Call(id=f"made {n}", name="f", args={"x": n}, spot=SPOT) for n in range(count)]
        recited = [Call(id=f"recited {n}", name="f", args={"x": n}, spot=SPOT) for n in reversed(range(count))]

        def take() -> None:
            calls = MadeCalls(made)
            assert all([calls.take(call) for call in recited])

        return work(take)

    assert taken(16_000) < 4.5 * taken(4_000)
