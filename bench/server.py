"""The models as the wire shows them, and what they reply. It knows nothing of clients and of how a log is written.

The mix (surfaces, who gives ids, who signs, which side fields come) is that of public recordings of Gemini traffic.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from bench.words import Json, args, signature, text, token

API = "https://generativelanguage.googleapis.com/v1beta/models/{model}:{verb}"
VERTEX = (
    "https://us-central1-aiplatform.googleapis.com/v1beta1/projects/demo-project/locations/us-central1"
    "/publishers/google/models/{model}:{verb}"
)
FIREBASE = "https://firebasevertexai.googleapis.com/v1beta/projects/demo-project/models/{model}:{verb}"


def short_id(rng: Random) -> str:
    return token(rng, 8)


def call_id(rng: Random) -> str:
    return f"call_{rng.randint(1_000_000, 9_999_999)}"


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    url: str
    share: int  # of the traffic
    signs: bool = True
    ids: Callable[[Random], str] | None = None  # what the server gives its calls
    version: str = ""  # what an alias stands for


MODELS = (
    Model("gemini-2.5-flash", API, 8),
    Model("gemini-2.0-flash", API, 4, signs=False),
    Model("gemini-2.5-flash", VERTEX, 3),
    Model("gemini-2.5-pro", FIREBASE, 1),
    Model("gemini-3-flash-preview", API, 4, ids=short_id),
    Model("gemini-3-flash-preview", VERTEX, 3),
    Model("gemini-flash-latest", API, 2, ids=short_id, version="gemini-3-flash-preview"),
    Model("gemini-3.5-flash", API, 2, ids=short_id),
    Model("gemini-3.6-flash", API, 6, ids=call_id),
)


def drawn(rng: Random) -> Model:
    return rng.choices(MODELS, [model.share for model in MODELS])[0]


def says(rng: Random, model: Model) -> list[Json]:
    """A text; sometimes a thought before it."""
    said: Json = {"text": text(rng, 30, 160)}
    if model.signs and rng.random() < 0.5:
        said["thoughtSignature"] = signature(rng)
    thought = {"text": text(rng, 20, 60), "thought": True}
    return [thought, said] if model.signs and rng.random() < 0.15 else [said]


def calls(rng: Random, model: Model, tools: list[str], named: bool) -> list[Json]:
    """One call or parallel ones; the first is signed. Without ids on them no two are of one function."""
    count = rng.choices((1, 2, 3), (5, 4, 2))[0]
    called = rng.choices(tools, k=count) if named else rng.sample(tools, count)
    parts: list[Json] = [{"functionCall": {"name": tool, "args": args(rng, tool)}} for tool in called]
    if model.ids:
        for part in parts:
            part["functionCall"]["id"] = model.ids(rng)
    if model.signs:
        parts[0]["thoughtSignature"] = signature(rng)
    return parts


def chunks(rng: Random, model: Model, parts: list[Json], streamed: bool, prompt: int) -> list[Json]:
    """The reply in one piece or several, each with what stands beside the candidates; the last says why it ends."""
    pieces = [piece for part in parts for piece in cut(part)] if streamed else [parts]
    side = beside(rng, model)
    replies = [{**chunk(piece), **side, "usageMetadata": usage(model, prompt, n)} for n, piece in enumerate(pieces, 1)]
    replies[-1]["candidates"][0] |= ending(model, parts)
    return replies


def cut(part: Json) -> list[list[Json]]:
    """A long text in three; a signature comes with the last piece."""
    said = part.get("text", "")
    if len(said) < 60 or "thought" in part:
        return [[part]]
    first, second = len(said) // 3, 2 * len(said) // 3
    return [[{"text": said[:first]}], [{"text": said[first:second]}], [{**part, "text": said[second:]}]]


def chunk(parts: list[Json]) -> Json:
    return {"candidates": [{"content": {"parts": parts, "role": "model"}, "index": 0}]}


def ending(model: Model, parts: list[Json]) -> Json:
    called = "functionCall" in parts[-1] and model.url == API
    return {"finishReason": "STOP"} | ({"finishMessage": "Model generated function call(s)."} if called else {})


def usage(model: Model, prompt: int, piece: int) -> Json:
    thoughts = {"thoughtsTokenCount": 38} if model.signs else {}
    traffic = {"trafficType": "ON_DEMAND"} if model.url == VERTEX else {}
    return {
        "promptTokenCount": prompt,
        "candidatesTokenCount": 20 * piece,
        "totalTokenCount": prompt + 20 * piece + sum(thoughts.values()),
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": prompt}],
        **thoughts,
        **traffic,
    }


def beside(rng: Random, model: Model) -> Json:
    created = {"createTime": "2026-11-18T09:30:12.859180Z"} if model.url == VERTEX else {}
    return {"modelVersion": model.version or model.name, "responseId": token(rng, 23), **created}
