"""The values of one file as Records. Whatever is wrong with a line, the next one is read."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from wirecheck.faults import fault
from wirecheck.sources.documents import values
from wirecheck.sources.file_reader import FileReader
from wirecheck.sources.lines import Lines, PassedOver
from wirecheck.sources.surrogates import mend
from wirecheck.wire.nesting import TOO_DEEP
from wirecheck.wire.records import Origin, Record, Unread

READ = b""  # stands where a line was
LONG = 1 << 19  # bytes: in no shorter line anything is long
VALUES = 4_000_000  # that are decoded of one line: each takes many times the bytes it is written in
Brief = Callable[[bytes], bytes]  # a long line, in short


def as_it_is(line: bytes) -> bytes:
    return line


def records(
    stream: Iterator[Lines], path: str, input_format: str | None = None, brief: Brief = as_it_is
) -> Iterator[Record]:
    """Long lines are made short before anybody reads them.

    Raises OSError where the stream breaks off, after the records of what it held before.
    """
    # Whoever has long lines made short is short of room, and reads what is sent as `payload`, not as `raw`.
    reader, broken = FileReader(input_format, parts=brief is not as_it_is), None
    try:
        for first, some in values(stream, document=input_format == "document"):
            if isinstance(some, PassedOver):
                yield _unread(READ, Origin(path, first), some.why())
                continue
            if max(map(len, some)) > LONG:
                some[:] = map(brief, some)
            n = 0
            while n < len(some):
                if (frames := reader.frames(some, n, Origin(path, first + n))) is not None:
                    yield frames
                    n += len(frames)
                else:
                    yield from _line(reader, _taken(some, n), Origin(path, first + n), brief)
                    n += 1
            del some, frames  # or a large line would be held while the next one is read
    except OSError as error:
        broken = error
    yield from reader.end()
    if broken is not None:
        raise broken


def contained(found: Iterator[Record], path: str) -> Iterator[Record]:
    """The records of a file that is read as a whole. A fault ends the file, and no other."""
    line = 0
    try:
        for record in found:
            line = record.origin.line
            yield record
    except OSError:
        raise
    except Exception as error:
        yield _failed(error, b"\n", Origin(path, line))


def _taken(some: list[bytes], at: int) -> bytes:
    """The line, which is not kept: it may be a large one."""
    line, some[at] = some[at], READ
    return line


def _line(reader: FileReader, raw: bytes, origin: Origin, brief: Brief) -> Iterable[Record]:
    """The records of a line, or why it cannot be read."""
    if len(raw) > VALUES and (count := raw.count(b",")) > VALUES:
        return [_unread(raw, origin, f"of {count:,} values or so: no more than {VALUES:,} are read in one line")]
    try:
        found = reader.line(raw, origin)
        return found if type(found) in (tuple, list) else _guarded(found, origin)
    except msgspec.DecodeError as error:
        why = str(error)
    except Exception as error:
        return [_failed(error, raw, origin)]
    mended = mend(raw)
    if mended is raw:
        return [_not_json(raw, origin, why)]
    del raw  # it may be a large one
    return _line(reader, brief(mended), origin, brief)


def _guarded(found: Iterable[Record], origin: Origin) -> Iterable[Record]:
    """Some records of a line are made only when they are asked for."""
    try:
        yield from found
    except Exception as error:
        yield _failed(error, b"\n", origin)


def _failed(error: Exception, raw: bytes, origin: Origin) -> Unread:
    if isinstance(error, UnicodeDecodeError):
        cut = error.reason == "unexpected end of data"
        return _unread(raw, origin, f"invalid UTF-8 at byte {error.start}", cut)
    if isinstance(error, msgspec.DecodeError):
        return _not_json(raw, origin, str(error))
    if isinstance(error, RecursionError):
        return _unread(raw, origin, TOO_DEEP)
    found = fault(error, origin.path, origin.line)
    return Unread(channel="", origin=origin, kind="fault", why=found.what, trace=found.trace)


def _not_json(raw: bytes, origin: Origin, why: str) -> Unread:
    if "truncated" in why:
        return _unread(raw, origin, "not JSON: it breaks off", cut=True)
    return _unread(raw, origin, why.replace("JSON is malformed", "not JSON"))


def _unread(raw: bytes, origin: Origin, why: str, cut: bool = False) -> Unread:
    """`cut`: more bytes could have made it right, so where there is no line end the file ends within it."""
    ends_within = cut and raw[-1:] != b"\n"
    return Unread(channel="", origin=origin, kind="unterminated" if ends_within else "unreadable", why=why)
