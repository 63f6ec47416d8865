"""The calls of a reply, each with the one that recites it."""

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from itertools import zip_longest
from math import inf
from typing import Any

import msgspec

from wirecheck.dialects.messages import Call
from wirecheck.talk.recital.signed_parts import SignedPart

Pair = tuple[SignedPart, SignedPart]
Tie = Callable[[SignedPart, Call], Hashable]

# What ties a recited call to one of the reply, in this order. None ties nothing. A signature may have been moved to a
# call beside it, so what was called comes first.
TIES: tuple[Tie, ...] = (
    lambda piece, call: call.id or None,
    lambda piece, call: (call.name, written(call), piece.real.digest) if piece.real is not None else None,
    lambda piece, call: (call.name, written(call)),
    lambda piece, call: piece.real.digest if piece.real is not None else None,
    lambda piece, call: call.name,
    lambda piece, call: written(call) if call.args else None,
)


def paired(said: list[SignedPart], recited: list[SignedPart]) -> list[Pair]:
    pairs: list[Pair] = []
    for tie in TIES:
        if not said or not recited:
            break
        pairs += _tied(said, recited, tie)
        taken = {id(piece) for pair in pairs for piece in pair}
        said, recited = ([piece for piece in some if id(piece) not in taken] for some in (said, recited))
    return pairs


def _tied(said: list[SignedPart], recited: list[SignedPart], tie: Tie) -> Iterator[Pair]:
    waiting: dict[Hashable, deque[SignedPart]] = {}
    for key, theirs in _keyed(recited, tie):
        waiting.setdefault(key, deque()).append(theirs)
    for key, mine in _keyed(said, tie):
        row = waiting.get(key)
        if row and not _other_call(mine, row[0]):
            yield mine, row.popleft()


def _keyed(some: list[SignedPart], tie: Tie) -> Iterator[tuple[Hashable, SignedPart]]:
    keyed = ((tie(piece, piece.call), piece) for piece in some if piece.call is not None)
    yield from ((key, piece) for key, piece in keyed if key is not None)


def _other_call(mine: SignedPart, theirs: SignedPart) -> bool:
    """With another name or other arguments, and another id or a signature of its own besides, it is another call."""
    call, other = mine.call, theirs.call
    if call is None or other is None or (call.name == other.name and same_args(call, other)):
        return False
    if call.id and other.id:
        return call.id != other.id
    own, signature = theirs.signature, mine.signature
    return own is not None and not own.bypass and (signature is None or not signature.akin(own))


def written(call: Call) -> bytes:
    try:
        return msgspec.json.encode(call.args, order="sorted")
    except (ValueError, TypeError, RecursionError):
        return b""


def same_args(call: Call, other: Call) -> bool:
    """Whether the arguments are the same for a server: none and empty ones are, and null is as good as absent."""
    return _alike(call.args or {}, other.args or {})


def _alike(a: Any, b: Any) -> bool:
    if a == b:
        return True
    if type(a) is dict and type(b) is dict:
        return all(_alike(a.get(key), b.get(key)) for key in {**a, **b})
    if type(a) is list and type(b) is list:
        return len(a) == len(b) and all(_alike(x, y) for x, y in zip_longest(a, b))
    if type(a) in (int, float) and type(b) in (int, float):
        return _as_float(a) == _as_float(b)  # some languages know no whole numbers beyond 2 ** 53
    return False


def _as_float(number: float) -> float:
    """The number as those languages know it."""
    try:
        return float(number)
    except OverflowError:
        return inf if number > 0 else -inf
