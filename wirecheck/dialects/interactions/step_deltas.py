"""Puts together the steps of an interaction that come in pieces: `step.start`, its deltas, `step.stop`.

Before June 2026 the events were called `content.start` and so on, and a delta could be a whole function call.
Knows no channel: the reader of the stream feeds it event by event.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from wirecheck.dialects.messages import Spot
from wirecheck.dialects.raw_json import Undecodable, decode

Step = dict[str, Any]


class PendingStep(Struct):
    """A step that is not complete yet, and its first event. `args` is the JSON text of its arguments so far."""

    step: Step
    spot: Spot
    args: str = ""

    def add(self, delta: Any) -> None:
        if type(delta) is dict:
            DELTAS.get(str(delta.get("type")), _block)(self, delta)

    def whole(self) -> Step:
        if not self.args:
            return self.step
        try:
            return {**self.step, "arguments": decode(self.args.encode())}
        except (*Undecodable, UnicodeEncodeError):
            return {**self.step, "arguments": self.args}  # it broke off, or is not JSON


def begun(value: Any, spot: Spot) -> PendingStep:
    return PendingStep(dict(value) if type(value) is dict else {}, spot)


def _arguments(gathered: PendingStep, delta: Step) -> None:
    gathered.args += text if type(text := delta.get("arguments")) is str else ""


def _signature(gathered: PendingStep, delta: Step) -> None:
    gathered.step["signature"] = delta.get("signature")


def _summary(gathered: PendingStep, delta: Step) -> None:
    gathered.step["summary"] = [*_listed(gathered.step.get("summary")), delta.get("content")]


def _call(gathered: PendingStep, delta: Step) -> None:
    gathered.step.update(delta)


def _text(gathered: PendingStep, delta: Step) -> None:
    """Adds text. Consecutive texts are one block; in the older shape the step is the block."""
    block = gathered.step
    if block.get("type") != "text":
        content = block["content"] = _listed(block.get("content"))
        if not content or type(content[-1]) is not dict or content[-1].get("type") != "text":
            content.append({"type": "text", "text": ""})
        block = content[-1]
    block["text"] = f"{block.get('text') or ''}{delta.get('text') or ''}"


def _block(gathered: PendingStep, delta: Step) -> None:
    """Adds media. The first piece says what it is."""
    content = _listed(gathered.step.get("content"))
    if not any(type(one) is dict and one.get("type") == delta.get("type") for one in content):
        content.append(delta)
    gathered.step["content"] = content


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else []


DELTAS: dict[str, Callable[[PendingStep, Step], None]] = {
    "text": _text,
    "arguments_delta": _arguments,
    "thought_signature": _signature,
    "thought_summary": _summary,
    "function_call": _call,
}
