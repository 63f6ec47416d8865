"""A client in conversation with a model: each request recites all that was said. It knows no form of log.

What was said is encoded once; a request is put together from the pieces, as its bytes are the same every time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import orjson

from bench import server
from bench.words import TOOLS, Json, declared, text, token

ANSWERS: tuple[Callable[[Random], Json], ...] = (  # the keys clients put an answer under
    lambda rng: {"result": text(rng, 10, 240)},
    lambda rng: {"output": {"lines": [text(rng, 5, 20), text(rng, 5, 20)], "total": rng.randint(2, 90)}},
    lambda rng: {"name": "read", "content": [{"type": "text", "text": text(rng, 20, 300)}]},
    lambda rng: {"return_value": text(rng, 5, 40)},
    lambda rng: {"error": text(rng, 5, 20)},
)
# What is wrong with the first answer of an agent that makes a mistake, in any band.
MISTAKES: dict[str, Callable[[list[Json]], Json]] = {
    "too many": lambda parts: {"role": "user", "parts": [*parts, parts[-1]]},
    "role": lambda parts: {"role": "assistant", "parts": parts},
    "nameless": lambda parts: {"role": "user", "parts": [_nameless(parts[0]), *parts[1:]]},
    "no answer": lambda parts: {"role": "user", "parts": [{"text": "Never mind."}]},
}


def _nameless(part: Json) -> Json:
    return {"functionResponse": {**part["functionResponse"], "name": ""}}


@dataclass(frozen=True, slots=True)
class Exchange:
    url: str
    body: bytes
    replies: list[bytes]
    streamed: bool


@dataclass(frozen=True, slots=True)
class Habits:
    """What is a client's way, whatever it says: it stays the same in all its requests."""

    streams: bool
    adds_ids: bool
    role_first: bool
    contents_first: bool
    tools: list[str]
    around: bytes  # tools and settings


def habits(rng: Random) -> Habits:
    tools, key = rng.sample([*TOOLS], 3), rng.choice(("parameters", "parametersJsonSchema"))
    around = {
        "systemInstruction": {"parts": [{"text": text(rng, 10, 30)}], "role": "user"},
        "tools": [{"functionDeclarations": [declared(tool, key) for tool in tools]}],
        "generationConfig": {"maxOutputTokens": 8192},
    }
    streams, adds_ids, role_first, contents_first = (rng.random() < share for share in (0.25, 0.5, 0.5, 0.7))
    return Habits(streams, adds_ids, role_first, contents_first, tools, orjson.dumps(around)[1:-1])


@dataclass(slots=True)
class Agent:
    rng: Random
    window: int = 0  # contents that are kept, about; 0: all
    keep_first: bool = False
    mistake: str | None = None
    said: list[bytes] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)  # where in `said` a history may begin

    def turns(self, count: int, shown: Sequence[Json] = ()) -> Iterator[Exchange]:
        """So many requests with their replies; `shown` stands beside the first question."""
        model, way = server.drawn(self.rng), habits(self.rng)
        named = bool(model.ids) or way.adds_ids
        self._ask(way, shown)
        for _ in range(count):
            called = self.rng.random() < 0.6 or self.mistake is not None
            parts = server.calls(self.rng, model, way.tools, named) if called else server.says(self.rng, model)
            yield self._exchange(model, way, parts)
            self._recite(way, parts)
            self._answer(way, parts) if called else self._ask(way)

    def _exchange(self, model: server.Model, way: Habits, parts: list[Json]) -> Exchange:
        contents = b'"contents":[%b]' % b",".join(self._kept())
        body = b"{%b,%b}" % ((contents, way.around) if way.contents_first else (way.around, contents))
        replies = server.chunks(self.rng, model, parts, way.streams, len(body) // 4)
        verb = "streamGenerateContent?alt=sse" if way.streams else "generateContent"
        url = model.url.format(model=model.name, verb=verb)
        return Exchange(url, body, [orjson.dumps(reply) for reply in replies], way.streams)

    def _kept(self) -> list[bytes]:
        """The history, trimmed to the window from the front: it begins with a question again."""
        if not self.window or len(self.said) <= self.window:
            return self.said
        since = len(self.said) - self.window
        begin = next((place for place in self.questions if place >= since), self.questions[-1])
        return [*self.said[: self.keep_first and 1], *self.said[begin:]]

    def _say(self, way: Habits, content: Json) -> None:
        role = {"role": content["role"]}
        ordered = {**role, **content} if way.role_first else {"parts": content["parts"], **role}
        self.said.append(orjson.dumps(ordered))

    def _ask(self, way: Habits, shown: Sequence[Json] = ()) -> None:
        self.questions.append(len(self.said))
        self._say(way, {"role": "user", "parts": [*shown, {"text": text(self.rng, 10, 80)}]})

    def _recite(self, way: Habits, parts: list[Json]) -> None:
        """What the model said, without its thoughts; some clients give ids to calls that came without."""
        for call in (part["functionCall"] for part in parts if way.adds_ids and "functionCall" in part):
            call.setdefault("id", token(self.rng, 12))
        self._say(way, {"role": "model", "parts": [part for part in parts if "thought" not in part]})

    def _answer(self, way: Habits, parts: list[Json]) -> None:
        answers = [{"functionResponse": self._response(part["functionCall"])} for part in parts]
        right = {"role": "user", "parts": answers}
        self._say(way, MISTAKES[self.mistake](answers) if self.mistake else right)
        self.mistake = None

    def _response(self, call: Json) -> Json:
        known = {"id": call["id"]} if "id" in call else {}
        response = self.rng.choices(ANSWERS, (5, 2, 5, 2, 3))[0](self.rng)
        return {**known, "name": call["name"], "response": response}
