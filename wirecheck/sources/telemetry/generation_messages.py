"""What a model was asked, and what it said, out of what a tracer keeps of one generation.

Each framework writes that in its own way: a body of the Gemini API, messages in the style of OpenAI, the parts of
OpenTelemetry, or what the AI SDK passes on. Messages stay as they are where dialects/chat.py reads them; what is only
wrapped is unwrapped. The system's instruction is left out: it says nothing of calls, and may change from turn to turn.
"""

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec import Struct

from wirecheck.sources.agents import gathered
from wirecheck.sources.formats.node import JsonNode, first, text
from wirecheck.wire.records import Body, Site

INSTRUCTIONS = ("system", "developer")
MODEL, USER = "model", "user"
MODELS = ("model", "assistant", "ai")  # roles of it
CONTENT_ROLES = ("user", "model", "function")
CALLS = re.compile(rb"[cC]all|tool")  # in the name of a key or a type, where there are calls
BY_TYPE = {"ai": "assistant", "human": "user", "tool": "tool", "system": "system"}  # as LangChain writes them


class GenerationMessage(Struct, frozen=True):
    """A message, who said it (the model, or anybody else), its node, and whether it is a content of the Gemini API."""

    role: str
    body: Body
    node: JsonNode
    is_content: bool = True


Messages = list[GenerationMessage]


def asked(written: JsonNode) -> list[JsonNode]:
    """The history that a model was given, from the first message that does not instruct it: undecoded, for most of it
    was told before. Empty where there is none in a form that is known."""
    found = written.inner()
    for key in ("kwargs", "request"):  # a function that was traced, with its arguments
        if key in found and (found[key]["contents"] or found[key]["messages"]):
            found = found[key]
    listed = first(found["contents"], found["messages"], found["prompt"], found).inner()
    history = list(listed) if listed.is_list else [listed]
    while history and _declares(history[-1]):
        history.pop()
    for n, node in enumerate(history):
        told = message(node, USER)
        if told or told is None:
            return history[n:] if told else []
    return []


def messages(history: Iterable[JsonNode]) -> Messages:
    """Those of a history, or of a part of it. What is in no form that is known is left out."""
    return [told for node in history for told in message(node, USER) or ()]


def said(written: JsonNode) -> Messages:
    """What the model said: copied, for it is kept longer than its line."""
    copy = JsonNode(written.raw, written.site).inner()
    return [told for node in _outputs(copy) for told in (_called(node) or message(node, MODEL) or ())]


def _outputs(found: JsonNode) -> Iterable[JsonNode]:
    for key, member in (("candidates", "content"), ("choices", "message")):
        if (told := next(iter(found[key]), None)) is not None:
            return [told[member]]
    if found.is_list and not any(each["toolCallId"] and each["toolName"] for each in found):
        return found
    return [found["content"] if found["content"]["parts"] else found]


def message(found: JsonNode, role: str) -> Messages | None:
    """A message, with its role where it tells none; nothing where it instructs, None where it is in no form that is
    known."""
    node = found.inner()
    if node.begins == b'"':
        return [GenerationMessage(role, gathered.content(node.site, role, [gathered.text(node)]), node)]
    if "message" in node and node["message"]["role"]:
        node = node["message"]
    named = text(node["role"]) or BY_TYPE.get(text(node["type"]), role)
    form = next((make for key, make in FORMS.items() if key in node), None)
    if form is None:
        return None
    if named in INSTRUCTIONS or (named == "tool" and _declares(node)):
        return []
    body, speaker = form(node, named), MODEL if named in MODELS else USER
    return [
        GenerationMessage(speaker, body, node, form is _parts and body.site.places is None and named in CONTENT_ROLES)
    ]


def _declares(node: JsonNode) -> bool:
    """Whether it is no message, but the declaration of a tool, which the handler for LangChain puts behind them."""
    return text(node["content"]["type"]) == "function" and bool(node["content"]["function"])


def _as_it_is(node: JsonNode, role: str) -> Body:
    """A message with its role, which is added where it has none."""
    if (calls := node["additional_kwargs"]["tool_calls"]) and not node["tool_calls"]:  # of LangChain as well
        content = node["content"].raw or b"null"
        written = b'{"role":%b,"content":%b,"tool_calls":%b}' % (msgspec.json.encode(role), content, calls.raw)
        kept = "/additional_kwargs/tool_calls/"
        return Body(written, _placed(node.site, {("content",): "/content/", ("tool_calls",): kept}))
    if node["role"]:
        return Body(node.raw, node.site)
    return Body(b'{"role":%b,%b' % (msgspec.json.encode(role), node.raw[1:]), node.site)


def _parts(node: JsonNode, role: str) -> Body:
    """Parts of the Gemini API; or those of OpenTelemetry, which are blocks: they have a type, and a call its id."""
    parts = node["parts"]
    if b'"type"' not in node.raw or not any(part["type"] for part in parts):
        return _as_it_is(node, role)
    written = b'{"role":%b,"content":%b}' % (msgspec.json.encode(role), parts.raw)
    return Body(written, _placed(node.site, {("content",): "/parts/"}))


def _placed(site: Site, places: dict[tuple[str | int, ...], str]) -> Site:
    """The same site, for what was put together of what stands in these places below it."""
    return Site(site.origin, site.pointer, site.inner, site.event, site.inner_pointer, places={(): "", **places})


def _called(found: JsonNode) -> Messages:
    """Calls as the AI SDK lists them, and the text beside them. Nothing where it did not write this."""
    calls = found if found.is_list else first(found["toolCalls"], found["tool_calls"]).inner()
    listed = [call for call in calls if call["toolCallId"]]
    if not listed or found["role"]:
        return []
    parts = [gathered.text(found["text"])] if text(found["text"]) else []
    for call in listed:
        args = first(call["input"], call["args"]).inner()
        parts.append(gathered.call(call, id=call["toolCallId"], name=call["toolName"], args=args))
    return [GenerationMessage(MODEL, gathered.content(found.site, MODEL, parts), found)]


def names_called(told: Iterable[GenerationMessage]) -> Iterator[str]:
    """The names of the functions that these messages call."""
    for message in told:
        node = message.node
        if CALLS.search(node.raw) is None:
            continue
        parts = (*node["parts"].inner(), *node["content"], *node["content"]["parts"])
        blocks = (part for part in parts if text(part["type"]) in ("tool_call", "tool-call", "tool_use"))
        calls = (first(part["functionCall"], part["function_call"]) for part in parts)
        kept = node["additional_kwargs"]["tool_calls"]
        listed = first(node["tool_calls"], node["toolCalls"], kept, node).inner()
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
