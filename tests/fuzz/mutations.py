"""Inputs made of others: values, keys, words, lines and bytes of them changed, lost, doubled or put elsewhere.

Any byte string goes in, and the same seed makes the same of it.
"""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.memo.test_mutations import CHANGES, walk
from tests.properties.test_hostile_values import HOSTILE

DEPTHS = (20, 60, 120, 260, 340, 520, 960, 970, 1100)  # limits of nesting lie between
# Values that tables, comparisons and terminals are not made for. Written as they are: JSON has more than Python writes.
RAW = (
    *(b"null", b"-0", b"1e999", b"-1e-999", b"9" * 40, b"1.0", b"NaN", b'""', b'"\\ud800"', b'"\\u0000"'),
    *(b'"\\u001b[2J"', b'"\\u202e"', b'"::error::x"', b'"{0.__class__}%s"', b'"\xff"', b'{"a":1,"a":2}', b"[]", b"{}"),
    *(b'"AIza' + b"k" * 35 + b'"', b'"' + b"x" * 5000 + b'"', b'"data: {}"', b'"{\\"contents\\":[]}"', b'"1e5"'),
)
ODD_BYTES = (b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\x85", b"\xe2\x80\xa8", b'"', b"\\", b"{", b"[")
Mutate = Callable[[Random, bytes], bytes]
Replacement = tuple[bytes, bytes]  # what to look for in the changed line, and what to write there


def mutated(rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The log, with something of it otherwise."""
    return _mutated(rng, data, others, OF_LOGS)


def mutated_text(rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The same for files that people write: rules, settings."""
    return _mutated(rng, data, others, OF_TEXTS)


def _mutated(rng: Random, data: bytes, others: Sequence[bytes], ways: "Sequence[Mutate]") -> bytes:
    for _ in range(rng.choice((1, 1, 2, 4))):
        try:
            data = rng.choice(ways)(rng, data) if rng.random() < 0.9 else spliced(rng, data, others)
        except RecursionError:  # deeper than Python's own JSON goes; as bytes it can still be changed
            data = some_bytes(rng, data)
    return data


def one_line(rng: Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = rng.choice(CHANGES)(rng, lines[at])
    return b"\n".join(lines)


def odd_value(rng: Random, data: bytes) -> bytes:
    """A value of another kind, an odd one or a deep one, in some place."""

    def change(holder: Any, key: Any) -> Replacement:
        holder[key] = mark = f"mark {rng.random()}"
        depth = rng.choice(DEPTHS)
        deep = rng.choice((b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth))
        hostile = json.dumps(rng.choice(HOSTILE)).encode()
        return json.dumps(mark).encode(), rng.choice((hostile, hostile, rng.choice(RAW), deep))

    return _changed(rng, data, change)


def odd_key(rng: Random, data: bytes) -> bytes:
    """A key more, or one named otherwise: in snake_case, twice, or as another one is."""

    def change(holder: Any, key: Any) -> None:
        if isinstance(holder, dict):
            name = rng.choice((_snake(key), key.title(), rng.choice([*holder]), "extra", ""))
            holder[name] = holder.pop(key) if rng.random() < 0.5 else holder[key]
        elif holder:
            holder.insert(rng.randrange(len(holder) + 1), holder[key])

    return _changed(rng, data, change)


def lines_moved(rng: Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    moved = lines[at]
    match rng.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, moved)
        case 2:
            lines[at], lines[to] = lines[to], moved
        case 3:
            lines += lines[: at + 1]
    return b"\n".join(lines)


def some_bytes(rng: Random, data: bytes) -> bytes:
    at, size = rng.randrange(len(data) + 1), rng.choice((0, 1, 1, 2, 8, 100))
    odd = rng.choice(
        (b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\x85", b"\xe2\x80\xa8", b'"', b"\\", b"{", b"[", rng.randbytes(3))
    )
    return data[:at] + rng.choice((b"", odd, data[at : at + size] * 2)) + data[at + size :]


def some_word(rng: Random, data: bytes) -> bytes:
    """A word for another one of the file, or an odd one."""
    words = data.split(b" ")
    at = rng.randrange(len(words))
    words[at] = rng.choice((rng.choice(words), rng.choice(WORDS)))
    return b" ".join(words)


def spliced(rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Lines of this and of another one."""
    mine, more = data.split(b"\n"), rng.choice(others).split(b"\n")
    at, begin = rng.randrange(len(mine) + 1), rng.randrange(len(more))
    return b"\n".join([*mine[:at], *more[begin : begin + rng.randrange(1, 9)], *mine[at:]])


def _changed(rng: Random, data: bytes, change: Callable[[Any, Any], Replacement | None]) -> bytes:
    """The data with one line of JSON changed."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        value = json.loads(lines[at])
        places = walk(value)
        put = change(*rng.choice(places)) if places else None
        lines[at] = json.dumps(value).encode()
    except (ValueError, RecursionError):
        return data
    if put is not None:
        lines[at] = lines[at].replace(*put)
    return b"\n".join(lines)


def _snake(key: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in key)


OF_LOGS: tuple[Mutate, ...] = (one_line, odd_value, odd_value, odd_key, lines_moved, some_bytes)
OF_TEXTS: tuple[Mutate, ...] = (some_word, some_word, lines_moved, some_bytes)
WORDS = (
    *(b"null", b"[]", b"{}", b"true", b"1979-05-27", b"inf", b"1e99", b"-1", b"9" * 30, b"'", b'"', b"|", b"&a", b"*a"),
    *(b"!!python/object:os.system", b"{value.__class__}", b"[" * 300, b"{" * 300, b"(a+)+$", b"\x1b[2J", b"../../x"),
    *(b"? ", b"severity:", b"where:", b"check:", b"never:", b"shape:", b"schema:", b"{role", b"value|exists:"),
)
