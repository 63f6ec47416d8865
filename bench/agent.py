"""A client in conversation with a model: each request recites all that was said. It knows no form of log.

What was said is encoded once; a request is put together from the pieces, as its bytes are the same every time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import orjson

from bench import server
from bench.client import Client
from bench.tools import answer
from bench.words import Json, arranged, name, text, token

ANSWERS: tuple[Callable[[Random], Json], ...] = (  # the keys clients put an answer under
    lambda rng: {"result": answer(rng)},
    lambda rng: {"output": answer(rng)},
    lambda rng: {"name": "read", "content": [{"type": "text", "text": text(rng, 20, 300)}]},
    lambda rng: {"return_value": text(rng, 5, 40)},
    lambda rng: {"error": text(rng, 5, 20)},
    lambda rng: {name(rng): answer(rng, 1) for _ in range(rng.randint(1, 5))},
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
    stream: str = ""  # "": at once; "sse"; "array"
    status: int = 200
    text: bytes | None = None  # all of the stream, where events have names


@dataclass(slots=True)
class Agent:
    rng: Random
    client: Client
    window: int = 0  # contents that are kept, about; 0: all
    keep_first: bool = False
    mistake: str | None = None
    calls: float = 0.6  # how many turns of the model call
    said: list[bytes] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)  # where in `said` a history may begin

    def turns(
        self, count: int, shown: Sequence[Json] = (), extra: Callable[[Json], None] | None = None
    ) -> Iterator[Exchange]:
        """So many requests with their replies; `shown` stands beside the first question, `extra` adds to a reply."""
        model, way = self.client.model, self.client
        named = bool(model.ids) or way.adds_ids
        around = way.surroundings(self.rng)
        self._ask(shown)
        for _ in range(count):
            called = bool(way.tools) and (self.rng.random() < self.calls or self.mistake is not None)
            parts = server.calls(self.rng, model, way.tools, named) if called else server.says(self.rng, model)
            yield self._exchange(around, parts, extra)
            self._recite(parts)
            self._answer(parts) if called else self._ask()

    def _exchange(self, around: bytes, parts: list[Json], extra: Callable[[Json], None] | None) -> Exchange:
        way, model = self.client, self.client.model
        contents = b'"contents":[%b]' % b",".join(self._kept())
        pieces = [piece for piece in ((contents, around) if way.contents_first else (around, contents)) if piece]
        body = b"{%b}" % b",".join(pieces)
        if way.call:
            parts = [self._ordered(part) for part in parts]
        replies = server.chunks(self.rng, model, way.server, parts, bool(way.stream), len(body) // 4)
        if extra:
            extra(replies[-1])
        if model.surface == "code-assist":
            body = self._assisted(body)
            replies = [{"response": reply, "traceId": token(self.rng, 16)} for reply in replies]
        verb = {"": "generateContent", "sse": "streamGenerateContent?alt=sse", "array": "streamGenerateContent"}
        option = orjson.OPT_SORT_KEYS if way.sorts else 0
        encoded = [orjson.dumps(reply, option=option) for reply in replies]
        return Exchange(model.address(verb[way.stream]), body, encoded, way.stream)

    def _assisted(self, body: bytes) -> bytes:
        """A request to Code Assist stands in another one."""
        head = {"model": self.client.model.name, "project": "demo-project", "user_prompt_id": token(self.rng, 12)}
        return b'%b,"request":%b}' % (orjson.dumps(head)[:-1], body)

    def _kept(self) -> list[bytes]:
        """The history, trimmed to the window from the front: it begins with a question again."""
        if not self.window or len(self.said) <= self.window:
            return self.said
        since = len(self.said) - self.window
        begin = next((place for place in self.questions if place >= since), self.questions[-1])
        return [*self.said[: self.keep_first and 1], *self.said[begin:]]

    def _ordered(self, part: Json) -> Json:
        way = self.client
        inner = {
            key: arranged(value, way.call) if key in ("functionCall", "functionResponse") else value
            for key, value in part.items()
        }
        return arranged(inner, way.part)

    def _say(self, content: Json) -> None:
        role, parts = {"role": content["role"]}, {"parts": [self._ordered(part) for part in content["parts"]]}
        self.said.append(self.client.dumps({**role, **parts} if self.client.role_first else {**parts, **role}))

    def _ask(self, shown: Sequence[Json] = ()) -> None:
        self.questions.append(len(self.said))
        self._say({"role": "user", "parts": [*shown, {"text": text(self.rng, 3, 80)}]})

    def _recite(self, parts: list[Json]) -> None:
        """What the model said, without its thoughts; some clients give ids to calls that came without."""
        for call in (part["functionCall"] for part in parts if self.client.adds_ids and "functionCall" in part):
            call.setdefault("id", token(self.rng, 12))
        self._say({"role": "model", "parts": [part for part in parts if "thought" not in part]})

    def _answer(self, parts: list[Json]) -> None:
        answers = [{"functionResponse": self._response(part["functionCall"])} for part in parts]
        right = {"role": "user", "parts": answers}
        self._say(MISTAKES[self.mistake](answers) if self.mistake else right)
        self.mistake = None

    def _response(self, call: Json) -> Json:
        known = {"id": call["id"]} if "id" in call else {}
        response = self.rng.choices(ANSWERS, (4, 2, 5, 2, 3, 1))[0](self.rng)
        return {**known, "name": call["name"], "response": response}
