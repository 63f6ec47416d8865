"""The values of one file as Records. Whatever is wrong with a line, the next one is read."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from wirecheck.sources.lines import BUFFER, Lines, values
from wirecheck.sources.mend import mend
from wirecheck.sources.world import World
from wirecheck.wire import log
from wirecheck.wire.record import Origin, Record, Unread
from wirecheck.wire.utf8 import utf8

READ = b""  # stands where a line was
OPENED, CLOSED = log.PREFIX + b'opened"', log.PREFIX + b'closed"'
LONG = 1 << 19  # bytes: in no shorter line anything is long
FULL, LAST = BUFFER // 2, 64  # bytes of lines that came at once; lines of an exchange, at most
# How many of these lines, from one of them on, hold nothing new; the next one is read. With the file, the number of the
# first, and its world.
Passed = Callable[[list[bytes], int, str, int, World], int]


Brief = Callable[[bytes], bytes]  # a long line, in short


def unpassed(lines: list[bytes], begin: int, path: str, number: int, world: World) -> int:
    return 0


def as_it_is(line: bytes) -> bytes:
    return line


def records(
    stream: Iterator[Lines],
    path: str,
    input_format: str | None = None,
    passed: Passed = unpassed,
    brief: Brief = as_it_is,
) -> Iterator[Record]:
    """Raises OSError where the stream breaks off, after the records of what it held before."""
    # Whoever has long lines made short is short of room, and reads what is sent as `payload`, not as `raw`.
    world, broken = World(input_format, parts=brief is not as_it_is), None
    try:
        for first, some in whole(_shortened(values(stream, document=input_format == "document"), brief)):
            at = 0
            while at < len(some):
                at += passed(some, at, path, first + at, world)
                if at < len(some):
                    yield from _line(world, _taken(some, at), Origin(path, first + at), brief)
                    at += 1
    except OSError as error:
        broken = error
    yield from world.end()
    if broken is not None:
        raise broken


def _shortened(stream: Iterator[Lines], brief: Brief) -> Iterator[Lines]:
    """Long lines in short, before any other is read."""
    for first, some in stream:
        if max(map(len, some)) > LONG:
            some[:] = map(brief, some)
        yield first, some
        del some


def whole(stream: Iterator[Lines]) -> Iterator[Lines]:
    """The same lines, but that the lines of an exchange in our own log stay together where a full buffer ends."""
    held: Lines | None = None
    try:
        for first, some in stream:
            if held is not None:
                if held[0] + len(held[1]) == first:
                    first, some = held[0], held[1] + some
                else:
                    yield held
                held = None
            if n := _parted(some):
                held, some = (first + n, some[n:]), some[:n]
            yield first, some
            del some  # or a large line would be held while the next one is read
    except OSError:
        if held is not None:
            yield held
        raise
    if held is not None:
        yield held


def ends_within(some: list[bytes]) -> bool:
    """Whether the last of these lines is of our own log, and does not end an exchange."""
    return some[-1].startswith(log.PREFIX) and not some[-1].startswith(CLOSED)


def _parted(some: list[bytes]) -> int:
    """Where an exchange begins of which the end is yet to come. What is not full came as it was written, and may be
    all for now."""
    if not ends_within(some) or sum(map(len, some)) < FULL:
        return 0
    last = range(len(some) - 1, max(len(some) - LAST, 0), -1)
    return next((n for n in last if some[n].startswith(OPENED)), 0)


def _taken(some: list[bytes], at: int) -> bytes:
    """The line, which is not kept: it may be a large one."""
    line, some[at] = some[at], READ
    return line


def _line(world: World, raw: bytes, origin: Origin, brief: Brief) -> Iterable[Record]:
    try:
        return world.line(utf8(raw), origin)
    except UnicodeDecodeError as error:
        cut = error.reason == "unexpected end of data"
        return [_unread(raw, origin, f"invalid UTF-8 at byte {error.start}", cut)]
    except RecursionError:
        return [_unread(raw, origin, "nested too deep")]
    except msgspec.DecodeError as error:
        why = str(error)
    mended = mend(raw)
    if mended is raw:
        return [_not_json(raw, origin, why)]
    del raw  # it may be a large one
    return _line(world, brief(mended), origin, brief)


def _not_json(raw: bytes, origin: Origin, why: str) -> Unread:
    if "truncated" in why:
        return _unread(raw, origin, "not JSON: it breaks off", cut=True)
    return _unread(raw, origin, why.replace("JSON is malformed", "not JSON"))


def _unread(raw: bytes, origin: Origin, why: str, cut: bool = False) -> Unread:
    """`cut`: more bytes could have made it right, so where there is no line end the file ends within it."""
    ends_within = cut and raw[-1:] != b"\n"
    return Unread(channel="", origin=origin, kind="unterminated" if ends_within else "unreadable", why=why)
