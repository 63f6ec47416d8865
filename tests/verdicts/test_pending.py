"""A rejection is never silent: what was accepted before, and is rejected now, is told again; once."""

from typing import Any

import pytest

from tests.rules.server_word.test_likely_causes import COUNT, OPAQUE, judged
from tests.stories.conversations import answer, call, error, exchange, model, reply, session, user
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import load

NEW = "gemini-3.6-flash"
LIVE = "models/gemini-3.8-live"


def unanswered(asked: str, number: str) -> list[Any]:
    return [user(asked), model({**call("now", number), "thoughtSignature": "c2ln"}), user("Never mind.")]


FIRST = unanswered("Rome?", "c1")
LATER = [*FIRST, model("ok"), user("and?")]
BEFORE = [user("Hi"), model("Ho"), *FIRST]
ACCEPTED = reply(model("ok"))


def told(*lines: tuple[Any, Any, int], memo: bool) -> list[tuple[int, str, str, str]]:
    """Where, how grave and what, of calls without a response."""
    found = judged(*[exchange(n, *line, name=NEW) for n, line in enumerate(lines, 1)], memo=memo)
    return [
        (each.place.line, each.place.pointer, each.severity, each.message.partition(";")[0])
        for each in found
        if each.rule == "unanswered-function-call"
    ]


def wrong(line: int, severity: str, number: str = "c1", content: int = 1) -> tuple[int, str, str, str]:
    where = f"/request/body/contents/{content}/parts/0"
    return line, where, severity, f"now ({number}) was called and never answered"


NO = error(COUNT), 400
YES = ACCEPTED, 200
TOLD: dict[str, tuple[list[tuple[Any, Any, int]], list[tuple[int, str, str, str]]]] = {
    "recited": ([(FIRST, *YES), (LATER, *NO)], [wrong(1, "warning"), wrong(2, "error")]),
    "the same request": ([(FIRST, *YES), (FIRST, *NO)], [wrong(1, "warning"), wrong(2, "error")]),
    "another call in its place": (
        [(FIRST, *YES), (unanswered("Table?", "c2"), *NO)],
        [wrong(1, "warning"), wrong(2, "error", "c2")],
    ),
    "another call, accepted and recited": (
        [(FIRST, *YES), (unanswered("Table?", "c2"), *YES), ([*unanswered("Table?", "c2"), user("Well?")], *NO)],
        [wrong(1, "warning"), wrong(2, "warning", "c2"), wrong(3, "error", "c2")],
    ),
    "once": ([(FIRST, *YES), (LATER, *NO), (LATER, *NO)], [wrong(1, "warning"), wrong(2, "error")]),
    "confirmed before": ([(FIRST, *NO), (LATER, *NO)], [wrong(1, "error")]),
    "confirmed, then accepted": ([(FIRST, *NO), (LATER, *YES)], [wrong(1, "error")]),
    "moved": ([(BEFORE, *YES), (FIRST, *NO)], [wrong(1, "warning", content=3), wrong(2, "error")]),
    "beside a new one": (
        [(FIRST, *YES), ([*FIRST, *unanswered("Oslo?", "c3")], *NO)],
        [wrong(1, "warning"), wrong(2, "error", "c3", 4)],
    ),
}


@pytest.mark.parametrize("memo", [True, False])
@pytest.mark.parametrize(("lines", "expected"), TOLD.values(), ids=TOLD)
def test_what_was_accepted_is_told_again_where_it_is_rejected(lines: Any, expected: Any, memo: bool) -> None:
    assert told(*lines, memo=memo) == expected


def test_told_again_it_is_confirmed_and_leads_to_where_it_was_accepted() -> None:
    found = judged(exchange(1, FIRST, ACCEPTED, name=NEW), exchange(2, LATER, error(COUNT), 400, name=NEW))
    (again,) = [each for each in found if each.place.line == 2 and each.severity == "error"]
    assert (again.server.verdict, again.server.status, again.server.text) == ("confirmed", 400, COUNT)
    assert [each.place.line for each in again.related] == [1]


@pytest.mark.parametrize("memo", [True, False])
def test_a_rejection_without_a_reason_is_told_also_of_a_mistake_nobody_answered_before(memo: bool) -> None:
    lines = exchange(1, FIRST, name=NEW), exchange(2, LATER, error(OPAQUE), 400, name=NEW)
    found = judged(*lines, memo=memo)
    assert [each.rule for each in found if each.place.line == 2] == ["opaque-invalid-argument"]


def ruled(lines: Any, **which: list[str]) -> list[Finding]:
    inspector = Inspector(load(**which))
    given = [each for record in lines for each in inspector.feed(record)]
    return [each for each in given + inspector.close() if each.severity != "info"]


SPLIT = [user("Rome and Oslo?"), model({**call("now", "c1"), "thoughtSignature": "c2ln"}, call("now", "c2"))]
PARTIAL = [*SPLIT, user(answer("now", "c1", {"output": 1}))]
ODD = "Please do something else."
UNASKED: list[tuple[dict[str, list[str]], list[str]]] = [({"ignore": ["WC303"]}, []), ({"select": ["WC1", "WC5"]}, [])]


@pytest.mark.parametrize(("which", "expected"), UNASKED)
def test_the_words_of_a_rule_that_was_not_asked_are_no_riddle(which: Any, expected: list[str]) -> None:
    assert [each.rule for each in ruled(exchange(1, PARTIAL, error(COUNT), 400), **which)] == expected
    assert [each.rule for each in ruled(exchange(1, SPLIT[:1], error(ODD), 400), **which)] == ["unexplained-rejection"]


SAID = [
    ("setup must be the first message", []),
    ("Something odd.", ["live-close-unexplained"]),
    (OPAQUE, ["live-close-unexplained"]),  # it may be said of anything
]


@pytest.mark.parametrize(("reason", "expected"), SAID)
def test_a_close_for_what_was_not_asked_is_no_riddle(reason: str, expected: list[str]) -> None:
    turn = {"clientContent": {"turns": [{"parts": [{"text": "Hi"}]}], "turnComplete": True}}
    frames: list[tuple[str, Any]] = [(">", {"setup": {"model": LIVE}}), ("<", {"setupComplete": {}}), (">", turn)]
    found = ruled(session(*frames, close=(1007, reason)), ignore=["WC701", "WC761"])
    assert [each.rule for each in found] == expected
