"""Messages as tracing tells them, in whichever words, as contents of the Gemini API.

Those of OpenTelemetry have typed parts; older ones and those of OpenInference are like OpenAI's; the events of older
instrumentations of Google's SDK, and the bodies that OpenInference keeps, hold contents as they were.
"""

import re
from collections.abc import Iterable, Iterator
from functools import reduce

import msgspec
from msgspec import Struct

from wirecheck.hashing import digest
from wirecheck.sources.agents import gathered
from wirecheck.sources.agents.gathered import GatheredPart
from wirecheck.sources.formats.node import JsonNode, first, text
from wirecheck.sources.telemetry.console_objects import CUT
from wirecheck.wire.records import Body, Site

ROLES = {
    **dict.fromkeys(("assistant", "model", "ai", "choice"), "model"),
    **dict.fromkeys(("system", "developer"), "system"),
}
RESPONDING = ("tool", "function")  # roles of a message that is one response
CALLS = ("tool_call", "function_call", "tool_use", "tool-call")
RESPONSES = ("tool_call_response", "tool_result", "tool_response", "tool-result", "tool-error")
TEXTS = ("text", "input_text", "output_text", "refusal")
SIGNS = {b"[": '"type"', b"{": '"parts"'}  # what is in a text that holds blocks or a content
ELIDED = ("<elided>", "__REDACTED__", CUT)  # stand for a content that was not captured
DEEPEST = 3  # levels of lists, and of contents in messages
# Where the server gave no id, Google's instrumentation makes one of the name and the number of the part.
NUMBERED = re.compile(r"(.{1,200})_[0-9]{1,4}", re.DOTALL)


class ToldMessage(Struct, frozen=True):
    """One content. `calls` are what its calls are known by when they are recited: their ids, or name and arguments."""

    role: str
    body: Body
    key: int
    calls: tuple[int, ...]


class ToldPart(Struct, frozen=True):
    part: GatheredPart
    kind: str = ""  # "call" or "response"
    known_by: int = 0  # of a call


class ToldParts(Struct, frozen=True):
    """The parts of a message."""

    role: str
    site: Site
    parts: list[ToldPart]

    @property
    def responds(self) -> bool:
        return all([each.kind == "response" for each in self.parts])


def messages(found: Iterable[tuple[str, JsonNode]], *, one: bool = False) -> list[ToldMessage]:
    """The contents in these values, each with the role it has where it tells none. Responses that follow one another
    are one content, for others than Google make a message of each; with `one` all are, as pieces of a stream."""
    names, told = CalledNames(), list[ToldParts]()
    for role, node in found:
        for parts in _spoken(node, role, names):
            if told and (one or (parts.responds and told[-1].responds)):
                before = told.pop()
                parts = ToldParts(before.role, around(before.site, parts.site), before.parts + parts.parts)
            told.append(parts)
    return list(map(_message, told))


def _message(told: ToldParts) -> ToldMessage:
    body = gathered.content(told.site, told.role, [each.part for each in told.parts])
    calls = tuple([each.known_by for each in told.parts if each.kind == "call"])
    return ToldMessage(told.role, body, digest(body.raw), calls)


class CalledNames:
    """The names of the calls so far: responses are told by id alone."""

    def __init__(self) -> None:
        self._by_id: dict[str, JsonNode] = {}
        self._numbered = set[str]()  # names of calls whose ids were made up

    def called(self, id: JsonNode, name: JsonNode) -> JsonNode:
        """The id of a call; missing where it is made up."""
        written, called = text(id), text(name)
        if (made := NUMBERED.fullmatch(written)) is not None and made[1] == called:
            self._numbered.add(called)
            return JsonNode(None, id.site)
        if written:
            self._by_id[written] = name
        return id

    def responded(self, id: JsonNode, name: JsonNode) -> tuple[JsonNode, JsonNode]:
        """The id and the name of a response."""
        written = text(id)
        made = NUMBERED.fullmatch(written) if written not in self._by_id else None
        if made is not None and made[1] in self._numbered:
            return JsonNode(None, id.site), JsonNode(msgspec.json.encode(made[1]), id.site)
        return id, name if text(name) else self._by_id.get(written, name)


def _spoken(node: JsonNode, role: str, names: CalledNames, depth: int = DEEPEST) -> Iterator[ToldParts]:
    """The messages in a value: one, a list of them, or a text."""
    node = node.inner()
    for item in node if depth else ():
        yield from _spoken(item, role, names, depth - 1)
    told = first(node["message"].inner(), node)
    role = ROLES.get(text(told["role"]).lower() or role, "user")
    content = _structured(told["content"])
    if content["parts"] and depth:
        yield from _spoken(content, role, names, depth - 1)
        return
    if told["parts"]:
        parts = [_part(part, names) for part in told["parts"].inner()]
    elif text(node):
        parts = _texts(node)
    else:
        parts = list(_like_openai(told, content, names))
    if parts:
        site = told.site if told.verbatim else reduce(around, [each.part.site for each in parts], told.site)
        yield ToldParts(role, site, parts)


def _structured(content: JsonNode) -> JsonNode:
    """A content that stands in a text. What else is JSON in a text was said so."""
    inner = content.inner()
    return inner if inner is not content and SIGNS.get(inner.raw[:1], "\0").encode() in inner.raw else content


def _like_openai(told: JsonNode, content: JsonNode, names: CalledNames) -> Iterator[ToldPart]:
    blocks = [first(block["message_content"], block) for block in (*content, *told["contents"])]
    answered = first(told["tool_call_id"], told["toolCallId"])
    if answered or (text(told["role"]) in RESPONDING and not any(text(each["type"]) in RESPONSES for each in blocks)):
        yield _response(told, first(answered, told["id"]), told["name"], content, names)
        return
    yield from _texts(content)
    for block in blocks:
        yield from _texts(block) if text(block) else (_part(block, names),)
    for call in first(told["tool_calls"], told["toolCalls"]).inner():
        inner = first(call["tool_call"], call)
        yield _call(inner, first(inner["function"], inner), names)


def _texts(node: JsonNode) -> list[ToldPart]:
    said = text(node)
    return [ToldPart(gathered.text(node))] if said and said not in ELIDED else []


def _part(part: JsonNode, names: CalledNames) -> ToldPart:
    """A typed part, or one of the Gemini API, which has no type."""
    kind = text(part["type"])
    if kind in TEXTS:
        return ToldPart(gathered.text(first(part["content"], part["text"])))
    if kind in CALLS:
        return _call(part, part, names)
    if kind in RESPONSES:
        id = first(part["id"], part["tool_use_id"], part["toolCallId"])
        output = first(part["response"], part["result"], part["output"], part["content"])
        return _response(part, id, first(part["name"], part["toolName"]), output, names)
    if kind in ("reasoning", "thinking"):
        return ToldPart(gathered.text(first(part["content"], part["text"], part["thinking"]), thought=True))
    if kind or text(part):
        return ToldPart(gathered.named(part, kind or "text"))
    call = first(part["functionCall"], part["function_call"])
    response = first(part["functionResponse"], part["function_response"])
    if call:
        id = names.called(call["id"], call["name"])
        return ToldPart(gathered.part(part), "call", _known(id, call["name"], call["args"]))
    return ToldPart(gathered.part(part), "response" if response else "")


def _call(at: JsonNode, told: JsonNode, names: CalledNames) -> ToldPart:
    """A call, of which `told` has the name and the arguments."""
    name = first(told["name"], told["toolName"])
    id = names.called(first(at["id"], at["toolCallId"]), name)
    args = first(told["arguments"], told["args"], told["input"]).inner()
    return ToldPart(gathered.call(at, id=id, name=name, args=args), "call", _known(id, name, args))


def _known(id: JsonNode, name: JsonNode, args: JsonNode) -> int:
    return digest(id.raw or b"%b\0%b" % (name.raw, b"".join(args.raw.split())))


def _response(at: JsonNode, id: JsonNode, name: JsonNode, output: JsonNode, names: CalledNames) -> ToldPart:
    id, name = names.responded(id, name)
    return ToldPart(gathered.response(at, id=id, name=name, output=output), "response")


def around(one: Site, other: Site) -> Site:
    """Where both lie."""
    if one.pointer != other.pointer or one.inner != other.inner:
        return Site(one.origin, _common(one.pointer, other.pointer))
    return Site(one.origin, one.pointer, one.inner, one.event, _common(one.inner_pointer, other.inner_pointer))


def _common(one: str, other: str) -> str:
    steps = zip(one.split("/"), other.split("/"), strict=False)
    shared = 0
    for mine, theirs in steps:
        if mine != theirs:
            break
        shared += 1
    return "/".join(one.split("/")[:shared])


def contents(site: Site, asked: list[ToldMessage]) -> Body:
    """A request, of which these are all that is known."""
    if asked:
        site = reduce(around, [message.body.site for message in asked])
    places: dict[gathered.Steps, str] = {
        ("contents", n): gathered.below(site, message.body.site) for n, message in enumerate(asked)
    }
    for n, message in enumerate(asked):
        within = message.body.site
        for steps, place in (within.places or {}).items():
            shown = place if within.inner == site.inner else ""
            places["contents", n, *steps] = gathered.below(site, within) + shown
    raw = b'{"contents":[%b]}' % b",".join([message.body.raw for message in asked])
    return Body(raw, Site(site.origin, site.pointer, site.inner, site.event, site.inner_pointer, places=places))
