"""How often what is seen in public recordings of Gemini traffic: 1,815 exchanges from tests of 13 projects, counted.

Numbers are parts of a hundred of what stands beside them, of models weights. Those marked * are not counted but taken:
recordings of tests have them hardly or never, and logs of services do.
"""

from collections.abc import Mapping

from bench.words import Json

# Who is asked. Counted are 85 and 14; * the others are raised to two or one in a hundred each.
SURFACES: Json = {"gemini-api": 78, "vertex": 14, "code-assist": 2, "firebase": 2}
OTHERS: Json = {"interactions": 2, "openai-compat": 2, "countTokens": 1, "embedContent": 1}
# How an answer comes: at once, as events, as an array.
STREAMS: Json = {"": 78, "sse": 18, "array": 4}
# How many requests a conversation goes on for, after how many of them recite one, two or more turns.
TURNS: Mapping[int, float] = {1: 78, 2: 15, 3: 5, 4: 1, 5: 0.5, 6: 0.5}

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
    "gemini-3.1-pro-preview": 3,  # *
    "gemini-3.8-flash": 3,  # *
}

# Of clients, whatever they ask.
CLIENT: Json = {
    "tools": 46,
    "systemInstruction": 19,
    "generationConfig": 81,
    "toolConfig": 29,  # of those with functions
    "safetySettings": 1,  # *
    "labels": 3,  # of those who ask Vertex
    "cachedContent": 1,  # *
    "snake_case": 5,
    "sorted": 65,  # keys in alphabetical order, in requests and replies: so the recorder wrote them
}
CONFIG: Json = {  # of those with settings
    "responseModalities": 51,
    "maxOutputTokens": 35,
    "thinkingConfig": 27,
    "temperature": 27,
    "candidateCount": 21,
    "stopSequences": 6,
    "topP": 4,
    "responseJsonSchema": 4,
    "seed": 1,
    "topK": 1,
}
# Of tools.
TOOL_KINDS: Json = {"functionDeclarations": 88, "googleSearch": 8, "codeExecution": 1, "urlContext": 1, "fileSearch": 1}
# Of first questions: parts that are no text.
SHOWN: Json = {"inlineData": 12, "fileData": 7}
# Of replies.
CANDIDATE: Json = {
    "index": 70,
    "avgLogprobs": 23,
    "finishMessage": 59,  # of those that call
    "groundingMetadata": 4,
    "safetyRatings": 1,  # *
    "logprobsResult": 1,  # of those with avgLogprobs
}
USAGE: Json = {"serviceTier": 27, "candidatesTokensDetails": 29, "cachedContentTokenCount": 2}
# * Of programs that write logs: what stands beside `request` and `response` on a line.
BESIDE: Json = {
    "timestamp": 45,
    "labels": 20,
    "trace": 20,
    "id": 35,
    "latency_ms": 30,
    "source": 25,
    "provenance": 15,
}
# Of exchanges. 400 stands for 401 and 404, too.
STATUS: Mapping[int, float] = {200: 92, 400: 7, 429: 0.3, 500: 0.3, 503: 0.3}
MISTAKES = 3  # * of conversations: the client gets something wrong


def known(table: Json, key: str) -> float:
    return float(table[key]) / 100
