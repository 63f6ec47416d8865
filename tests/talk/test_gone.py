"""What is gone from the history of a request, told from the hashes of its contents."""

from array import array

from hypothesis import assume, given
from hypothesis import strategies as st

from wirecheck.talk.gone import gaps, trimmed

WORDS = st.integers(0, 6)  # few, so that some are said again


@given(st.lists(WORDS, min_size=2, max_size=14), st.integers(0, 2), st.integers(1, 12), st.lists(WORDS, max_size=4))
def test_a_history_is_trimmed_where_the_only_gap_says_so(
    before: list[int], head: int, gone: int, new: list[int]
) -> None:
    assume(head + gone < len(before))  # the last words are kept
    kept = [*before[:head], *before[head + gone :]]
    after, start = [*kept, *new], len(kept)
    several = [(gap.how, gap.at) for gap in gaps(before, after, start)]
    told = trimmed(array("Q", before), array("Q", after), start)
    if told is not None:
        assert several == [("trimmed", told)]
        assert [*before[:told], *before[len(before) - start + told :]] == kept
    elif len({*before, *new}) == len(before) + len(new):
        assert several[0][0] == "gone"


def test_a_few_contents_alike_do_not_make_a_history_of_which_the_rest_is_gone() -> None:
    before, after = [9, *range(20, 45), 1], [8, 9, 1, 2]
    assert [gap.how for gap in gaps(before, after, start=3)] == ["trimmed"]
    assert [gap.how for gap in gaps([*range(10), 20, 21, 22, 23, 1], [*range(10), 1, 2], start=11)] == ["gone"]


def test_a_turn_that_is_gone_from_the_middle_is_told_however_long_it_was() -> None:
    assert [gap.how for gap in gaps([0, 1, *range(20, 28), 2], [0, 1, 2, 3], start=3)] == ["gone"]
