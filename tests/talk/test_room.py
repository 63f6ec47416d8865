"""A room holds no more than it has room for, and lets go what was idle longest."""

from hypothesis import given
from hypothesis import strategies as st

from wirecheck.talk.made import Made
from wirecheck.talk.room import Room

KEPT = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 12)), max_size=40)


@given(KEPT, st.integers(0, 20), st.integers(0, 3))
def test_what_leaves_is_what_was_idle_longest(kept: list[tuple[str, int]], most: int, light: int) -> None:
    room: Room[str, str] = Room(most, light)
    order: dict[str, int] = {}
    for key, weight in kept:
        order.pop(key, None)
        if weight > light:
            order[key] = weight
        left = []
        while sum(order.values()) > most:
            left.append(first := next(iter(order)))
            del order[first]
        assert list(room.keep(key, key, weight)) == left
        assert {key: weight for key, (_, weight) in room.held.items()} == order
        assert room.weight == sum(order.values())


@given(KEPT)
def test_what_is_dropped_has_no_weight(kept: list[tuple[str, int]]) -> None:
    room: Room[str, int] = Room(30)
    for n, (key, weight) in enumerate(kept):
        room.keep(key, n, weight)
        room.drop("a")
    assert room.weight == sum(weight for _, weight in room.held.values())
    assert "a" not in room.held


def test_what_is_asked_for_again_is_not_made_again() -> None:
    made: Made[object] = Made(10)
    first, other = made.of("a", 6, object), made.of("b", 3, object)
    assert made.of("a", 6, object) is first
    made.of("c", 4, object)
    assert made.of("a", 6, object) is first
    assert made.of("b", 3, object) is not other
