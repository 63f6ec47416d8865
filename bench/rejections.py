"""What servers say when they refuse: for their own reasons, and for the client's. It knows no form of log."""

from dataclasses import replace
from random import Random
from typing import NamedTuple

import orjson

from bench.agent import Exchange
from bench.shares import STATUS
from bench.words import Json


class Refusal(NamedTuple):
    status: int
    code: str
    text: str
    asked: Json | None = None  # what in the request leads to it


# They pass: the same request is taken a little later.
PASSING = (
    Refusal(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    Refusal(
        429,
        "RESOURCE_EXHAUSTED",
        "Resource exhausted. Please try again later. Please refer to "
        "https://cloud.google.com/vertex-ai/generative-ai/docs/error-code-429 for more details.",
    ),
    Refusal(
        500,
        "INTERNAL",
        "An internal error has occurred. Please retry or report in "
        "https://developers.generativeai.google/guide/troubleshooting",
    ),
    Refusal(
        503,
        "UNAVAILABLE",
        "This model is currently experiencing high demand. Spikes in demand are usually temporary. "
        "Please try again later.",
    ),
    Refusal(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
)
UNKNOWN = 'Invalid JSON payload received. Unknown name "{}": Cannot find field.'
NO_MODEL = (
    "models/{model} is not found for API version v1beta, or is not supported for generateContent. "
    "Call ListModels to see the list of available models and their supported methods."
)
# As long as the client asks so, it is refused.
LASTING = (
    Refusal(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
    Refusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
    Refusal(400, "INVALID_ARGUMENT", UNKNOWN.format("max_tokens"), {"max_tokens": 500}),
    Refusal(400, "INVALID_ARGUMENT", UNKNOWN.format("system"), {"system": "Be brief."}),
    Refusal(
        400,
        "INVALID_ARGUMENT",
        "Penalty is not enabled for models/{model}",
        {"generationConfig": {"presencePenalty": 0.5}},
    ),
    Refusal(
        400,
        "INVALID_ARGUMENT",
        "Logprobs is not enabled for this model",
        {"generationConfig": {"responseLogprobs": True, "logprobs": 2}},
    ),
    Refusal(
        400,
        "INVALID_ARGUMENT",
        "Thinking is not enabled for this model",
        {"generationConfig": {"thinkingConfig": {"thinkingBudget": 1024}}},
    ),
    Refusal(404, "NOT_FOUND", NO_MODEL),
    Refusal(
        401,
        "UNAUTHENTICATED",
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
        "authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
    ),
)


def before(rng: Random, one: Exchange) -> list[Exchange]:
    """Sometimes a server is busy, and the client asks again."""
    kinds = [status for status in STATUS if status not in (200, 400)]
    status = rng.choices([200, *kinds], [STATUS[200], *(STATUS[kind] for kind in kinds)])[0]
    fitting = [refusal for refusal in PASSING if refusal.status == status]
    return [refused(rng.choice(fitting), one, "")] if fitting else []


def lasting(rng: Random, one: Exchange, model: str) -> Exchange:
    """The same request, with what it is refused for."""
    refusal = rng.choices(LASTING, [4 if refusal.status == 404 else 1 for refusal in LASTING])[0]
    if refusal.asked:
        one = replace(one, body=orjson.dumps({**orjson.loads(one.body), **refusal.asked}))
    return refused(refusal, one, model)


def refused(refusal: Refusal, one: Exchange, model: str) -> Exchange:
    said = {"code": refusal.status, "message": refusal.text.format(model=model), "status": refusal.code}
    return replace(one, replies=[orjson.dumps({"error": said})], stream="", status=refusal.status, text=None)
