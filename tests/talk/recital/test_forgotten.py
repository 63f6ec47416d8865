"""What is gone from the history of a request, told from the hashes of its contents."""

from wirecheck.talk.recital.forgotten import gaps


def test_a_few_contents_alike_do_not_make_a_history_of_which_the_rest_is_gone() -> None:
    before, after = [9, *range(20, 45), 1], [8, 9, 1, 2]
    assert [gap.how for gap in gaps(before, after, start=3)] == ["trimmed"]
    assert [gap.how for gap in gaps([*range(10), 20, 21, 22, 23, 1], [*range(10), 1, 2], start=11)] == ["gone"]


def test_a_turn_that_is_gone_from_the_middle_is_told_however_long_it_was() -> None:
    assert [gap.how for gap in gaps([0, 1, *range(20, 28), 2], [0, 1, 2, 3], start=3)] == ["gone"]


def test_what_stood_last_may_be_gone_as_well() -> None:
    (gap,) = gaps([0, 1, 20, 21], [0, 1, 30, 31], start=2)
    assert (gap.how, gap.at, gap.first, gap.count) == ("gone", 2, 2, 2)
