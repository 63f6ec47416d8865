"""Reads small values as other programs write them. What does not fit becomes None or empty, never an error."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw

from wirecheck.wire.records import Peer

SENDERS: dict[str, Peer] = {
    **dict.fromkeys(("client", "sent", "send", "out", "outgoing", "outbound", "user"), "client"),
    **dict.fromkeys(("server", "received", "receive", "recv", "in", "incoming", "inbound", "model"), "server"),
}
_decode = msgspec.json.Decoder().decode


def value(raw: Raw | None) -> Any:
    return None if raw is None else _decode(raw)


def text(raw: Raw | None) -> str | None:
    found = value(raw)
    return found if type(found) is str else None


def name(raw: Raw | None) -> str | None:
    """A text, also where it is written as a number."""
    found = value(raw)
    return str(found) if type(found) in (str, int) else None


def integer(raw: Raw | None) -> int | None:
    found = value(raw)
    if type(found) is str and found.isascii() and found.isdigit() and len(found) < 10:
        return int(found)
    return found if type(found) is int else None


def seconds(raw: Raw | None) -> float | None:
    found = value(raw)
    try:
        return float(found) if type(found) in (int, float) else None
    except OverflowError:  # an integer of hundreds of digits
        return None


def sender(found: Any) -> Peer | None:
    return SENDERS.get(found.lower()) if type(found) is str else None


def headers(raw: Raw | None) -> dict[str, str]:
    return named(value(raw))


def named(found: Any) -> dict[str, str]:
    """Headers written as an object, a list of {name, value} or a list of pairs. Several values of a name are joined."""
    if isinstance(found, dict):
        return {str(key): _joined(item) for key, item in found.items()}
    return dict(filter(None, map(_pair, found))) if isinstance(found, list) else {}


def _pair(item: Any) -> tuple[str, str] | None:
    if isinstance(item, Mapping) and "name" in item:
        return str(item["name"]), _joined(item.get("value"))
    return (str(item[0]), _joined(item[1])) if isinstance(item, list) and len(item) == 2 else None


def _joined(item: Any) -> str:
    return ", ".join(map(_joined, item)) if isinstance(item, list) else "" if item is None else str(item)


def step(key: str | int) -> str:
    """One step of a JSON pointer, escaped."""
    return "/" + str(key).replace("~", "~0").replace("/", "~1")
