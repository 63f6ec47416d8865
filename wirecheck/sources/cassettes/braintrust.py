"""Cassettes of the Braintrust SDKs: `entries[].request` and `.response`, whose bodies say of which kind they are.

A `json` body has a `value`, an `sse` one `chunks`, one event each, and a `binary` one lies in a file beside the
cassette.
"""

from collections.abc import Iterator
from pathlib import Path

from wirecheck.sources.formats import json_document
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.node import JsonNode, JsonPieces, Node, first, text
from wirecheck.sources.formats.recorded_bodies import beside, exchange_of, headers_of, of_base64, without_request
from wirecheck.wire.records import Record, Unread


def records(file: OpenedFile) -> Iterator[Record]:
    for item in json_document.items(file, ("entries",)):
        yield from _entry(file, item)


def _entry(file: OpenedFile, item: JsonNode) -> Iterator[Record]:
    asked, answered = item["request"], item["response"]
    if not asked:
        return iter((without_request(item),))
    return exchange_of(
        item,
        _body(file, asked["body"]),
        _body(file, answered["body"]),
        method=asked["method"],
        url=text(asked["url"]),
        headers=headers_of(asked["headers"]),
        status=answered["status"],
    )


def _body(file: OpenedFile, body: JsonNode) -> Node | Unread:
    if body["path"]:
        return beside(file, Path(file.path).parent, body["path"])
    if text(body["kind"]) == "base64" or text(body["encoding"]) == "base64":
        return of_base64(first(body["value"], body["data"]))
    return JsonPieces.of(body["chunks"]) if body["chunks"] else body["value"]
