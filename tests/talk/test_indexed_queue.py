"""A queue with keys is a list that is searched, only faster."""

from hypothesis import given
from hypothesis import strategies as st

from tests.work import work
from wirecheck.talk import indexed_queue
from wirecheck.talk.indexed_queue import IndexedQueue

KEYS = st.sampled_from("abc")
STEPS = st.lists(
    st.tuples(st.just("add"), st.lists(KEYS, max_size=3, unique=True))
    | st.tuples(st.sampled_from(["take", "forget"]), st.lists(KEYS, min_size=1, max_size=2))
)


@given(STEPS, st.integers(0, 3))
def test_it_finds_what_a_search_finds(steps: list[tuple[str, list[str]]], many: int) -> None:
    indexed_queue.MANY, usual = many, indexed_queue.MANY
    try:
        _agree(steps)
    finally:
        indexed_queue.MANY = usual


def _agree(steps: list[tuple[str, list[str]]]) -> None:
    queue, searched = IndexedQueue[int](), dict[int, set[str]]()
    for n, (what, keys) in enumerate(steps):
        first = next((place for place, own in searched.items() if own & set(keys)), None)
        if what == "add":
            searched[queue.add(n, keys)] = set(keys)
            continue
        assert queue.first(keys) == first
        if first is not None and what == "take":
            queue.take(first)
            del searched[first]
        elif what == "forget":
            other = next((place for place, own in searched.items() if keys[0] in own), None)
            queue.forget_first(keys[0])
            if other is not None:
                searched[other].remove(keys[0])
    assert len(queue) == len(searched)
    assert all(place in queue for place in searched)


def test_places_of_taken_items_are_forgotten() -> None:
    queue = IndexedQueue[int]()
    for n in range(10_000):
        queue.take(queue.add(n, ["never asked for", n]))
    assert sum(map(len, queue._rows.values())) <= 2 * (indexed_queue.MANY + 1)


def test_items_cost_the_same_each() -> None:
    def taken(count: int) -> int:
        queue = IndexedQueue[int]()
        for n in range(count):
            queue.add(n, ["all", n])

        def take() -> None:
            for n in reversed(range(count)):
                place = queue.first([n])
                assert place is not None
                queue.take(place)
                queue.first(["all"])

        return work(take)

    assert taken(16_000) < 4.5 * taken(4_000)
