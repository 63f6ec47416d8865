"""The signatures that a server gave lately, in whichever conversation, and which call each of them belongs to."""

from collections.abc import Iterable

from wirecheck.cache import Cache
from wirecheck.dialects.messages import Call
from wirecheck.hashing import digest, text_digest
from wirecheck.talk.recital.call_pairs import written
from wirecheck.talk.recital.signed_parts import Signature, SignedPart

Owner = str | int  # a call by its id, or by a hash of what it calls
NO_CALL: Owner = ""


class SignatureCache:
    """By signature, what it was given for."""

    __slots__ = ("_given",)

    def __init__(self, capacity: int = 32_768) -> None:
        self._given: Cache[int, Owner] = Cache(capacity)

    def add(self, signed: Iterable[SignedPart]) -> None:
        for piece in signed:
            if piece.real is not None:
                owner = NO_CALL if piece.call is None else piece.call.id or _what(piece.call)
                self._given.put(piece.real.digest, owner)

    def __contains__(self, signature: object) -> bool:
        return isinstance(signature, Signature) and signature.digest in self._given

    def of_another(self, signature: Signature, call: Call) -> bool:
        """Whether it was given, and for another part than this call. A call that lost its id may be any."""
        owner = self._given.get(signature.digest)
        if owner is None or (owner and isinstance(owner, str) and not call.id):
            return False
        return owner != (call.id if isinstance(owner, str) else _what(call))


def _what(call: Call) -> int:
    return digest(written(call)) ^ text_digest(call.name or "")
