"""What a file is that is no log: by its first bytes, or by how its text begins. Each with what to do instead.

A file is searched for traffic before it is looked up here, so what is wrong here costs a word in a message.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from wirecheck.sources.formats.beginning import Beginning

RECORD = "record the traffic (`wirecheck record`), or log requests and replies as JSON (docs/recipes.md)"
LOGS = "name the log (`wirecheck formats` lists what is read)"
UNPACK = "unpack it, and name what is in it"
ROWS = "export its rows as JSON, one a line"
CONTROL = bytes(sorted({*range(32), 127} - set(b"\t\n\r\f\b\x1b")))
FEW = 5  # of a hundred characters: so many control characters may a text have
SOME = 30  # of a hundred characters: so many may be no UTF-8
SEPARATORS = (b",", b";", b"\t")
COMMENTS = rb"\A(?:#[^\n]{0,999}+\n|\s){0,99}+"


class FileKind(NamedTuple):
    """`title` is what a person calls it."""

    title: str
    instead: str

    @property
    def said(self) -> str:
        return f"{self.title}, not a log: {self.instead}"


def _magic(*signs: bytes, at: int = 0) -> Callable[[bytes], bool]:
    return lambda head: head[at:].startswith(signs)


def _written(pattern: bytes) -> Callable[[bytes], bool]:
    """`pattern` matches at the beginning of the text, or of any line with `(?m)^`."""
    compiled = re.compile(pattern)
    return lambda head: compiled.search(head) is not None


def _wide(head: bytes) -> bool:
    """Every other byte of ASCII text in UTF-16 is zero."""
    return max(head[::2].count(0), head[1::2].count(0)) * 3 > len(head)


def _rows(head: bytes) -> bool:
    """Whether the first lines have a separator equally often."""
    lines = head.splitlines()[:4]
    counts = [{line.count(each) for line in lines} for each in SEPARATORS]
    return len(lines) > 1 and any(len(each) == 1 and each != {0} for each in counts)


def _spans(head: bytes) -> bool:
    return head[:1] == b"\n" and any(word in head for word in (b"service.name", b"telemetry.sdk"))


PDF = (_magic(b"%PDF-"), FileKind("a PDF", LOGS))  # may be written as text
# The first row that fits wins.
BYTES: tuple[tuple[Callable[[bytes], bool], FileKind], ...] = (
    (_magic(b"PK\x03\x04", b"PK\x05\x06"), FileKind("a zip archive", UNPACK)),
    (_magic(b"\x1f\x8b"), FileKind("packed with gzip twice", "unpack it once (`gunzip`)")),
    (_magic(b"\x28\xb5\x2f\xfd"), FileKind("packed with zstd", "unpack it (`zstd -d`)")),
    (_magic(b"\xfd7zXZ\0"), FileKind("packed with xz", "unpack it (`xz -d`)")),
    (_magic(b"BZh"), FileKind("packed with bzip2", "unpack it (`bunzip2`)")),
    (_magic(b"7z\xbc\xaf\x27\x1c", b"Rar!"), FileKind("an archive", UNPACK)),
    (_magic(b"ustar", at=257), FileKind("a tar archive", UNPACK)),
    (_magic(b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*"), FileKind("an image", LOGS)),
    (_magic(b"WEBP", at=8), FileKind("an image", LOGS)),
    (_magic(b"RIFF", b"ID3", b"fLaC", b"OggS", b"\x1aE\xdf\xa3"), FileKind("sound or a film", LOGS)),
    (_magic(b"ftyp", at=4), FileKind("sound or a film", LOGS)),
    PDF,
    (_magic(b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\0asm"), FileKind("a program", LOGS)),
    (
        _magic(b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\xc3\xd4", b"\x4d\x3c\xb2\xa1", b"\x0a\x0d\x0d\x0a"),
        FileKind("packets, which are encrypted", f"{RECORD}, or export a HAR file"),
    ),
    (_magic(b"PAR1"), FileKind("a Parquet file", ROWS)),
    (_magic(b"Obj\x01"), FileKind("an Avro file", ROWS)),
    (_magic(b"ARROW1"), FileKind("an Arrow file", ROWS)),
    (_magic(b"SQLite format 3\0"), FileKind("a database of SQLite", ROWS)),
    (_magic(b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"), FileKind("a pickle of Python", "write it as JSON")),
    (_magic(b"\x93NUMPY"), FileKind("an array of NumPy", LOGS)),
    (_spans, FileKind("spans of OpenTelemetry in protobuf", f"they tell messages in words of their own; {RECORD}")),
    (_wide, FileKind("text in UTF-16", "UTF-8 is read: `iconv -f UTF-16 -t UTF-8` makes it so")),
)
UNKNOWN_BYTES = FileKind("bytes and no text", f"protobuf and other packed forms are not read; {RECORD}")
TEXTS: tuple[tuple[Callable[[bytes], bool], FileKind], ...] = (
    PDF,
    (_written(rb"(?i)\A\s{0,99}(?:<!doctype html|<html|<head)"), FileKind("HTML", LOGS)),
    (_written(rb"\A\s{0,99}<[?!a-zA-Z]"), FileKind("XML", LOGS)),
    (
        _written(rb"\A\s{0,99}[\[({]{1,4}\s{0,9}'"),
        FileKind("what Python prints of dictionaries", "write `json.dumps(x)` of each, one a line"),
    ),
    (
        _written(rb"(?m)^(?:contents|candidates|parts) \{"),
        FileKind("protobuf as text", "write it as JSON (`MessageToJson`)"),
    ),
    (
        _written(rb"\A\s{0,99}(?:(?:GET|POST|PUT|PATCH|CONNECT) \S{1,2000} )?HTTP/[12]"),
        FileKind("HTTP messages as text", RECORD),
    ),
    (_written(rb"\A#!"), FileKind("a script", LOGS)),
    (_written(rb"\A(?:diff |--- |Index: )"), FileKind("a patch", LOGS)),
    (_written(rb"\ATraceback \(most recent"), FileKind("a traceback of Python", RECORD)),
    (
        _written(rb"(?m)^(?:from [\w.]{1,99} import |import [\w.]{1,99}$|def \w{1,99}\(|class \w{1,99}[:(])"),
        FileKind("Python code", LOGS),
    ),
    (
        _written(rb"(?m)^(?:(?:export|async|function|const|let|var) \w|import .{1,200} from ['\"])"),
        FileKind("JavaScript or TypeScript code", LOGS),
    ),
    (_written(rb"(?m)^(?:#include |package \w|using \w|func \w)"), FileKind("code", LOGS)),
    (
        _written(rb"(?m)^\S{0,9}[ \[]{0,3}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN|ERROR)\b)"),
        FileKind("a log in plain text", RECORD),
    ),
    (_rows, FileKind("a table (CSV)", "export each request and reply as JSON, one a line")),
    (
        _written(COMMENTS + rb"(?:---\s|[\w.-]{1,99}+:(?: [^\n]{0,999})?\n(?:[ \t-]|[\w.-]{1,99}+:\s))"),
        FileKind("YAML without recorded exchanges", LOGS),
    ),
    (_written(COMMENTS + rb"(?:\[[\w.-]{1,99}\]\s|[\w.-]{1,99} ?= ?\S)"), FileKind("settings", LOGS)),
    (_written(rb"\A(?:#{1,6} |={3,}$)"), FileKind("a text for people", LOGS)),
)
UNKNOWN_TEXT = FileKind("plain text", RECORD)


def no_text(beginning: Beginning) -> FileKind | None:
    """What a file is that begins as no text does."""
    if not _is_binary(beginning.head):
        return None
    unknown = None if beginning.has_json_line else UNKNOWN_BYTES  # then it may be a log with such bytes in it
    return next((kind for fits, kind in BYTES if fits(beginning.head)), unknown)


def no_log(beginning: Beginning) -> FileKind:
    """What a file is of which no line can be read."""
    found = next((kind for fits, kind in TEXTS if fits(beginning.head)), UNKNOWN_TEXT)
    return no_text(beginning) or found


def _is_binary(head: bytes) -> bool:
    """A log that was cut to nothing while it was written begins with zeros, and is none the less text."""
    head = head.lstrip(b"\0")
    if not head:
        return False
    if b"\0" in head or 100 * (len(head) - len(head.translate(None, CONTROL))) > FEW * len(head):
        return True
    return 100 * head.decode("utf-8", "replace").count("\ufffd") > SOME * len(head)
