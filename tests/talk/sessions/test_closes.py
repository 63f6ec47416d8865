"""The close of a Live session: whose it is, what it says, what it confirms, and which frame it blames."""

from typing import Any

import msgspec
import pytest

from tests.stories.conversations import LIVE, session
from wirecheck import Inspector, load
from wirecheck.finding import Finding
from wirecheck.rules import Ruleset
from wirecheck.talk.sessions.closes import CLOSES, read, refuses, says

SETUP = (">", {"setup": {"model": "models/gemini-3.1-flash-live-preview"}})
SPEAKS = (">", {"setup": {"model": "models/gemini-2.5-flash-native-audio-latest"}})
READY: tuple[str, Any] = ("<", {"setupComplete": {}})
MANUAL = (
    ">",
    {"setup": {**SETUP[1]["setup"], "realtimeInputConfig": {"automaticActivityDetection": {"disabled": True}}}},
)
ASK = (">", {"clientContent": {"turns": [{"role": "user", "parts": [{"text": "Hi"}]}], "turnComplete": True}})
MIC = (">", {"realtimeInput": {"audio": {"mimeType": "audio/pcm;rate=16000", "data": "AAA="}}})
CALL = ("<", {"toolCall": {"functionCalls": [{"id": "c1", "name": "now", "args": {}}]}})
LIST = (">", {"toolResponse": {"functionResponses": [{"id": "c1", "name": "now", "response": [1]}]}})
DONE = (">", {"toolResponse": {"functionResponses": [{"id": "c1", "name": "now", "response": {}}]}})
OLDER = "models/gemini-live-2.5-flash-preview"
NEWEST = (">", {"setup": {"model": "models/gemini-3.8-live"}})
RESPONDED = {"role": "user", "parts": [{"functionResponse": {"name": "now", "response": {}}}]}
PART = (">", {"clientContent": {"turns": [RESPONDED], "turnComplete": True}})
UNDONE = (">", {"clientContent": {"turns": ASK[1]["clientContent"]["turns"], "turnComplete": False}})
PROGRESS = {"id": "c1", "name": "now", "response": {"done": 50}, "willContinue": True}
GOES_ON = (">", {"toolResponse": {"functionResponses": [PROGRESS]}})
OPERATION = "Operation is not implemented, or supported, or enabled."
NOT_REPEATING = (
    "Invalid JSON payload received. Unknown name \"response\" at 'tool_response.function_responses[0]': Proto field is "
    "not repeating, cannot start list."
)


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def judged(
    rules: Ruleset, *frames: Any, code: int | None, reason: str = "", by: str | None = "server", **options: Any
) -> list[Finding]:
    inspector = Inspector(rules, **options)
    *records, last = session(*frames, close=(code or 0, reason))
    records.append(msgspec.structs.replace(last, by=by, code=code))
    return [finding for record in records for finding in inspector.feed(record)] + inspector.close()


@pytest.mark.parametrize("row", CLOSES, ids=lambda row: row.text)
def test_a_known_reason_is_known_whole_or_cut(row: Any) -> None:
    text = row.text.replace("…", "x" * 70)
    assert read(text) is row
    assert read(f"{text}. And more.") is row
    assert read(text.upper()) is row


def test_a_reason_is_known_by_what_is_left_of_it() -> None:
    cut = NOT_REPEATING.encode()[:123].decode()
    assert len(NOT_REPEATING) > 123
    assert says(cut, NOT_REPEATING)
    assert says(f"models/{'m' * 95} is not found for", "models/… is not found for API version")
    assert not says("models/m is not found for", "models/… is not found for API version")  # that was not cut


@pytest.mark.parametrize("reason", ["", "x" * 123, "Requ", "Invalid", "models/"])
def test_other_reasons_are_not(reason: str) -> None:
    assert read(reason).meaning == "unknown"


def test_time_that_is_up_refuses_nobody() -> None:
    assert not refuses(1011, "Deadline expired before operation could complete.")
    assert not refuses(1000, "")
    assert refuses(1007, "")


ENDS: dict[str, tuple[list[Any], dict[str, Any], list[str]]] = {
    "explained by what was found": (
        [SETUP, READY, CALL, LIST],
        {"code": 1007, "reason": NOT_REPEATING[:123]},
        ["tool-response-not-object unknown", "tool-response-not-object confirmed"],
    ),
    "explained by what the close itself shows": (
        [SETUP, READY, CALL, MIC],
        {"code": 1007, "reason": "Request contains an invalid argument."},
        ["tool-response-missing confirmed"],
    ),
    "explained by nothing": (
        [SETUP, READY, ASK, MIC],
        {"code": 1007, "reason": "Request contains an invalid argument."},
        ["live-close-unexplained unknown"],
    ),
    "in other words than those of what was found": (
        [SETUP, READY, CALL, LIST],
        {"code": 1007, "reason": "Cannot extract voices from a non-audio request."},
        ["tool-response-not-object unknown", "live-close-unexplained unknown"],
    ),
    "without a word of whose it is": (
        [SETUP, READY, ASK],
        {"code": 1007, "reason": "Request contains an invalid argument.", "by": None},
        ["live-close-unexplained unknown"],
    ),
    "a key": (
        [SETUP],
        {"code": 1007, "reason": "API key not valid. Please pass a valid API key."},
        ["live-auth-rejected confirmed"],
    ),
    "a key, before a setup was read that is wrong in every way": (
        [(">", {"setup": {**SETUP[1]["setup"], "toolConfig": {}, "temperature": 1}}), (">", {"contents": []})],
        {"code": 1007, "reason": "API key not valid. Please pass a valid API key."},
        ["live-auth-rejected confirmed"],
    ),
    "a key that expired in the middle": (
        [(">", {"setup": {**SETUP[1]["setup"], "temperature": 1}}), READY, (">", {"contents": []})],
        {"code": 1007, "reason": "API key expired. Please renew the API key."},
        ["live-setup-field-misplaced unknown", "live-client-unknown-key unknown", "live-auth-rejected confirmed"],
    ),
    "another reason, of a setup that is wrong": (
        [(">", {"setup": {**SETUP[1]["setup"], "temperature": 1}})],
        {"code": 1011, "reason": "You exceeded your current quota, please check"},
        ["live-setup-field-misplaced unknown", "live-server-ended unknown"],
    ),
    "quota": (
        [SETUP, READY, ASK],
        {"code": 1011, "reason": "You exceeded your current quota, please check"},
        ["live-server-ended unknown"],
    ),
    "time that is up, with no goAway": (
        [SETUP, READY, ASK],
        {"code": 1011, "reason": "Deadline expired before operation could complete."},
        ["live-server-ended unknown"],
    ),
    "the client's own": (
        [SETUP, READY, ASK],
        {"code": 1011, "reason": "keepalive ping timeout", "by": "client"},
        ["live-client-keepalive-timeout unknown"],
    ),
    "the client's own, in a log that blames the server": (
        [SETUP, READY, ASK],
        {"code": 1011, "reason": "sent 1011 (internal error) keepalive ping timeout; no close frame received"},
        ["live-client-keepalive-timeout unknown"],
    ),
    "the client leaves": ([SETUP, READY, ASK], {"code": 1001, "by": "client"}, []),
    "a handle nobody knows": (
        [(">", {"setup": {"model": "models/gemini-3.8-live", "sessionResumption": {"handle": "x"}}})],
        {"code": 1008, "reason": "BidiGenerateContent session not found"},
        ["session-resume-client-id unknown", "session-resume-handle-unknown confirmed"],
    ),
    "a list, in no more words than the first of them": (
        [SETUP, READY, (">", [MIC[1]])],
        {"code": 1007, "reason": "Invalid JSON payload received."},
        ["live-frame-not-json unknown", "live-frame-not-json confirmed"],
    ),
    "a handle that is null": (
        [(">", {"setup": {"model": SETUP[1]["setup"]["model"], "sessionResumption": {"handle": None}}})],
        {"code": 1007, "reason": "Request contains an invalid argument."},
        ["live-null-field unknown", "live-null-field confirmed"],
    ),
    "a mark of activity that the setup allows, and the server does not": (
        [MANUAL, READY, MIC, (">", {"realtimeInput": {"activityStart": {}}}), MIC],
        {"code": 1007, "reason": "Explicit activity control is not supported when automatic activity detection is"},
        ["live-activity-signal-with-auto-vad confirmed"],
    ),
    "an operation, after input while a call was open": (
        [SETUP, READY, CALL, MIC, MIC],
        {"code": 1008, "reason": OPERATION},
        ["input-while-tool-pending confirmed"],
    ),
    "an operation, after input while a call was open that has its response": (
        [SETUP, READY, CALL, MIC, DONE],
        {"code": 1008, "reason": OPERATION},
        ["input-while-tool-pending confirmed"],
    ),
    "an operation, after input when the call had its response": (
        [SETUP, READY, CALL, DONE, MIC],
        {"code": 1008, "reason": OPERATION},
        ["live-close-unexplained unknown"],
    ),
    "an operation, and a call that was open": (
        [SETUP, READY, MIC, CALL],
        {"code": 1008, "reason": OPERATION},
        ["live-close-unexplained unknown"],
    ),
    "words that name nothing, after what was only a note": (
        [(">", {"setup": {"model": OLDER, "sessionResumption": {"handle": None}}}), READY, ASK],
        {"code": 1007, "reason": "Request contains an invalid argument."},
        ["live-null-field unknown", "live-close-unexplained unknown"],
    ),
    "words that name nothing, after a warning and an error": (
        [NEWEST, READY, (">", {"clientContent": {"turns": [{"parts": [{"text": "Hi"}]}], "turnComplete": True}}), PART],
        {"code": 1007, "reason": "Request contains an invalid argument."},
        [
            "live-client-content-role unknown",
            "live-function-part-in-client-content unknown",
            "live-client-content-role confirmed",
        ],
    ),
    "an end while a tool works, or a limit": (
        [SETUP, READY, CALL, MIC],
        {"code": 1008, "reason": "The operation was aborted."},
        ["live-close-unexplained unknown"],
    ),
    "a turn completed by hand amid audio": (
        [SPEAKS, READY, MIC, (">", {"clientContent": {"turnComplete": True}})],
        {"code": 1007, "reason": "Request contains an invalid argument."},
        ["live-mixed-input-channels unknown", "live-mixed-input-channels confirmed"],
    ),
    "a limit": (
        [SETUP, READY, CALL, DONE, MIC],
        {"code": 1008, "reason": "The operation was aborted."},
        ["live-server-ended unknown"],
    ),
    "a model that does not exist": (
        [SETUP],
        {"code": 1008, "reason": "Requested entity was not found."},
        ["live-model-not-live confirmed"],
    ),
    "what was left undone, for a mistake that was found before": (
        [SETUP, READY, SETUP, UNDONE, CALL],
        {"code": 1007, "reason": "Request contains an invalid argument."},
        ["live-setup-repeated unknown", "live-setup-repeated confirmed"],
    ),
    "a response that says of more to come": (
        [SETUP, READY, CALL, GOES_ON],
        {"code": 1011, "reason": "Internal error occurred."},
        ["live-close-unexplained unknown"],
    ),
    "a language": (
        [(">", {"setup": {"model": OLDER, "generationConfig": {"speechConfig": {"languageCode": "cs-CZ"}}}})],
        {"code": 1007, "reason": f"Unsupported language code 'cs-CZ' for model {OLDER}"},
        ["live-speech-refused confirmed"],
    ),
    "after goAway": (
        [SETUP, READY, ("<", {"goAway": {"timeLeft": "50s"}})],
        {"code": 1000, "reason": "The operation was cancelled."},
        ["go-away-ignored unknown"],
    ),
}


@pytest.mark.parametrize(("frames", "close", "found"), ENDS.values(), ids=ENDS)
def test_what_a_close_says(frames: list[Any], close: dict[str, Any], found: list[str], rules: Ruleset) -> None:
    told = judged(rules, *frames, **close)
    assert [f"{finding.rule} {finding.server.verdict}" for finding in told] == found


ENTITY = "Requested entity was not found."
VERTEX = "wss://us-central1-aiplatform.googleapis.com/ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent"
PUBLISHED = {"setup": {"model": "projects/p/locations/l/publishers/google/models/gemini-live-2.5-flash"}}


def test_a_query_on_vertex_is_what_its_close_refuses(rules: Ruleset) -> None:
    inspector = Inspector(rules)
    frames = session((">", PUBLISHED), close=(1007, "Request contains an invalid argument."), url=f"{VERTEX}?model=m")
    *records, last = frames
    told = [
        finding
        for record in (*records, msgspec.structs.replace(last, by="server"))
        for finding in inspector.feed(record)
    ]
    assert [f"{each.rule} {each.server.verdict}" for each in told + inspector.close()] == [
        "live-stray-query-params unknown",
        "live-stray-query-params confirmed",
    ]


def test_a_connection_that_is_still_open_is_what_the_close_of_the_next_refuses(rules: Ruleset) -> None:
    inspector = Inspector(rules)
    given = ("<", {"sessionResumptionUpdate": {"newHandle": "h1", "resumable": True}})
    again = (">", {"setup": {"model": SETUP[1]["setup"]["model"], "sessionResumption": {"handle": "h1"}}})
    *open_still, _ = session(SETUP, READY, given)
    *records, last = session(again, close=(1011, "Internal error occurred."))
    later = [msgspec.structs.replace(record, channel="2") for record in (*records, last)]
    later[-1] = msgspec.structs.replace(later[-1], by="server")
    told = [finding for record in (*open_still, *later) for finding in inspector.feed(record)]
    assert [f"{each.rule} {each.server.verdict}" for each in told] == [
        "session-resume-overlap unknown",
        "session-resume-overlap confirmed",
    ]


BLAMES = {
    "what was sent last, of something not found where no handle was": ([SETUP, READY, CALL, DONE, MIC], ENTITY, 5),
    "the message it speaks of": ([SETUP, READY, ASK, MIC], "Invalid value at 'setup.model'", 2),
    "the setup, where it is all there was": ([SETUP, MIC], "", 2),
    "the last that was no audio": ([SETUP, READY, ASK, MIC], "", 4),
    "input, of an operation": ([SETUP, READY, MIC, ASK], OPERATION, 4),
}


@pytest.mark.parametrize(("frames", "reason", "line"), BLAMES.values(), ids=BLAMES)
def test_a_close_that_nothing_explains_blames_a_frame(
    frames: list[Any], reason: str, line: int, rules: Ruleset
) -> None:
    (*_, close) = judged(rules, *frames, code=1007, reason=reason)
    assert close.rule == "live-close-unexplained"
    assert [related.place.line for related in close.related] == [line]


SAYS = ("<", {"serverContent": {"modelTurn": {"parts": [{"text": "Yes"}]}}})
TAKEN: dict[str, tuple[list[Any], tuple[int, str]]] = {
    "a setup, once it is complete": ([SETUP, READY, MIC], (1008, "")),
    "a setup, of a reason nobody knows": ([SETUP, READY, MIC, MIC], (1008, "Session terminated by policy xyz")),
    "what the model spoke after": ([SETUP, READY, ASK, SAYS, MIC], (1008, "")),
    "a response it spoke after": ([SETUP, READY, CALL, DONE, SAYS], (1011, "Internal error occurred.")),
}


@pytest.mark.parametrize("memo", [True, False])
@pytest.mark.parametrize(("frames", "close"), TAKEN.values(), ids=TAKEN)
def test_no_frame_is_blamed_that_the_server_took(
    frames: list[Any], close: tuple[int, str], memo: bool, rules: Ruleset
) -> None:
    found = judged(rules, *frames, code=close[0], reason=close[1], memo=memo)
    (told,) = [each for each in found if "close" in each.rule]
    assert (told.related, "likeliest" in told.message, "found before" in told.message) == ((), False, False)


def test_a_close_that_nothing_explains_names_what_was_found_before(rules: Ruleset) -> None:
    foreign = (">", {"toolResponse": {"functionResponses": [{"id": "c9", "name": "now", "response": {}}]}})
    (*_, told) = judged(rules, SETUP, READY, CALL, foreign, code=1008, reason="")
    assert told.rule == "live-close-unexplained"
    assert "found before: tool-response-unknown-id" in told.message


TOKEN = LIVE.replace("BidiGenerateContent", "BidiGenerateContent?access_token=auth_tokens/abc")


def test_a_token_that_is_not_let_in_is_told_and_what_nobody_read_is_not(rules: Ruleset) -> None:
    inspector = Inspector(rules)
    wrong = (">", {"setup": {**SETUP[1]["setup"], "temperature": 1}})
    records = list(session(wrong, close=(1008, "Method doesn't allow unregistered callers"), url=TOKEN))
    records[-1] = msgspec.structs.replace(records[-1], by="server")
    told = [finding for record in records for finding in inspector.feed(record)]
    assert [f"{each.rule} {each.server.verdict}" for each in told] == [
        "live-ephemeral-token-endpoint unknown",
        "live-ephemeral-token-endpoint confirmed",
    ]


def test_what_is_found_is_given_with_the_first_word_of_the_server_or_at_the_end(rules: Ruleset) -> None:
    wrong = (">", {"setup": {**SETUP[1]["setup"], "temperature": 1}})
    for frames, given in (([wrong, READY, ASK], [0, 0, 1, 0, 0]), ([wrong], [0, 0, 1])):
        inspector = Inspector(rules)
        records = list(session(*frames))[:-1]
        found = [inspector.feed(record) for record in records] + [inspector.close()]
        assert [len(each) for each in found] == given


def test_a_channel_that_is_opened_anew_takes_nothing_back(rules: Ruleset) -> None:
    wrong = (">", {"setup": {**SETUP[1]["setup"], "temperature": 1}})
    records = [record for _ in range(2) for record in list(session(wrong))[:-1]]
    inspector = Inspector(rules)
    found = [finding for record in records for finding in inspector.feed(record)] + inspector.close()
    assert [finding.rule for finding in found] == ["live-setup-field-misplaced"] * 2


@pytest.mark.parametrize(("frames", "close", "found"), ENDS.values(), ids=ENDS)
def test_predicting_does_not_look_at_the_close(
    frames: list[Any], close: dict[str, Any], found: list[str], rules: Ruleset
) -> None:
    here = judged(rules, *frames, **close, predict=True)
    other = judged(rules, *frames, **{**close, "code": 1000, "reason": ""}, predict=True)
    assert [(finding.rule, finding.server) for finding in here] == [(each.rule, each.server) for each in other]
    assert all(finding.server.verdict == "unknown" for finding in here)


SOON: dict[str, tuple[float | None, list[Any], dict[str, Any], bool]] = {
    "the server fails, in a moment": (0.1, [], {"code": 1011, "reason": "Internal error encountered."}, False),
    "the client leaves, in a moment": (0.1, [], {"code": 1000, "by": "client"}, False),
    "the connection breaks, in a moment": (0.1, [], {"code": 1006, "by": None}, False),
    "the client leaves later": (3, [], {"code": 1000, "by": "client"}, True),
    "the server fails later": (3, [], {"code": 1011}, True),
    "the server refuses, in a moment": (0.1, [], {"code": 1007}, True),
    "the server fails, without times": (None, [], {"code": 1008}, False),
    "the connection breaks, without times": (None, [], {"code": 1006, "by": None}, False),
    "the server fails after more, without times": (None, [MIC], {"code": 1011}, True),
    "the client leaves, without times": (None, [], {"code": 1000, "by": "client"}, True),
}


@pytest.mark.parametrize(("after", "more", "close", "missing"), SOON.values(), ids=SOON)
def test_a_close_may_come_sooner_than_a_tool_could_answer(
    after: float | None, more: list[Any], close: dict[str, Any], missing: bool, rules: Ruleset
) -> None:
    *records, last = session(SETUP, READY, CALL, *more, close=(close["code"], ""))
    records.append(msgspec.structs.replace(last, **{"by": "server", **close}))
    if after is not None:
        records = [msgspec.structs.replace(record, at=5.0) for record in records]
        records[-1] = msgspec.structs.replace(records[-1], at=5.0 + after)
    inspector = Inspector(rules)
    told = [finding for record in records for finding in inspector.feed(record)] + inspector.close()
    assert ("tool-response-missing" in [finding.rule for finding in told]) is missing
