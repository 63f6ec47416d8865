"""Sessions of Google's Agent Development Kit: a session or its events as JSON, an eval set, or the database.

An event holds a content of the Gemini API as it was; `partial` ones come again, whole. A call of a long-running tool is
answered by whoever it was given to, perhaps much later.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from wirecheck.sources.formats.building import transcript
from wirecheck.sources.formats.file_format import OpenedFile, UnreadableInput
from wirecheck.sources.formats.json_values import nodes
from wirecheck.sources.formats.node import JsonNode, first, text
from wirecheck.wire.records import Body, Origin, Record, Site

Message = tuple[str, Body]
EVENTS = """
    SELECT rowid, app_name, user_id, session_id, event_data FROM events
    ORDER BY app_name, user_id, session_id, timestamp, rowid
"""


def session(file: OpenedFile) -> Iterator[Record]:
    for node in nodes(file):
        yield from (node,) if isinstance(node, Record) else _session(node.site, node["events"])


def events(file: OpenedFile) -> Iterator[Record]:
    """One event a line: all of them are one session."""
    found, site = list[JsonNode](), Site(Origin(file.path, 1))
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
        else:
            found.append(node)
    yield from _session(found[0].site if found else site, found)


def eval_set(file: OpenedFile) -> Iterator[Record]:
    for node in nodes(file):
        if isinstance(node, Record):
            yield node
            continue
        for case in first(node["eval_cases"], node["evalCases"]):
            turns = (content for turn in case["conversation"] for content in _turn(turn))
            yield from transcript(case.site, turns)


def database(file: OpenedFile) -> Iterator[Record]:
    """Read-only: nothing is locked, no journal is written."""
    if not Path(file.path).is_file():
        raise UnreadableInput("a database is read from a file, not from a stream")
    try:
        base = sqlite3.connect(f"{Path(file.path).absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise UnreadableInput(f"the database cannot be opened: {error}") from None
    try:
        yield from _rows(base, file.path)
    except sqlite3.Error as error:
        raise UnreadableInput(f"no database of sessions: {error}") from None
    finally:
        base.close()


def _rows(base: sqlite3.Connection, path: str) -> Iterator[Record]:
    """The sessions in order. The place of an event is its row."""
    last, found = None, list[JsonNode]()
    for row, *session, data in base.execute(EVENTS):
        if session != last and found:
            yield from _session(found[0].site, found)
            found = []
        last = session
        found.append(JsonNode(str(data).encode(), Site(Origin(path, row), "")))
    if found:
        yield from _session(found[0].site, found)


def _session(site: Site, found: Iterable[JsonNode]) -> Iterator[Record]:
    return transcript(site, (message for event in found if not event["partial"].value() for message in _event(event)))


def _event(event: JsonNode) -> Iterator[Message]:
    content = event["content"]
    if content["parts"] and (body := content.body()) is not None:
        yield text(content["role"]), body


def _turn(turn: JsonNode) -> Iterator[Message]:
    between = first(turn["intermediate_data"], turn["intermediateData"])
    for name in ("user_content", "userContent"):
        yield from _content(turn[name])
    calls = first(between["tool_uses"], between["toolUses"])
    responses = first(between["tool_responses"], between["toolResponses"])
    yield from _gathered("model", "functionCall", calls)
    yield from _gathered("user", "functionResponse", responses)
    for name in ("final_response", "finalResponse"):
        yield from _content(turn[name])


def _content(content: JsonNode) -> Iterator[Message]:
    if content["parts"] and (body := content.body()) is not None:
        yield text(content["role"]), body


def _gathered(role: str, key: str, found: JsonNode) -> Iterator[Message]:
    """Calls or responses that stand in a list of their own, as one content."""
    several = [(node, node.body()) for node in found]
    if several:
        parts = b",".join(b'{"%b":%b}' % (key.encode(), body.raw) for _, body in several if body is not None)
        places: dict[tuple[str | int, ...], str] = {
            ("parts", n): node.site.pointer.removeprefix(found.site.pointer) for n, (node, _) in enumerate(several)
        }
        site = Site(found.site.origin, found.site.pointer, places=places)
        yield role, Body(b'{"role":"%b","parts":[%b]}' % (role.encode(), parts), site)
