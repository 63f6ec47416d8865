"""Programs that ask Gemini: which keys they write, in which order and spelling. It knows no conversation."""

from dataclasses import dataclass
from random import Random

import orjson

from bench import server
from bench.server import Model
from bench.shares import CLIENT, CONFIG, MODELS, STREAMS, SURFACES, TOOL_KINDS, known
from bench.tools import Tool, declared, schema, tool, tools
from bench.words import Json, arranged, name, shuffled, text, token

CLIENTS = 60  # so many programs write one log
PART = ["text", "functionCall", "functionResponse", "thoughtSignature"]
CALL = ["id", "name", "args", "response"]
# Under these keys a spelling is not ours to change.
OPAQUE = {"args", "response", "parameters", "parametersJsonSchema", "labels", "responseJsonSchema"}
HARMS = [f"HARM_CATEGORY_{kind}" for kind in ("HATE_SPEECH", "DANGEROUS_CONTENT", "HARASSMENT", "SEXUALLY_EXPLICIT")]


@dataclass(frozen=True, slots=True)
class Client:
    """What it does is its way, whatever it says: it stays the same in all its requests."""

    model: Model
    server: server.Habits
    stream: str
    adds_ids: bool
    sorts: bool
    snake: bool
    role_first: bool
    contents_first: bool
    dated: bool  # its instruction says when and for whom: it is another in each conversation
    part: list[str]
    call: list[str]
    tools: list[Tool]
    around: Json  # all but the contents

    def dumps(self, value: Json) -> bytes:
        """As it writes JSON. What it tells the server has its own spelling."""
        return orjson.dumps(snaked(value) if self.snake else value, option=orjson.OPT_SORT_KEYS if self.sorts else 0)

    def surroundings(self, rng: Random) -> bytes:
        """All of a request but its contents, without its braces."""
        around = self.around
        if self.dated and "systemInstruction" in around:
            said = {"text": f"It is 2026-11-{rng.randint(1, 28):02}, {rng.randint(0, 23)}:{rng.randint(10, 59)}."}
            parts = [*around["systemInstruction"]["parts"], said]
            around = {**around, "systemInstruction": {**around["systemInstruction"], "parts": parts}}
        return self.dumps(around)[1:-1]


def draw(rng: Random, model: Model, stream: str, busy: bool) -> Client:
    """One client; a busy one has functions and calls them."""
    drawn = {key: rng.random() < known(CLIENT, key) for key in CLIENT}
    owned = tools(rng, 2, 8) if busy or drawn["tools"] else []
    cached = drawn["cachedContent"] and not owned
    around: Json = {}
    if (busy or drawn["systemInstruction"]) and not cached:
        around["systemInstruction"] = _instruction(rng)
    if owned:
        around |= _tools(rng, model, owned, drawn["toolConfig"])
    elif not cached and rng.random() > known(TOOL_KINDS, "functionDeclarations"):
        around["tools"] = _others(rng, model)
    if busy or drawn["generationConfig"]:
        around["generationConfig"] = _config(rng, model, "tools" in around)
    if drawn["safetySettings"]:
        harms = rng.sample(HARMS, rng.randint(1, 4))
        around["safetySettings"] = [{"category": harm, "threshold": "BLOCK_ONLY_HIGH"} for harm in harms]
    if drawn["labels"] and model.surface == "vertex":
        around["labels"] = {"team": name(rng, 1), "environment": rng.choice(("test", "live"))}
    if cached and model.surface != "code-assist":
        around["cachedContent"] = f"cachedContents/{token(rng, 24)}"
    return Client(
        model=model,
        server=server.habits(rng, model),
        stream=stream,
        adds_ids=rng.random() < 0.5 and model.surface != "vertex",
        sorts=drawn["sorted"],
        snake=drawn["snake_case"],
        role_first=rng.random() < 0.5,
        contents_first=rng.random() < 0.7,
        dated=rng.random() < 0.5,
        part=shuffled(rng, PART),
        call=shuffled(rng, CALL),
        tools=owned,
        around=arranged(around, shuffled(rng, [*around])),
    )


def anyone(rng: Random) -> Client:
    """A busy one, of the models and surfaces there are, as often as they are seen. Requests to Code Assist stand in
    another one, which the query of rivals need not know."""
    surfaces = {surface: share for surface, share in SURFACES.items() if surface != "code-assist"}
    named = rng.choices([*MODELS], [*MODELS.values()])[0]
    surface = rng.choices([*surfaces], [*surfaces.values()])[0]
    stream = rng.choices(("", "sse"), (STREAMS[""], STREAMS["sse"]))[0]
    return draw(rng, server.model(rng, named, surface), stream, busy=True)


def _instruction(rng: Random) -> Json:
    parts = [{"text": text(rng, 10, 120)} for _ in range(rng.choice((1, 1, 1, 2)))]
    return rng.choice(({"parts": parts}, {"parts": parts, "role": "user"}, {"role": "system", "parts": parts}))


def _tools(rng: Random, model: Model, owned: list[Tool], config: bool) -> Json:
    style = rng.choice(("google", "small", "json"))
    functions = [declared(each, style) for each in owned]
    entries: list[Json] = [{"functionDeclarations": functions}]
    if len(functions) > 3 and rng.random() < 0.1:
        entries = [{"functionDeclarations": functions[:2]}, {"functionDeclarations": functions[2:]}]
    calling: Json = {"functionCallingConfig": {"mode": rng.choice(("AUTO", "AUTO", "VALIDATED"))}}
    if model.thinks_by_level and model.surface == "gemini-api" and rng.random() < 0.1:
        entries.append({"googleSearch": {}})
        return {"tools": entries, "toolConfig": {"includeServerSideToolInvocations": True}}
    return {"tools": entries, **({"toolConfig": calling} if config else {})}


def _others(rng: Random, model: Model) -> list[Json]:
    if model.name.startswith("gemini-1"):
        return [{"codeExecution": {}}]
    kinds = {kind: share for kind, share in TOOL_KINDS.items() if kind != "functionDeclarations"}
    chosen = dict.fromkeys(rng.choices([*kinds], [*kinds.values()], k=rng.choice((1, 1, 2))))
    if "fileSearch" in chosen:  # it goes with no other
        return [{"fileSearch": {"fileSearchStoreNames": [f"fileSearchStores/{token(rng, 12)}"]}}]
    return [{kind: {}} for kind in chosen]


def _config(rng: Random, model: Model, tools: bool) -> Json:
    settings: Json = {
        "responseModalities": ["TEXT"],
        "maxOutputTokens": rng.choice((256, 1024, 8192, rng.randint(20, 65536))),
        "temperature": rng.choice((0, 0.0, 0.2, 1.0, round(rng.random(), 2))),
        "thinkingConfig": _thinking(rng, model),
        "candidateCount": 1,
        "stopSequences": [token(rng, 4)],
        "responseJsonSchema": None if tools else schema(tool(rng), "json"),
        "topP": round(rng.uniform(0.5, 1), 3),
        "seed": rng.randint(1, 10**6),
        "topK": rng.randint(1, 64),
    }
    chosen = [key for key in settings if rng.random() < known(CONFIG, key) and settings[key] is not None]
    json = {"responseMimeType": "application/json"} if "responseJsonSchema" in chosen else {}
    return {**json, **{key: settings[key] for key in shuffled(rng, chosen)}}


def _thinking(rng: Random, model: Model) -> Json | None:
    if not model.signs:
        return None
    shown = {"includeThoughts": rng.random() < 0.5} if rng.random() < 0.5 else {}
    if model.thinks_by_level:
        return {"thinkingLevel": rng.choice(("LOW", "HIGH")), **shown}
    return {"thinkingBudget": rng.choice((1024, 2048, 8192)), **shown}


def snaked(value: object) -> object:
    """All keys in snake_case but those of functions and schemas."""
    if isinstance(value, list):
        return [snaked(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {_snake(key): each if key in OPAQUE else snaked(each) for key, each in value.items()}


def _snake(key: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in key)
