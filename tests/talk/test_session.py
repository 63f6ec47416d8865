"""Live sessions: what was called, answered, taken back and left open."""

from typing import Any

import pytest

from tests.stories import answer, call, facts, session
from wirecheck.talk.facts import CallSettledFact, FrameFact, MisplacedFact
from wirecheck.talk.states import CALL_MOVES, LEADS, MOVES, CallState, State

Frame = tuple[str, dict[str, Any]]
SETUP: Frame = (">", {"setup": {"model": "models/gemini-live-2.5-flash-preview"}})
READY: Frame = ("<", {"setupComplete": {}})
NEWEST: Frame = (">", {"setup": {"model": "models/gemini-3.8-live"}})


def calls(*ids: str | None, name: str = "now") -> Frame:
    return "<", {"toolCall": {"functionCalls": [call(name, one)["functionCall"] for one in ids]}}


def answers(*ids: str | None, name: str = "now", **more: Any) -> Frame:
    given = [{**answer(name, one)["functionResponse"], **more} for one in ids]
    return ">", {"toolResponse": {"functionResponses": given}}


def cancel(*ids: str) -> Frame:
    return "<", {"toolCallCancellation": {"ids": list(ids)}}


def says(*parts: dict[str, Any]) -> Frame:
    turns = [{"role": "user", "parts": list(parts)}]
    return ">", {"clientContent": {"turns": turns, "turnComplete": True}}


ASKS = says({"text": "And then?"})
SNAKE: Frame = (
    ">",
    {"tool_response": {"function_responses": [{"id": "c1", "name": "now", "response": {"result": 1}}]}},
)
IN_CONTENT = says({"functionResponse": {"name": "now", "response": {"output": 1}}})

ENDS: dict[str, tuple[list[Frame], tuple[int, str] | None, list[str]]] = {
    "answered": ([calls("c1"), answers("c1")], None, ["c1 answered"]),
    "answered in snake_case": ([calls("c1"), SNAKE], None, ["c1 answered"]),
    "answered through clientContent, by name": ([calls("c1"), IN_CONTENT], (1000, ""), ["c1 answered"]),
    "two answered in two frames, in another order": (
        [calls("c1", "c2"), answers("c2"), answers("c1")],
        (1000, ""),
        ["c2 answered", "c1 answered"],
    ),
    "still open where the log stops": ([calls("c1")], None, []),
    "passed over by the user": ([calls("c1"), ASKS], None, ["c1 unanswered"]),
    "passed over, then answered": ([calls("c1"), ASKS, answers("c1")], None, ["c1 answered"]),
    "closed over": ([calls("c1")], (1000, ""), ["c1 unanswered"]),
    "cancelled": ([calls("c1"), cancel("c1")], (1000, ""), ["c1 cancelled"]),
    "answered bit by bit": (
        [calls("c1"), answers("c1", willContinue=True), answers("c1", willContinue=False)],
        None,
        ["c1 answered"],
    ),
    "one call in a turn and in a toolCall": (
        [("<", {"serverContent": {"modelTurn": {"parts": [call("now", "c1")]}}}), calls("c1"), answers("c1")],
        (1000, ""),
        ["c1 answered"],
    ),
    "answered in the wrong envelope": (
        [calls("c1"), (">", {"functionResponses": [answer("now", "c1")["functionResponse"]]})],
        (1000, ""),
        ["c1 answered"],
    ),
    "a single answer where a list belongs": (
        [calls("c1"), (">", {"toolResponse": {"functionResponses": answer("now", "c1")["functionResponse"]}})],
        None,
        ["c1 answered"],
    ),
}


@pytest.mark.parametrize(("frames", "close", "ends"), ENDS.values(), ids=ENDS)
def test_how_a_call_ends(frames: list[Frame], close: tuple[int, str] | None, ends: list[str]) -> None:
    told = facts(session(SETUP, READY, *frames, close=close), kinds="call-settled")
    assert [f"{fact.id} {fact.how}" for fact in told if isinstance(fact, CallSettledFact)] == ends


def test_calls_that_do_not_block_may_be_answered_after_the_next_turn() -> None:
    assert facts(session(NEWEST, READY, calls("c1"), ASKS), kinds="call-settled") == []


def misplaced(*frames: Frame) -> list[str]:
    told = facts(session(*frames), kinds="misplaced")
    return [f"{fact.what} {fact.state}" for fact in told if isinstance(fact, MisplacedFact)]


MISPLACED: dict[str, tuple[list[Frame], list[str]]] = {
    "nothing was called": ([answers("c1")], ["answered none"]),
    "an id nobody gave": ([calls("c1"), answers("c9")], ["answered unknown"]),
    "answered twice": ([calls("c1"), answers("c1"), answers("c1")], ["answered answered"]),
    "answered after cancellation": ([calls("c1"), cancel("c1"), answers("c1")], ["answered cancelled"]),
    "twice without ids": ([calls(None), answers(None), answers(None)], ["answered answered"]),
    "cancelled before the answer came": ([calls("c1"), answers("c1"), cancel("c1")], ["cancelled answered"]),
    "an answer with an id to a call without": ([calls(None), answers("mine")], []),
    "an answer without an id to a call with one": ([calls("c1"), answers(None)], []),
}


@pytest.mark.parametrize(("frames", "moves"), MISPLACED.values(), ids=MISPLACED)
def test_moves_the_table_does_not_know_are_facts(frames: list[Frame], moves: list[str]) -> None:
    assert [move for move in misplaced(SETUP, READY, *frames) if not move.startswith("called")] == moves


def test_every_state_of_a_call_has_a_row() -> None:
    assert set(CALL_MOVES) == set(CallState)


def test_every_state_has_a_row_and_is_reached() -> None:
    assert set(MOVES) == set(State)
    led = {after for row in (*MOVES.values(), *LEADS.values()) for after in row.values()}
    assert led | {State.CONNECTED, State.AMID} == set(State)


ENVELOPES: dict[str, tuple[dict[str, Any], bool]] = {
    "as it should be": ({"toolResponse": {"functionResponses": [{"name": "f"}]}}, True),
    "snake_case": ({"tool_response": {"function_responses": [{"name": "f"}]}}, True),
    "the name of the message type": ({"BidiGenerateContentToolResponse": {"functionResponses": []}}, False),
    "the list alone": ({"functionResponses": [{"name": "f"}]}, False),
    "one response alone": ({"functionResponse": {"name": "f"}}, False),
    "the response without its list": ({"tool_response": {"id": "1", "response": {}}}, False),
    "an empty list": ({"toolResponse": {"functionResponses": []}}, False),
}


@pytest.mark.parametrize(("frame", "enveloped"), ENVELOPES.values(), ids=ENVELOPES)
def test_tool_responses_have_one_envelope(frame: dict[str, Any], enveloped: bool) -> None:
    last = facts(session(SETUP, READY, calls("1", name="f"), (">", frame)), kinds="frame")[-1]
    assert isinstance(last, FrameFact)
    assert (last.says, last.enveloped) == ("toolResponse", enveloped)


def test_a_session_knows_its_surface_by_its_url_or_by_the_name_of_its_model() -> None:
    vertex = (">", {"setup": {"model": "projects/p/locations/l/publishers/google/models/gemini-live-2.5-flash"}})
    for frames, url, expected in (
        ([SETUP], None, ("gemini-api", "live-2.5")),
        ([vertex], "", ("vertex", "live-2.5")),
        ([NEWEST], "ws://localhost:9000/live", ("gemini-api", "live-3.8")),
    ):
        told = facts(session(*frames) if url is None else session(*frames, url=url), kinds="frame")
        ended = facts(session(*frames) if url is None else session(*frames, url=url), kinds="ended")
        assert told
        assert (ended[0].context.surface, ended[0].context.band) == expected
