"""Live sessions over several connections: one conversation, whose calls stay where they were made."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from wirecheck import Inspector, load
from wirecheck.finding import Finding
from wirecheck.rules import Ruleset
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Record, Site

MODEL = "models/gemini-3.1-flash-live-preview"
READY: tuple[str, Any] = ("<", {"setupComplete": {}})
CALL = ("<", {"toolCall": {"functionCalls": [{"id": "c1", "name": "now", "args": {}}]}})
ANSWER = (">", {"toolResponse": {"functionResponses": [{"id": "c1", "name": "now", "response": {}}]}})
END: tuple[str, Any] = ("X", {})


def setup(handle: str | None = None, model: str = MODEL) -> tuple[str, Any]:
    resumption = {"handle": handle} if handle else {}
    return ">", {"setup": {"model": model, "sessionResumption": resumption}}


def gives(handle: str) -> tuple[str, Any]:
    return "<", {"sessionResumptionUpdate": {"newHandle": handle, "resumable": True}}


def records(*said: tuple[str, str, Any], step: float = 1.0) -> Iterator[Record]:
    """What is said on which channel, a second apart; each line a record."""
    known: set[str] = set()
    for line, (channel, side, frame) in enumerate(said, 1):
        origin, at = Origin("log.jsonl", line), 1000 + line * step
        if channel not in known:
            known.add(channel)
            yield Opened(channel=channel, origin=origin, at=at, method="GET", url="ws://localhost/live")
        if side == "X":
            yield Closed(channel=channel, origin=origin, at=at, code=1000, by="client")
            continue
        body = Body(msgspec.json.encode(frame), Site(origin, "/data"))
        yield Frame(channel=channel, origin=origin, at=at, sender="client" if side == ">" else "server", body=body)


def on(channel: str, *frames: tuple[str, Any]) -> list[tuple[str, str, Any]]:
    return [(channel, *frame) for frame in frames]


FIRST = on("1", setup(), READY, gives("h1"), gives("h2"))


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def judged(rules: Ruleset, *said: tuple[str, str, Any], step: float = 1.0) -> tuple[list[Finding], Inspector]:
    inspector = Inspector(rules)
    found = [finding for record in records(*said, step=step) for finding in inspector.feed(record)]
    return found + inspector.close(), inspector


RESUMED: dict[str, tuple[list[tuple[str, str, Any]], float, list[str]]] = {
    "with its latest handle": ([*FIRST, ("1", *END), *on("2", setup("h2"), READY)], 1, []),
    "with an older handle": ([*FIRST, ("1", *END), *on("2", setup("h1"), READY)], 1, ["6 session-resume-handle-stale"]),
    "too late": ([*FIRST, ("1", *END), *on("2", setup("h2"), READY)], 7300, ["6 session-resume-handle-stale"]),
    "with a handle of its own": (
        [*FIRST, ("1", *END), *on("2", setup("me"), READY)],
        1,
        ["6 session-resume-client-id"],
    ),
    "with another model": (
        [*FIRST, ("1", *END), *on("2", setup("h2", "models/gemini-3.8-live"), READY)],
        1,
        ["6 session-resume-model-changed"],
    ),
    "while it is open": ([*FIRST, *on("2", setup("h2"), READY)], 1, ["5 session-resume-overlap"]),
    "with a call that is answered on the other connection": (
        [*FIRST, *on("1", CALL, END), *on("2", setup("h2"), READY, ANSWER, END)],
        1,
        ["9 tool-response-wrong-connection"],
    ),
    "with a call that is never answered": (
        [*FIRST, *on("1", CALL, END), *on("2", setup("h2"), READY, END)],
        1,
        ["6 tool-response-missing"],
    ),
    "with a call answered in time": ([*FIRST, *on("1", CALL, ANSWER, END), *on("2", setup("h2"), READY)], 1, []),
}


@pytest.mark.parametrize(("said", "step", "found"), RESUMED.values(), ids=RESUMED)
def test_a_session_is_resumed(said: list[Any], step: float, found: list[str], rules: Ruleset) -> None:
    told, _ = judged(rules, *said, step=step)
    assert [f"{finding.place.line} {finding.rule}" for finding in told if finding.severity != "info"] == found


def test_its_connections_are_one_conversation(rules: Ruleset) -> None:
    said = [*FIRST, *on("1", CALL, END), *on("2", setup("h2"), READY, ANSWER, END), *on("3", setup(), READY, CALL, END)]
    told, inspector = judged(rules, *said)
    assert inspector.checked.sessions == 2
    assert [(finding.rule, finding.conversation) for finding in told] == [
        ("tool-response-wrong-connection", "s1"),
        ("tool-response-missing", "s2"),
    ]


def test_the_call_of_the_older_connection_is_shown_beside(rules: Ruleset) -> None:
    ((finding,), _) = judged(rules, *FIRST, *on("1", CALL, END), *on("2", setup("h2"), READY, ANSWER))
    assert [(related.place.line, related.label) for related in finding.related] == [(5, "the call")]
    assert "related" in {line.mark for line in finding.around}


def test_a_call_left_open_without_a_handle_is_told_with_the_close(rules: Ruleset) -> None:
    inspector = Inspector(rules)
    told = [(record, inspector.feed(record)) for record in records(*on("1", setup(), READY, CALL, END))]
    assert [finding.rule for finding in told[-1][1]] == ["tool-response-missing"]
