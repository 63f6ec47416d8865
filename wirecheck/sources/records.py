"""The values of one file as Records. Whatever is wrong with a line, the next one is read."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from wirecheck.sources.lines import Cut, Line, values
from wirecheck.sources.world import World
from wirecheck.wire.record import Origin, Record, Unread

# A pair of surrogates, one alone, any other escape: in this order, so that each escape is read once.
ESCAPE = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\.")


def records(stream: Iterator[Line], path: str, input_format: str | None = None) -> Iterator[Record]:
    world = World(input_format)
    try:
        for number, raw in values(stream, document=input_format == "document"):
            yield from _line(world, raw, Origin(path, number))
    except Cut as cut:
        yield Unread(channel="", origin=Origin(path, cut.line), kind="unterminated", why=str(cut))
    yield from world.end()


def _line(world: World, raw: bytes, origin: Origin) -> Iterable[Record]:
    try:
        if not raw.isascii():
            raw.decode()  # msgspec does not look at the text it does not decode
        return world.line(raw, origin)
    except UnicodeDecodeError as error:
        return [_unread(raw, origin, f"invalid UTF-8 at byte {error.start}")]
    except RecursionError:
        return [_unread(raw, origin, "nested too deep")]
    except msgspec.DecodeError as error:
        mended = ESCAPE.sub(_mended, raw)
        return [_unread(raw, origin, _why(error))] if mended == raw else _line(world, mended, origin)


def _mended(escape: re.Match[bytes]) -> bytes:
    """Half a surrogate pair is JSON, and what programs write that cut text anywhere, but it is no character."""
    return rb"\ufffd" if len(escape[0]) == 6 else escape[0]


def _why(error: msgspec.DecodeError) -> str:
    if "truncated" in str(error):
        return "not JSON: it breaks off"
    return str(error).replace("JSON is malformed", "not JSON")


def _unread(raw: bytes, origin: Origin, why: str) -> Unread:
    cut = raw[-1:] != b"\n" and raw.lstrip()[:1] in (b"{", b"[")
    return Unread(channel="", origin=origin, kind="unterminated" if cut else "unreadable", why=why)
