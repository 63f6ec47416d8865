"""Recordings of nock, as `nock.recorder` and nockBack write them: a list of `scope`, `path`, `body` and `response`.

A reply that was packed is a list of its pieces in hex, and one that is no text a hex string (`responseIsBinary`).
"""

from collections.abc import Iterator

from wirecheck.sources import lenient
from wirecheck.sources.formats import json_document
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.node import JsonNode, Node, text
from wirecheck.sources.formats.recorded_bodies import encoding_of, exchange_of, headers_of, unpacked, without_request
from wirecheck.wire.records import Record, Unread


def records(file: OpenedFile) -> Iterator[Record]:
    for item in json_document.items(file, ()):
        yield from _exchange(item)


def _exchange(item: JsonNode) -> Iterator[Record]:
    if not item["scope"]:
        return iter((without_request(item),))
    return exchange_of(
        item,
        item["body"],
        _reply(item),
        method=item["method"],
        url=text(item["scope"]).removesuffix("/") + text(item["path"]),
        headers=headers_of(item["reqheaders"]),
        status=item["status"],
    )


def _reply(item: JsonNode) -> Node | Unread:
    answered, encoding = item["response"], encoding_of(_raw_headers(item["rawHeaders"]))
    pieces = [text(piece) for piece in answered]
    if not (all(pieces) if pieces else text(answered) and item["responseIsBinary"].value() is True):
        return answered
    try:
        data = bytes.fromhex("".join(pieces) or text(answered))
    except ValueError:
        return answered
    return unpacked(data, encoding, answered.site)


def _raw_headers(node: JsonNode) -> dict[str, str]:
    """Names and values in turn, or an object."""
    found = node.value()
    if isinstance(found, list) and all(isinstance(each, str) for each in found):
        return dict(zip(found[::2], found[1::2], strict=False))
    return lenient.named(found)
