"""The models as the wire shows them, and what they reply. It knows nothing of clients and of how a log is written."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from bench.shares import CANDIDATE, USAGE, known
from bench.tools import Tool, args
from bench.words import Json, signature, text, token

API = "https://generativelanguage.googleapis.com/v1beta/models/{model}:{verb}"
FIREBASE = "https://firebasevertexai.googleapis.com/v1beta/projects/demo-project/models/{model}:{verb}"
CODE_ASSIST = "https://cloudcode-pa.googleapis.com/v1internal:{verb}"
VERTEX = "https://{host}/v1beta1/projects/demo-project/locations/{place}/publishers/google/models/{model}:{verb}"
PLACES = ("global", "us-central1", "europe-west4", "asia-northeast1")
SIGNED = ("gemini-2.5", "gemini-3", "gemini-flash", "gemini-pro")
LATER = ("gemini-3.6", "gemini-3.7", "gemini-3.8", "gemini-3.5-flash-lite")
ALIASES = {
    "gemini-flash-latest": "gemini-3-flash-preview",
    "gemini-flash-lite-latest": "gemini-2.5-flash-lite",
    "gemini-pro-latest": "gemini-3-pro-preview",
}
Ids = Callable[[Random], str]


def short_id(rng: Random) -> str:
    return token(rng, 8)


def call_id(rng: Random) -> str:
    return f"call_{rng.randint(1_000_000, 9_999_999)}"


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    surface: str
    url: str

    @property
    def version(self) -> str:
        """What an alias stands for."""
        return ALIASES.get(self.name, self.name)

    @property
    def signs(self) -> bool:
        return self.version.startswith(SIGNED)

    @property
    def thinks_by_level(self) -> bool:
        return self.version.startswith("gemini-3")

    @property
    def ids(self) -> Ids | None:
        """What the server gives its calls."""
        if self.surface not in ("gemini-api", "code-assist") or not self.version.startswith("gemini-3"):
            return None
        return call_id if self.version.startswith(LATER) else short_id

    def address(self, verb: str) -> str:
        return self.url.format(model=self.name, verb=verb)


def model(rng: Random, name: str, surface: str) -> Model:
    place = rng.choice(PLACES)
    host = "aiplatform.googleapis.com" if place == "global" else f"{place}-aiplatform.googleapis.com"
    vertex = VERTEX.replace("{host}", host).replace("{place}", place)
    urls = {"gemini-api": API, "vertex": vertex, "firebase": FIREBASE, "code-assist": CODE_ASSIST}
    return Model(name, surface, urls[surface])


def says(rng: Random, model: Model) -> list[Json]:
    """A text; sometimes a thought before it."""
    said: Json = {"text": text(rng, 3, 160)}
    if model.signs and rng.random() < 0.5:
        said["thoughtSignature"] = signature(rng)
    thought = {"text": text(rng, 20, 60), "thought": True}
    return [thought, said] if model.signs and rng.random() < 0.15 else [said]


def calls(rng: Random, model: Model, tools: list[Tool], named: bool) -> list[Json]:
    """One call or parallel ones; the first is signed. Without ids on them no two are of one function."""
    count = rng.choices((1, 2, 3), (5, 4, 2))[0]
    called = rng.choices(tools, k=count) if named else rng.sample(tools, min(count, len(tools)))
    parts: list[Json] = [{"functionCall": {"name": tool.name, "args": args(rng, tool)}} for tool in called]
    if model.ids:
        for part in parts:
            part["functionCall"]["id"] = model.ids(rng)
    if model.signs:
        parts[0]["thoughtSignature"] = signature(rng)
    return parts


@dataclass(frozen=True, slots=True)
class Habits:
    """What a server writes beside what it says; the same for one client, whatever it asks."""

    index: bool
    logprobs: bool
    tier: bool
    details: bool
    cached: bool
    first: bool  # usageMetadata comes before modelVersion
    last: bool  # usageMetadata comes with the last chunk only


def habits(rng: Random, model: Model) -> Habits:
    api = model.surface == "gemini-api"
    drawn = {key: rng.random() < known(CANDIDATE | USAGE, key) for key in CANDIDATE | USAGE}
    return Habits(
        index=drawn["index"] if api else rng.random() < 0.2,
        logprobs=drawn["avgLogprobs"],
        tier=drawn["serviceTier"] and api,
        details=drawn["candidatesTokensDetails"],
        cached=drawn["cachedContentTokenCount"],
        first=rng.random() < 0.5,
        last=rng.random() < 0.2,
    )


def chunks(rng: Random, model: Model, way: Habits, parts: list[Json], streamed: bool, prompt: int) -> list[Json]:
    """The reply in one piece or several, each with what stands beside the candidates; the last says why it ends."""
    pieces = cut(rng, parts) if streamed else [parts]
    side, ends = beside(rng, model), ending(rng, model, way, parts)
    replies = []
    for number, piece in enumerate(pieces, 1):
        over = number == len(pieces)
        candidate = {"content": {"parts": piece, "role": "model"}, **(ends if over else {})}
        if way.index:
            candidate["index"] = 0
        counted = {"usageMetadata": usage(rng, model, way, prompt, number)} if over or not way.last else {}
        around = {**counted, **side} if way.first else {**side, **counted}
        replies.append({"candidates": [candidate], **around})
    return replies


def cut(rng: Random, parts: list[Json]) -> list[list[Json]]:
    """As a stream brings them: a long text in several pieces, calls together, most often."""
    if "functionCall" in parts[0]:
        return [parts] if rng.random() < 0.9 else [[part] for part in parts]
    return [piece for part in parts for piece in pieces_of(rng, part)]


def pieces_of(rng: Random, part: Json) -> list[list[Json]]:
    """A signature comes with the last one."""
    said = part.get("text", "")
    if len(said) < 60 or "thought" in part:
        return [[part]]
    places = [0, *sorted(rng.sample(range(1, len(said)), rng.randint(1, 4))), len(said)]
    pieces = [said[begin:end] for begin, end in pairwise(places)]
    return [*([{"text": piece}] for piece in pieces[:-1]), [{**part, "text": pieces[-1]}]]


def ending(rng: Random, model: Model, way: Habits, parts: list[Json]) -> Json:
    called = "functionCall" in parts[-1] and rng.random() < known(CANDIDATE, "finishMessage")
    said = {"finishMessage": "Model generated function call(s)."} if called else {}
    return {"finishReason": "STOP", **said, **({"avgLogprobs": -(rng.random() ** 6)} if way.logprobs else {})}


def usage(rng: Random, model: Model, way: Habits, prompt: int, piece: int) -> Json:
    thoughts = {"thoughtsTokenCount": 17 + prompt % 400} if model.signs else {}
    said = 20 * piece
    counted: Json = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": said,
        "totalTokenCount": prompt + said + sum(thoughts.values()),
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": prompt}],
    }
    more: Json = {"trafficType": "ON_DEMAND"} if model.surface == "vertex" else {}
    if way.details:
        more["candidatesTokensDetails"] = [{"modality": "TEXT", "tokenCount": said}]
    if way.tier:
        more["serviceTier"] = "standard"
    if way.cached:
        part = rng.randint(1, prompt)
        more |= {
            "cachedContentTokenCount": part,
            "cacheTokensDetails": [{"modality": "TEXT", "tokenCount": part}],
        }
    return {**counted, **thoughts, **more}


def beside(rng: Random, model: Model) -> Json:
    at = f"2026-11-{rng.randint(1, 28):02}T{rng.randint(0, 23):02}:30:12.{rng.randint(0, 999999):06}Z"
    created = {"createTime": at} if model.surface == "vertex" else {}
    return {"modelVersion": model.version, **created, "responseId": token(rng, 23)}
