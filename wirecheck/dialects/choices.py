"""Replies in the OpenAI style: `choices`, whole or in deltas, as Candidates.

Text is passed on at once. Calls come in pieces with an `index`. Google's endpoint leaves it out and sends each call in
one piece; without an index a piece with an id or a name begins a call, and one with neither continues the last. Calls
are passed on when the choice ends. Knows one reply and no request.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.dialects.messages import Candidate, Content, Spot
from wirecheck.dialects.vocabulary.field_names import keys_of

Message = dict[str, Any]
Read = Callable[[Message, Spot], Content]


class ChoiceCalls(Struct):
    """The calls of one choice so far, by index or in order, and the place of the first."""

    spot: Spot
    calls: dict[Any, Message] = {}
    last: Any = None

    def add(self, piece: Message) -> None:
        function = piece.get("function")
        said = function if type(function) is dict else {}
        index = piece.get("index")
        if type(index) is not int:
            index = f"call {len(self.calls)}" if piece.get("id") or said.get("name") else self.last
        call = self.calls.setdefault(index, {"function": {"name": None, "arguments": ""}})
        self.last = index
        call.update({key: value for key, value in piece.items() if key != "function" and value})
        call["function"]["name"] = said.get("name") or call["function"]["name"]
        call["function"]["arguments"] += text if type(text := said.get("arguments")) is str else ""

    def message(self) -> Message:
        return {"role": "assistant", "tool_calls": list(self.calls.values())}


class Choices:
    """One reply."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._gathered: dict[int, ChoiceCalls] = {}

    def candidates(self, value: Any, spot: Spot) -> Iterator[Candidate]:
        listed = value.get("choices") if type(value) is dict else None
        for n, choice in enumerate(listed if type(listed) is list else ()):
            if type(choice) is dict:
                yield from self._choice(choice, n, spot.to("choices", n))

    def rest(self) -> Iterator[Candidate]:
        """Candidates for the calls of choices that never ended."""
        for index in list(self._gathered):
            yield from self._calls(index)

    def _choice(self, choice: Message, n: int, spot: Spot) -> Iterator[Candidate]:
        index = number if type(number := choice.get("index")) is int else n
        finish = str(choice["finish_reason"]) if choice.get("finish_reason") else None
        if type(message := choice.get("message")) is dict:
            yield _candidate(index, finish, self._said(message, spot.to("message")), choice, spot)
            return
        delta = choice.get("delta")
        content = self._delta(index, delta, spot.to("delta")) if type(delta) is dict else None
        calls = list(self._calls(index)) if finish else []
        yield _candidate(index, None if calls else finish, content, choice, spot)
        yield from (replace(call, finish=finish) for call in calls)

    def _delta(self, index: int, delta: Message, spot: Spot) -> Content | None:
        pieces = delta.get("tool_calls")
        for n, piece in enumerate(pieces if type(pieces) is list else ()):
            if type(piece) is dict:
                self._gathered.setdefault(index, ChoiceCalls(spot.to("tool_calls", n))).add(piece)
        return self._said({"role": "assistant", "content": delta["content"]}, spot) if delta.get("content") else None

    def _calls(self, index: int) -> Iterator[Candidate]:
        gathered = self._gathered.pop(index, None)
        if gathered is not None:
            content = self._said(gathered.message(), gathered.spot)
            calls = tuple([replace(call, spot=gathered.spot) for call in content.calls])
            yield _candidate(index, None, content.replace(calls=calls), {}, gathered.spot)

    def _said(self, message: Message, spot: Spot) -> Content:
        return self._read(message, spot).replace(container="choices")


def _candidate(index: int, finish: str | None, content: Content | None, value: Message, spot: Spot) -> Candidate:
    return Candidate(index=index, finish=finish, content=content, keys=keys_of(value), value=value, spot=spot)
