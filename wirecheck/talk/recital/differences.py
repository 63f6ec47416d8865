"""What a reply said beside what recites it, piece by piece: the differences that lose something.

Clients may put the texts of a stream together, drop thoughts and empty parts, add ids where the server gave none, and
add parts of their own: none of that is a difference.
"""

from collections.abc import Iterator

from msgspec import Struct

from wirecheck.talk.recital.call_pairs import Pair, same_args
from wirecheck.talk.recital.signature_cache import SignatureCache
from wirecheck.talk.recital.signed_parts import SERVED, SignedPart

# A thought may be dropped, and a part the server executed is told of as such: their signatures go with them.
_WITH_PART = SERVED | {"thought"}


class Difference(Struct, frozen=True):
    """What became of a piece the server said: `how`, and what stands in its place. `sure`: it is it beyond doubt."""

    how: str
    said: SignedPart
    other: SignedPart | None = None
    now: str | None = None
    sure: bool = True


def exact(said: list[SignedPart], recited: list[SignedPart]) -> bool:
    """The usual case, at the cost of a comparison."""
    return len(said) == len(recited) and all(map(_same, said, recited))


def _same(mine: SignedPart, theirs: SignedPart) -> bool:
    a, b = mine.signature, theirs.signature
    if (a.digest if a else 0) != (b.digest if b else 0) or mine.what != theirs.what:
        return False
    call, other = mine.call, theirs.call
    if call is None or other is None:
        return call is other
    return call.id in (None, other.id) and call.name == other.name and call.args == other.args


def differences(
    said: list[SignedPart], recited: list[SignedPart], pairs: list[Pair], given: SignatureCache
) -> Iterator[Difference]:
    matched = {id(mine) for mine, _ in pairs}
    for mine, theirs in pairs:
        yield from _call(mine, theirs)
        yield from _call_signature(mine, theirs, said, recited, given)
    yield from (Difference("missing", mine) for mine in said if mine.call is not None and id(mine) not in matched)
    yield from _signatures(said, recited, given)
    yield from _served(said, recited)


def _call(mine: SignedPart, theirs: SignedPart) -> Iterator[Difference]:
    call, other = mine.call, theirs.call
    if call is None or other is None:
        return
    if call.name != other.name:
        yield Difference("renamed", mine, theirs, other.name)
    if not same_args(call, other):
        yield Difference("args", mine, theirs)
    if call.id and call.id != other.id:
        yield Difference("id-replaced" if other.id else "id-dropped", mine, theirs, other.id)


def _call_signature(
    mine: SignedPart, theirs: SignedPart, said: list[SignedPart], recited: list[SignedPart], given: SignatureCache
) -> Iterator[Difference]:
    if mine.real is None:
        return
    if theirs.signature is None:
        moved = next((piece for piece in recited if piece.real == mine.real), None)
        yield Difference("moved" if moved else "unsigned", mine, moved or theirs)
    elif theirs.signature.bypass:
        yield Difference("bypassed", mine, theirs)
    else:
        yield from _forged(mine, theirs, said, given)


def _forged(
    mine: SignedPart, theirs: SignedPart, said: list[SignedPart], given: SignatureCache
) -> Iterator[Difference]:
    """Another signature than the server gave: that of another call, or one that no reply has. A call with the
    signature it has in another reply belongs to a conversation much like this one."""
    if mine.real is None or theirs.real is None or mine.real.digest == theirs.real.digest:
        return
    ids = [piece.call.id for piece in (mine, theirs) if piece.call is not None and piece.call.id]
    same = ids[:1] == ids[1:]
    if any(piece.real is not None and piece.real.digest == theirs.real.digest for piece in said):
        yield Difference("moved", mine, theirs)
    elif theirs.real not in given:
        begun = mine.real.head == theirs.real.head
        if begun or same or len(ids) < 2:  # else it is the call of a reply that the log does not hold
            yield Difference("forged", mine, theirs, sure=begun or (same and bool(ids)))
    elif mine.call is not None and theirs.call is not None and given.of_another(theirs.real, theirs.call):
        yield Difference("foreign", mine, theirs, sure=same and bool(ids))


def _signatures(said: list[SignedPart], recited: list[SignedPart], given: SignatureCache) -> Iterator[Difference]:
    """Signatures of other parts than calls. That of a text may stand on any text, for texts are put together."""
    places = {piece.real.digest: piece for piece in recited if piece.real is not None}
    for mine in said:
        if mine.real is None or mine.call is not None or mine.what in _WITH_PART:
            continue
        place = places.get(mine.real.digest)
        if place is None:
            yield from _unsigned(mine, said, recited, given)
        elif place.call is not None:
            yield Difference("moved", mine, place)


def _unsigned(
    mine: SignedPart, said: list[SignedPart], recited: list[SignedPart], given: SignatureCache
) -> Iterator[Difference]:
    """A part lost its signature: it has another now, was put together with a part of another one, or it has none."""
    known = {piece.real.digest for piece in said if piece.real is not None}
    alike = [piece for piece in recited if piece.what == mine.what and piece.real is not None]
    strange = next((piece for piece in alike if piece.real is not None and piece.real.digest not in known), None)
    if strange is not None:
        yield from _forged(mine, strange, said, given)
    elif alike and mine.what == "text":
        yield Difference("merged", mine, alike[0])
    else:
        yield Difference("unsigned", mine)


def _served(said: list[SignedPart], recited: list[SignedPart]) -> Iterator[Difference]:
    """Of what the server called and executed itself, each kind is told once."""
    kept = {piece.what for piece in recited}
    first = {piece.what: piece for piece in reversed(said) if piece.what in SERVED and piece.what not in kept}
    yield from (Difference("missing", piece) for piece in reversed(first.values()))
