"""What the view shows of an interaction: the steps of a body, or of a stream that brings them in pieces.

Knows no line: who says what is told, and drawn elsewhere.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from wirecheck.dialects.interactions.step_deltas import PendingStep, begun
from wirecheck.dialects.interactions.steps import read_step
from wirecheck.dialects.messages import Spot
from wirecheck.wire.records import Origin, Site

NOWHERE = Spot(Site(Origin("", 0)))  # nobody asks for the place
BEGIN = ("step.start", "content.start")  # the second of each are those from before June 2026
GO_ON = ("step.delta", "content.delta")
END = ("step.stop", "content.stop")


def said(found: Any, by: str) -> Iterator[tuple[str, Any]]:
    """Who says what; `by` says it where a step does not tell."""
    for step in found if isinstance(found, list) else [found]:
        yield read_step(step, NOWHERE).speaker or by, step


def together(values: Iterable[Any]) -> Iterator[Any]:
    """The values of a body, or of a stream with its steps put together; what is no event of a step stays as it is."""
    open_steps: dict[str, PendingStep] = {}
    for value in values:
        event = value.get("event_type") if isinstance(value, dict) else None
        index = str(value.get("index")) if event else ""
        if event in BEGIN:
            open_steps[index] = begun(value.get("step", value.get("content")), NOWHERE)
        elif event in GO_ON and index in open_steps:
            open_steps[index].add(value.get("delta"))
        elif event in END and index in open_steps:
            yield {"steps": [open_steps.pop(index).whole()]}
        elif event is None or "interaction" in value or "error" in value:
            yield value.get("interaction", value) if event else value
    yield from ({"steps": [step.whole()]} for step in open_steps.values())
