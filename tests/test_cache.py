"""A cache holds no more than its capacity; what was used while half of that came in is never evicted."""

from hypothesis import given
from hypothesis import strategies as st

from wirecheck.cache import Cache

USES = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(1, 9), st.booleans()), max_size=80)


@given(USES, st.integers(2, 30))
def test_what_was_used_lately_is_held_and_nothing_beyond_the_capacity(
    uses: list[tuple[str, int, bool]], capacity: int
) -> None:
    evicted: list[str] = []
    cache: Cache[str, str] = Cache(capacity, evicted.append)
    weights: dict[str, int] = {}
    order: list[str] = []  # of use, the latest last
    for key, weight, puts in uses:
        if puts:
            cache.put(key, key, weight)
            weights[key] = weight
        elif cache.get(key) is None:
            continue
        order = [other for other in order if other != key] + [key]
        held = set(cache)
        heaviest = max(weights.values())
        assert sum(weights[each] for each in held) <= capacity + 2 * heaviest
        lately = 0
        for each in reversed(order):
            lately += weights[each]
            if lately > capacity // 2:
                break
            assert each in cache
        assert held.isdisjoint(evicted[-1:]) or evicted[-1] in held


def test_each_that_goes_is_told_once() -> None:
    evicted: list[int] = []
    cache: Cache[int, int] = Cache(4, evicted.append)
    for number in range(1, 101):
        cache.put(number, number)
    assert evicted == sorted(set(evicted))
    assert sorted([*evicted, *cache]) == list(range(1, 101))


def test_what_is_dropped_is_not_told_and_weighs_nothing() -> None:
    evicted: list[str] = []
    cache: Cache[str, str] = Cache(10, evicted.append)
    for _ in range(50):
        cache.put("a", "a", 5)
        cache.drop("a")
    cache.put("b", "b", 5)
    assert ([*cache], evicted) == (["b"], [])


def test_what_is_asked_for_again_is_not_made_again() -> None:
    cache: Cache[str, object] = Cache(4)
    first = cache.get_or_make("a", object)
    for name in "bcdefgh":
        cache.get_or_make(name, object)
        assert cache.get_or_make("a", object) is first
    assert "b" not in cache
    assert cache.lacks(["b", "c"])
    assert not cache.lacks(["b", "a"])
