"""A file, and what it is without secrets, in the way of its format.

It is read twice: what a header gives away in the end may stand in the beginning, too.
"""

import gzip
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import BinaryIO, cast

from wirecheck.redacting.unredactable import Unredactable
from wirecheck.secrets.counted_marks import SecretMarks
from wirecheck.secrets.file_text import FileText
from wirecheck.sources.formats.beginning import HEAD
from wirecheck.sources.formats.recognition import recognise
from wirecheck.sources.lines import BOM, BUFFER, GZIP, UTF16, ForeignEncoding

Pieces = Callable[[BinaryIO, FileText], Iterator[bytes]]
DATABASE = "database_rows"
# By the name of a format, what knows how it is written. All others are text.
WRITERS = {
    "vcr-yaml": "yaml_scalars",
    "realtime-yaml": "yaml_scalars",
    "test-server-websocket": "websocket_frames",
    "mitmproxy-flows": "flow_states",
    "adk-database": DATABASE,
}
YAML = (".yaml", ".yml")
FEW = 2  # bytes that say nothing by themselves
CONTROLS = bytes({*range(32)} - {*b"\t\n\r\f\x1b\b"})


def redacted(stream: BinaryIO, path: str, marks: SecretMarks) -> Iterator[bytes]:
    """The file without its secrets, which `marks` counts. Raises OSError where that cannot be made."""
    try:
        yield from _redacted(stream, path, marks)
    except EOFError:
        raise Unredactable("the gzip stream is cut short") from None
    except (gzip.BadGzipFile, zlib.error):
        raise Unredactable("the gzip stream is broken") from None


def _redacted(stream: BinaryIO, path: str, marks: SecretMarks) -> Iterator[bytes]:
    packed = stream.read(2) == GZIP
    head = _begun(stream, packed).read(HEAD)
    writer = _writer(head, path)
    pieces: Pieces = import_module(f"wirecheck.redacting.{writer}").pieces
    secrets, before = FileText(marks), Counter(marks.counts)
    for _ in pieces(_begun(stream, packed), secrets):
        pass  # what is learned on the way is known in the whole file
    if not secrets.again() and marks.counts == before and writer != DATABASE:  # that may hold what was deleted
        stream.seek(0)
        yield from iter(lambda: stream.read(BUFFER), b"")
        return
    marks.counts = before
    made = pieces(_begun(stream, packed), secrets)
    yield from _packed(made) if packed else made


def _begun(stream: BinaryIO, packed: bool) -> BinaryIO:
    stream.seek(0)
    return cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if packed else stream


def _packed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def _writer(head: bytes, path: str) -> str:
    known = recognise(head.removeprefix(BOM))
    if known is not None and known.name in WRITERS:
        return WRITERS[known.name]
    if head[:2] in UTF16:
        raise ForeignEncoding
    if _is_binary(head):
        raise Unredactable("bytes of no known format, in which secrets cannot be found")
    return "yaml_scalars" if path.removesuffix(".gz").endswith(YAML) else "text_pieces"


def _is_binary(head: bytes) -> bool:
    """Text has no control characters but a few, and is UTF-8 for the most part."""
    if b"\0" in head or len(head) - len(head.translate(None, CONTROLS)) > len(head) // 50 + FEW:
        return True
    return head.decode(errors="replace").count("\ufffd") > len(head) // 5 + FEW
