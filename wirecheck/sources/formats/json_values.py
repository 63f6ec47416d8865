"""The JSON values of a file as nodes: one a line, or documents of several lines."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Raw

from wirecheck.sources.documents import values
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.json_document import numbered
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.lines import PassedOver, split
from wirecheck.sources.surrogates import mend
from wirecheck.wire.nesting import TOO_DEEP
from wirecheck.wire.records import Origin, Record, Site, Unread
from wirecheck.wire.utf8 import utf8


def nodes(file: OpenedFile) -> Iterator[JsonNode | Record]:
    """The values in order; a line that cannot be read is a record that says so."""
    for first, some in values(split(file.stream, file.tally)):
        if isinstance(some, PassedOver):
            yield Unread(channel="", origin=Origin(file.path, first), kind="unreadable", why=some.why())
            continue
        for n, line in enumerate(some, first):
            yield node(line, Site(Origin(file.path, n)))


def rows(file: OpenedFile, *paths: Sequence[str]) -> Iterator[JsonNode | Record]:
    """The values in order; of a list its items, and of an object those of the first list at one of these paths. Each
    has the line it begins on."""
    for value in nodes(file):
        if isinstance(value, Record):
            yield value
            continue
        listed = next((each for path in ((), *paths) if (each := _at(value, path)).is_list), None)
        if listed is None:
            yield value
        else:
            yield from numbered(value.raw, Raw(listed.raw), listed.site)


def items(value: JsonNode, listed: JsonNode) -> Iterable[JsonNode]:
    """The items of a list in a value, each with the line it begins on."""
    return numbered(value.raw, Raw(listed.raw), listed.site) if listed.is_list and b"\n" in value.raw else listed


def _at(value: JsonNode, path: Sequence[str]) -> JsonNode:
    for key in path:
        value = value[key]
    return value


def node(written: bytes, site: Site) -> JsonNode | Record:
    """A value, or why it cannot be read."""
    try:
        return _sound(utf8(written).strip(), site)
    except UnicodeDecodeError as error:
        return _unread(site, f"invalid UTF-8 at byte {error.start}")
    except RecursionError:
        return _unread(site, TOO_DEEP)
    except msgspec.DecodeError as error:
        if "truncated" in str(error):
            return _unread(site, "not JSON: it breaks off", ends_within=written[-1:] != b"\n")
        return _unread(site, str(error).replace("JSON is malformed", "not JSON"))


def _sound(raw: bytes, site: Site) -> JsonNode:
    """Lone surrogates are mended where JSON is refused: most has none."""
    try:
        return JsonNode.checked(raw, site)
    except msgspec.DecodeError:
        if (mended := mend(raw)) is raw:
            raise
        return JsonNode.checked(mended, site)


def _unread(site: Site, why: str, ends_within: bool = False) -> Unread:
    return Unread(channel="", origin=site.origin, kind="unterminated" if ends_within else "unreadable", why=why)
