"""Fixtures of ReqLLM: one exchange a file, its request also decoded, as `canonical_json`.

A reply that is no JSON stands in base64, that of a stream in `chunks`, as they arrived: events may be cut anywhere.
"""

from base64 import b64decode
from collections.abc import Iterator

from wirecheck.sources.formats import json_document
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.node import JsonNode, Node, first, text
from wirecheck.sources.formats.recorded_bodies import (
    encoding_of,
    exchange_of,
    headers_of,
    of_base64,
    unpacked,
    without_request,
)
from wirecheck.wire.records import Record, Unread


def records(file: OpenedFile) -> Iterator[Record]:
    item = json_document.document(file)
    asked, answered = item["request"], item["response"]
    if not asked:
        return iter((without_request(item),))
    return exchange_of(
        item,
        first(asked["canonical_json"], _body(asked["body"])),
        _streamed(item, answered) if item["chunks"] else _body(answered["body"]),
        method=asked["method"],
        url=text(asked["url"]),
        headers=headers_of(asked["headers"]),
        status=answered["status"],
    )


def _body(body: JsonNode) -> Node:
    found = of_base64(body["b64"]) if body["b64"] else body
    return body if isinstance(found, Unread) else found


def _streamed(item: JsonNode, answered: JsonNode) -> Node | Unread:
    chunks = item["chunks"]
    data = b"".join(_decoded(text(chunk["b64"])) or text(chunk).encode() for chunk in chunks)
    return unpacked(data, encoding_of(headers_of(answered["headers"])), chunks.site)


def _decoded(written: str) -> bytes:
    try:
        return b64decode(written.encode(), validate=False)
    except ValueError:
        return b""
