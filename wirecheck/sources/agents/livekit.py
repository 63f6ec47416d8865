"""The context of a chat as LiveKit Agents writes it (`ChatContext.to_dict()`), alone or in the report of a session.

Messages, calls and outputs are items of one list. LiveKit puts outputs behind their calls before it asks the model, and
leaves out a call that has none.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal

from msgspec.structs import replace

from wirecheck.sources.agents import gathered
from wirecheck.sources.agents.behind_calls import behind_calls
from wirecheck.sources.formats.building import transcript
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.json_values import items, nodes
from wirecheck.sources.formats.node import JsonNode, first, text
from wirecheck.wire.records import Body, Record, Site

ROLES = {"assistant": "model", "system": "system", "developer": "system"}
HALVES: dict[str, Literal["call", "response"]] = {"function_call": "call", "function_call_output": "response"}


def records(file: OpenedFile) -> Iterator[Record]:
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
            continue
        listed = first(node["chat_history"]["items"], node["chat_ctx"]["items"], node["items"])
        yield from transcript(listed.site, _messages(listed.site, items(node, listed)))


def _messages(around: Site, listed: Iterable[JsonNode]) -> Iterator[tuple[str, Body]]:
    told = behind_calls(list(listed), lambda item: (HALVES.get(text(item["type"]), ""), text(item["call_id"])))
    for kind, some in groupby(told, key=lambda item: text(item["type"])):
        if kind in HALVES:
            role = "model" if kind == "function_call" else "user"
            halves = list(some)
            yield role, gathered.content(replace(around, origin=halves[0].site.origin), role, map(_part, halves))
        for item in some if kind == "message" else ():
            role = ROLES.get(text(item["role"]), "user")
            if said := [gathered.text(word) for word in item["content"] if text(word)]:
                yield role, gathered.content(item.site, role, said)


def _part(item: JsonNode) -> gathered.GatheredPart:
    if text(item["type"]) == "function_call":
        return gathered.call(item, id=item["call_id"], name=item["name"], args=item["arguments"].inner())
    return gathered.response(item, id=item["call_id"], name=item["name"], output=item["output"])
