"""The fields that a client of a Live session may send: its messages, and where some of them are not to be had.

Taken from Google's published BidiGenerateContent messages, from the converters of its SDKs and from recorded sessions,
all versions together. What is shared with HTTP (contents, parts, tools, settings) is in
dialects/vocabulary/field_tables.py. `contextUpdate` is younger than what was published, so it is not looked into; nor
is what a server sends, which may have fields that nobody knows yet.
"""

from typing import Any

from wirecheck.dialects.vocabulary.field_tables import ENUMS as SHARED
from wirecheck.dialects.vocabulary.field_tables import MESSAGES as HTTP
from wirecheck.dialects.vocabulary.field_tables import FieldTables

MEDIA = {"mimeType": "text", "data": "bytes", "displayName": "text"}
MESSAGES: dict[str, dict[str, str]] = {
    "frame": {
        "setup": "setup",
        "clientContent": "clientContent",
        "realtimeInput": "realtimeInput",
        "toolResponse": "toolResponse",
        "contextUpdate": "",
    },
    "setup": {
        "model": "text",
        "generationConfig": "generationConfig",
        "systemInstruction": "content",
        "tools": "tool*",
        "realtimeInputConfig": "realtimeInputConfig",
        "sessionResumption": "sessionResumption",
        "contextWindowCompression": "contextWindowCompression",
        "inputAudioTranscription": "",
        "outputAudioTranscription": "",
        "proactivity": "proactivity",
        "historyConfig": "historyConfig",
        "avatarConfig": "",
        "safetySettings": "safetySetting*",
        "explicitVadSignal": "one",
        "labels": "",
    },
    "clientContent": {"turns": "content*", "turnComplete": "one"},
    "realtimeInput": {
        "audio": "audio",
        "video": "video",
        "text": "text",
        "mediaChunks": "mediaChunk*",
        "audioStreamEnd": "one",
        "activityStart": "",
        "activityEnd": "",
    },
    "toolResponse": {"functionResponses": "functionResponse*"},
    "audio": MEDIA,
    "video": MEDIA,
    "mediaChunk": MEDIA,
    "realtimeInputConfig": {
        "automaticActivityDetection": "automaticActivityDetection",
        "activityHandling": "activityHandling",
        "turnCoverage": "turnCoverage",
        "interimTranscriptTimestampEnabled": "one",
    },
    "automaticActivityDetection": {
        "disabled": "one",
        "startOfSpeechSensitivity": "startSensitivity",
        "endOfSpeechSensitivity": "endSensitivity",
        "prefixPaddingMs": "one",
        "silenceDurationMs": "one",
    },
    "sessionResumption": {"handle": "text", "transparent": "one"},
    "contextWindowCompression": {"triggerTokens": "one", "slidingWindow": "slidingWindow"},
    "slidingWindow": {"targetTokens": "one"},
    "proactivity": {"proactiveAudio": "one", "proactiveVideo": "one"},
    "historyConfig": {"initialHistoryInClientContent": "one"},
    **{name: fields for name, fields in HTTP.items() if name not in ("request", "toolConfig", "functionCallingConfig")},
}
ONLY: dict[str, dict[str, tuple[str, ...]]] = {
    "vertex": {"setup": ("explicitVadSignal",), "sessionResumption": ("transparent",)},
    "gemini-api": {"functionResponse": ("scheduling",)},
}
# As a kind of field: the values a server reads. It reads their numbers too.
ENUMS: dict[str, tuple[str, ...]] = {
    **SHARED,
    "startSensitivity": ("START_SENSITIVITY_UNSPECIFIED", "START_SENSITIVITY_HIGH", "START_SENSITIVITY_LOW"),
    "endSensitivity": ("END_SENSITIVITY_UNSPECIFIED", "END_SENSITIVITY_HIGH", "END_SENSITIVITY_LOW"),
    "activityHandling": ("ACTIVITY_HANDLING_UNSPECIFIED", "START_OF_ACTIVITY_INTERRUPTS", "NO_INTERRUPTION"),
    "turnCoverage": (
        "TURN_COVERAGE_UNSPECIFIED",
        "TURN_INCLUDES_ONLY_ACTIVITY",
        "TURN_INCLUDES_ALL_INPUT",
        "TURN_INCLUDES_AUDIO_ACTIVITY_AND_ALL_VIDEO",
    ),
}
_ABSENT = "no such setting in a Live session"
# What people write, and what is meant by it; more of the kind is known over HTTP, too.
FOREIGN = {
    "config": "setup",
    "session": "setup",
    "contents": "clientContent.turns",
    "content": "clientContent.turns",
    "initialContent": "clientContent.turns",
    "messages": "clientContent.turns",
    "prompt": "clientContent.turns",
    "input": "realtimeInput",
    "sessionResume": "setup.sessionResumption",
    "toolConfig": _ABSENT,
    "functionCallingConfig": _ABSENT,
    "toolChoice": _ABSENT,
    "stream": _ABSENT,
    "media": "realtimeInput.audio or realtimeInput.video",
    "mimetype": "mimeType",
}
# Settings that a model is known to mind: the message, the field and the value; None stands for any.
Gate = tuple[str, str, Any]
GATES: dict[str | None, tuple[Gate, ...]] = {
    "live-3.1": (
        ("generationConfig", "enableAffectiveDialog", True),
        ("proactivity", "proactiveAudio", True),
        ("thinkingConfig", "thinkingBudget", None),
    ),
    "live-3.8": (
        ("generationConfig", "enableAffectiveDialog", True),
        ("proactivity", "proactiveAudio", False),
        ("generationConfig", "thinkingConfig", None),
    ),
}
LIVE = FieldTables(MESSAGES, ONLY, enums=ENUMS, foreign=FOREIGN)
