"""What stood in the request before and stands in this one no more, although the conversation goes on.

Of the request before only the hashes of its contents are known. Contents that were written anew in place are no gap.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from wirecheck.dialects.messages import Spot
from wirecheck.talk.facts import ForgottenFact, Linked
from wirecheck.talk.history_state import TurnContext
from wirecheck.talk.lazy_facts import LazyFacts, small

Places = Callable[[int], Spot]

# Some trim the oldest turns and keep the very first content. A cut right after it is one of these where it is long, or
# the history is.
_LONG_CUT, _LONG_HISTORY = 4, 8


class Gap(Struct, frozen=True):
    """Contents `first` and following of the request before are gone; they stood before content `at` of this one."""

    how: str
    at: int
    first: int
    count: int


def gaps(before: Sequence[int], after: Sequence[int], start: int) -> Iterator[Gap]:
    """`start` is the first content after the last words of the request before, or where these are gone, after what is
    left of it."""
    if not before or start <= 0 or before == after[: len(before)]:
        return
    kept = set(after)
    following = (len(before) - 1, start - 1) if after[start - 1] == before[-1] else (len(before), start)
    earlier = list(_anchors(before, after, following))
    anew = before[0] != after[0] and 2 * len(earlier) < len(before)
    for i, j in earlier:
        yield from _gap(before, kept, (i, j), following, anew=anew)
        following = (i, j)


def _anchors(before: Sequence[int], after: Sequence[int], following: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """What both have in common, in order, from the last words backwards; in the end what comes before everything."""
    places: dict[int, list[int]] = {}
    count, limit = following
    for j, one in enumerate(after[:limit]):
        places.setdefault(one, []).append(j)
    for i in range(count - 1, -1, -1):
        row = places.get(before[i], [])
        while row and row[-1] >= limit:
            row.pop()
        if row:
            limit = row.pop()
            yield i, limit
    yield -1, -1


def _gap(
    before: Sequence[int], kept: set[int], left: tuple[int, int], right: tuple[int, int], *, anew: bool
) -> Iterator[Gap]:
    lost = [i for i in range(left[0] + 1, right[0]) if before[i] not in kept]
    others = right[1] - left[1] - 1
    if len(lost) > others:
        how = "condensed" if others else _cut(len(lost), len(before), left, anew=anew)
        yield Gap(how, right[1], lost[0], len(lost) - others)


def _cut(lost: int, length: int, left: tuple[int, int], *, anew: bool = False) -> str:
    """`anew`: it begins otherwise, and has but a few contents that stood in the one before."""
    after_first = left == (0, 0) and (lost >= _LONG_CUT or length >= _LONG_HISTORY)
    return "trimmed" if after_first or left == (-1, -1) or (anew and lost >= _LONG_CUT) else "gone"


def forgotten(
    before: Sequence[int], after: Sequence[int], start: int, turn_context: TurnContext, there: Places
) -> Iterator[LazyFacts]:
    for gap in gaps(before, after, start):
        yield from turn_context.lazy(("forgotten", gap.how, small(gap.count)), partial(_fact, gap, turn_context, there))


def _fact(gap: Gap, turn_context: TurnContext, there: Places) -> Iterator[ForgottenFact]:
    yield ForgottenFact(
        context=turn_context.context,
        spot=turn_context.where(gap.at),
        turn=gap.at,
        related=(Linked(there(gap.first), "it stood here before"),),
        how=gap.how,
        contents=gap.count,
    )
