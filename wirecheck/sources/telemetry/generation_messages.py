"""What a model was asked, and what it said, out of what a tracer keeps of one generation.

Each framework writes that in its own way: a body of the Gemini API, messages in the style of OpenAI, the parts of
OpenTelemetry, or what the AI SDK passes on. Messages stay as they are where dialects/chat.py reads them; what is only
wrapped is unwrapped. The system's instruction is left out: it says nothing of calls, and may change from turn to turn.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from wirecheck.sources.agents import gathered
from wirecheck.sources.formats.node import JsonNode, first, text
from wirecheck.wire.records import Body, Site

INSTRUCTIONS = ("system", "developer")
MODEL, USER = "model", "user"
MODELS = ("model", "assistant", "ai")  # roles of it
CONTENT_ROLES = ("user", "model", "function")
BY_TYPE = {"ai": "assistant", "human": "user", "tool": "tool", "system": "system"}  # as LangChain writes them


class ToldMessage(Struct, frozen=True):
    """A message, who said it (the model, or anybody else), its node, and whether it is a content of the
    Gemini API."""

    role: str
    body: Body
    node: JsonNode
    is_content: bool = True


Messages = list[ToldMessage]


def asked(written: JsonNode) -> Messages | None:
    """The history that a model was given. None where nothing in it is known."""
    found = written.inner()
    for key in ("kwargs", "request"):  # a function that was traced, with its arguments
        found = first(found[key], found) if found[key]["contents"] or found[key]["messages"] else found
    listed = first(found["contents"], found["messages"], found["prompt"], found).inner()
    if listed.is_list:
        return _messages(listed, USER)
    return _message(listed, USER)


def said(written: JsonNode) -> Messages | None:
    """What the model said. None where nothing in it is known."""
    found = written.inner()
    candidate = next(iter(found["candidates"]), None)
    choice = next(iter(found["choices"]), None)
    if candidate is not None:
        return _message(candidate["content"], MODEL)
    if choice is not None:
        return _message(choice["message"], MODEL)
    if found.is_list:
        calls = [each for each in found if each["toolCallId"] and each["toolName"]]
        return [_called(found, calls)] if calls else _messages(found, MODEL)
    if found["toolCalls"] and not found["role"]:
        return [_called(found, list(found["toolCalls"].inner()), found["text"])]
    if found["content"]["parts"]:
        return _message(found["content"], MODEL)
    return _message(found, MODEL)


def _messages(listed: Iterable[JsonNode], role: str) -> Messages | None:
    """The messages of a list; None where an item is none."""
    told = Messages()
    for item in listed:
        each = _message(item, role)
        if each is None:
            return None
        told += each
    return told


def _message(found: JsonNode, role: str) -> Messages | None:
    """A message, without one that instructs; None where it is none."""
    node = found.inner()
    if node.raw[:1] == b'"':
        return [ToldMessage(role, gathered.content(node.site, role, [gathered.text(node)]), node)]
    if node["message"]["role"]:
        node = node["message"]
    named = text(node["role"]) or BY_TYPE.get(text(node["type"]), role)
    form = next((make for key, make in FORMS.items() if key in node), None)
    if form is None:
        return None
    if named in INSTRUCTIONS:
        return []
    body, speaker = form(node, named), MODEL if named in MODELS else USER
    return [ToldMessage(speaker, body, node, form is _parts and body.site.places is None and named in CONTENT_ROLES)]


def _as_it_is(node: JsonNode, role: str) -> Body:
    """A message with its role, which is added where it has none."""
    if node["role"]:
        return Body(node.raw, node.site)
    return Body(b'{"role":%b,%b' % (msgspec.json.encode(role), node.raw[1:]), node.site)


def _parts(node: JsonNode, role: str) -> Body:
    """Parts of the Gemini API; or those of OpenTelemetry, which are blocks: they have a type, and a call its id."""
    parts = node["parts"]
    if not any(part["type"] for part in parts):
        return _as_it_is(node, role)
    site = node.site
    places: dict[tuple[str | int, ...], str] = {(): "", ("content",): "/parts/"}
    written = b'{"role":%b,"content":%b}' % (msgspec.json.encode(role), parts.raw)
    return Body(written, Site(site.origin, site.pointer, site.inner, site.event, site.inner_pointer, places=places))


def _called(at: JsonNode, calls: Sequence[JsonNode], spoken: JsonNode | None = None) -> ToldMessage:
    """Calls as the AI SDK lists them, and the text beside them."""
    parts = [gathered.text(spoken)] if spoken is not None and text(spoken) else []
    for call in calls:
        args = first(call["input"], call["args"]).inner()
        parts.append(gathered.call(call, id=call["toolCallId"], name=call["toolName"], args=args))
    return ToldMessage(MODEL, gathered.content(at.site, MODEL, parts), at)


def names_called(told: Iterable[ToldMessage]) -> Iterator[str]:
    """The names of the functions that these messages call."""
    for message in told:
        node = message.node
        parts = (*node["parts"].inner(), *node["content"], *node["content"]["parts"])
        blocks = (part for part in parts if text(part["type"]) in ("tool_call", "tool-call", "tool_use"))
        calls = (first(part["functionCall"], part["function_call"]) for part in parts)
        listed = first(node["tool_calls"], node["toolCalls"], node).inner()
        functions = (first(call["function"], call) for call in listed)
        for call in (*blocks, *calls, *functions):
            if name := text(first(call["name"], call["toolName"])):
                yield name


# A message by the key that says what it is made of. The first that is there decides.
FORMS: dict[str, Callable[[JsonNode, str], Body]] = {
    "parts": _parts,
    "content": _as_it_is,
    "tool_calls": _as_it_is,
    "function_call": _as_it_is,
    "toolCalls": _as_it_is,
    "text": _as_it_is,
}
