"""The fields of the Gemini API over HTTP: which message has which, and on which surface or version.

Taken from Google's published messages (google/ai/generativelanguage, google/cloud/aiplatform), from the converters of
its SDKs, which refuse what a surface does not accept, and from recorded requests. A field of any of these is known on
every surface, unless a table below says where it is not: uncertainty gives no finding. Schemas, arguments, responses
and the settings of single tools are not checked. `python -m wirecheck.rules.pages.reference` writes docs/fields.md.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct

Why = Literal[
    "unknown",
    "misspelt",
    "misplaced",
    "foreign",
    "surface",
    "version",
    "beta",
    "live",
    "model",
    "twice",
    "mixed",
    "beside",
    "empty",
    "list",
    "type",
    "enum",
    "url",
    "mime",
    "json",
]


# The kind of a field: the name of a message, with `*` a list of them; "text"; "bytes", as base64; a "number" or
# a "whole" one, also written as text; "mime", the type of a medium; a thought "signature"; a name in ENUMS; "one"
# value, no list; "" for anything.
MESSAGES: dict[str, dict[str, str]] = {
    "request": {
        "model": "text",
        "contents": "",
        "systemInstruction": "content",
        "tools": "tool*",
        "toolConfig": "toolConfig",
        "generationConfig": "generationConfig",
        "safetySettings": "safetySetting*",
        "cachedContent": "text",
        "labels": "",
        "serviceTier": "one",
        "store": "one",
        "modelArmorConfig": "",
        "continuationToken": "text",
        "outputConfig": "",
        "sessionId": "",  # Code Assist
    },
    "content": {"role": "", "parts": "part*"},
    "part": {
        "text": "text",
        "inlineData": "inlineData",
        "fileData": "fileData",
        "functionCall": "functionCall",
        "functionResponse": "functionResponse",
        "executableCode": "executableCode",
        "codeExecutionResult": "codeExecutionResult",
        "toolCall": "",
        "toolResponse": "",
        "audioTranscription": "",
        "thought": "one",
        "thoughtSignature": "signature",
        "videoMetadata": "videoMetadata",
        "mediaResolution": "",
        "partMetadata": "",
        "mediaProcessing": "one",
        "speechMetadata": "",
    },
    # A gateway (LiteLLM) writes mediaResolution here; how servers react is not recorded.
    "inlineData": {"mimeType": "mime", "data": "bytes", "displayName": "text", "mediaResolution": ""},
    "fileData": {"mimeType": "mime", "fileUri": "text", "displayName": "text", "mediaResolution": ""},
    "videoMetadata": {"startOffset": "one", "endOffset": "one", "fps": "number"},
    "executableCode": {"code": "text", "language": "one", "id": "one"},
    "codeExecutionResult": {"outcome": "one", "output": "text", "id": "one"},
    "functionCall": {"id": "text", "name": "text", "args": "", "partialArgs": "", "willContinue": "one"},
    "functionResponse": {
        "id": "text",
        "name": "text",
        "response": "",
        "parts": "functionResponsePart*",
        "scheduling": "one",
        "willContinue": "one",
    },
    "functionResponsePart": {"inlineData": "responseMedia", "fileData": "responseMedia", "mediaProcessing": "one"},
    "responseMedia": {"mimeType": "mime", "data": "bytes", "fileUri": "text", "displayName": "text"},
    "tool": {
        "functionDeclarations": "functionDeclaration*",
        "googleSearch": "",
        "googleSearchRetrieval": "",
        "codeExecution": "",
        "urlContext": "",
        "googleMaps": "",
        "fileSearch": "",
        "computerUse": "",
        "mcpServers": "",
        "retrieval": "",
        "enterpriseWebSearch": "",
        "exaAiSearch": "",
        "parallelAiSearch": "",
    },
    "functionDeclaration": {
        "name": "text",
        "description": "text",
        "parameters": "",
        "parametersJsonSchema": "",
        "response": "",
        "responseJsonSchema": "",
        "behavior": "one",
    },
    "toolConfig": {
        "functionCallingConfig": "functionCallingConfig",
        "retrievalConfig": "",
        "includeServerSideToolInvocations": "one",
    },
    "functionCallingConfig": {"mode": "callingMode", "allowedFunctionNames": "", "streamFunctionCallArguments": "one"},
    "safetySetting": {"category": "one", "threshold": "one", "method": "one"},
    "generationConfig": {
        "temperature": "number",
        "topP": "number",
        "topK": "number",
        "candidateCount": "whole",
        "maxOutputTokens": "whole",
        "stopSequences": "",
        "seed": "whole",
        "presencePenalty": "number",
        "frequencyPenalty": "number",
        "responseLogprobs": "one",
        "logprobs": "whole",
        "responseMimeType": "text",
        "responseSchema": "",
        "responseJsonSchema": "",
        "_responseJsonSchema": "",
        "responseFormat": "",  # a list on Vertex, an object on the Gemini API
        "responseModalities": "",
        "thinkingConfig": "thinkingConfig",
        "speechConfig": "speechConfig",
        "imageConfig": "",
        "mediaResolution": "one",
        "audioTimestamp": "one",
        "audioTranscriptionConfig": "",
        "routingConfig": "",
        "modelConfig": "",
        "modelSelectionConfig": "",
        "enableAffectiveDialog": "one",
        "enableEnhancedCivicAnswers": "one",
        "translationConfig": "",
    },
    "thinkingConfig": {"includeThoughts": "one", "thinkingBudget": "whole", "thinkingLevel": "thinkingLevel"},
    "speechConfig": {"voiceConfig": "", "multiSpeakerVoiceConfig": "", "languageCode": "text"},
}
# Types of media that nothing is, by which servers are known to refuse a request. https://www.iana.org/assignments/media-types
NO_MIME = frozenset(("image/jpg", "application/octet-stream"))
# Kinds of fields with a fixed set of words. Servers accept their numbers too.
ENUMS: dict[str, tuple[str, ...]] = {
    "callingMode": ("MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"),
    "thinkingLevel": ("THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH"),
}

# What Google's SDKs send to one surface only and refuse to send to the other.
ONLY: dict[str, dict[str, tuple[str, ...]]] = {
    "vertex": {
        "request": ("modelArmorConfig", "outputConfig", "labels"),
        "inlineData": ("displayName",),
        "fileData": ("displayName",),
        "functionCall": ("partialArgs", "willContinue"),
        "functionCallingConfig": ("streamFunctionCallArguments",),
        "safetySetting": ("method",),
        "generationConfig": ("audioTimestamp", "routingConfig", "modelConfig", "modelSelectionConfig"),
        "tool": ("retrieval", "enterpriseWebSearch", "exaAiSearch", "parallelAiSearch"),
    },
    "gemini-api": {
        "request": ("store",),
        "part": ("toolCall", "toolResponse", "partMetadata"),
        "functionResponsePart": ("mediaProcessing",),
        "generationConfig": ("enableEnhancedCivicAnswers", "translationConfig"),
        "tool": ("fileSearch",),
        "toolConfig": ("includeServerSideToolInvocations",),
    },
}
# The published v1 of the Gemini API lacks these. SDKs of autumn 2026 send some of them all the same.
BETA: dict[str, tuple[str, ...]] = {
    "request": ("tools", "toolConfig", "systemInstruction", "cachedContent"),
    "generationConfig": ("responseSchema",),
}
# Came to the Gemini API with v1alpha and Gemini 3, later to v1beta.
LATE: dict[str, tuple[str, ...]] = {"part": ("mediaResolution",)}
# No effect over HTTP, and absent from Vertex AI's published messages.
UNARY: dict[str, tuple[str, ...]] = {
    "functionResponse": ("scheduling", "willContinue"),
    "functionDeclaration": ("behavior",),
}

Fields = Mapping[str, tuple[str, ...]]  # by message
Table = Mapping[str, Mapping[str, str]]


class FieldTables(Struct, frozen=True, eq=False):
    """The known fields of one protocol. `enums` are kinds of fields with a fixed set of values."""

    messages: Table
    only: Mapping[str, Fields]
    beta: Fields = {}
    late: Fields = {}
    live: Fields = {}
    enums: Fields = {}
    foreign: Mapping[str, str] = {}


HTTP = FieldTables(MESSAGES, ONLY, BETA, LATE, UNARY, ENUMS)


@lru_cache(maxsize=256)
def limits(surface: str, version: str | None, tables: FieldTables = HTTP) -> Mapping[str, Mapping[str, Why]]:
    """By message and field, why the field is not available: live, surface, version, beta."""
    rows: list[tuple[Fields, Why]] = [(tables.live, "live")]
    if surface in tables.only:
        rows += [(fields, "surface") for other, fields in tables.only.items() if other != surface]
    if surface == "gemini-api" and version in ("v1", "v1beta"):
        rows.append((tables.late, "version"))
    if surface == "gemini-api" and version == "v1":
        rows.append((tables.beta, "beta"))
    found: dict[str, dict[str, Why]] = {}
    for fields, why in rows:
        for message, names in fields.items():
            found.setdefault(message, {}).update(dict.fromkeys(names, why))
    return found


@lru_cache(maxsize=256)
def table(surface: str, version: str | None, tables: FieldTables = HTTP) -> Table:
    """The fields that are available on this surface and version."""
    lacks = limits(surface, version, tables)
    return {
        message: {name: kind for name, kind in fields.items() if name not in lacks.get(message, {})}
        for message, fields in tables.messages.items()
    }
