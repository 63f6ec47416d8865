"""What recorded Live sessions hold, in short sessions of our own: what is a mistake there, and what looks like one."""

from typing import Any

import pytest

from tests.stories.conversations import LIVE, session
from wirecheck import Inspector, load
from wirecheck.rules import Ruleset

VERTEX = (
    "wss://us-central1-aiplatform.googleapis.com//ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent"
)
NATIVE: Any = (">", {"setup": {"model": "models/gemini-live-2.5-flash-preview"}})
NEWER: Any = (">", {"setup": {"model": "models/gemini-3.1-flash-live-preview"}})
CLOUD: Any = (
    ">",
    {"setup": {"model": "projects/p/locations/l/publishers/google/models/gemini-2.0-flash-live-preview-04-09"}},
)
READY: Any = ("<", {"setupComplete": {}})
ASK: Any = (">", {"client_content": {"turns": [{"parts": [{"text": "Hi"}], "role": "user"}], "turnComplete": True}})
AUDIO: Any = (
    "<",
    {"serverContent": {"modelTurn": {"parts": [{"inlineData": {"mimeType": "audio/pcm", "data": "AAA="}}]}}},
)
GENERATED: Any = ("<", {"serverContent": {"generationComplete": True}})
DONE: Any = (
    "<",
    {"serverContent": {"turnComplete": True, "groundingMetadata": {}}, "usageMetadata": {"totalTokenCount": 1}},
)


def call(**more: Any) -> Any:
    return "<", {"toolCall": {"functionCalls": [{"name": "mood", "args": {}, **more}]}}


def answer(**more: Any) -> Any:
    return ">", {"tool_response": {"functionResponses": [{"name": "mood", "response": {"mood": "happy"}, **more}]}}


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def found(rules: Ruleset, url: str, frames: list[Any]) -> list[str]:
    inspector = Inspector(rules)
    told = [finding for record in session(*frames, url=url) for finding in inspector.feed(record)]
    return [f"{each.severity} {each.rule}" for each in told + inspector.close() if each.severity != "info"]


# The recordings were made to try the client; a call that nobody made is a mistake all the same.
MISTAKES: dict[str, tuple[str, list[Any], list[str]]] = {
    "a response that nobody asked for, before setupComplete": (
        LIVE,
        [NATIVE, answer(id="function-call-1"), READY],
        ["error tool-response-before-call"],
    ),
    "a response that nobody asked for": (
        LIVE,
        [NATIVE, READY, answer(id="function-call-1")],
        ["error tool-response-before-call"],
    ),
    "one without an id on Vertex AI, which was answered with audio": (
        VERTEX,
        [CLOUD, READY, answer(), AUDIO],
        ["warning tool-response-before-call"],
    ),
}
SOUND: dict[str, tuple[str, list[Any]]] = {
    "sent before setupComplete": (LIVE, [NATIVE, ASK, READY, AUDIO, GENERATED, DONE]),
    "a call that is still open where the log stops": (LIVE, [NATIVE, READY, ASK, call(id="c1")]),
    "a call without an id": (VERTEX, [CLOUD, ASK, READY, call(), GENERATED]),
    "code before the call": (
        LIVE,
        [
            NATIVE,
            READY,
            ("<", {"serverContent": {"modelTurn": {"parts": [{"executableCode": {"code": "print(mood())"}}]}}}),
            call(id="c1"),
            answer(id="c1"),
        ],
    ),
    "two ends of a turn on Vertex AI": (
        VERTEX,
        [
            CLOUD,
            READY,
            ASK,
            ("<", {"serverContent": {"outputTranscription": {}}}),
            call(id="4d45-6fe"),
            answer(id="4d45-6fe"),
            ("<", {"serverContent": {"outputTranscription": {"finished": True}}}),
            GENERATED,
            DONE,
            AUDIO,
            GENERATED,
            DONE,
        ],
    ),
    "empty frames, and a handle that nobody asked for": (
        LIVE,
        [
            NEWER,
            READY,
            ("<", {}),
            ("<", {"serverContent": {}}),
            ASK,
            call(id="fc_1"),
            answer(id="fc_1"),
            ("<", {"sessionResumptionUpdate": {"newHandle": "95e9", "resumable": True}}),
            ("<", {"serverContent": {}}),
            AUDIO,
            GENERATED,
        ],
    ),
    "only what the server said": (
        "",
        [READY, ("<", {"serverContent": {"inputTranscription": {"text": "Hi"}}}), AUDIO, ("<", {"serverContent": {}})],
    ),
    "a scheduled response that interrupts": (
        LIVE,
        [
            (">", {"setup": {"model": "models/gemini-3.8-live"}}),
            READY,
            ASK,
            call(id="c1"),
            AUDIO,
            GENERATED,
            DONE,
            ASK,
            AUDIO,
            answer(id="c1", scheduling="INTERRUPT"),
            ("<", {"serverContent": {"interrupted": True}}),
            DONE,
            AUDIO,
            GENERATED,
            DONE,
        ],
    ),
}


FRAGMENTS: dict[str, tuple[list[Any], list[str]]] = {
    "that begins with the server": ([call(id="c1"), answer(id="c1"), AUDIO], []),
    "that begins with the client": ([ASK, AUDIO], ["error live-setup-not-first"]),
    "whose setup was left out": ([READY, ASK, AUDIO], ["error live-setup-not-first"]),
    "of which an answer is all": ([AUDIO, answer(id="c1")], []),
}


@pytest.mark.parametrize(("frames", "mistakes"), FRAGMENTS.values(), ids=FRAGMENTS)
def test_a_piece_of_a_session(frames: list[Any], mistakes: list[str], rules: Ruleset) -> None:
    assert found(rules, "", frames) == mistakes


@pytest.mark.parametrize(("url", "frames", "mistakes"), MISTAKES.values(), ids=MISTAKES)
def test_the_mistakes_in_recordings_are_found(url: str, frames: list[Any], mistakes: list[str], rules: Ruleset) -> None:
    assert found(rules, url, frames) == mistakes


@pytest.mark.parametrize(("url", "frames"), SOUND.values(), ids=SOUND)
def test_what_recordings_show_to_work_is_no_mistake(url: str, frames: list[Any], rules: Ruleset) -> None:
    assert found(rules, url, frames) == []
