"""VCR cassettes, of vcrpy and pytest-recording (YAML, JSON) and of VCR for Ruby.

`interactions[].request` and `.response`; pytest-recording of pydantic-ai writes `parsed_body` in place of `body`. VCR
for Ruby calls the list `http_interactions`, and the URL `uri` as vcrpy does.
"""

from collections.abc import Iterator

from wirecheck.sources.formats.building import exchange, unpacked
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.json_values import nodes
from wirecheck.sources.formats.node import Node, YamlNode, first, number, text
from wirecheck.sources.formats.yaml_items import items
from wirecheck.wire.records import Record

LISTS = ("interactions", "http_interactions")


def yaml(file: OpenedFile) -> Iterator[Record]:
    for item in items(file, LISTS):
        yield from _interaction(item)


def json(file: OpenedFile) -> Iterator[Record]:
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
            continue
        for name in LISTS:
            for item in node[name]:
                yield from _interaction(item)


def _interaction(item: Node) -> Iterator[Record]:
    asked, answered = item["request"], item["response"]
    status = first(answered["status"]["code"], answered["status_code"], answered["status"])
    reply = _body(answered)
    return exchange(
        item.site,
        method=text(asked["method"]) or "POST",
        url=text(first(asked["uri"], asked["url"])),
        headers=_headers(asked["headers"].value()),
        body=_body(asked).body(),
        status=number(status),
        status_site=status.site,
        reply=reply.bodies() if reply else None,
    )


def _body(half: Node) -> Node:
    """The body, which stands in an object with its encoding, or in it; `parsed_body` holds it as a value."""
    body = first(half["body"]["string"], half["body"]["base64_string"], half["parsed_body"], half["body"])
    if isinstance(body, YamlNode) and isinstance(data := body.value(), bytes):
        return YamlNode(unpacked(data, _encoding(half["headers"].value())), body.site)
    return body


def _headers(found: object) -> dict[str, str]:
    return {str(name): _joined(value) for name, value in found.items()} if isinstance(found, dict) else {}


def _joined(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _encoding(found: object) -> str:
    return next((value for name, value in _headers(found).items() if name.lower() == "content-encoding"), "")
