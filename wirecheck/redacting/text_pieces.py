"""Text: JSON, one value a line or one document, and whatever else is written in lines.

What is in lines is read line by line. A document is read as a whole, and so is a file that may be one.
"""

from collections.abc import Iterator
from typing import BinaryIO

from wirecheck.redacting.unredactable import Unredactable
from wirecheck.secrets.file_text import FileText
from wirecheck.sources.documents import state
from wirecheck.sources.lines import BOM, LIMIT, MEGABYTE
from wirecheck.wire.payload import is_json

GATHERED = MEGABYTE  # bytes of lines without JSON that are looked at together: a key may go over several
TOO_LARGE = f"a line or document of over {LIMIT // MEGABYTE} MB"


def pieces(stream: BinaryIO, secrets: FileText) -> Iterator[bytes]:
    lines = _lines(stream)
    first = next(lines, b"")
    if first.startswith(BOM):
        yield BOM
        first = first[len(BOM) :]
    begun = first
    while not begun.strip() and (line := next(lines, b"")):
        begun += line
    if begun.lstrip()[:1] in (b"{", b"[") and state(begun) == "unfinished":
        yield from _document(begun, lines, secrets)
    else:
        yield from _each(begun, lines, secrets)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(LIMIT + 1):
        if len(line) > LIMIT:
            raise Unredactable(TOO_LARGE)
        yield line


def _document(begun: bytes, lines: Iterator[bytes], secrets: FileText) -> Iterator[bytes]:
    """One value, or several, or lines of which the first one was cut off."""
    gathered, size = [begun], len(begun)
    for line in lines:
        gathered.append(line)
        size += len(line)
        if size > LIMIT:
            raise Unredactable(TOO_LARGE)
    whole = b"".join(gathered)
    if state(whole) in ("complete", "several"):
        yield unit(whole, secrets)
    else:
        yield from _each(b"", iter(gathered), secrets)


def _each(begun: bytes, lines: Iterator[bytes], secrets: FileText) -> Iterator[bytes]:
    prose, size = [begun], len(begun)
    for line in lines:
        if is_json(line):
            yield unit(b"".join(prose), secrets)
            yield unit(line, secrets)
            prose, size = [], 0
        else:
            prose.append(line)
            size += len(line)
            if size > GATHERED:
                yield unit(b"".join(prose), secrets)
                prose, size = [], 0
    yield unit(b"".join(prose), secrets)


def unit(data: bytes, secrets: FileText) -> bytes:
    """Bytes that are no UTF-8 are read as if each was a letter, and written so."""
    encoding = "utf-8"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        encoding = "latin-1"
        text = data.decode(encoding)
    after = secrets.unit(text)
    return data if after == text else after.encode(encoding)
