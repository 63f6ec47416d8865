"""Contents that a reader puts together from what an application wrote about them in its own form.

Each part knows where it came from, so that a finding points into the file and not into what was made of it.
"""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from wirecheck.sources.formats.node import JsonNode
from wirecheck.wire.records import Body, Site

Steps = tuple[str | int, ...]


class GatheredPart(Struct, frozen=True):
    """A part, and the nodes that it and what is in it came from. What is below `same` stands in the file as it does
    here."""

    raw: bytes
    nodes: Mapping[Steps, JsonNode]
    same: frozenset[Steps] = frozenset()

    @property
    def site(self) -> Site:
        return self.nodes[()].site


def content(site: Site, role: str, parts: Iterable[GatheredPart]) -> Body:
    """A content of these parts. `site` is where all of them lie."""
    gathered = tuple(parts)
    places = {
        ("parts", n, *steps): below(site, node.site) + "/" * (steps in part.same and _is_there(site, node))
        for n, part in enumerate(gathered)
        for steps, node in part.nodes.items()
    }
    raw = b'{"role":%b,"parts":[%b]}' % (msgspec.json.encode(role), b",".join(part.raw for part in gathered))
    return Body(raw, Site(site.origin, site.pointer, site.inner, site.event, site.inner_pointer, places=places))


def part(node: JsonNode) -> GatheredPart:
    """A part that stands there as it was."""
    return GatheredPart(node.raw, {(): node}, frozenset(((),)))


def wrapped(key: str, node: JsonNode) -> GatheredPart:
    """A part whose call or response stands there as it was."""
    return GatheredPart(b'{"%b":%b}' % (key.encode(), node.raw), {(): node, (key,): node}, frozenset(((key,),)))


def text(node: JsonNode, *, thought: bool = False) -> GatheredPart:
    """The text in a string."""
    said = node.raw if node.raw[:1] == b'"' else b'""'
    return GatheredPart(b'{"text":%b%b}' % (said, b',"thought":true' * thought), {(): node})


def named(node: JsonNode, kind: str) -> GatheredPart:
    """A part that is not shown: what it is called stands for it."""
    return GatheredPart(msgspec.json.encode({"text": f"[{kind[:60]}]"}), {(): node})


def call(at: JsonNode, *, id: JsonNode, name: JsonNode, args: JsonNode) -> GatheredPart:
    return _half("functionCall", at, {"id": id, "name": name, "args": args})


def response(at: JsonNode, *, id: JsonNode, name: JsonNode, output: JsonNode) -> GatheredPart:
    """A response. What a tool returned need not be an object: the programs wrap it when they send it."""
    halves = {"id": id, "name": name}
    return _half("functionResponse", at, halves, b'{"output":%b}' % (output.raw or b"null"))


def _half(key: str, at: JsonNode, members: Mapping[str, JsonNode], returned: bytes = b"") -> GatheredPart:
    given = {name: node for name, node in members.items() if node}
    written = [b'"%b":%b' % (name.encode(), node.raw) for name, node in given.items()]
    if returned:
        written.append(b'"response":%b' % returned)
    nodes: dict[Steps, JsonNode] = {(): at, **{(key, name): node for name, node in given.items()}}
    return GatheredPart(b'{"%b":{%b}}' % (key.encode(), b",".join(written)), nodes, frozenset(nodes) - {()})


def _is_there(site: Site, node: JsonNode) -> bool:
    """Whether a pointer leads on from a node: not into a text, nor into what was put together."""
    return node.verbatim and node.site.inner == site.inner


def below(site: Site, inside: Site) -> str:
    """The pointer from a place to one within it."""
    if site.inner:
        return inside.inner_pointer.removeprefix(site.inner_pointer)
    return inside.pointer.removeprefix(site.pointer)
