"""Sessions that gemini-cli keeps (`chats/session-*`), what it prints (`--output-format stream-json`), and the replies
it records (`--record-responses`).

A session is one object, or in newer versions lines that are only added: a message with an id that was there replaces
it, `$set` with messages begins anew, `$rewindTo` takes back. Calls lie beside the text, with what was returned, and
what was returned comes again as a message of the user.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from wirecheck.sources.agents import gathered
from wirecheck.sources.agents.behind_calls import behind_calls
from wirecheck.sources.agents.refusals import refused
from wirecheck.sources.formats.building import exchange, transcript
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.json_values import items, nodes
from wirecheck.sources.formats.node import JsonNode, first, text
from wirecheck.sources.reply_bodies import bodies
from wirecheck.wire.records import Body, Origin, Record, Site, Unread

Message = tuple[str, Body]
WAITS = frozenset(("validating", "scheduled", "executing", "awaiting_approval"))  # states of a call
# What the user types to the program, and what it adds by itself: it leaves that out when it goes on with a session.
NOT_SENT = re.compile(r"\s*(?:$|[/?]|<session_context>|<hook_context>)")
HALVES: dict[str, Literal["call", "response"]] = {"tool_use": "call", "tool_result": "response"}
REPLIES = ("generateContent", "generateContentStream")


def chat(file: OpenedFile) -> Iterator[Record]:
    messages, site = dict[str, JsonNode](), Site(Origin(file.path, 1))
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
        elif rewound := text(node["$rewindTo"]):
            _take_back(messages, rewound)
        elif name := text(node["id"]):
            messages[name] = node
        else:
            _gathered_anew(messages, node)
    yield from transcript(site, _conversation([each for each in messages.values() if not _is_unsent(each)]))
    if any(text(each["type"]) == "error" for each in messages.values()):
        yield from _refused((each, each["content"]) for each in messages.values())


def _refused(lines: Iterable[tuple[JsonNode, JsonNode]]) -> Iterator[Record]:
    """What the server refused, by what is told of it, and what the user had said last."""
    asked: Body | None = None
    for line, told in lines:
        kind = text(line["type"])
        if (kind == "user" or text(line["role"]) == "user") and (said := _parts(line["content"])):
            asked = gathered.content(line.site, "user", said)
        elif kind in ("error", "result") and asked is not None:
            yield from refused(asked, told)


def _take_back(messages: dict[str, JsonNode], first_gone: str) -> None:
    """Up to a message, or altogether where there is none of that name, as the program does it."""
    if first_gone not in messages:
        messages.clear()
    while messages and messages.popitem()[0] != first_gone:
        pass


def _gathered_anew(messages: dict[str, JsonNode], node: JsonNode) -> None:
    """Takes the messages of a checkpoint, or of a session that is one object."""
    if node["$set"]["messages"]:
        messages.clear()
    for held in (node["messages"], node["$set"]["messages"]):
        messages.update({name: message for message in items(node, held) if (name := text(message["id"]))})


def _is_unsent(message: JsonNode) -> bool:
    if text(message["type"]) != "user":
        return text(message["type"]) != "gemini"
    content = message["content"]
    texts = [text(content)] if content.raw[:1] == b'"' else [text(part["text"]) for part in content if "text" in part]
    return len(texts) >= len(list(content)) and NOT_SENT.match("".join(texts)) is not None


def _conversation(messages: list[JsonNode]) -> Iterator[Message]:
    for n, message in enumerate(messages):
        if text(message["type"]) == "user":
            yield from _said(message, "user", _parts(message["content"]))
            continue
        follows = messages[n + 1] if n + 1 < len(messages) else None
        repeated = follows is not None and any("functionResponse" in part for part in follows["content"])
        calls = [each for each in message["toolCalls"] if each["result"] or text(each["status"]) not in WAITS]
        parts = _parts(message["content"])
        if not any("functionCall" in part for part in message["content"]):
            parts += [gathered.call(each, id=each["id"], name=each["name"], args=each["args"]) for each in calls]
        yield from _said(message, "model", parts)
        if not repeated:
            yield from _said(message, "user", [part for each in calls for part in _returned(each)])


def _said(message: JsonNode, role: str, parts: list[gathered.GatheredPart]) -> Iterator[Message]:
    if parts:
        yield role, gathered.content(message.site, role, parts)


def _parts(content: JsonNode) -> list[gathered.GatheredPart]:
    """A text, a part, or a list of either."""
    items = content if content.raw[:1] == b"[" else (content,)
    return [part for item in items if (part := _part(item)) is not None]


def _part(item: JsonNode) -> gathered.GatheredPart | None:
    if item.raw[:1] == b'"':
        return gathered.text(item) if text(item) else None
    return gathered.part(item) if item.raw[:1] == b"{" else None


def _returned(call: JsonNode) -> Iterator[gathered.GatheredPart]:
    """A text, or parts of which one is the response."""
    result = call["result"]
    if result.raw[:1] == b'"':
        yield gathered.response(result, id=call["id"], name=call["name"], output=result)
    elif result:
        yield from _parts(result)


def printed(file: OpenedFile) -> Iterator[Record]:
    """Lines of `--output-format stream-json`: messages, uses of tools, and their results."""
    lines = list[JsonNode]()
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
        else:
            lines.append(node)
    names = {text(line["tool_id"]): line["tool_name"] for line in lines if "tool_name" in line}
    ordered = behind_calls(lines, lambda line: (HALVES.get(text(line["type"]), ""), text(line["tool_id"])))
    site = lines[0].site if lines else Site(Origin(file.path, 1))
    yield from transcript(site, (message for line in ordered for message in _printed(line, names)))
    if any(line["error"] or text(line["type"]) == "error" for line in lines):
        yield from _refused((line, first(line["error"]["message"], line["message"])) for line in lines)


def _printed(line: JsonNode, names: dict[str, JsonNode]) -> Iterator[Message]:
    kind, called = text(line["type"]), line["tool_id"]
    if kind == "tool_use":
        part = gathered.call(line, id=called, name=line["tool_name"], args=line["parameters"])
        yield "model", gathered.content(line.site, "model", [part])
    elif kind == "tool_result":
        name = names.get(text(called), line["tool_name"])
        part = gathered.response(line, id=called, name=name, output=line["output"])
        yield "user", gathered.content(line.site, "user", [part])
    elif kind == "message" and (said := _parts(line["content"])):
        role = "model" if text(line["role"]) == "assistant" else "user"
        yield role, gathered.content(line.site, role, said)


def recorded(file: OpenedFile) -> Iterator[Record]:
    """Replies without their requests, one a line."""
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
        elif text(node["method"]) in REPLIES:
            yield from exchange(
                node.site, method="", reply=bodies(node["response"].raw or b"null", node["response"].site)
            )
        else:
            why = "a recorded reply of another method than generateContent"
            yield Unread(channel="", origin=node.site.origin, kind="skipped", why=why)
