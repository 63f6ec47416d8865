"""The values of one file as Records. Whatever is wrong with a line, the next one is read."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from wirecheck.faults import fault
from wirecheck.sources.detect import may_hold
from wirecheck.sources.documents import values
from wirecheck.sources.file_reader import NO_TRAFFIC, FileReader
from wirecheck.sources.files.file_notes import FileNotes
from wirecheck.sources.files.line_prefix import is_text, json_begin
from wirecheck.sources.files.unreadable_lines import UnreadableLine, UnreadableLines
from wirecheck.sources.formats.beginning import Beginning
from wirecheck.sources.formats.file_format import UnreadableInput
from wirecheck.sources.lines import Lines, PassedOver
from wirecheck.sources.surrogates import mend
from wirecheck.wire.nesting import TOO_DEEP
from wirecheck.wire.records import Origin, Record, Unread

READ = b""  # stands where a line was
UNREADABLE = ("unreadable", "unterminated")
LONG = 1 << 19  # bytes: in no shorter line anything is long
VALUES = 4_000_000  # that are decoded of one line: each takes many times the bytes it is written in
Brief = Callable[[bytes], bytes]  # a long line, in short


def as_it_is(line: bytes) -> bytes:
    return line


def records(
    stream: Iterator[Lines],
    path: str,
    input_format: str | None = None,
    brief: Brief = as_it_is,
    notes: FileNotes | None = None,
    beginning: Beginning | None = None,
) -> Iterator[Record]:
    """Long lines are made short before anybody reads them.

    Raises OSError where the stream breaks off, after the records of what it held before; and, for a file with this
    `beginning`, where no line of it can be read.
    """
    notes = FileNotes(path) if notes is None else notes
    # Whoever has long lines made short is short of room, and reads what is sent as `payload`, not as `raw`.
    reader, broken = FileReader(input_format, parts=brief is not as_it_is, guessed=notes.guessed), None
    lost, before = UnreadableLines(notes, beginning), 0  # `before` counts lines
    found: Iterable[Record] | UnreadableLine = ()
    try:
        for first, some in values(stream, document=input_format == "document"):
            if isinstance(some, PassedOver):
                yield _unread(READ, Origin(path, first, reader.world), some.why())
                continue
            if max(map(len, some)) > LONG:
                some[:] = map(brief, some)
            n = 0
            while n < len(some):
                if (frames := reader.frames(some, n, Origin(path, first + n, reader.world))) is not None:
                    yield frames
                    n += len(frames)
                    continue
                found = _line(reader, _taken(some, n), Origin(path, first + n, reader.world), brief, notes)
                if isinstance(found, UnreadableLine):
                    yield from lost.hear(replace(found, index=before + n))
                else:
                    if lost.undecided and _is_telling(found):
                        yield from lost.told()
                    yield from found
                found = ()
                n += 1
            before += n
            del some, frames  # or a large line would be held while the next one is read
    except UnreadableInput:
        raise
    except OSError as error:
        broken = error
    yield from lost.end()
    yield from reader.end()
    if broken is not None:
        raise broken


def contained(found: Iterator[Record], path: str) -> Iterator[Record]:
    """The records of a file that is read as a whole. A fault ends the file, and no other."""
    line, lost, index = 0, UnreadableLines(FileNotes(path), None), 0
    try:
        for record in found:
            line = record.origin.line
            index += 1
            if type(record) is Unread and record.kind in UNREADABLE:
                yield from lost.hear(UnreadableLine(record, index))
            else:
                yield record
    except OSError:
        raise
    except Exception as error:
        yield _failed(error, b"\n", Origin(path, line))
    yield from lost.end()


def _taken(some: list[bytes], at: int) -> bytes:
    """The line, which is not kept: it may be a large one."""
    line, some[at] = some[at], READ
    return line


def _line(
    reader: FileReader, raw: bytes, origin: Origin, brief: Brief, notes: FileNotes
) -> Iterable[Record] | UnreadableLine:
    """The records of a line, or why it cannot be read."""
    if len(raw) > VALUES and (count := raw.count(b",")) > VALUES:
        return [_unread(raw, origin, f"of {count:,} values or so: no more than {VALUES:,} are read in one line")]
    try:
        found = reader.line(raw, origin)
        if type(found) is not tuple and type(found) is not list:
            return _guarded(found, origin)
        # What a converted log says of a line was told when that line was read.
        if found and type(found[0]) is Unread and found[0].kind == "unreadable" and not found[0].origin.world:
            return UnreadableLine(found[0], size=len(raw))
        return found
    except msgspec.DecodeError as error:
        why = str(error)
    except Exception as error:
        failed = _failed(error, raw, origin)
        return [failed] if failed.kind == "fault" else UnreadableLine(failed, size=len(raw))
    mended = mend(raw)
    if mended is not raw:
        del raw  # it may be a large one
        return _line(reader, brief(mended), origin, brief, notes)
    if begin := json_begin(raw):
        rest = _line(reader, raw[begin:], origin, brief, notes)
        if isinstance(rest, UnreadableLine):
            return replace(rest, text=not may_hold(raw[:LONG]))
        if (other := _no_traffic(rest)) is not None:
            return UnreadableLine(other, size=len(raw), text=True)
        notes.prefixed += 1
        return rest
    return UnreadableLine(_not_json(raw, origin, why), size=len(raw), text=is_text(raw))


def _no_traffic(found: Any) -> Unread | None:
    """What a value is that is no traffic."""
    first = found[0] if type(found) in (tuple, list) and len(found) == 1 else None
    return first if type(first) is Unread and first.kind == "skipped" else None


def _is_telling(found: Iterable[Record]) -> bool:
    """Whether a line shows that a file is a log. A text may have lines of a number, a word or a list."""
    other = _no_traffic(found)
    return other is None or other.why == NO_TRAFFIC


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
