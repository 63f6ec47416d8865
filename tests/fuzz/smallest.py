"""Makes an input small that something is wrong with: lines, then values of JSON, then bytes are left out."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

PATIENCE = 30.0  # seconds
Same = Callable[[bytes], bool]


def smallest(data: bytes, same: Same, patience: float = PATIENCE) -> bytes:
    """The least that `same` still holds of, as far as time allows."""
    end = time.monotonic() + patience
    before = b""
    while data != before and time.monotonic() < end:
        before = data
        for pieces in (_lines, _values, _chunks):
            data = _without(data, same, pieces, end)
    return data


def _without(data: bytes, same: Same, pieces: Callable[[bytes], Iterator[bytes]], end: float) -> bytes:
    """Takes the first smaller one that holds, until none does."""
    again = True
    while again and time.monotonic() < end:
        again = False
        for less in pieces(data):
            if time.monotonic() > end:
                break
            if len(less) < len(data) and same(less):
                data, again = less, True
                break
    return data


def _lines(data: bytes) -> Iterator[bytes]:
    lines = data.split(b"\n")
    size = len(lines) // 2
    while size:
        for at in range(0, len(lines), size):
            yield b"\n".join(lines[:at] + lines[at + size :])
        size //= 2


def _values(data: bytes) -> Iterator[bytes]:
    lines = data.split(b"\n")
    for n, line in enumerate(lines):
        try:
            value = json.loads(line)
            smaller = list(map(json.dumps, _smaller(value)))
        except (ValueError, RecursionError):
            continue
        yield from (b"\n".join([*lines[:n], text.encode(), *lines[n + 1 :]]) for text in smaller)


def _smaller(value: Any) -> Iterator[Any]:
    """The value without one member or item, or with one of them smaller; the largest pieces first."""
    if isinstance(value, dict):
        yield from ({other: value[other] for other in value if other != key} for key in value)
        yield from ({**value, key: less} for key in value for less in _smaller(value[key]))
    elif isinstance(value, list):
        yield from (value[:n] + value[n + 1 :] for n in range(len(value)))
        yield from ([*value[:n], less, *value[n + 1 :]] for n in range(len(value)) for less in _smaller(value[n]))
    elif isinstance(value, str) and len(value) > 1:
        yield value[: len(value) // 2]


def _chunks(data: bytes) -> Iterator[bytes]:
    size = max(1, len(data) // 2)
    while size:
        for at in range(0, len(data), size):
            yield data[:at] + data[at + size :]
        size //= 2
