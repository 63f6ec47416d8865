"""Live sessions: what was called, answered, taken back and left open."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.stories.conversations import LIVE, answer, call, facts, session
from wirecheck import Inspector, load
from wirecheck.rules import Ruleset
from wirecheck.talk.facts import CallSettledFact, FrameFact, MisfitFact, MisplacedFact, UntimelyFact
from wirecheck.talk.sessions.state_tables import CALL_MOVES, LEADS, MOVES, CallState, SessionState

Frame = tuple[str, dict[str, Any]]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


SETUP: Frame = (">", {"setup": {"model": "models/gemini-live-2.5-flash-preview"}})
READY: Frame = ("<", {"setupComplete": {}})
NATIVE: Frame = (">", {"setup": {"model": "models/gemini-3.1-flash-live-preview"}})
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


COMPLETE: Frame = ("<", {"serverContent": {"turnComplete": True}})
INTERRUPTED: Frame = ("<", {"serverContent": {"interrupted": True}})
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
    "the turn ends without it": ([calls("c1"), COMPLETE], None, ["c1 unanswered"]),
    "the turn ends without it, and it comes": ([calls("c1"), COMPLETE, answers("c1")], None, ["c1 answered"]),
    "the turn was interrupted": ([calls("c1"), INTERRUPTED, COMPLETE], None, []),
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
    "never answered to the last": ([calls("c1"), answers("c1", willContinue=True)], (1000, ""), ["c1 unfinished"]),
    "one call without an id in a turn and in a toolCall": (
        [("<", {"serverContent": {"modelTurn": {"parts": [call("now")]}}}), calls(None), answers(None)],
        (1000, ""),
        ["None answered"],
    ),
    "meant by a response with an id of its own, which is said": ([calls("c1"), answers("c9")], (1000, ""), []),
    "answered after a response that went astray": ([calls("c1"), answers("c9"), answers("c1")], None, ["c1 answered"]),
    "passed over by realtime input in writing": (
        [calls("c1"), (">", {"realtimeInput": {"text": "And?"}})],
        None,
        ["c1 unanswered"],
    ),
    "audio goes on": ([calls("c1"), (">", {"realtimeInput": {"audio": {"data": "AAA="}}})], None, []),
    "answered in the wrong envelope": (
        [calls("c1"), (">", {"functionResponses": [answer("now", "c1")["functionResponse"]]})],
        (1000, ""),
        ["c1 answered"],
    ),
    "answered under functionResponse": (
        [calls("c1"), (">", {"toolResponse": {"functionResponse": answer("now", "c1")["functionResponse"]}})],
        (1000, ""),
        ["c1 answered"],
    ),
    "answered two envelopes deep": (
        [calls("c1"), (">", {"toolResponse": answers("c1")[1]})],
        (1000, ""),
        ["c1 answered"],
    ),
    "answered by keys of one's own": (
        [calls("c1"), (">", {"functionResponse": {"functionCallId": "c1", "response": {}}})],
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


def test_a_turn_may_end_while_calls_go_on_that_do_not_block() -> None:
    assert facts(session(NEWEST, READY, calls("c1"), COMPLETE), kinds="call-settled") == []


def test_a_call_that_outlives_its_turn_is_told_at_the_end_of_the_turn() -> None:
    (fact,) = facts(session(SETUP, READY, calls("c1"), COMPLETE, ("<", {})), kinds="call-settled")
    assert (fact.turn, fact.spot.place().line) == (3, 5)


def misplaced(*frames: Frame) -> list[str]:
    told = facts(session(*frames), kinds="misplaced")
    return [f"{fact.what} {fact.state}" for fact in told if isinstance(fact, MisplacedFact)]


CALLED: dict[str, tuple[list[Frame], list[str]]] = {
    "with an id": ([calls("c1")], []),
    "without": ([calls(None)], ["called no-id"]),
    "two without": ([calls(None, None)], ["called no-id", "called twin"]),
    "again": ([calls("c1"), calls("c1")], ["called open"]),
    "again, answered": ([calls("c1"), answers("c1"), calls("c1")], ["called answered"]),
}


@pytest.mark.parametrize(("frames", "moves"), CALLED.values(), ids=CALLED)
def test_what_is_odd_about_a_call(frames: list[Frame], moves: list[str]) -> None:
    assert misplaced(SETUP, READY, *frames) == moves


def declares(*names: str, key: str = "setup", **more: Any) -> Frame:
    return ">", {key: {"tools": [{"functionDeclarations": [{"name": name, **more} for name in names]}]}}


DECLARED: dict[str, tuple[list[Frame], list[str]]] = {
    "declared": ([declares("now"), calls("c1")], []),
    "not declared": ([declares("then"), calls("c1")], ["undeclared"]),
    "where nothing is declared": ([(">", {"setup": {}}), calls("c1")], []),
    "declared later": ([declares("then"), declares("now", key="contextUpdate"), calls("c1")], []),
    "declared no more": (
        [declares("now"), declares("then", key="contextUpdate"), calls("c1")],
        ["undeclared"],
    ),
    "while only the instruction changes": (
        [
            declares("now"),
            (">", {"contextUpdate": {"systemInstruction": {"parts": [{"text": "Be brief."}]}}}),
            calls("c1"),
        ],
        [],
    ),
    "declared within a wrapper": (
        [
            declares("then"),
            (">", {"contextUpdate": {"tools": {"tools": declares("now")[1]["setup"]["tools"]}}}),
            calls("c1"),
        ],
        [],
    ),
}


@pytest.mark.parametrize(("frames", "moves"), DECLARED.values(), ids=DECLARED)
def test_calls_are_compared_with_what_is_declared(frames: list[Frame], moves: list[str]) -> None:
    assert [fact.how for fact in facts(session(*frames), kinds="misfit") if isinstance(fact, MisfitFact)] == moves


def test_a_token_may_hold_the_declarations() -> None:
    told = facts(session(declares("then"), calls("c1"), url=f"{LIVE}Constrained"), kinds="misfit")
    assert told == []


BLOCKING: dict[str, tuple[str, str, bool]] = {
    "3.1": ("gemini-3.1-flash-live-preview", "", True),
    "3.1, declared to go on": ("gemini-3.1-flash-live-preview", "NON_BLOCKING", False),
    "3.8": ("gemini-3.8-live", "", False),
    "3.8, declared to wait": ("gemini-3.8-live", "BLOCKING", True),
}


@pytest.mark.parametrize(("name", "behavior", "waits"), BLOCKING.values(), ids=BLOCKING)
def test_whether_a_call_holds_the_turn_up(name: str, behavior: str, waits: bool) -> None:
    setup = declares("now", **{"behavior": behavior} if behavior else {})
    setup[1]["setup"]["model"] = f"models/{name}"
    told = facts(session(setup, READY, calls("c1"), ASKS), kinds="call-settled")
    assert len(told) == waits


UNTIMELY: dict[str, tuple[list[Frame], list[str]]] = {
    "setup first": ([SETUP, READY, ASKS], []),
    "never set up": ([ASKS, ASKS], ["clientContent connected"]),
    "set up late": ([ASKS, SETUP, READY], ["clientContent connected"]),
    "set up twice": ([SETUP, READY, SETUP, SETUP], ["setup ready", "setup ready"]),
    "input before setupComplete": ([SETUP, ASKS, ASKS, READY], ["clientContent setting-up"]),
    "input in a log without setupComplete": ([SETUP, ASKS, ASKS], []),
    "setupComplete twice": ([SETUP, READY, READY], ["setupComplete ready"]),
    "words before setupComplete": (
        [SETUP, ("<", {"serverContent": {"modelTurn": {}}}), READY],
        ["output setting-up", "setupComplete model-turn"],
    ),
}


@pytest.mark.parametrize(("frames", "moves"), UNTIMELY.values(), ids=UNTIMELY)
def test_frames_that_the_table_lacks_are_facts(frames: list[Frame], moves: list[str]) -> None:
    told = facts(session(*frames), kinds="untimely")
    assert [f"{fact.what} {fact.state}" for fact in told if isinstance(fact, UntimelyFact)] == moves


MEDIA: dict[str, Frame] = {
    "audio of the user": (">", {"realtimeInput": {"audio": {"mimeType": "audio/pcm;rate=16000", "data": "AAA="}}}),
    "audio of the model": ("<", {"serverContent": {"modelTurn": {"parts": [{"inlineData": {"data": "AAA="}}]}}}),
    "what it says": ("<", {"serverContent": {"outputTranscription": {"text": "Hi"}}}),
    "what it hears": ("<", {"serverContent": {"inputTranscription": {"text": "Hi"}}}),
    "tokens": ("<", {"usageMetadata": {"totalTokenCount": 1}}),
    "nothing": ("<", {}),
}
STANDINGS: dict[str, list[Frame]] = {
    "set up": [SETUP, READY],
    "a call waits": [SETUP, READY, calls("c1")],
    "a call was passed over": [SETUP, READY, calls("c1"), ASKS],
    "nobody set up": [ASKS],
    "before setupComplete": [SETUP],
}


@pytest.mark.parametrize("frames", STANDINGS.values(), ids=STANDINGS)
@pytest.mark.parametrize("media", MEDIA.values(), ids=MEDIA)
def test_media_that_come_again_change_nothing(frames: list[Frame], media: Frame) -> None:
    after = [SETUP, READY, calls("c2"), answers("c1"), answers("c2"), *([ASKS] if media[0] == ">" else [])]
    few, many = (
        facts(session(*frames, *[media] * times, *after), kinds="misplaced untimely call-settled") for times in (2, 9)
    )
    assert [_plain(fact) for fact in few] == [_plain(fact) for fact in many]


def _plain(fact: Any) -> tuple[Any, ...]:
    names = ("kind", "what", "state", "how", "by", "id", "name")
    return tuple(getattr(fact, name, None) for name in names)


def test_silence_after_a_call_is_told_where_the_log_has_times(rules: Ruleset) -> None:
    """A minute of audio without the response; without times, or within the minute, the call is merely open."""
    for seconds, found in ((90.0, ["tool-response-missing"]), (50.0, []), (0.0, [])):
        inspector = Inspector(rules)
        frames = [NATIVE, READY, calls("c1"), *[MEDIA["audio of the user"]] * 9]
        records = [
            replace(record, at=n * seconds / 9 if seconds else None) for n, record in enumerate(session(*frames))
        ]
        told = [finding for record in records for finding in inspector.feed(record)] + inspector.close()
        assert [finding.rule for finding in told] == found


MISPLACED: dict[str, tuple[list[Frame], list[str]]] = {
    "nothing was called": ([answers("c1")], ["answered none"]),
    "an id nobody gave": ([calls("c1"), answers("c9")], ["answered unknown"]),
    "answered twice": ([calls("c1"), answers("c1"), answers("c1")], ["answered answered"]),
    "reported on after the last report": (
        [calls("c1"), answers("c1", willContinue=True), answers("c1"), answers("c1")],
        ["answered concluded"],
    ),
    "gone on with as the response says, in the wrong place": (
        [calls("c1"), answers("c1", response={"willContinue": True}), answers("c1")],
        [],
    ),
    "announced to go on after the only response": (
        [calls("c1"), answers("c1"), answers("c1", willContinue=True)],
        ["answered concluded"],
    ),
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
    assert set(MOVES) == set(SessionState)
    led = {after for row in (*MOVES.values(), *LEADS.values()) for after in row.values()}
    assert led | {SessionState.CONNECTED, SessionState.AMID} == set(SessionState)


ENVELOPES: dict[str, tuple[dict[str, Any], bool]] = {
    "as it should be": ({"toolResponse": {"functionResponses": [{"name": "f"}]}}, True),
    "snake_case": ({"tool_response": {"function_responses": [{"name": "f"}]}}, True),
    "the name of the message type": ({"BidiGenerateContentToolResponse": {"functionResponses": []}}, False),
    "the list alone": ({"functionResponses": [{"name": "f"}]}, False),
    "one response alone": ({"functionResponse": {"name": "f"}}, False),
    "the response without its list": ({"tool_response": {"id": "1", "response": {}}}, False),
    "an empty list": ({"toolResponse": {"functionResponses": []}}, False),
    "a list of texts": ({"toolResponse": {"functionResponses": ["{}"]}}, False),
    "one response in place of the list": ({"toolResponse": {"functionResponses": {"name": "f"}}}, True),
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
