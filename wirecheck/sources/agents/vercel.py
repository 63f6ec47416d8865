"""What the AI SDK of Vercel keeps: messages of either kind (for models, for user interfaces), steps of a generation
with the bodies of requests and replies, the generations that its devtools collect, and its errors.

All but messages hold what crossed the wire, so they are read as exchanges. Messages are a transcript.
"""

from collections.abc import Iterable, Iterator

import msgspec

from wirecheck.sources.agents import gathered
from wirecheck.sources.agents.refusals import refusal
from wirecheck.sources.formats.building import exchange, skipped, transcript
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.google_models import method_url
from wirecheck.sources.formats.json_values import items, nodes
from wirecheck.sources.formats.node import JsonNode, first, number, text
from wirecheck.wire.records import Body, Record

Message = tuple[str, Body]
Parts = list[gathered.GatheredPart]
ROLES = {"assistant": "model", "system": "system"}
ASKS = b"tool-approval-request"
RESULTS = ("tool-result", "tool-error")
WAITS = ("approval-requested", "approval-responded")  # states of a call in a message for user interfaces
ANSWERED = ("output-available", "output-error", "output-denied", "result")
ELSEWHERE = "a step that asked another model than Google's"


def messages(file: OpenedFile) -> Iterator[Record]:
    """A list of messages, an object that holds one, or one message a line."""
    singly = list[JsonNode]()
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
        elif node["messages"]:
            yield from transcript(node.site, _conversation(items(node, node["messages"])))
        elif node["role"]:
            singly.append(node)
        else:
            yield from transcript(node.site, _conversation(items(node, node)))
    if singly:
        yield from transcript(singly[0].site, _conversation(singly))


def steps(file: OpenedFile) -> Iterator[Record]:
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
            continue
        listed = list(items(node, first(node["steps"], node)))
        sent = [step for step in listed if step["request"]["body"]]
        for step in sent:
            yield from _step(step)
        # Nobody asked again with what came last. Without bodies there is only what each step says of itself.
        told = listed[-1:] if sent else listed
        if not sent or any(text(part["type"]) == "tool-call" for step in told for part in step["content"]):
            yield from transcript(node.site, (message for step in told for message in _turn(step["content"])))


def _step(step: JsonNode) -> Iterator[Record]:
    reply, body = step["response"], step["request"]["body"].body()
    model = first(step["model"]["modelId"], reply["modelId"])
    way = text(step["model"]["provider"]) or "google.generative-ai"
    if not way.startswith("google"):
        yield skipped(step.site, ELSEWHERE)
        return
    yield from exchange(
        step.site, url=method_url(way, text(model)), body=body, reply=reply["body"].bodies() if reply["body"] else None
    )


def errors(file: OpenedFile) -> Iterator[Record]:
    """An APICallError holds the request that failed, and what came back."""
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
            continue
        yield from exchange(
            node.site,
            url=text(node["url"]),
            body=node["requestBodyValues"].body(),
            status=number(node["statusCode"]),
            status_site=node["statusCode"].site,
            reply=node["responseBody"].bodies() if node["responseBody"] else None,
        )


def generations(file: OpenedFile) -> Iterator[Record]:
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
            continue
        for step in node["steps"]:
            yield from _generation(step)


def _generation(step: JsonNode) -> Iterator[Record]:
    """The chunks of a stream are as they came; what is called its response is made of them. Of one that failed there is
    only what the program asked for."""
    way, body, prompt = text(step["provider"]), step["raw_request"].body(), step["input"].inner()["prompt"]
    if not way.startswith("google"):
        yield skipped(step.site, ELSEWHERE)
        return
    received = first(step["raw_chunks"], step["raw_response"])
    url = method_url(way, text(step["model_id"]), streamed=text(step["type"]) == "stream")
    refused = refusal(step["error"]) if step["error"] and not received else None
    if body is None:
        yield from transcript(prompt.site, _conversation(prompt))
    elif refused is not None:
        yield from exchange(step.site, url=url, body=body, status=refused[0], reply=refused[1:])
    else:
        yield from exchange(step.site, url=url, body=body, reply=received.inner().bodies() if received else None)


def _conversation(found: Iterable[JsonNode]) -> Iterator[Message]:
    listed = list(found)
    waits = _waiting(part for message in listed if ASKS in message.raw for part in message["content"])
    if waits:
        waits -= {text(part["toolCallId"]) for message in listed for part in message["content"] if _is_result(part)}
    for message in listed:
        role = ROLES.get(text(message["role"]), "user")
        if message["parts"]:
            yield from _shown(message, role)
        elif message["content"].raw[:1] == b'"':
            yield role, gathered.content(message.site, role, [gathered.text(message["content"])])
        elif role == "model":
            yield from _some(message, role, _called(message["content"], waits))
        else:
            yield from _some(message, role, [*_texts(message["content"]), *_returned(message["content"])])


def _turn(content: JsonNode) -> Iterator[Message]:
    """The content of a step: what the model said, and what was returned at once."""
    waits = _waiting(content)
    yield from _some(content, "model", _called(content, waits))
    yield from _some(content, "user", _returned(content))


def _waiting(parts: Iterable[JsonNode]) -> set[str]:
    """The ids of calls that the user is asked about first."""
    asked = (part for part in parts if text(part["type"]) == "tool-approval-request")
    return {text(first(part["toolCall"]["toolCallId"], part["toolCallId"])) for part in asked}


def _is_result(part: JsonNode) -> bool:
    return text(part["type"]) in RESULTS


def _some(at: JsonNode, role: str, parts: Parts) -> Iterator[Message]:
    if parts:
        yield role, gathered.content(at.site, role, parts)


def _called(content: Iterable[JsonNode], waits: set[str]) -> Parts:
    calls = [part for part in content if text(part["type"]) == "tool-call" and not _is_elsewhere(part)]
    return _texts(content) + [
        gathered.call(
            part, id=part["toolCallId"], name=part["toolName"], args=first(part["input"], part["args"]).inner()
        )
        for part in calls
        if text(part["toolCallId"]) not in waits
    ]


def _returned(content: Iterable[JsonNode]) -> Parts:
    results = [part for part in content if _is_result(part) and not _is_elsewhere(part)]
    return [
        gathered.response(
            part,
            id=part["toolCallId"],
            name=part["toolName"],
            output=first(part["output"], part["result"], part["error"]),
        )
        for part in results
    ]


def _texts(content: Iterable[JsonNode]) -> Parts:
    return [gathered.text(part["text"]) for part in content if text(part["type"]) == "text" and text(part["text"])]


def _is_elsewhere(part: JsonNode) -> bool:
    """Whether the provider executed it: then nobody else answers."""
    return part["providerExecuted"].value() is True


def _shown(message: JsonNode, role: str) -> Iterator[Message]:
    """A message for a user interface: a part holds a call and what came of it. Steps lie one after the other."""
    said, given = Parts(), Parts()
    for part in message["parts"]:
        kind, call = text(part["type"]), first(part["toolInvocation"], part)
        if kind == "step-start" or (given and kind == "text"):
            yield from _some(message, role, said)
            yield from _some(message, "user", given)
            said, given = [], []
        if kind == "text":
            said += _texts([part])
        elif (kind.startswith("tool-") or kind == "dynamic-tool") and not _is_elsewhere(part):
            state, id, name = text(call["state"]), call["toolCallId"], first(call["toolName"], part["toolName"])
            if state in WAITS:
                continue
            tool = name if name else _named(part)
            said.append(gathered.call(call, id=id, name=tool, args=first(call["input"], call["args"])))
            if state in ANSWERED:
                output = first(call["output"], call["result"], call["errorText"])
                given.append(gathered.response(call, id=id, name=tool, output=output))
    yield from _some(message, role, said)
    yield from _some(message, "user", given)


def _named(part: JsonNode) -> JsonNode:
    """The name of a tool that stands in the type of a part."""
    kind = part["type"]
    return JsonNode(msgspec.json.encode(text(kind).removeprefix("tool-")), kind.site)
