"""What the server said of a request that it refused, out of a text in which a program tells it."""

import re
from collections.abc import Iterator
from json import JSONDecoder

import msgspec

from wirecheck.sources.formats.building import exchange
from wirecheck.sources.formats.node import JsonNode, text
from wirecheck.wire.records import Body, Record, Site

# As gemini-cli writes it: the message, and the name of the status. As Python prints an error of the SDK: the status,
# and a dictionary with the message; its class may stand before it.
BY_GEMINI_CLI = re.compile(r"\s{0,9}\[API Error: (.{1,4000}?) \(Status: ([A-Z_]{1,40})\)\]", re.DOTALL)
BY_PYTHON = re.compile(r"(?<!\d)([45]\d\d) [A-Z_]{1,40}\. \{")
PRINTED_BYTES, ESCAPED = re.compile(r"\bb['\"]\{"), re.compile(r"((?:\\x[0-9a-f]{2})+)|\\(.)", re.DOTALL)
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
MESSAGE = re.compile(r"'message': (?:'((?:[^'\\]|\\.){0,4000})'|\"((?:[^\"\\]|\\.){0,4000})\")")
STATUSES = {"INVALID_ARGUMENT": 400, "FAILED_PRECONDITION": 400}
CODES = range(400, 600)
LONGEST = 1 << 16  # characters of a text that is searched
OBJECTS = 8  # that are looked at in it
_object = JSONDecoder().raw_decode
_decode = msgspec.json.Decoder().decode


def refused(asked: Body, told: JsonNode) -> Iterator[Record]:
    """A request that the server refused, where this text tells of it. All that is known of the request is a content."""
    if (found := refusal(told)) is not None:
        status, reply = found
        body = Body(b'{"contents":[%b]}' % asked.raw, Site(asked.site.origin, asked.site.pointer, places={}))
        yield from exchange(told.site, method="", url="generateContent", body=body, status=status, reply=(reply,))


def refusal(node: JsonNode, status: int | None = None) -> tuple[int, Body] | None:
    """The status and the body of the refusal. With a `status` any text is one; else it must tell one."""
    said = text(node)[:LONGEST]
    for inner in _objects(_plain(said)):
        if (code := _code(inner)) is not None:
            return status or code, _body(node, inner)
    if (told := BY_GEMINI_CLI.match(said)) is not None and told[2] in STATUSES:
        said, status = told[1], STATUSES[told[2]]
    elif (printed := BY_PYTHON.search(said)) is not None and (message := MESSAGE.search(said)) is not None:
        said, status = message[1] or message[2] or "", int(printed[1])
    elif status is None:
        return None
    return status, _body(node, msgspec.json.encode({"error": {"code": status, "message": said}}))


def _plain(said: str) -> str:
    """What Python prints of bytes, as they were; any other text as it is."""
    begins = PRINTED_BYTES.search(said)
    if begins is None:
        return said
    return ESCAPED.sub(_unescaped, said[begins.end() - 1 :])


def _unescaped(found: re.Match[str]) -> str:
    if found[1]:
        return bytes.fromhex(found[1].replace("\\x", "")).decode(errors="replace")
    return ESCAPES.get(found[2], found[2])


def _objects(said: str) -> Iterator[bytes]:
    """The first objects in a text. Programs write words before the server's, and behind."""
    end = 0
    for _ in range(OBJECTS):
        if (begin := said.find("{", end)) < 0:
            return
        try:
            end = _object(said, begin)[1]
            yield said[begin:end].encode(errors="replace")
        except (ValueError, RecursionError):
            end = begin + 1


def _code(raw: bytes) -> int | None:
    try:
        error = _decode(raw).get("error")
    except (msgspec.DecodeError, RecursionError, AttributeError):
        return None
    code = error.get("code") if isinstance(error, dict) else None
    return code if type(code) is int and code in CODES else None


def _body(node: JsonNode, raw: bytes) -> Body:
    """All of it lies in the text."""
    return Body(raw, Site(node.site.origin, node.site.pointer, places={}))
