"""Sequences that go on from one another are what tuples would be, and take the room of the longest."""

from random import Random

import pytest

from wirecheck.talk.shared import NONE, Shared


@pytest.mark.parametrize("seed", range(20))
def test_whoever_goes_on_changes_nobody_else(seed: int) -> None:
    rng = Random(seed)
    known: list[tuple[Shared, tuple[int, ...]]] = [(NONE, ())]
    for n in range(200):
        one, told = rng.choice((known[-1], rng.choice(known)))
        more = [n] * rng.randrange(3)
        known.append((one + more, (*told, *more)))
    for one, told in known:
        assert tuple(one) == told
        assert (len(one), bool(one)) == (len(told), bool(told))
        assert [one[n] for n in range(-len(told), len(told))] == [*told, *told]
        assert one[-3:] == [*told[-3:]]
        with pytest.raises(IndexError):
            one[len(told)]
    assert not NONE


def test_they_share_what_they_hold() -> None:
    paths = [NONE]
    for n in range(1000):
        paths.append(paths[-1] + [n])
    assert len({id(one._items) for one in paths[1:]}) == 1
