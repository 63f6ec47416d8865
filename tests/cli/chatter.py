"""Logs of conversations that have much or little to do with each other; clients in them forget, edit and repeat."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.cli.logs import URL, content

Contents = list[dict[str, Any]]
BETWEEN = (b"\n", b"no JSON\n", b"[]\n", b"3\n", b'{"a":1}\n', b'{"request":\n')
REPLIES = (400, 503, 200, 200, 200, 200, 200, 200, 200, 200)


def chatter(rng: Random, count: int, words: int, odd: float, new: float = 0.1) -> Iterator[bytes]:
    """`words` that are to be had: the fewer, the more is said twice. `odd` is the part of requests that are edited,
    `new` of those that begin a conversation."""
    people = [Person(rng, words) for _ in range(rng.choice((2, 5, 20)))]
    for _ in range(count):
        one = rng.randrange(len(people))
        if rng.random() < new:
            people[one] = Person(rng, words)
        yield people[one].line(odd)
        if rng.random() < 0.02:
            yield rng.choice(BETWEEN)


class Person:
    def __init__(self, rng: Random, words: int) -> None:
        self._rng, self._words = rng, words
        self._said: Contents = [content("user", f"{rng.randrange(10 ** rng.choice((1, 6)))} {self._word()}")]

    def line(self, odd: float) -> bytes:
        contents: Contents = json.loads(json.dumps(self._said))
        if self._rng.random() < odd:
            contents = self._changed(contents) or contents
            self._said = self._rng.choice((self._said, contents))
        status, reply = self._rng.choice(REPLIES), self._reply()
        body: Any = {"candidates": [{"content": reply, "finishReason": "STOP"}], "modelVersion": "gemini-3.6-flash"}
        if status != 200:
            body = {"error": {"code": status, "message": "no"}}
        elif self._rng.random() < 0.95:
            self._said = [*self._said, reply, self._answer(reply["parts"][0])]
        line: dict[str, Any] = {"request": {"method": "POST", "url": URL, "body": {"contents": contents}}}
        line["response"] = {"status": status, "body": body}
        return json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    def _changed(self, contents: Contents) -> Contents:
        at = self._rng.randrange(len(contents))
        changes: list[Contents] = [
            contents[at:],
            contents[:at] + contents[at + 1 :],
            [*contents[:at], content("user", self._word()), *contents[at + 1 :]],
            [*contents[:-1], content("user", self._word())],
            [content("user", self._word()), self._reply(), *contents],
        ]
        return self._rng.choice(changes)

    def _reply(self) -> dict[str, Any]:
        call = {"functionCall": {"name": self._rng.choice("fg"), "args": {"a": self._word()}}}
        part: dict[str, Any] = self._rng.choice((call, {"text": self._word()}))
        if self._rng.random() < 0.3:
            part["thoughtSignature"] = f"QUJD{self._rng.randrange(self._words):08}"
        return {"role": "model", "parts": [part]}

    def _answer(self, part: dict[str, Any]) -> dict[str, Any]:
        if "functionCall" not in part or self._rng.random() < 0.1:
            return content("user", self._word())
        response = {"name": part["functionCall"]["name"], "response": {"output": self._word()}}
        return {"role": "user", "parts": [{"functionResponse": response}]}

    def _word(self) -> str:
        return f"word {self._rng.randrange(self._words)}"
