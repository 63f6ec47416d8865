"""The fields of a request to the OpenAI-compatible endpoint: OpenAI's own, without those that Google's servers refuse.

What OpenAI's API has and nobody reports to be refused is known, whether it does anything or not. Messages and the
schemas of functions are not checked.
"""

from wirecheck.dialects.vocabulary.field_tables import FieldTables

_REQUEST = (
    *("model", "stream", "streamOptions", "n", "stop", "seed", "user", "metadata", "extraBody", "serviceTier"),
    *("temperature", "topP", "maxTokens", "maxCompletionTokens", "logprobs", "topLogprobs", "logitBias"),
    *("toolChoice", "parallelToolCalls", "functions", "functionCall", "responseFormat", "reasoningEffort", "verbosity"),
    *("modalities", "audio", "prediction", "promptCacheRetention", "safetyIdentifier"),
)
# Of OpenAI's API and refused, or of another one; and what to write in its place, if anything.
_FOREIGN = {
    **dict.fromkeys(("store", "promptCacheKey", "frequencyPenalty", "presencePenalty", "topK", "webSearchOptions"), ""),
    **dict.fromkeys(
        ("reasoning", "enableThinking", "thinking", "thinkingConfig", "thinkingBudget"), "reasoning_effort"
    ),
    **dict.fromkeys(("system", "systemPrompt", "systemInstruction"), "a message of the role system"),
    **dict.fromkeys(("prompt", "input", "contents"), "messages"),
    "google": "extra_body.google",
    "googleSearch": "",
}
MESSAGES: dict[str, dict[str, str]] = {
    "request": {**dict.fromkeys(_REQUEST, ""), "tools": "tool*"},
    "tool": dict.fromkeys(("type", "function", "custom"), ""),
}
CHAT = FieldTables(MESSAGES, {}, foreign=_FOREIGN)
