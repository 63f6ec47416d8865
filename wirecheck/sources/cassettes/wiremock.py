"""Stubs and requests of WireMock: mappings, one or several in a file, and the journal of its admin interface.

A mapping has what a request is compared with: a whole body (`equalToJson`, `equalTo`) stands for that of the request.
Its reply may lie in the folder `__files` beside that of the mappings.
"""

from collections.abc import Iterator
from pathlib import Path

from wirecheck.sources.formats import json_document
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.node import JsonNode, Node, first, text
from wirecheck.sources.formats.recorded_bodies import (
    beside,
    encoding_of,
    exchange_of,
    headers_of,
    of_base64,
    without_request,
)
from wirecheck.wire.records import Record, Unread

LISTS = ("mappings", "requests")
URLS = ("absoluteUrl", "url", "urlPath", "urlPattern", "urlPathPattern")
WHOLE = ("equalToJson", "equalTo")


def one(file: OpenedFile) -> Iterator[Record]:
    return _mapping(file, json_document.document(file))


def several(file: OpenedFile) -> Iterator[Record]:
    for item in json_document.items(file, *((name,) for name in LISTS)):
        yield from _mapping(file, item)


def _mapping(file: OpenedFile, item: JsonNode) -> Iterator[Record]:
    asked, answered = item["request"], item["response"]
    if not asked:
        return iter((without_request(item),))
    return exchange_of(
        item,
        _asked(asked),
        _answered(file, answered),
        method=asked["method"],
        url=next(filter(None, (text(asked[key]) for key in URLS)), ""),
        headers=headers_of(asked["headers"]),
        status=answered["status"],
    )


def _asked(asked: JsonNode) -> Node | Unread:
    if asked["bodyAsBase64"]:
        return of_base64(asked["bodyAsBase64"])
    for pattern in asked["bodyPatterns"]:
        if pattern["binaryEqualTo"]:
            return of_base64(pattern["binaryEqualTo"])
        if whole := first(*(pattern[key] for key in WHOLE)):
            return whole
    return asked["body"]


def _answered(file: OpenedFile, answered: JsonNode) -> Node | Unread:
    encoding = encoding_of(headers_of(answered["headers"]))
    if packed := first(answered["base64Body"], answered["bodyAsBase64"]):
        return of_base64(packed, encoding)
    if answered["bodyFileName"]:
        return beside(file, _files(Path(file.path)), answered["bodyFileName"])
    return first(answered["jsonBody"], answered["body"])


def _files(mapping: Path) -> Path:
    """The folder of replies: beside `mappings`, which may have folders in it."""
    found = next((folder for folder in mapping.parents if folder.name == "mappings"), mapping.parent)
    return found.parent / "__files"
