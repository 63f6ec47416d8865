"""A cache holds no more than its capacity, and evicts what was used least recently."""

from hypothesis import given
from hypothesis import strategies as st

from wirecheck.cache import Cache

KEPT = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 12)), max_size=40)


@given(KEPT, st.integers(0, 20), st.integers(0, 3))
def test_what_was_used_least_recently_is_evicted(kept: list[tuple[str, int]], capacity: int, light: int) -> None:
    cache: Cache[str, str] = Cache(capacity, light)
    order: dict[str, int] = {}
    for key, weight in kept:
        order.pop(key, None)
        if weight > light:
            order[key] = weight
        evicted = []
        while sum(order.values()) > capacity:
            evicted.append(first := next(iter(order)))
            del order[first]
        assert list(cache.put(key, key, weight)) == evicted
        assert {key: weight for key, (_, weight) in cache.entries.items()} == order
        assert cache.weight == sum(order.values())


@given(KEPT)
def test_what_is_dropped_has_no_weight(kept: list[tuple[str, int]]) -> None:
    cache: Cache[str, int] = Cache(30)
    for n, (key, weight) in enumerate(kept):
        cache.put(key, n, weight)
        cache.drop("a")
    assert cache.weight == sum(weight for _, weight in cache.entries.values())
    assert "a" not in cache.entries


def test_what_is_asked_for_again_is_not_made_again() -> None:
    cache: Cache[str, object] = Cache(10)
    first, other = cache.get_or_make("a", 6, object), cache.get_or_make("b", 3, object)
    assert cache.get_or_make("a", 6, object) is first
    cache.get_or_make("c", 4, object)
    assert cache.get_or_make("a", 6, object) is first
    assert cache.get_or_make("b", 3, object) is not other
