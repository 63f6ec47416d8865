"""The contents of a session come in the order in which the kit sends them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import judged
from tests.sources.agents.samples import ASKED, CALLED, RETURNED, SPOKEN, Json, adk_session, event
from tests.sources.agents.test_adk import COUNT, LOST, only
from wirecheck.sources.agents.adk_order import in_order, turns
from wirecheck.sources.formats.node import JsonNode
from wirecheck.wire.records import Origin, Site

PENDING = {
    "role": "user",
    "parts": [{"functionResponse": {"id": "n2", "name": "in_stock", "response": {"status": "pending"}}}],
}
MORE: Json = {"role": "user", "parts": [{"text": "And bread?"}]}
LONG: dict[str, Any] = {"longRunningToolIds": ["n2"]}


def judged_session(folder: Path, *events: Json) -> list[str]:
    return judged(folder, "s.json", json.dumps(adk_session(*events)))


@pytest.mark.parametrize(
    ("events", "found"),
    [
        # Responses of their own, with words between: the kit puts them together.
        ([event(ASKED), event(CALLED), event(only(RETURNED, 1)), event(SPOKEN), event(only(RETURNED, 0))], []),
        # A long-running tool answers twice, the second time much later.
        (
            [
                *(event(ASKED), event(CALLED, **LONG), event(only(RETURNED, 0)), event(PENDING)),
                *(event(SPOKEN), event(MORE), event(only(RETURNED, 1)), event(SPOKEN)),
            ],
            [],
        ),
        # It has not answered yet, and the conversation goes on.
        ([event(ASKED), event(CALLED, **LONG), event(only(RETURNED, 0)), event(SPOKEN)], []),
        ([event(ASKED), event(only(CALLED, 1), **LONG)], []),
        ([event(ASKED), event(only(CALLED, 1), long_running_tool_ids=["n2"]), event(MORE), event(SPOKEN)], []),
        # The other call does not wait.
        ([event(ASKED), event(CALLED, **LONG)], [f"{LOST}: 1 /events/1/content/parts/0"]),
        ([event(ASKED), event(CALLED, **LONG), event(SPOKEN)], [f"{LOST}: 1 /events/1/content/parts/0"]),
        # Two responses in one event are one too many.
        (
            [event(ASKED), event(only(CALLED, 0)), event(only(RETURNED, 0, 0)), event(SPOKEN)],
            [f"{COUNT}: 1 /events/1/content/parts/0"],
        ),
        # What is partial comes again.
        ([event(ASKED), event(CALLED, partial=True), event(CALLED), event(RETURNED), event(SPOKEN)], []),
        # The same ids in the next turn.
        ([event(ASKED), event(CALLED), event(RETURNED), event(CALLED), event(RETURNED), event(SPOKEN)], []),
        (
            [event(ASKED), event(CALLED), event(RETURNED), event(CALLED), event(SPOKEN)],
            [f"{LOST}: 1 /events/3/content/parts/0", f"{LOST}: 1 /events/3/content/parts/1"],
        ),
        # Rewound: the second invocation never was.
        (
            [
                *(event(ASKED), event(SPOKEN), event(MORE, 2), event(CALLED, 2)),
                event(None, 3, actions={"rewindBeforeInvocationId": "i2"}),
                *(event(MORE, 4), event(SPOKEN, 4)),
            ],
            [],
        ),
    ],
)
def test_a_session_as_it_is_sent(events: list[Json], found: list[str], tmp_path: Path) -> None:
    assert judged_session(tmp_path, *events) == found


def test_a_rewind_takes_back_no_more_than_it_says(tmp_path: Path) -> None:
    """Events without an invocation are none of it."""
    bare = [{key: each[key] for key in each if key != "invocationId"} for each in map(event, (ASKED, CALLED))]
    rewind = event(None, 3, actions={"rewindBeforeInvocationId": "i2"})
    assert len(judged_session(tmp_path, *bare, event(MORE, 2), rewind, event(MORE, 4))) == 2
    twice = [event(MORE, 2), event(CALLED, 2), rewind, event(MORE, 2), event(CALLED, 2), rewind, event(SPOKEN, 4)]
    assert judged_session(tmp_path, event(ASKED), *twice) == []


def test_agents_side_by_side(tmp_path: Path) -> None:
    """What one says comes between the call of another and its response."""
    first, second = only(CALLED, 0), only(CALLED, 1)
    events = [event(each) for each in (ASKED, first, second, SPOKEN, only(RETURNED, 1), only(RETURNED, 0), SPOKEN)]
    assert judged_session(tmp_path, *events) == []
    assert judged_session(tmp_path, *events[:5], *events[6:]) == [f"{COUNT}: 1 /events/1/content/parts/0"]


def test_some_parts_of_a_content_keep_their_places() -> None:
    events = [event(ASKED), event(CALLED, **LONG), event(only(RETURNED, 0))]
    raw = json.dumps(events).encode()
    sent = list(in_order(turns(list(JsonNode(raw, Site(Origin("x", 1)))))))
    assert [role for role, _ in sent] == ["user", "model", "user"]
    assert sent[1][1].site.pointer == "/1/content"
    assert sent[1][1].site.places == {("parts", 0): "/parts/0/"}
    assert [len(json.loads(body.raw)["parts"]) for _, body in sent] == [1, 1, 1]
