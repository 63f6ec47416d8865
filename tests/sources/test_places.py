"""Whatever the line: the place of a payload leads to it."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from tests.sources import test_detect as kinds
from tests.sources.telling import read
from tests.sources.test_lines import VALUES
from wirecheck.wire import sse
from wirecheck.wire.records import Body, Frame, Opened

LINES = [
    *(line for line, _ in (*kinds.EXCHANGES.values(), *kinds.SESSIONS.values())),
    *(line for table in (kinds.BODIES, kinds.MESSAGES, kinds.WRAPPED) for lines, _ in table.values() for line in lines),
]


def walk(value: Any, pointer: str) -> Any:
    """Where a pointer leads; within JSON that stood in a string, through further such strings."""
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        value = json.loads(value) if isinstance(value, str) else value
        value = value[int(key) if isinstance(value, list) else key]
    return value


def found(value: Any, body: Body) -> Any:
    """What stands at the place of a payload."""
    site = body.site
    value = walk(value, site.pointer)
    if site.event is not None:
        value = sse.events(value.encode())[site.event].decode()
    value = walk(value, site.inner_pointer)
    return json.loads(value) if site.inner and body.form == "json" and isinstance(value, str) else value


def agree(line: str) -> int:
    bodies = [record.body for record in read(line) if isinstance(record, Opened | Frame) and record.body is not None]
    for body in bodies:
        text = body.raw.decode()
        assert found(json.loads(line), body) == (json.loads(text) if body.form == "json" else text)
    return len(bodies)


@pytest.mark.parametrize("line", [line for line in LINES if line[:1] in ("{", "[")])
def test_the_place_of_a_payload_leads_to_it(line: str) -> None:
    agree(line)


def test_most_of_these_lines_have_one() -> None:
    assert sum(agree(line) for line in LINES if line[:1] in ("{", "[")) > 40


@settings(max_examples=300)
@given(VALUES)
def test_the_place_of_a_payload_leads_to_it_in_any_value(value: Any) -> None:
    if not (isinstance(value, dict) and value.get("opcode") == 2):
        agree(json.dumps(value))
