"""Maps a path of a rule to a place in the payload, for the pointer of a finding."""

from collections.abc import Iterable
from typing import Any

from wirecheck.dialects.messages import Step
from wirecheck.rules.language.fields import FieldPath
from wirecheck.talk.facts import Fact

WHOLE = ("value", "body")  # fields that are the payload at the fact's place


def within(fact: Fact, where: FieldPath, further: Iterable[Step] = ()) -> tuple[Step, ...]:
    """The steps from the fact's place to the value at a path (and further steps); where it is missing, to its parent.

    A field that is not part of the payload gives no steps.
    """
    payload: Any = next((getattr(fact, name) for name in WHOLE if hasattr(fact, name)), None)
    names = where.attributes[1:] if where.attributes[0] in WHOLE else where.attributes
    if names and not (isinstance(payload, dict) and names[0] in payload):
        return ()
    keys = [(name,) for name in names] + [(step.key, step.snake, step.index) for step in where.steps]
    steps: list[Step] = []
    for way in [*keys, *((step,) for step in further)]:
        step = next((step for step in way if step is not None and _leads(payload, step)), None)
        if step is None:
            break
        steps.append(step)
        payload = payload[step]
    return tuple(steps)


def _leads(value: Any, step: Step) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)
