"""The steps of an interaction for the content view: of a body, or put together from a stream.

Returns who says what; view.py draws it.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from wirecheck.dialects.interactions.step_deltas import PendingStep, begun
from wirecheck.dialects.interactions.steps import read_step
from wirecheck.dialects.messages import Spot
from wirecheck.wire.records import Origin, Site

NOWHERE = Spot(Site(Origin("", 0)))  # the place is not used
BEGIN = ("step.start", "content.start")  # second names: those from before June 2026
GO_ON = ("step.delta", "content.delta")
END = ("step.stop", "content.stop")


def said(found: Any, by: str) -> Iterator[tuple[str, Any]]:
    """Yields role and step; `by` is the role where a step has none."""
    for step in found if isinstance(found, list) else [found]:
        yield read_step(step, NOWHERE).speaker or by, step


def together(values: Iterable[Any]) -> Iterator[Any]:
    """The values of a body or stream, with streamed steps put together and interactions unwrapped."""
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
