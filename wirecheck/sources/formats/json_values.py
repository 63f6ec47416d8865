"""The JSON values of a file as nodes: one a line, or documents of several lines."""

from collections.abc import Iterator

import msgspec

from wirecheck.sources.documents import values
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.lines import PassedOver, split
from wirecheck.sources.surrogates import mend
from wirecheck.wire.nesting import TOO_DEEP
from wirecheck.wire.records import Origin, Record, Site, Unread
from wirecheck.wire.utf8 import utf8

_checked = msgspec.json.Decoder(msgspec.Raw).decode


def nodes(file: OpenedFile) -> Iterator[JsonNode | Record]:
    """The values in order; a line that cannot be read is a record that says so."""
    for first, some in values(split(file.stream, file.tally)):
        if isinstance(some, PassedOver):
            yield Unread(channel="", origin=Origin(file.path, first), kind="unreadable", why=some.why())
            continue
        for n, line in enumerate(some, first):
            origin = Origin(file.path, n)
            try:
                raw = utf8(mend(line).strip())
                _checked(raw)
            except UnicodeDecodeError as error:
                yield Unread(channel="", origin=origin, kind="unreadable", why=f"invalid UTF-8 at byte {error.start}")
            except RecursionError:
                yield Unread(channel="", origin=origin, kind="unreadable", why=TOO_DEEP)
            except msgspec.DecodeError as error:
                why = str(error).replace("JSON is malformed", "not JSON")
                yield Unread(channel="", origin=origin, kind="unreadable", why=why)
            else:
                yield JsonNode(raw, Site(origin))
