"""A value in a file, and where it stands there: the same for JSON, which is decoded as it is asked for, and for YAML.

What is missing is a Missing node, so that a reader may ask on without looking at each step.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Raw

from wirecheck.sources import json_texts, lenient, reply_bodies
from wirecheck.sources.detect import head, items_of, keys_of, object_of
from wirecheck.sources.surrogates import mend
from wirecheck.wire import payload
from wirecheck.wire.records import Body, Origin, Site
from wirecheck.wire.utf8 import utf8

AnyNode = TypeVar("AnyNode", bound="Node")
TWICE = re.compile(rb'\s{0,99}"(?:\\["nrt]|\s){0,99}[{\[]')  # how JSON begins that is a text with JSON in it
_decode, _raw = msgspec.json.Decoder().decode, msgspec.json.Decoder(Raw).decode


class Node(Protocol):
    """A value with its place."""

    @property
    def site(self) -> Site: ...

    def __getitem__(self, key: str) -> "Node":
        """A member of an object. Where there is none, or this is no object, a missing node."""

    def __iter__(self) -> Iterator["Node"]:
        """The items of a list; none of anything else."""

    def __contains__(self, key: str) -> bool: ...

    def __bool__(self) -> bool:
        """Whether there is a value, and it is not null."""

    def value(self) -> Any:
        """The value as Python has it. None where there is none."""

    def body(self) -> Body | None:
        """It as a payload: the JSON in a text, or the value itself. None for null."""

    def bodies(self) -> Iterator[Body]:
        """It as the body of a reply: events of a stream, items of a list, or the one payload."""


def text(node: Node) -> str:
    """The text of a node; "" of anything else."""
    if isinstance(node, JsonNode):
        return node.text
    found = node.value()
    return found if type(found) is str else ""


def short_text(node: Node, longest: int) -> str:
    """The text of a node that is not longer than this; "" of anything else. A long one is not decoded."""
    if isinstance(node, JsonNode) and node.size > longest + 32:  # a few characters may be escaped
        return ""
    found = text(node)
    return found if len(found) <= longest else ""


def number(node: Node) -> int | None:
    found = node.value()
    if type(found) is str and found.isascii() and found.isdigit() and len(found) < 10:
        return int(found)
    return found if type(found) is int and abs(found) < 1_000_000_000 else None


def first(*nodes: AnyNode) -> AnyNode:
    """The first that is there."""
    return next((node for node in nodes if node), nodes[-1])


class JsonNode:
    """A value in JSON, undecoded. One within another knows its place when it is asked for it: most are not."""

    __slots__ = ("_around", "_keys", "_raw", "_site", "_step")
    verbatim = True  # whether what is in it stands in the file as it does here

    def __init__(
        self, raw: bytes | Raw | None, site: Site | None, around: "JsonNode | None" = None, step: str | int = 0
    ):
        self._raw, self._site = raw, site
        self._around, self._step = around, step
        self._keys: dict[str, Raw] | None = None

    @classmethod
    def checked(cls, raw: bytes, site: Site) -> "JsonNode":
        """A whole value. Raises DecodeError where it is no JSON."""
        node = cls(raw, site)
        if head(raw) == b"{":
            node._keys = object_of(raw)  # looks at all of it
        else:
            _raw(raw)
        return node

    @property
    def site(self) -> Site:
        if self._site is None:
            assert self._around is not None
            self._site = self._around.site.to(lenient.step(self._step))
        return self._site

    def _members(self) -> dict[str, Raw]:
        if self._keys is None:
            self._keys = {} if self._raw is None else keys_of(Raw(self._raw))
        return self._keys

    @property
    def size(self) -> int:
        """Its bytes."""
        return 0 if self._raw is None else len(memoryview(self._raw))

    def __getitem__(self, key: str) -> "JsonNode":
        members = self._members() if self._keys is None else self._keys
        return JsonNode(members.get(key), None, self, key)

    def __iter__(self) -> Iterator["JsonNode"]:
        for n, item in enumerate(() if self._raw is None else items_of(Raw(self._raw))):
            yield JsonNode(item, None, self, n)

    def __contains__(self, key: str) -> bool:
        return key in (self._members() if self._keys is None else self._keys)

    def names(self) -> Collection[str]:
        """The keys of an object."""
        return self._members()

    def __bool__(self) -> bool:
        return self._raw is not None and head(self._raw) != b"n"

    def value(self) -> Any:
        """None also where Python has no such value: a number out of range, a list nested too deep."""
        try:
            return None if self._raw is None else _decode(self._raw)
        except (msgspec.DecodeError, RecursionError):
            return None

    @property
    def text(self) -> str:
        """It as a text; "" where it is none."""
        if self._raw is None or head(self._raw) != b'"':
            return ""
        found = self.value()
        return found if type(found) is str else ""

    @property
    def begins(self) -> bytes:
        """Its first byte."""
        return b"" if self._raw is None else head(self._raw)

    @property
    def is_list(self) -> bool:
        return self.begins == b"["

    @property
    def written(self) -> bytes | Raw:
        """The JSON as it is written, which may be a part of its line; "" where there is none."""
        return b"" if self._raw is None else self._raw

    @property
    def raw(self) -> bytes:
        """The same as bytes of its own."""
        return bytes(self.written)

    def inner(self) -> "JsonNode":
        """The JSON that stands in this text, or in a text in it; the node itself where it is no text, or holds none."""
        if self._raw is None or head(self._raw) != b'"':
            return self
        body = json_texts.of_value(self._raw, self.site)
        if body is None:
            return self
        if body.form == "json":
            return JsonNode(body.raw.strip(), body.site)
        if (mended := mend(body.raw)) is not body.raw and payload.is_json(mended):
            return JsonNode(mended.strip(), payload.within(body.site))
        if TWICE.match(body.raw) is None:
            return self
        again = JsonNode(body.raw.strip(), payload.within(body.site))
        inner = again.inner() if again.text else again
        return self if inner is again else inner

    def body(self) -> Body | None:
        return None if self._raw is None else json_texts.of_value(self._raw, self.site)

    def bodies(self) -> Iterator[Body]:
        return iter(()) if self._raw is None else iter(reply_bodies.bodies(self._raw, self.site))


class DeepNode(JsonNode):
    """A value several steps below the node around it, where the pointer that is its step leads."""

    __slots__ = ()

    @property
    def site(self) -> Site:
        if self._site is None:
            assert self._around is not None
            self._site = self._around.site.to(str(self._step))
        return self._site


class JsonPieces(JsonNode):
    """A list whose items are a reply piece by piece: JSON, or texts with the events of a stream."""

    __slots__ = ()

    @classmethod
    def of(cls, node: JsonNode) -> "JsonPieces":
        return cls(node._raw, node.site)

    def bodies(self) -> Iterator[Body]:
        for piece in self:
            events = text(piece).encode()
            yield from reply_bodies.stream((events,), piece.site) if reply_bodies.is_stream(events) else piece.bodies()


class Lined(dict[str, Any]):
    """An object in YAML that knows on which line each of its values begins."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}


class YamlNode:
    """A value in YAML, and its line."""

    __slots__ = ("_value", "site")

    def __init__(self, value: Any, site: Site) -> None:
        self._value, self.site = value, site

    def __getitem__(self, key: str) -> "YamlNode":
        site = self.site.to(lenient.step(key))
        if not isinstance(self._value, Mapping):
            return YamlNode(None, site)
        if isinstance(self._value, Lined) and key in self._value.lines:
            site = Site(Origin(site.origin.path, self._value.lines[key]), site.pointer)
        return YamlNode(self._value.get(key), site)

    def __iter__(self) -> Iterator["YamlNode"]:
        for n, item in enumerate(self._value if isinstance(self._value, list) else ()):
            yield YamlNode(item, self.site.to(f"/{n}"))

    def __contains__(self, key: str) -> bool:
        return isinstance(self._value, Mapping) and key in self._value

    def __bool__(self) -> bool:
        return self._value is not None

    def value(self) -> Any:
        return self._value

    def body(self) -> Body | None:
        if self._value is None:
            return None
        if isinstance(self._value, str):
            return payload.of_text(self._value, self.site)
        if isinstance(self._value, bytes):
            found = payload.of_bytes(self._value, self.site)
            return Body(found.raw, payload.within(self.site)) if found.form == "json" else found
        return Body(msgspec.json.encode(self._value), self.site)

    def bodies(self) -> Iterator[Body]:
        written = self._value.encode() if isinstance(self._value, str) else self._value
        found: Iterable[Body] = ()
        if isinstance(written, bytes) and reply_bodies.is_stream(written):
            found = reply_bodies.stream((written,), self.site)
        elif (body := self.body()) is not None and body.raw:
            found = reply_bodies.of_body(body)
        yield from map(_sound, found) if isinstance(self._value, bytes) else found


def _sound(body: Body) -> Body:
    """A piece of bytes that nobody has looked at yet may be no UTF-8, though it has the form of JSON."""
    try:
        utf8(body.raw)
    except UnicodeDecodeError:
        return Body(body.raw, body.site, "bytes")
    return body
