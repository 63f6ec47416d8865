"""Messages as tracing tells them, in whichever words, as contents of the Gemini API.

Those of OpenTelemetry have typed parts; older ones and those of OpenInference are like OpenAI's; the events of older
instrumentations of Google's SDK, and the bodies that OpenInference keeps, hold contents as they were.
"""

import re
from collections.abc import Iterable, Iterator
from functools import reduce

import msgspec
from msgspec import Struct

from wirecheck.hashing import new_hasher, text_digest
from wirecheck.sources.agents import gathered
from wirecheck.sources.agents.gathered import GatheredPart
from wirecheck.sources.formats.node import JsonNode, first, text
from wirecheck.sources.telemetry.typed_messages import ELIDED, ROLES, SIGNS, CalledNames, ToldMessage, known_by
from wirecheck.sources.telemetry.usual_messages import usual_messages
from wirecheck.wire.records import Body, Site

RESPONDING = ("tool", "function")  # roles of a message that is one response
CALLS = ("tool_call", "function_call", "tool_use", "tool-call")
RESPONSES = ("tool_call_response", "tool_result", "tool_response", "tool-result", "tool-error")
TEXTS = ("text", "input_text", "output_text", "refusal")
DEEPEST = 3  # levels of lists, and of contents in messages
LANGCHAIN = {"ai": "assistant", "human": "user", "system": "system", "tool": "tool"}  # its types of messages, as roles
NUMBERED = re.compile(r"(.{1,200})_[0-9]{1,4}", re.DOTALL)


class ToldPart(Struct, frozen=True):
    part: GatheredPart
    kind: str = ""  # "call" or "response"
    known_by: int = 0  # of a call, or of that which is answered
    name: str = ""  # of a call


class ToldParts(Struct, frozen=True):
    """The parts of a message."""

    role: str
    site: Site
    parts: list[ToldPart]

    @property
    def answers(self) -> int:
        return [each.kind for each in self.parts].count("response")

    @property
    def responds(self) -> bool:
        return all([each.kind == "response" for each in self.parts])


class ToldHistory:
    """What was asked: values with messages, from the first on that is not the system's instruction, which says nothing
    of calls and may change from call to call. They are read from where they are new, for most are recited."""

    def __init__(self, found: Iterable[tuple[str, JsonNode]]) -> None:
        values = [(role, each) for role, node in found for each in _listed(node)]
        while values and _declares(values[-1][1]):
            values.pop()
        begin = next((n for n, value in enumerate(values) if _converse((value,))), len(values))
        self._values = values[begin:]

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, written: bytes) -> bool:
        return any(written in node.raw for _, node in self._values)

    def hashes(self, group: str) -> list[int]:
        """For each value the hash of all up to it. Those of one group are compared."""
        hasher, found = new_hasher(f"{group}\n".encode(errors="replace")), list[int]()
        for _, node in self._values:
            hasher.update(node.written)
            found.append(hasher.intdigest())
        return found

    def told(self, begin: int = 0) -> list[ToldMessage]:
        """The messages from this value on. What the system is told is no message of the conversation."""
        return _converse(self._values[begin:])


def _converse(values: Iterable[tuple[str, JsonNode]]) -> list[ToldMessage]:
    return [message for message in messages(values) if message.role != "system"]


def _listed(node: JsonNode) -> Iterable[JsonNode]:
    node = node.inner()
    return node if node.is_list else (node,)


def messages(found: Iterable[tuple[str, JsonNode]], *, one: bool = False) -> list[ToldMessage]:
    """The contents in these values, each with the role it has where it tells none. Responses that follow one another
    are one content, for others than Google make a message of each; with `one` all are, as pieces of a stream."""
    values = [(role, each) for role, node in found for each in _listed(node)]
    if (usual := usual_messages(values, one)) is not None:
        return usual
    names, told = CalledNames(), list[ToldParts]()
    for role, node in values:
        for parts in _spoken(node, role, names):
            if told and told[-1].responds and 0 < parts.answers == told[-1].answers and not parts.responds:
                told.pop()  # told apart, and once more in the content in which they were sent
            if told and (one or (parts.responds and told[-1].responds)):
                before = told.pop()
                parts = ToldParts(before.role, around(before.site, parts.site), before.parts + parts.parts)
            told.append(parts)
    return list(map(_message, told))


def _message(told: ToldParts) -> ToldMessage:
    body = gathered.content(told.site, told.role, [each.part for each in told.parts])
    calls, answers = (
        tuple([each.known_by for each in told.parts if each.kind == kind and each.known_by])
        for kind in ("call", "response")
    )
    return ToldMessage(told.role, body, calls, answers, tuple([each.name for each in told.parts if each.name]))


def _spoken(node: JsonNode, role: str, names: CalledNames, depth: int = DEEPEST) -> Iterator[ToldParts]:
    """The messages in a value: one, a list of them, or a text."""
    node = node.inner()
    for item in node if depth else ():
        yield from _spoken(item, role, names, depth - 1)
    told = first(node["message"].inner(), node)
    own = text(told["role"]).lower() or LANGCHAIN.get(text(told["type"]), "")
    responds, role = own in RESPONDING or role in RESPONDING, ROLES.get(own or role, "user")
    if responds and _declares(told):
        return
    content = _structured(first(told["content"], told["text"]))
    if content["parts"] and depth:
        yield from _spoken(content, role, names, depth - 1)
        return
    if told["parts"]:
        parts = [_part(part, names) for part in told["parts"].inner()]
    elif text(node):
        parts = _texts(node)
    else:
        kept = told["additional_kwargs"]["tool_calls"]  # of LangChain
        calls = [*first(told["tool_calls"], told["toolCalls"], kept, node["tool_calls"]).inner()]
        calls += [told["function_call"]] * bool(told["function_call"])  # what tool_calls replaced
        parts = list(_like_openai(told, content, calls, responds, names))
    if parts:
        site = told.site if told.verbatim else reduce(around, [each.part.site for each in parts], told.site)
        yield ToldParts(role, site, parts)


def _declares(node: JsonNode) -> bool:
    """Whether it is no message, but the declaration of a tool, which a handler for LangChain puts behind them."""
    content = node["content"]
    return content.begins == b"{" and text(content["type"]) == "function" and bool(content["function"])


def _structured(content: JsonNode) -> JsonNode:
    """A content that stands in a text. What else is JSON in a text was said so."""
    inner = content.inner()
    return (
        inner
        if inner is not content and SIGNS.get(inner.raw[:1].decode("latin-1"), "\0").encode() in inner.raw
        else content
    )


def _like_openai(
    told: JsonNode, content: JsonNode, calls: list[JsonNode], responds: bool, names: CalledNames
) -> Iterator[ToldPart]:
    """The parts of a message with contents and calls. Some tell a call in both."""
    blocks = [first(block["message_content"], block) for block in (*content, *told["contents"])]
    answered = first(told["tool_call_id"], told["toolCallId"])
    if answered or (responds and not any(text(each["type"]) in RESPONSES for each in blocks)):
        yield _response(told, first(answered, told["id"]), told["name"], content, names)
        return
    yield from _texts(content)
    parts = [part for each in blocks for part in (_texts(each) if text(each) else (_part(each, names),))]
    yield from parts
    for call in calls:
        inner = first(call["tool_call"], call)
        part = _call(inner, first(inner["function"], inner), names)
        if not any(each.kind == "call" for each in parts):
            yield part


def _texts(node: JsonNode) -> list[ToldPart]:
    said = text(node)
    return [] if said in ELIDED else [ToldPart(gathered.text(node))]


def _part(part: JsonNode, names: CalledNames) -> ToldPart:
    """A typed part, or one of the Gemini API, which has no type."""
    kind = text(part["type"])
    if kind in TEXTS:
        return ToldPart(gathered.text(first(part["content"], part["text"])))
    if part["builtin"].value() is True:
        return ToldPart(gathered.named(part, kind))  # the server executed it
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
        called = text(call["name"])
        known = known_by(names.called(text(call["id"]), called), called, call["args"].raw)
        return ToldPart(gathered.part(part), "call", known, called)
    answered = text(response["id"])
    return ToldPart(gathered.part(part), "response" if response else "", text_digest(answered) if answered else 0)


def _call(at: JsonNode, told: JsonNode, names: CalledNames) -> ToldPart:
    """A call, of which `told` has the name and the arguments."""
    name, id = first(told["name"], told["toolName"]), first(at["id"], at["toolCallId"])
    args = first(told["arguments"], told["args"], told["input"]).inner()
    called = text(name)
    known = names.called(text(id), called)
    id = id if known or not text(id) else JsonNode(None, id.site)
    key = known_by(known, called, args.raw if args else b"")
    return ToldPart(gathered.call(at, id=id, name=name, args=args), "call", key, called)


def _response(at: JsonNode, id: JsonNode, name: JsonNode, output: JsonNode, names: CalledNames) -> ToldPart:
    known, called = names.responded(text(id), text(name))
    if called != text(name):
        name = JsonNode(msgspec.json.encode(called), id.site)
    id = id if known or not text(id) else JsonNode(None, id.site)
    key = text_digest(known) if known else 0
    return ToldPart(gathered.response(at, id=id, name=name, output=output), "response", key)


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
    """A request of which these are all that is known, told at this place."""
    if asked:
        lie = reduce(around, [message.body.site for message in asked])
        site = lie if lie.inner or lie.origin != site.origin else around(site, lie)
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
