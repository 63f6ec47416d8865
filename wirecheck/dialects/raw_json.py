"""Decodes JSON one level deep: the members of an object or the items of a list, each still undecoded."""

from collections.abc import Sequence
from typing import Any, overload

import msgspec
from msgspec import Raw

from wirecheck.dialects.vocabulary.field_names import camel
from wirecheck.hashing import chained, digest
from wirecheck.wire.nesting import TOO_DEEP, may_be_deep, too_deep
from wirecheck.wire.recited_prefix import Elided
from wirecheck.wire.records import Body

slices = msgspec.json.Decoder(list[Raw]).decode
members = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode
OK = 200
# What decoding untrusted JSON may raise.
Undecodable = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)


class Slices(Sequence[bytes]):
    """The contents of a request, undecoded. Each is copied out of the line when it is asked for, and not kept.

    `hashes[n]` is the hash of content n, `chain[n]` that of contents 0 to n. Contents that were elided from the line
    are split only when one of them is asked for.
    """

    __slots__ = ("_begin", "_elided", "_items", "chain", "hashes")

    def __init__(self, items: list[Raw], elided: Elided | None = None) -> None:
        self._items, self._elided = items, elided
        known = elided.prefix if elided is not None else None
        if known is None:
            self._begin, last = 0, 0
            self.hashes, self.chain = list[int](), list[int]()
        else:
            self._begin, last = len(known.hashes), known.chain[-1]
            self.hashes, self.chain = known.hashes[:], known.chain[:]
        for item in items:
            own = digest(item)
            self.hashes.append(own)
            last = chained(last, own)
            self.chain.append(last)

    def __len__(self) -> int:
        return len(self.hashes)

    @property
    def size(self) -> int:
        """Bytes of the contents that were not elided."""
        return sum(map(len, self._items))

    @overload
    def __getitem__(self, n: int) -> bytes: ...
    @overload
    def __getitem__(self, n: slice) -> Sequence[bytes]: ...
    def __getitem__(self, n: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(n, slice):
            return [self[each] for each in range(*n.indices(len(self)))]
        n = range(len(self))[n]
        if n < self._begin and self._elided is not None:
            self._items, self._begin = slices(self._elided.recited()) + self._items, 0
        return bytes(self._items[n - self._begin])


def sliced(raw: bytes | Raw) -> Slices:
    """The items of a list."""
    return Slices(slices(raw))


def sliced_short(raw: bytes | Raw, elided: Elided) -> Slices | None:
    """The items of a list in a short line. None where the first is not the token that stands for the prefix: then
    something else was elided."""
    items = slices(raw)
    if elided.prefix is not None:
        if not items or bytes(items[0]) != elided.finder.token:
            return None
        del items[0]
    found = Slices(items, elided)
    if len(found):
        elided.learn(raw, found.hashes, found.chain)
    return found


NO_SLICES = Slices([])


def decode(raw: bytes | Raw) -> Any:
    """The value. Raises RecursionError where it is nested deeper than is read."""
    try:
        value = _value(raw)
    except msgspec.ValidationError:  # a number beyond the range of floats
        import json

        value = json.loads(bytes(raw), parse_int=float)
    if may_be_deep(raw) and too_deep(value):
        raise RecursionError(TOO_DEEP)
    return value


def deep(raw: bytes | Raw) -> bool:
    """Whether JSON is nested deeper than is read."""
    if not may_be_deep(raw):
        return False
    try:
        decode(raw)
    except RecursionError:
        return True
    except Undecodable:
        return False
    return False


def why_not(error: Exception) -> str:
    """Why JSON could not be decoded."""
    return TOO_DEEP if isinstance(error, RecursionError) else f"not JSON: {error}"


def decoded(body: Body) -> tuple[Any, str | None]:
    """The JSON value of a body, or why there is none."""
    if body.form != "json":
        return None, f"not JSON: it is {body.form}"
    try:
        return decode(body.payload), None
    except Undecodable as error:
        return None, why_not(error)


def breaks_off(body: Body) -> bool:
    """Whether a stream broke off within this event. Then only its missing end is reported."""
    return body.site.event is not None and body.raw.startswith(b"{")


def replied(body: Body, status: int) -> tuple[Any, str | None]:
    """The JSON value of a reply, or why there is none. A failure that is not JSON, such as a proxy's page, is an
    error."""
    value, why = decoded(body)
    if why is None or status == OK or breaks_off(body):
        return value, why
    return {"error": body.raw[:500].decode(errors="replace")}, None


def begins(raw: bytes | Raw) -> bytes:
    """The first byte of a value."""
    return raw.lstrip()[:1] if isinstance(raw, bytes) else bytes(memoryview(raw)[:1])


def top_keys(raw: bytes | Raw) -> frozenset[str] | None:
    """The keys of a JSON object, in camelCase; of a list, those of all its items. None for anything else.

    Raises RecursionError where it is nested too deep to say.
    """
    try:
        if begins(raw) == b"[":
            found = [top_keys(item) or frozenset() for item in slices(raw)]
            return frozenset().union(*found) if found else frozenset(("contents",))
        return frozenset(map(camel, members(raw)))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
