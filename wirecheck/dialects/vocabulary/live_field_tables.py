"""The fields that a client of a Live session may send, by message, and where some of them are not available.

Taken from Google's published BidiGenerateContent messages, from the converters of its SDKs and from recorded sessions,
all versions together. What is shared with HTTP (contents, parts, tools, settings) is in
dialects/vocabulary/field_tables.py. `contextUpdate` is newer than the published messages and not checked; nor are the
server's messages, which may have new fields at any time.
"""

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
# Kinds of fields with a fixed set of values. Servers accept their numbers too.
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
# Misnamed fields, and the field that is meant; the table for HTTP has more.
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
LIVE = FieldTables(MESSAGES, ONLY, enums=ENUMS, foreign=FOREIGN)
