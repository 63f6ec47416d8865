"""A file that is one JSON value: the value, or the items of a list in it, each with the line it begins on."""

import re
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Raw

from wirecheck.sources import lenient
from wirecheck.sources.detect import head, items_of, keys_of
from wirecheck.sources.formats.file_format import OpenedFile, UnreadableInput
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.lines import LIMIT
from wirecheck.sources.surrogates import mend
from wirecheck.wire.records import Origin, Site
from wirecheck.wire.utf8 import utf8

NEEDLE = 1 << 10  # bytes by which a value is searched in its document
BETWEEN = re.compile(rb"[\s,]*")
AT_BYTE = re.compile(r"\(byte (\d+)\)")
_checked = msgspec.json.Decoder(msgspec.Raw).decode


def document(file: OpenedFile) -> JsonNode:
    """The one value of a file."""
    return JsonNode(_whole(file), Site(Origin(file.path, 1)))


def items(file: OpenedFile, *paths: Sequence[str]) -> Iterator[JsonNode]:
    """The items of the lists at these paths in the one value of a file, each with the line it begins on. Raises
    UnreadableInput where none of them is there."""
    whole, found = _whole(file), False
    for path in paths:
        raw, site = Raw(whole.strip()), Site(Origin(file.path, 1))
        for key in path:
            raw, site = keys_of(raw).get(key, Raw(b"null")), site.to(lenient.step(key))
        if head(raw) == b"[":
            found = True
            yield from numbered(whole, raw, site)
    if not found:
        raise UnreadableInput(
            f"there is no list {' or '.join('.'.join(path) for path in paths)} in it".replace("  ", " ")
        )


def numbered(whole: bytes, listed: Raw, site: Site) -> Iterator[JsonNode]:
    """The items of a list in a value, each with the line it begins on. The value begins on the line of `site`."""
    seen, line, at = 0, site.origin.line, _place(whole, listed) + 1
    for n, raw in enumerate(items_of(listed)):
        between = BETWEEN.match(whole, at)
        at = between.end() if between is not None else at
        line, seen = line + whole.count(b"\n", seen, at), at
        yield JsonNode(raw, Site(Origin(site.origin.path, line), f"{site.pointer}/{n}"))
        at += len(memoryview(raw))


def _place(whole: bytes, raw: Raw) -> int:
    """Where a value stands in its document."""
    view = memoryview(raw)
    needle, value, at = bytes(view[:NEEDLE]), bytes(view), -1
    while (at := whole.find(needle, at + 1)) >= 0:
        if whole.startswith(value, at):
            return at
    return 0


def _whole(file: OpenedFile) -> bytes:
    pieces, size = list[bytes](), 0
    while piece := file.stream.read(1 << 20):
        pieces.append(piece)
        size += len(piece)
        if size > LIMIT:
            raise UnreadableInput(f"it is one JSON value of more than {LIMIT >> 20} MB")
    whole = b"".join(pieces)
    file.tally.lines += whole.count(b"\n") + (not whole.endswith(b"\n"))
    file.tally.size += size
    try:
        whole = utf8(mend(whole))
        _checked(whole)
    except UnicodeDecodeError as error:
        raise UnreadableInput(f"line {_line(whole, error.start)}: invalid UTF-8") from None
    except RecursionError:
        raise UnreadableInput("it is nested too deep") from None
    except msgspec.DecodeError as error:
        place, why = AT_BYTE.search(str(error)), str(error).replace("JSON is malformed", "not JSON")
        if "truncated" in why:
            why = f"not JSON: it breaks off in line {_line(whole, len(whole))}"
        elif place is not None:
            why = f"line {_line(whole, int(place[1]))}: {why}"
        raise UnreadableInput(why) from None
    return whole


def _line(whole: bytes, at: int) -> int:
    return whole.count(b"\n", 0, at) + 1
