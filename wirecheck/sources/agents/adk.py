"""Sessions of Google's Agent Development Kit: a session or its events as JSON, and eval sets.

An event holds a content of the Gemini API as it was; `partial` ones come again, whole. Their order is not that of the
requests: see adk_order.py.
"""

from collections.abc import Iterable, Iterator

from wirecheck.sources.agents import gathered
from wirecheck.sources.agents.adk_order import AgentTurn, gathered_turn, in_order, turn, turns
from wirecheck.sources.agents.refusals import refused
from wirecheck.sources.formats.building import transcript
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.json_values import items, nodes, rows
from wirecheck.sources.formats.node import JsonNode, first, text
from wirecheck.wire.records import Origin, Record, Site


def session(file: OpenedFile) -> Iterator[Record]:
    """One session or several: a list of them, or one a line."""
    for node in rows(file, ("sessions",)):
        yield from (node,) if isinstance(node, Record) else stored(node.site, items(node, node["events"]))


def events(file: OpenedFile) -> Iterator[Record]:
    """One event a line, or a list of them: all of them are one session."""
    found = list[JsonNode]()
    for node in rows(file):
        if isinstance(node, Record):
            yield node
        else:
            found.append(node)
    yield from stored(found[0].site if found else Site(Origin(file.path, 1)), found)


def stored(site: Site, found: Iterable[JsonNode]) -> Iterator[Record]:
    """A session of these events, and what the server refused in it."""
    told, asked = list(found), None
    yield from transcript(site, in_order(turns(told)))
    for event in told if any("errorMessage" in event or "error_message" in event for event in told) else ():
        if text(event["content"]["role"]) == "user":
            asked = event["content"].body() or asked
        elif asked is not None:
            yield from refused(asked, first(event["error_message"], event["errorMessage"]))


def eval_set(file: OpenedFile) -> Iterator[Record]:
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
            continue
        for case in first(node["eval_cases"], node["evalCases"]):
            invocations = [turn for invocation in case["conversation"] for turn in _invocation(invocation)]
            yield from transcript(case.site, in_order(invocations))


def _invocation(invocation: JsonNode) -> Iterator[AgentTurn]:
    """What the user said, the steps in between, and what the agent said in the end."""
    steps = first(invocation["intermediate_data"], invocation["intermediateData"])
    final = first(invocation["final_response"], invocation["finalResponse"])
    listed = first(steps["invocation_events"], steps["invocationEvents"])
    yield from _contents(first(invocation["user_content"], invocation["userContent"]))
    between = list(_contents(*(event["content"] for event in listed)) if listed else _trajectory(steps, final))
    ended = list(_contents(final))
    if ended and not any(each.answers for each in between) and not any(each.calls for each in ended):
        # It came to an end: old kits keep no responses, and who writes by hand what he expects leaves them out.
        between = [each for each in between if not each.calls]
    yield from between
    # An event that ended with calls is the final response as well.
    told = {_compact(each.content) for each in between if each.calls}
    yield from (each for each in ended if not each.calls or _compact(each.content) not in told)


def _compact(node: JsonNode) -> bytes:
    """It, however it is indented. Blanks in its texts are gone as well."""
    return b"".join(node.raw.split())


def _contents(*contents: JsonNode) -> Iterator[AgentTurn]:
    return (turn(content) for content in contents if content["parts"])


def _trajectory(steps: JsonNode, final: JsonNode) -> Iterator[AgentTurn]:
    """The older form: calls and responses in lists of their own."""
    told = {_compact(first(part["function_call"], part["functionCall"])) for part in final["parts"]}
    uses = [use for use in first(steps["tool_uses"], steps["toolUses"]) if _compact(use) not in told]
    for role, key, found in (
        ("model", "functionCall", uses),
        ("user", "functionResponse", list(first(steps["tool_responses"], steps["toolResponses"]))),
    ):
        if found:
            yield gathered_turn(steps, role, [gathered.wrapped(key, node) for node in found])
