"""A sequence that only grows is a tuple, whoever else adds to what it was made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.talk.append_only import AppendOnly


@given(st.lists(st.tuples(st.integers(0, 30), st.lists(st.integers(), max_size=3))))
def test_it_is_a_tuple(steps: list[tuple[int, list[int]]]) -> None:
    grown, tuples = [AppendOnly[int]()], [tuple[int, ...]()]
    for at, more in steps:
        at %= len(grown)
        grown.append(grown[at].plus(more))
        tuples.append((*tuples[at], *more))
    for one, other in zip(grown, tuples, strict=True):
        assert tuple(one) == other
        assert len(one) == len(other)
        assert [one[n] for n in range(-len(other), len(other))] == [*other, *other]


def test_what_others_added_is_not_seen() -> None:
    one = AppendOnly([1, 2])
    one.plus([3])
    with pytest.raises(IndexError):
        one[2]


def test_what_is_added_to_the_latest_is_not_copied() -> None:
    one = AppendOnly(range(3))
    assert one.plus([4])._shared is one._shared
    assert one.plus([5])._shared is not one._shared
