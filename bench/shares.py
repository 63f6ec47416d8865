"""How often what is seen in public recordings of Gemini traffic: 1,815 exchanges of 17 projects, counted.

Where the recordings have too little of something that people use (code-assist, firebase, the OpenAI-compatible
endpoint), it has two in a hundred here. Numbers are parts of a hundred, of models weights.
"""

from bench.words import Json

# Who is asked, and how.
SURFACES = {"gemini-api": 78, "vertex": 14, "code-assist": 2, "firebase": 2}
OTHERS = {"interactions": 2, "openai-compat": 2, "countTokens": 1, "embedContent": 1}
# How an answer comes: at once, as events, as an array.
STREAMS = {"": 76, "sse": 20, "array": 4}
# How many requests a conversation goes on for; three of four were a single one.
TURNS = {1: 70, 2: 16, 3: 6, 4: 4, 5: 2, 6: 2}

MODELS = {
    "gemini-2.5-flash": 560,
    "gemini-3-flash-preview": 277,
    "gemini-2.0-flash": 226,
    "gemini-flash-latest": 99,
    "gemini-flash-lite-latest": 93,
    "gemini-pro-latest": 81,
    "gemini-2.5-flash-lite": 52,
    "gemini-2.5-pro": 50,
    "gemini-3-pro-preview": 38,
    "gemini-2.0-flash-001": 27,
    "gemini-2.0-flash-lite": 23,
    "gemini-1.5-flash": 15,
    "gemini-2.0-flash-exp": 13,
    "gemini-3.1-flash-lite": 12,
    "gemini-2.5-flash-preview-05-20": 12,
    "gemini-2.5-flash-lite-preview-06-17": 9,
    "gemini-2.5-flash-lite-preview-09-2025": 9,
    "gemini-2.5-flash-preview-09-2025": 9,
    "gemini-2.5-pro-preview-05-06": 9,
    "gemini-2.5-pro-preview-06-05": 9,
    "gemini-2.5-flash-preview-04-17": 8,
    "gemini-1.5-flash-8b": 7,
    "gemini-1.5-pro": 7,
    "gemini-3.5-flash": 6,
    "gemini-3.6-flash": 6,
    "gemini-3.1-flash-lite-preview": 4,
    "gemini-3.5-flash-lite": 3,
    "gemini-3.7-flash": 3,
    "gemini-3.1-pro-preview": 3,
    "gemini-3.8-flash": 3,
}

# What clients have, whatever they ask.
CLIENT = {
    "tools": 45,
    "systemInstruction": 19,
    "generationConfig": 70,
    "toolConfig": 13,
    "safetySettings": 3,
    "labels": 2,
    "cachedContent": 2,
    "snake_case": 7,
    "sorted": 45,  # keys in alphabetical order, in requests and replies: so the recorder wrote them
}
CONFIG = {
    "responseModalities": 40,
    "maxOutputTokens": 27,
    "temperature": 22,
    "thinkingConfig": 21,
    "candidateCount": 17,
    "stopSequences": 5,
    "topP": 3,
    "responseJsonSchema": 3,
    "seed": 1,
    "topK": 1,
}
# Tools of other kinds than functions.
TOOL_KINDS = {"functionDeclarations": 88, "googleSearch": 7, "codeExecution": 2, "urlContext": 2, "fileSearch": 1}
# Parts of a question that are no text.
SHOWN = {"inlineData": 7, "fileData": 4}
CANDIDATE = {
    "index": 72,
    "avgLogprobs": 16,
    "finishMessage": 60,  # of those that call
    "groundingMetadata": 5,
    "safetyRatings": 2,
    "logprobsResult": 1,
}
USAGE = {"serviceTier": 29, "candidatesTokensDetails": 20, "cachedContentTokenCount": 2}
# What stands beside `request` and `response` on a line: none in recordings of tests, most of it in logs of services.
BESIDE = {"timestamp": 45, "labels": 20, "trace": 20, "id": 35, "latency_ms": 30, "source": 25, "provenance": 15}

STATUS = {200: 93, 400: 4, 429: 1, 500: 1, 503: 1}
MISTAKES = 3  # conversations of a hundred in which the client gets something wrong


def known(table: Json, key: str) -> float:
    return float(table[key]) / 100
