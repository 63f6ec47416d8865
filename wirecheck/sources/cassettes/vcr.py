"""VCR cassettes: of vcrpy and pytest-recording (YAML, JSON), of VCR for Ruby, and of go-vcr.

`interactions[].request` and `.response`; VCR for Ruby calls the list `http_interactions`. Names of what is in them
differ from one writer to the other, and none is used for two things.
"""

from collections.abc import Iterator

from wirecheck.sources.formats import json_document, yaml_items
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.node import Node, YamlNode, first, text
from wirecheck.sources.formats.recorded_bodies import (
    encoding_of,
    exchange_of,
    headers_of,
    of_base64,
    unpacked,
    without_request,
)
from wirecheck.wire.records import Record, Unread

LISTS = ("interactions", "http_interactions")


def yaml(file: OpenedFile) -> Iterator[Record]:
    for item in yaml_items.items(file, LISTS):
        yield from _interaction(item)


def json(file: OpenedFile) -> Iterator[Record]:
    for item in json_document.items(file, *((name,) for name in LISTS)):
        yield from _interaction(item)


def _interaction(item: Node) -> Iterator[Record]:
    asked, answered = item["request"], item["response"]
    if not asked:
        return iter((without_request(item),))
    return exchange_of(
        item,
        _body(asked),
        _body(answered),
        method=asked["method"],
        url=text(first(asked["uri"], asked["url"])),
        headers=headers_of(asked["headers"]),
        # go-vcr writes `status: 200 OK` and `code: 200`; vcrpy `status: {code: 200}`, or for httpx `status_code`.
        status=first(answered["status"]["code"], answered["status_code"], answered["code"], answered["status"]),
    )


def _body(half: Node) -> Node | Unread:
    """pytest-recording may write `parsed_body`, a value; vcrpy for httpx wrote `content`; others a body with a
    `string`, or with its base64."""
    body = half["body"]
    if packed := first(body["base64_string"], half["base64_string"]):
        return of_base64(packed, _encoding(half))
    found = first(body["string"], half["parsed_body"], half["content"], body)
    value = found.value() if isinstance(found, YamlNode) else None
    return unpacked(value, _encoding(half), found.site) if isinstance(value, bytes) else found


def _encoding(half: Node) -> str:
    return encoding_of(headers_of(half["headers"]))
