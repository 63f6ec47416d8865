"""Which conversation on the wire is which in the log."""

from collections.abc import Iterable, Sequence

from wirecheck.compare.spoken import SpokenConversation

COMMON = 64  # conversations that say the same: it tells no one from the other


def paired(
    log: Sequence[SpokenConversation], wire: Sequence[SpokenConversation]
) -> tuple[dict[int, list[int]], list[int]]:
    """For each conversation of the log, by its number, those on the wire that are of it, the likeliest first; and
    those on the wire that are of none.

    Each first has its likeliest alone. Others are of it as well where half of what they say is there: a session that
    was resumed, a history begun anew.
    """
    of = _alike(log, wire)
    taken = {one for several in of.values() for one in several}
    shared = _shared([(n, each) for n, each in enumerate(log) if n not in of], wire, taken)
    for _, n, m in sorted(shared, key=lambda each: (-each[0], each[1:])):
        if n not in of and m not in taken:
            of[n] = [m]
            taken.add(m)
    rest = _shared(enumerate(log), wire, taken)
    for weight, n, m in sorted(rest, key=lambda each: (-each[0], each[1:])):
        if m not in taken and 2 * weight >= wire[m].weight:
            of.setdefault(n, []).append(m)
            taken.add(m)
    return of, [m for m in range(len(wire)) if m not in taken]


def _alike(log: Sequence[SpokenConversation], wire: Sequence[SpokenConversation]) -> dict[int, list[int]]:
    """Those that say the same from beginning to end, in the order they come in."""
    waiting: dict[object, list[int]] = {}
    for m in range(len(wire) - 1, -1, -1):
        waiting.setdefault(wire[m].keys, []).append(m)
    return {n: [found.pop()] for n, each in enumerate(log) if (found := waiting.get(each.keys))}


def _shared(
    log: Iterable[tuple[int, SpokenConversation]], wire: Sequence[SpokenConversation], taken: set[int]
) -> list[tuple[int, int, int]]:
    """How much of the same two conversations say: its weight, and their numbers."""
    of: dict[object, list[int]] = {}
    for n, each in log:
        for key in _weights(each):
            of.setdefault(key, []).append(n)
    weights: dict[tuple[int, int], int] = {}
    for m, each in enumerate(wire):
        if m in taken:
            continue
        for key, weight in _weights(each).items():
            there = of.get(key, ())
            for n in there if len(there) <= COMMON else ():
                weights[n, m] = weights.get((n, m), 0) + weight
    return [(weight, n, m) for (n, m), weight in weights.items()]


def _weights(conversation: SpokenConversation) -> dict[object, int]:
    """What it says, and the ids of its calls."""
    found: dict[object, int] = {}
    for one in conversation.utterances:
        found[one.key] = one.weight
        found.update(dict.fromkeys(one.ids, one.weight))
    return found
