"""Settings with a value that the model or the surface does not take. What they take is in rules/models.yaml.

A value of another type than its setting is told of with the fields.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from wirecheck.dialects.messages import Spot, Step
from wirecheck.dialects.vocabulary.field_names import told_keys
from wirecheck.models import Limit, Limits
from wirecheck.talk.facts import Context, SettingFact


class BeyondLimit(NamedTuple):
    """A value that is not taken, the steps to it as they are written, and what stands beside it."""

    limit: Limit
    steps: tuple[Step, ...]
    value: Any
    why: str
    beside: tuple[str, ...]


def beyond(body: Mapping[str, Any], limits: Limits) -> Iterator[BeyondLimit]:
    """What a model does not take, in the body of a request or the frame with the setup of a session."""
    for limit in limits.rows:
        if not _holds(body, limit.steps[:2]):  # most requests have few settings
            continue
        for steps, value, beside in _values(body, limit.steps):
            if why := _why(limit, value):
                yield BeyondLimit(limit, steps, value, why, beside)


def settings(body: Mapping[str, Any], limits: Limits, spot: Spot, context: Context) -> Iterator[SettingFact]:
    for limit, steps, value, why, beside in beyond(body, limits):
        name, takes = ".".join(limit.path), _takes(limit)
        yield SettingFact(
            context=context, spot=spot.to(*steps), name=name, why=why, value=value, takes=takes, beside=beside
        )


def _holds(body: Mapping[str, Any], path: tuple[tuple[str, str], ...]) -> bool:
    """Whether the first steps of a path may lead to something."""
    (name, snake), *inner = path
    value = body.get(name) or body.get(snake)
    return not inner or type(value) is list or (type(value) is dict and not value.keys().isdisjoint(inner[0]))


def _values(
    value: Any, path: tuple[tuple[str, str], ...], steps: tuple[Step, ...] = ()
) -> Iterator[tuple[tuple[Step, ...], Any, tuple[str, ...]]]:
    """What a path leads to: the steps as they are written, the value, and what stands beside it."""
    (name, snake), *_ = path
    if name == "*":
        for n, item in enumerate(value if type(value) is list else ()):
            yield from _values(item, path[1:], (*steps, n))
    elif type(value) is dict:
        key = name if value.get(name) is not None else snake
        if (found := value.get(key)) is None:
            return
        if len(path) > 1:
            yield from _values(found, path[1:], (*steps, key))
        else:
            yield (*steps, key), found, tuple([each for each in told_keys(value) if each != name])


def _why(limit: Limit, value: Any) -> str:
    """Why a value is not taken; "" where it is, or where the limit says nothing of its type."""
    if limit.takes == ():
        return "none"
    number = _number(value) if limit.takes is None else None
    known = value if number is None else number
    if any([type(each) is type(known) and each == known for each in limit.refuses]):
        return "refused"
    if type(known) in (bool, list, dict) or known in limit.also:
        return ""
    if type(known) is str:
        return "" if limit.takes is None or known in limit.takes else "word"
    if limit.min is not None and known < limit.min:
        return "small"
    return "large" if limit.max is not None and known > limit.max else ""


def _number(value: Any) -> float | None:
    """A whole number, which may be written as a text: proto3 JSON takes both."""
    if type(value) is str and len(value) < 20 and value.removeprefix("-").isdecimal():
        return int(value)
    return value if type(value) in (int, float) else None


def _takes(limit: Limit) -> str:
    """What it takes, in words."""
    if limit.takes is not None:
        return ", ".join(limit.takes) or "none"
    if limit.min is None and limit.max is None:
        return f"any but {limit.refuses[0]}" if limit.refuses and type(limit.refuses[0]) is not str else "other words"
    if limit.max is None:
        return f"{limit.min} or more"
    beside = "".join(f", or {each}" for each in limit.also)
    return f"{limit.min} to {limit.max}{beside}"
