"""Sound Live sessions with one frame of the client written wrongly: it is found there, and nothing else is.

A break takes the frames of a session and gives them back broken, with the number of the frame in which that shows
(None: it is told of an earlier frame at the close), or nothing where the session cannot be broken so.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.breaks.test_live_sessions import SESSIONS, Broken, Frames, changed, deep, first, judged
from wirecheck import load
from wirecheck.dialects.vocabulary.live_field_tables import ENUMS, MESSAGES
from wirecheck.rules import Ruleset

Break = Callable[[Frames], Broken]
MIC = {"realtimeInput": {"audio": {"mimeType": "audio/pcm;rate=16000", "data": "AAA="}}}
TURN = {"role": "user", "parts": [{"text": "And?"}]}


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def model_of(frames: Frames) -> str:
    return str(frames[0][1]["setup"]["model"])


def set_up(model: str, *steps: str, is_: Any) -> Break:
    """A value in the setup, where the model is of a kind."""

    def broken(frames: Frames) -> Broken:
        if model not in f"^{model_of(frames)}":
            return None
        frame = deep(frames[0][1])
        at = frame["setup"]
        for step in steps[:-1]:
            at = at.setdefault(step, {})
        at[steps[-1]] = is_
        return changed(frames, 0, frame), 0

    return broken


def sent(frame: Any, *further: Any, model: str = "", before: Any = None) -> Break:
    """A frame that comes last of the client's; `before` what the setup must have."""

    def broken(frames: Frames) -> Broken:
        if model not in f"^{model_of(frames)}":
            return None
        opened = frames if before is None else changed(frames, 0, {"setup": {**frames[0][1]["setup"], **before}})
        more = [(">", each) for each in (frame, *further)]
        return [*opened, *more], len(opened) + len(more) - 1

    return broken


def content(**more: Any) -> Break:
    """The first clientContent, changed."""

    def broken(frames: Frames) -> Broken:
        n = first(frames, "clientContent")
        return (
            None if n is None else (changed(frames, n, {"clientContent": {**frames[n][1]["clientContent"], **more}}), n)
        )

    return broken


def response(**more: Any) -> Break:
    def broken(frames: Frames) -> Broken:
        n = first(frames, "toolResponse")
        if n is None:
            return None
        frame = deep(frames[n][1])
        frame["toolResponse"]["functionResponses"][0].pop("scheduling", None)
        frame["toolResponse"]["functionResponses"][0].update(more)
        return changed(frames, n, frame), n

    return broken


def function(**parameters: Any) -> Break:
    """A function with these parameters, declared first of all."""

    def broken(frames: Frames) -> Broken:
        frame = deep(frames[0][1])
        tools = frame["setup"].get("tools")
        if not tools:
            return None
        tools[0]["functionDeclarations"].insert(0, {"name": "extra", "parameters": parameters})
        return changed(frames, 0, frame), 0

    return broken


def without_role(model: str) -> Break:
    def broken(frames: Frames) -> Broken:
        n = first(frames, "clientContent")
        if n is None or model not in model_of(frames):
            return None
        frame = deep(frames[n][1])
        frame["clientContent"]["turns"][0].pop("role", None)
        return changed(frames, n, frame), n

    return broken


def as_config(frames: Frames) -> Broken:
    return changed(frames, 0, {"config": frames[0][1]["setup"]}), 0


def named(name: Callable[[str], dict[str, str]]) -> Break:
    """The model of the setup, where the log has the URL that says which surface it is."""

    def broken(frames: Frames) -> Broken:
        setup = {key: value for key, value in frames[0][1]["setup"].items() if key != "model"}
        known = "zone" in str(setup)  # stories may lack it
        return (changed(frames, 0, {"setup": {**setup, **name(model_of(frames))}}), 0) if known else None

    return broken


def unfinished(frames: Frames) -> Broken:
    return [*frames, (">", {"clientContent": {"turns": [TURN], "turnComplete": False}})], len(frames)


def seeded(frames: Frames) -> Broken:
    setup = {**frames[0][1]["setup"], "historyConfig": {"initialHistoryInClientContent": True}}
    history = [(">", {"clientContent": {"turns": [TURN]}}), (">", {"realtimeInput": {"text": "Hi"}})]
    return [(">", {"setup": setup}), frames[1], *history, *frames[2:]], 3


MANUAL = {"realtimeInputConfig": {"automaticActivityDetection": {"disabled": True}}}
AUTOMATIC: dict[str, Any] = {"realtimeInputConfig": {}}
AMID = {"live-mixed-input-channels"}  # in stories where audio still streams in
UNSET = {"tool-call-undeclared"}  # a session without a setup declares nothing
# Name: the break, the rule that must find it, and rules that may be told besides.
BREAKS: dict[str, tuple[Break, str, set[str]]] = {
    "a message nobody knows": (sent({"ping": 1}), "live-client-unknown-key", set()),
    "a message of another protocol": (sent({"type": "response.create"}), "live-client-unknown-key", set()),
    "a key of HTTP": (sent({"clientContent": {"contents": [TURN]}}), "live-client-unknown-key", set()),
    "a slip of the pen": (content(turncomplete=True), "live-client-unknown-key", set()),
    "a key in a response": (response(callId="c"), "live-client-unknown-key", set()),
    "a setting nobody knows": (set_up("", "fancy", is_=1), "live-client-unknown-key", set()),
    "config": (as_config, "live-config-instead-of-setup", UNSET),
    "two messages in one frame": (
        sent({**MIC, "clientContent": {"turns": [TURN], "turnComplete": True}}),
        "live-client-multiple-keys",
        AMID,
    ),
    "modalities at the top": (set_up("", "responseModalities", is_=["AUDIO"]), "live-setup-field-misplaced", set()),
    "a temperature at the top": (set_up("", "temperature", is_=1), "live-setup-field-misplaced", set()),
    "toolConfig": (set_up("", "toolConfig", is_={}), "live-setup-field-misplaced", set()),
    "instructions too low": (
        set_up("", "generationConfig", "systemInstruction", is_=TURN),
        "live-setup-field-misplaced",
        set(),
    ),
    "a word nobody knows": (
        set_up("", "realtimeInputConfig", "automaticActivityDetection", "endOfSpeechSensitivity", is_="MEDIUM"),
        "live-unknown-enum",
        set(),
    ),
    "null for a handle": (set_up("3.1", "sessionResumption", is_={"handle": None}), "live-null-field", set()),
    "JSON asked for": (
        set_up("", "generationConfig", "responseMimeType", is_="application/json"),
        "live-setup-unsupported-generation-field",
        set(),
    ),
    "two modalities": (
        set_up("", "generationConfig", "responseModalities", is_=["TEXT", "AUDIO"]),
        "live-response-modality",
        set(),
    ),
    "text of a model that speaks": (
        set_up("3.1", "generationConfig", "responseModalities", is_=["TEXT"]),
        "live-modality-unsupported",
        set(),
    ),
    "a voice for text": (
        set_up("gemini-live-2.5", "generationConfig", is_={"responseModalities": ["TEXT"], "speechConfig": {}}),
        "live-voice-without-audio",
        set(),
    ),
    "a voice of another provider": (
        set_up(
            "",
            "generationConfig",
            is_={
                "responseModalities": ["AUDIO"],
                "speechConfig": {"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": "alloy"}}},
            },
        ),
        "live-voice-or-language-unknown",
        set(),
    ),
    "no model": (named(lambda _: {}), "live-setup-model", set()),
    "a model without its path": (named(lambda path: {"model": path.rpartition("/")[2]}), "live-setup-model", set()),
    "a constant": (
        function(type="OBJECT", properties={"k": {"type": "STRING", "const": 1}}),
        "live-tool-schema-keyword",
        set(),
    ),
    "a list of types": (
        function(type="OBJECT", properties={"k": {"type": ["string", "null"]}}),
        "live-tool-schema-keyword",
        set(),
    ),
    "feelings on 3.8": (
        set_up("3.8", "generationConfig", "enableAffectiveDialog", is_=True),
        "live-model-feature-gate",
        set(),
    ),
    "proactive audio on 3.1": (
        set_up("3.1", "proactivity", "proactiveAudio", is_=True),
        "live-model-feature-gate",
        set(),
    ),
    "what only Vertex AI has": (
        set_up("^models/", "sessionResumption", "transparent", is_=True),
        "live-surface-only-field",
        set(),
    ),
    "compression without a method": (
        set_up("", "contextWindowCompression", is_={}),
        "live-compression-config-empty",
        set(),
    ),
    "a turn without a role": (without_role("3.8"), "live-client-content-role", set()),
    "a file": (
        content(turns=[{"role": "user", "parts": [{"fileData": {"fileUri": "u"}}]}]),
        "live-unsupported-part",
        set(),
    ),
    "turns that are not complete": (unfinished, "live-turn-never-completed", AMID),
    "a history that stays open": (seeded, "live-history-seed-protocol", set()),
    "content amid audio": (
        sent(MIC, {"clientContent": {"turns": [TURN], "turnComplete": True}}, before=AUTOMATIC),
        "live-mixed-input-channels",
        set(),
    ),
    "chunks": (
        sent({"realtimeInput": {"mediaChunks": [MIC["realtimeInput"]["audio"]]}}),
        "live-media-chunks-deprecated",
        set(),
    ),
    "two things at once": (
        sent({"realtimeInput": {"audio": MIC["realtimeInput"]["audio"], "text": "Hi"}}),
        "live-realtime-input-fields",
        set(),
    ),
    "nothing at all": (sent({"realtimeInput": {}}), "live-realtime-input-fields", set()),
    "a signal nobody asked for": (
        sent({"realtimeInput": {"activityStart": {}}}, before=AUTOMATIC),
        "live-activity-signal-with-auto-vad",
        set(),
    ),
    "two beginnings": (
        sent({"realtimeInput": {"activityStart": {}}}, {"realtimeInput": {"activityStart": {}}}, before=MANUAL),
        "live-activity-unbalanced",
        set(),
    ),
    "sound of a telephone": (
        sent({"realtimeInput": {"audio": {"mimeType": "audio/pcmu", "data": "AAA="}}}),
        "live-audio-format",
        set(),
    ),
    "another word of scheduling": (
        response(scheduling="IMMEDIATELY"),
        "tool-response-scheduling-invalid",
        {"tool-response-scheduling-ignored", "live-surface-only-field"},
    ),
    "scheduling among the data": (
        response(response={"scheduling": "SILENT"}),
        "tool-response-scheduling-misplaced",
        set(),
    ),
    "pictures in a response": (
        response(parts=[{"inlineData": {"mimeType": "image/png", "data": "AAA="}}]),
        "tool-response-parts-multimodal",
        set(),
    ),
}


@pytest.mark.parametrize(("url", "frames"), SESSIONS.values(), ids=SESSIONS)
@pytest.mark.parametrize(("broken", "rule", "also"), BREAKS.values(), ids=BREAKS)
def test_every_break_is_found_in_its_frame_and_nothing_else(
    broken: Break, rule: str, also: set[str], url: str, frames: Frames, rules: Ruleset
) -> None:
    result = broken(frames)
    if result is None:
        return
    after, at = result
    found = judged(after, url, rules)
    assert {finding.place.line for finding in found if finding.rule == rule} == {(at or 0) + 2}
    assert {finding.rule for finding in found} - also == {rule}


@pytest.mark.parametrize("name", BREAKS)
def test_every_break_is_tried(name: str) -> None:
    assert any(BREAKS[name][0](frames) for _, frames in SESSIONS.values())


@pytest.mark.parametrize("name", ["sound of a telephone", "chunks", "two things at once", "nothing at all"])
def test_a_stream_of_it_is_one_mistake(name: str, rules: Ruleset) -> None:
    broken, rule, _ = BREAKS[name]
    url, frames = SESSIONS["3.1 on the Gemini API"]
    result = broken(frames)
    assert result is not None
    stream = [*result[0], *[result[0][-1]] * 50]
    assert [finding.rule for finding in judged(stream, url, rules) if finding.rule == rule] == [rule]


def value_for(kind: str) -> Any:
    """Something right for a kind of field."""
    if kind in ENUMS:
        return ENUMS[kind][1]
    if kind.rstrip("*") in MESSAGES:
        return [{}] if kind.endswith("*") else {}
    return {"": {}, "one": 1, "number": 0.5, "whole": 1, "text": "t", "bytes": "AAA="}[kind]


@given(st.data())
def test_what_is_known_is_never_unknown(data: st.DataObject) -> None:
    """Any field of any message of the setup, in either spelling."""
    rules, (url, frames) = load(), SESSIONS["2.5 on Vertex AI"]
    message = data.draw(
        st.sampled_from([kind for kind in MESSAGES["setup"].values() if kind in MESSAGES and kind != "content"])
    )
    holder = next(key for key, kind in MESSAGES["setup"].items() if kind == message)
    key = data.draw(st.sampled_from([each for each in MESSAGES[message] if each[0] != "_"]))
    written = data.draw(st.sampled_from([key, "".join(f"_{c.lower()}" if c.isupper() else c for c in key)]))
    setup = {**frames[0][1]["setup"], holder: {written: value_for(MESSAGES[message][key])}}
    found = {finding.rule for finding in judged(changed(frames, 0, {"setup": setup}), url, rules)}
    assert found.isdisjoint(
        {"live-client-unknown-key", "live-setup-field-misplaced", "field-wrong-type", "live-unknown-enum"}
    )
