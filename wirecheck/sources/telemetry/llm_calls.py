"""One call of a model, out of its span and the log records that belong to it: what it was asked, and what it said."""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from wirecheck.sources.agents.refusals import refusal
from wirecheck.sources.formats.google_models import method_url
from wirecheck.sources.formats.node import JsonNode, first, number, text
from wirecheck.sources.telemetry.attributes import MISSING, Attributes, composed
from wirecheck.sources.telemetry.composed_node import ComposedNode
from wirecheck.sources.telemetry.console_objects import CUT
from wirecheck.sources.telemetry.recited_calls import LlmCall
from wirecheck.sources.telemetry.spans import Span, SpanEvent
from wirecheck.sources.telemetry.told_messages import ToldHistory, messages
from wirecheck.sources.telemetry.wanted_calls import are_wanted
from wirecheck.wire.records import Body

Told = list[tuple[str, JsonNode]]  # values with messages, each with the role it has where it tells none
# Attributes with messages, and where in them. The first that is there is read.
ASKED = (
    ("gen_ai.input.messages", ""),
    ("gcp.vertex.agent.llm_request", "contents"),
    ("input.value", "contents"),
    ("ai.prompt.messages", ""),
    ("gen_ai.prompt", ""),
)
SAID = (
    ("gen_ai.output.messages", ""),
    ("gcp.vertex.agent.llm_response", "content"),
    ("output.value", "candidates"),
    ("output.value", "content"),
    ("gen_ai.completion", ""),
)
MESSAGES = ("gen_ai.input.messages", "gen_ai.output.messages", "ai.prompt.messages")  # of these, that are JSON
# The same, flattened.
ASKED_FLAT, SAID_FLAT = ("llm.input_messages", "gen_ai.prompt"), ("llm.output_messages", "gen_ai.completion")
# What the model said, as the AI SDK of Vercel has it, by the name that it has in a message.
AI_SDK = {"ai.response.text": "content", "ai.response.toolCalls": "tool_calls"}
MESSAGE_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message|gen_ai\.(choice)")
OPERATIONS = frozenset(("chat", "generate_content", "text_completion", "completion", "llm_call", "interactions.create"))
MODEL = ("gen_ai.request.model", "gen_ai.response.model", "llm.model_name")
PROVIDER = ("gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system")
WAYS = {
    **dict.fromkeys(("gemini", "gcp.gemini", "google-gla"), "gemini-api-key"),
    **dict.fromkeys(("vertex_ai", "gcp.vertex_ai", "google-vertex", "vertexai"), "vertex-ai"),
    "generativelanguage.googleapis.com": "gemini-api-key",
}
# Providers that serve no Gemini model.
ELSEWHERE = frozenset(
    (
        "anthropic",
        "aws.bedrock",
        "az.ai.inference",
        "az.ai.openai",
        "azure.ai.inference",
        "azure.ai.openai",
        "cohere",
        "deepseek",
        "groq",
        "ibm.watsonx.ai",
        "mistral_ai",
        "mistralai",
        "openai",
        "perplexity",
        "x_ai",
        "xai",
    )
)
# Where settings are that may make the model call a function.
SETTINGS = ("llm.invocation_parameters", "input.value", "gcp.vertex.agent.llm_request", "ai.prompt.toolChoice")
CODES = range(400, 600)


def together(one: Span, other: Span) -> Span:
    """A span and log records of it, whichever came first."""
    return replace(other if other.ended else one, events=one.events + other.events)


def found_in(span: Span) -> Attributes:
    """The attributes; of events as well, for a log record of a call may be all there is."""
    found = dict[str, JsonNode]()
    for event in span.events:
        if event.name.startswith("gen_ai."):
            found.update(event.attributes)
            found.update({name: event.body[name] for name in event.body.names() if name.startswith("gen_ai.")})
    return {**found, **span.attributes} if found else span.attributes


def is_of_a_call(span: Span, found: Attributes) -> bool:
    """Whether it is of a call of a model: a tool, an agent or a request over HTTP has spans as well."""
    kind, operation = _text(found, "openinference.span.kind"), _text(found, "gen_ai.operation.name")
    if kind or operation:
        return kind.upper() == "LLM" or operation in OPERATIONS
    if any(name in found for name in MODEL):
        return True
    # Messages one by one are of a call where it is told which are of the same.
    return bool(span.id) and any(MESSAGE_EVENT.fullmatch(each.name) for each in span.events)


def elsewhere(found: Attributes) -> str:
    """The provider, where it serves no Gemini model."""
    provider = text(_first(found, PROVIDER)).lower()
    return provider if provider in ELSEWHERE and "gemini" not in text(_first(found, MODEL)) else ""


def is_cut(found: Attributes) -> bool:
    """Whether what was asked is too long for what wrote it."""
    return _is_cut(_first(found, tuple(name for name, _ in ASKED)))


def _is_cut(held: JsonNode) -> bool:
    """Whether a text is the beginning of JSON, and no JSON."""
    said = text(held.inner())
    return said == CUT or said.startswith(("[", "{"))


def llm_call(span: Span, found: Attributes) -> LlmCall | None:
    """None where it is not told what was asked: then it is not known, either, what calls in a reply go on with."""
    asked = ToldHistory(_asked(span, found))
    if not asked:
        return None
    choices = number(found.get("gen_ai.request.choice.count", MISSING)) or 1
    said = messages(_said(span, found), one=choices == 1)[:1]
    return LlmCall(
        site=span.site,
        trace=span.trace,
        url=_url(found),
        asked=asked,
        said=said,
        refused=None if said else _refusal(span, found),
        final=are_wanted(
            said,
            found.get("model_request_parameters", MISSING),
            (found[name] for name in SETTINGS if name in found),
        ),
    )


def _text(found: Attributes, name: str) -> str:
    return text(found[name]) if name in found else ""


def _first(found: Attributes, names: tuple[str, ...]) -> JsonNode:
    return next((found[name] for name in names if found.get(name)), MISSING)


def _asked(span: Span, found: Attributes) -> Told:
    return _of_attributes(span, found, ASKED, ASKED_FLAT, "user") or [
        (role, node) for role, node in _events(span, found) if role != "choice"
    ]


def _said(span: Span, found: Attributes) -> Told:
    return _of_attributes(span, found, SAID, SAID_FLAT, "model") or [
        (role, node) for role, node in _events(span, found) if role == "choice"
    ]


def _of_attributes(
    span: Span, found: Attributes, whole: tuple[tuple[str, str], ...], flat: tuple[str, ...], role: str
) -> Told:
    for name, below in whole:
        if name not in found:
            continue
        held = MISSING if name in MESSAGES and _is_cut(found[name]) else found[name].inner()
        if below == "candidates":
            held = next(iter(held[below]), MISSING)["content"]
        elif below:
            held = held[below]
        if held:
            return [(role, held)]
    for name in flat:
        outer, _, inner = name.partition(".")
        held = found[outer][inner] if outer in found else composed(found, name)
        if held:
            return [(role, held)]
    if role == "model" and any(name in found for name in AI_SDK):
        return [(role, ComposedNode(span.site, {AI_SDK[name]: found[name] for name in AI_SDK if name in found}))]
    return []


def _events(span: Span, found: Attributes) -> Iterator[tuple[str, JsonNode]]:
    for event in span.events:
        if (name := MESSAGE_EVENT.fullmatch(event.name)) is not None:
            yield name[1] or name[2], _body(event)
    for node in found.get("events", MISSING).inner():  # as Logfire keeps them
        if (name := MESSAGE_EVENT.fullmatch(text(node["event.name"]))) is not None:
            yield name[1] or name[2], node


def _body(event: SpanEvent) -> JsonNode:
    """What an event tells: in its body, in one attribute, or in its attributes."""
    if event.body:
        return event.body.inner()
    if "gen_ai.event.content" in event.attributes:
        return event.attributes["gen_ai.event.content"].inner()
    read = {name: node.inner() if name == "tool_calls" else node for name, node in event.attributes.items()}
    return ComposedNode(event.body.site, read)


def _url(found: Attributes) -> str:
    model, provider = text(_first(found, MODEL)), text(_first(found, PROVIDER)).lower()
    host = _text(found, "server.address")
    way = WAYS.get(host) or ("vertex-ai" if host.endswith("aiplatform.googleapis.com") else WAYS.get(provider, ""))
    return method_url(way, model.rpartition("/")[2])


def _refusal(span: Span, found: Attributes) -> tuple[int, Body] | None:
    """What the server said where it refused the request."""
    told = first(found.get("error.type", MISSING), found.get("http.response.status_code", MISSING))
    status = number(told)
    for node in span.failed:
        refused = refusal(node) or (refusal(node, status) if status in CODES else None)
        if refused is not None and refused[0] is not None:
            return refused[0], refused[1]
    return None
