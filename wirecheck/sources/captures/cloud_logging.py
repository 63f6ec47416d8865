"""Entries of Cloud Logging: a list as `gcloud` prints it, lines as a sink writes them, and the structured lines of a
program's own output before they become entries.

What an application logs in them has any form, so it is searched for requests and replies as any line is; the URL beside
a request tells the model and the surface.
"""

import re
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from wirecheck.sources.detect import object_of
from wirecheck.sources.file_reader import FileReader
from wirecheck.sources.files.line_prefix import json_begin
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.json_values import rows
from wirecheck.sources.formats.node import JsonNode, short_text
from wirecheck.wire import payload
from wirecheck.wire.records import Opened, Record

ASKS = re.compile(r"[/.:](?:stream)?GenerateContent\b|[/:]countTokens\b", re.IGNORECASE)
OWN = {
    "severity",
    "message",
    "httpRequest",
    "time",
    "timestamp",
    "timestampSeconds",
    "timestampNanos",
    "url",
    "uri",
} | {"endpoint"}
LONGEST = 2000  # characters of a URL


def records(file: OpenedFile) -> Iterator[Record]:
    reader = FileReader()
    for entry in rows(file, ("entries",)):
        if isinstance(entry, Record):
            yield entry
            continue
        told = _payload(entry)
        for record in reader.value(_without_own(told) if "contents" in told else told.raw, told.site):
            yield _with_url(record, entry, told) if type(record) is Opened and not record.url else record
    yield from reader.end()


def _payload(entry: JsonNode) -> JsonNode:
    if entry["jsonPayload"]:
        return entry["jsonPayload"]
    inner = entry["textPayload"].inner()
    if not inner.text:
        return inner or entry
    # A logger writes a time or a level before the JSON, as in any line.
    written = inner.text.encode()
    begin = json_begin(written)
    rest = written[begin:].strip()
    return JsonNode(rest, payload.within(inner.site)) if begin and payload.is_json(rest) else entry


def _without_own(told: JsonNode) -> bytes:
    """A body that was logged flat, without the members that are the entry's own."""
    members = object_of(told.raw)
    kept = (key for key in members if key not in OWN and not key.startswith("logging.googleapis.com/"))
    return b"{%b}" % b",".join(b"%b:%b" % (msgspec.json.encode(key), members[key]) for key in kept)


def _with_url(record: Opened, entry: JsonNode, told: JsonNode) -> Opened:
    """The same with the URL that stands beside it, if it says what is asked."""
    beside = (
        told["url"],
        told["uri"],
        told["endpoint"],
        told["httpRequest"]["requestUrl"],
        entry["httpRequest"]["requestUrl"],
    )
    urls = (short_text(each, LONGEST) for each in beside)
    return replace(record, url=next((url for url in urls if ASKS.search(url)), ""))
