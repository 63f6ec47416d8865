"""Pairs of equal members, in the order of both sides."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.compare.alignment import aligned, gaps

WORDS = st.lists(st.sampled_from("abcdef"), max_size=12)


def pairs(first: str, second: str) -> list[tuple[int, int]]:
    return aligned(first, second, [1 if letter.islower() else 9 for letter in first])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("ac", "abc", [(0, 0), (1, 2)]),
        ("abc", "c", [(2, 0)]),
        ("", "abc", []),
        ("Ab", "bA", [(0, 1)]),  # the heavier keeps its place
        ("bA", "Ab", [(1, 0)]),
        ("xaYa", "aYa", [(1, 0), (2, 1), (3, 2)]),
        ("Ya", "aYa", [(0, 1), (1, 2)]),  # the second a, though it is the first here
    ],
)
def test_what_stands_in_the_same_order(first: str, second: str, expected: list[tuple[int, int]]) -> None:
    assert pairs(first, second) == expected


@given(WORDS, WORDS)
def test_pairs_are_equal_and_rise_on_both_sides(first: list[str], second: list[str]) -> None:
    found = aligned(first, second, [1] * len(first))
    assert all(first[n] == second[m] for n, m in found)
    assert all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(found))


@given(WORDS)
def test_a_sequence_is_aligned_with_itself(words: list[str]) -> None:
    assert aligned(words, words, [1] * len(words)) == [(n, n) for n in range(len(words))]


@given(WORDS, st.data())
def test_what_is_cut_out_leaves_all_others_aligned(words: list[str], data: st.DataObject) -> None:
    """Where each is said once."""
    once = list(dict.fromkeys(words))
    kept = data.draw(st.lists(st.sampled_from(once), unique=True)) if once else []
    rest = [word for word in once if word in kept]
    assert [once[n] for n, _ in aligned(once, rest, [1] * len(once))] == rest


def test_gaps_are_what_is_between_pairs() -> None:
    assert list(gaps([(1, 0), (2, 3)], 4, 4)) == [
        (range(1), range(0)),
        (range(2, 2), range(1, 3)),
        (range(3, 4), range(4, 4)),
    ]
