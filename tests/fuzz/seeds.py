"""What the targets begin with: the logs of fixtures/ and the examples of the rules, in every form that a log has.

Made when asked for, so that no copy of them can grow stale.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from tests.sources.telling import singly
from wirecheck.data import shipped
from wirecheck.dialects import Dialects
from wirecheck.rules import Ruleset, load
from wirecheck.rules.pages.examples import records as of_example
from wirecheck.sources import read_file
from wirecheck.sources.detect import look
from wirecheck.wire import log
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Record, Replied, Site

ROOT = Path(shipped.root())
LINES, LONGEST = 16, 24_000  # of a seed: a fuzzer gets further with many small ones
WRITTEN = (Opened, Replied, Frame, Closed)
# What neither a fixture nor an example has: other methods of the API, and a count of tokens alone.
URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash"
ASKED = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}], "generationConfig": {"maxOutputTokens": 9}}
BATCH = {"requests": {"requests": [{"request": ASKED, "metadata": {"key": "a"}}, {"request": ASKED}]}}
RARE = (
    {"request": {"method": "POST", "url": f"{URL}:batchGenerateContent", "body": {"batch": {"inputConfig": BATCH}}}},
    {"request": {"method": "POST", "url": f"{URL}:embedContent", "body": {"content": ASKED["contents"]}}},
    {"usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 2}},
)
Seeds = Sequence[bytes]


@cache
def builtin() -> Ruleset:
    return load()


@cache
def logs() -> Seeds:
    """Fixtures, examples, and each form of them."""
    found = [*fixtures(), *examples(), *(_lines([each] * 2) for each in RARE)]
    return _distinct([*found, *(form for each in found for form in forms(each))])


@cache
def fixtures() -> Seeds:
    paths = sorted((ROOT / "fixtures").glob("*/log.jsonl"))
    return _distinct(b"".join(islice(path.open("rb"), LINES)) for path in paths)


@cache
def examples() -> Seeds:
    pages = [rule.page() for rule in builtin().rules]
    return _distinct(
        _ours(of_example(example, read_file)) for page in pages for example in (*page.bad[:2], *page.good[:1])
    )


@cache
def rule_files() -> Seeds:
    return _distinct(path.read_bytes() for path in sorted((ROOT / "rules").glob("*/*.yaml")))


@cache
def by_kind() -> dict[str, Seeds]:
    """Logs of one kind of line alone, by the kind of sources/detect.py."""
    found: dict[str, dict[bytes, list[bytes]]] = {}
    for each in logs():
        for line in each.splitlines():
            found.setdefault(_kind(line), {}).setdefault(each, []).append(line)
    return {kind: _distinct(b"\n".join(some) for some in of.values()) for kind, of in found.items() if kind}


@cache
def by_protocol() -> Mapping[str, Seeds]:
    """Logs by the protocol of their channels, as the URL or the keys of the records tell it."""
    found: dict[str, list[bytes]] = {}
    for each in logs():
        for protocol in protocols(each):
            found.setdefault(protocol, []).append(each)
    return found


def protocols(data: bytes) -> set[str]:
    dialects, found = Dialects(builtin().models), set[str]()
    for record in records(data):
        list(dialects.read(record))
        found |= _names(dialects, record.channel)
    return found


def _names(dialects: Dialects, channel: str) -> set[str]:
    """The protocols of a channel: by its class, and where that reads several by what it says of itself."""
    known = dialects._channels.get(channel)
    reading: Any = known and known[1]
    named = {name for name, made in dialects._protocols.items() if type(reading) is getattr(made, "func", made)}
    return named if len(named) < 2 else {reading.protocol}


def records(data: bytes, input_format: str | None = None) -> Iterator[Record]:
    return singly(read_file(io.BytesIO(data), "log.jsonl", input_format))


def written(data: bytes) -> list[Opened | Replied | Frame | Closed]:
    """The records that a log of our own can hold: what could not be read crossed no wire."""
    return [record for record in records(data) if isinstance(record, WRITTEN)]


def forms(data: bytes) -> Iterator[bytes]:
    """The same traffic as others log it."""
    sent = written(data)
    bodies = [(_sender(each), json.loads(body.payload)) for each in sent if (body := _json(each)) is not None]
    if not bodies:
        return
    yield _ours(sent)
    yield _lines(body for _, body in bodies)
    yield _lines([body for _, body in bodies[:LINES]])
    yield _lines({"from": sender, "data": body} for sender, body in bodies)
    yield _lines([{"frames": [{"dir": sender, "data": body} for sender, body in bodies]}])
    yield _lines({"level": "info", "payload": json.dumps(body)} for _, body in bodies)
    yield b"".join(b"data: %b\n\n" % json.dumps(body).encode() for sender, body in bodies if sender == "server")
    yield json.dumps(bodies[0][1], indent=1).encode()
    if contents := [each for _, body in bodies if isinstance(body, dict) for each in _turns(body)]:
        yield _lines(contents)
        yield _lines([{"messages": contents}])
        yield _lines([contents])
    yield _lines(_exchanges(sent))


def _exchanges(sent: Iterable[Record]) -> Iterator[Any]:
    asked: dict[str, Any] = {}
    for each in sent:
        body = _json(each)
        if isinstance(each, Opened) and body is not None:
            asked = {"method": each.method, "url": each.url, "body": json.loads(body.payload)}
        elif asked and body is not None:
            yield {"request": asked, "response": {"status": 200, "body": json.loads(body.payload)}}


def _turns(body: dict[str, Any]) -> Iterator[Any]:
    for key in ("contents", "messages"):
        if isinstance(body.get(key), list):
            yield from body[key]
    for candidate in body.get("candidates") or ():
        if isinstance(candidate, dict) and "content" in candidate:
            yield candidate["content"]


def _json(each: Record) -> Body | None:
    body = each.body if isinstance(each, Opened | Frame) else None
    return body if body is not None and body.form == "json" else None


def _sender(each: Record) -> str:
    return each.sender if isinstance(each, Frame) else "client"


def _ours(some: Iterable[Record]) -> bytes:
    return b"".join(log.encode(each) for each in some if isinstance(each, WRITTEN))


def _lines(values: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in islice(values, LINES))


def _kind(line: bytes) -> str:
    if line.startswith(b"data:"):
        return "reply"
    try:
        return look(line.strip(), Site(Origin("", 0))).kind
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""


def _distinct(found: Iterable[bytes]) -> Seeds:
    return tuple(dict.fromkeys(each for each in found if 0 < len(each) <= LONGEST))
