"""JSON only as far as it is needed: an object's keys or a list's items, each still undecoded."""

from collections.abc import Sequence
from typing import Any, overload

import msgspec
from msgspec import Raw

from wirecheck.dialects.names import camel
from wirecheck.wire.record import Body

slices = msgspec.json.Decoder(list[Raw]).decode
members = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode
OK = 200
LARGE = 1 << 20  # bytes of a list whose items are not copied
# What reading JSON that somebody else wrote may raise.
Undecodable = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)


class Slices(Sequence[bytes]):
    """The items of a large list, each of them copied for whoever asks for it, and no longer."""

    def __init__(self, items: Sequence[Raw]) -> None:
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, n: int) -> bytes: ...
    @overload
    def __getitem__(self, n: slice) -> Sequence[bytes]: ...
    def __getitem__(self, n: int | slice) -> bytes | Sequence[bytes]:
        return Slices(self._items[n]) if isinstance(n, slice) else bytes(self._items[n])


def sliced(raw: bytes | Raw) -> Sequence[bytes]:
    """The items of a list."""
    items = slices(raw)
    return tuple(map(bytes, items)) if len(raw) < LARGE else Slices(items)


def decode(raw: bytes | Raw) -> Any:
    try:
        return _value(raw)
    except msgspec.ValidationError:  # a number that is JSON and beyond a float
        import json

        return json.loads(bytes(raw), parse_int=float)


def decoded(body: Body) -> tuple[Any, str | None]:
    """The JSON value of a body, or why there is none."""
    if body.form != "json":
        return None, f"it is {body.form}"
    try:
        return decode(body.payload), None
    except Undecodable as error:
        return None, str(error)


def breaks_off(body: Body) -> bool:
    """Whether a stream broke off within this event: that it has no end is told then."""
    return body.site.event is not None and body.raw.startswith(b"{")


def replied(body: Body, status: int) -> tuple[Any, str | None]:
    """The JSON value of a reply, or why there is none. Of a server that failed, the page of some proxy is an error."""
    value, why = decoded(body)
    if why is None or status == OK or breaks_off(body):
        return value, why
    return {"error": body.raw[:500].decode(errors="replace")}, None


def begins(raw: bytes | Raw) -> bytes:
    """The first byte of a value."""
    return raw.lstrip()[:1] if isinstance(raw, bytes) else bytes(memoryview(raw)[:1])


def top_keys(raw: bytes | Raw) -> frozenset[str] | None:
    """The keys of a JSON object, in camelCase; of a list, those of all its members. None where it is neither."""
    try:
        if begins(raw) == b"[":
            found = [top_keys(item) or frozenset() for item in slices(raw)]
            return frozenset().union(*found) if found else frozenset(("contents",))
        return frozenset(map(camel, members(raw)))
    except Undecodable:
        return None
