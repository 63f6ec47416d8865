"""Which members of one sequence stand for which of another: a heavy run of equal ones in the order of both."""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise

Pair = tuple[int, int]  # the number of a member, and of the one on the other side
ROUNDS = 3  # what was said several times is seen best between what was said once


def aligned(first: Sequence[Hashable], second: Sequence[Hashable], weights: Sequence[int]) -> list[Pair]:
    """The pairs of equal members that stand in the same order on both sides.

    `weights` are those of `first`: where not all pairs can keep their order, the heavier ones do. Takes n log n steps.
    """
    begin = 0
    while begin < len(first) and begin < len(second) and first[begin] == second[begin]:
        begin += 1
    pairs = [(n, n) for n in range(begin)]
    for _ in range(ROUNDS):
        found = [
            pair
            for here, there in gaps(pairs, len(first), len(second))
            for pair in _heaviest(_nth_with_nth(first, second, here, there), weights)
        ]
        if not found:
            break
        pairs = sorted([*pairs, *found])
    return pairs


def gaps(pairs: Sequence[Pair], first: int, second: int) -> Iterator[tuple[range, range]]:
    """What stands between one pair and the next, on either side, before the first and after the last."""
    for (n, m), (next_n, next_m) in pairwise([(-1, -1), *pairs, (first, second)]):
        yield range(n + 1, next_n), range(m + 1, next_m)


def _nth_with_nth(first: Sequence[Hashable], second: Sequence[Hashable], here: range, there: range) -> list[Pair]:
    """Of what occurs several times, the first with the first, the second with the second, and so on."""
    places: dict[Hashable, list[int]] = {}
    for m in reversed(there) if here else ():
        places.setdefault(second[m], []).append(m)
    return [(n, found.pop()) for n in here if (found := places.get(first[n]))] if places else []


def _heaviest(pairs: Sequence[Pair], weights: Sequence[int]) -> list[Pair]:
    """The heaviest run in which both numbers rise. The first numbers of the pairs rise anyway.

    A Fenwick tree holds the heaviest runs by the number they end with on the other side.
    """
    ranks = sorted(m for _, m in pairs)
    heaviest = [(0, -1)] * (len(pairs) + 1)  # the weight of a run, and the number of its last pair
    before = list[int]()
    for k, (n, m) in enumerate(pairs):
        rank = at = bisect_left(ranks, m)
        best = (0, -1)
        while at > 0:
            best = max(best, heaviest[at])
            at &= at - 1
        before.append(best[1])
        run, at = (best[0] + weights[n], k), rank + 1
        while at < len(heaviest):
            heaviest[at] = max(heaviest[at], run)
            at += at & -at
    last, kept = max(heaviest)[1], list[Pair]()
    while last >= 0:
        kept.append(pairs[last])
        last = before[last]
    return kept[::-1]
