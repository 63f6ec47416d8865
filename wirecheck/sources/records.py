"""The values of one file as Records. Whatever is wrong with a line, the next one is read."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from wirecheck.sources.lines import Lines, values
from wirecheck.sources.mend import mend
from wirecheck.sources.world import World
from wirecheck.wire.record import Origin, Record, Unread
from wirecheck.wire.utf8 import utf8

READ = b""  # stands where a line was
# How many of these lines, from one of them on, hold nothing new; the next one is read. With the file, the number of the
# first, and its world.
Passed = Callable[[list[bytes], int, str, int, World], int]


def unpassed(lines: list[bytes], begin: int, path: str, number: int, world: World) -> int:
    return 0


def records(
    stream: Iterator[Lines],
    path: str,
    input_format: str | None = None,
    passed: Passed = unpassed,
) -> Iterator[Record]:
    """Raises OSError where the stream breaks off, after the records of what it held before."""
    world, broken = World(input_format), None
    try:
        for first, some in values(stream, document=input_format == "document"):
            at = 0
            while at < len(some):
                at += passed(some, at, path, first + at, world)
                if at < len(some):
                    yield from _line(world, _taken(some, at), Origin(path, first + at))
                    at += 1
    except OSError as error:
        broken = error
    yield from world.end()
    if broken is not None:
        raise broken


def _taken(some: list[bytes], at: int) -> bytes:
    """The line, which is not kept: it may be a large one."""
    line, some[at] = some[at], READ
    return line


def _line(world: World, raw: bytes, origin: Origin) -> Iterable[Record]:
    try:
        return world.line(utf8(raw), origin)
    except UnicodeDecodeError as error:
        cut = error.reason == "unexpected end of data"
        return [_unread(raw, origin, f"invalid UTF-8 at byte {error.start}", cut)]
    except RecursionError:
        return [_unread(raw, origin, "nested too deep")]
    except msgspec.DecodeError as error:
        mended = mend(raw)
        return [_not_json(raw, origin, str(error))] if mended == raw else _line(world, mended, origin)


def _not_json(raw: bytes, origin: Origin, why: str) -> Unread:
    if "truncated" in why:
        return _unread(raw, origin, "not JSON: it breaks off", cut=True)
    return _unread(raw, origin, why.replace("JSON is malformed", "not JSON"))


def _unread(raw: bytes, origin: Origin, why: str, cut: bool = False) -> Unread:
    """`cut`: more bytes could have made it right, so where there is no line end the file ends within it."""
    ends_within = cut and raw[-1:] != b"\n"
    return Unread(channel="", origin=origin, kind="unterminated" if ends_within else "unreadable", why=why)
