"""Fields of a Live client's frame that are not as they should be: unknown ones, and ones that rule each other out.

A sound frame of audio costs a look-up a key; of what it holds only the type and the first letters are looked at.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from wirecheck.dialects.messages import Spot, Step
from wirecheck.dialects.vocabulary.field_names import camel, get, written
from wirecheck.dialects.vocabulary.live_field_tables import LIVE, MESSAGES
from wirecheck.models import Limits
from wirecheck.talk.facts import Context, FieldFact
from wirecheck.talk.fields.limited_settings import beyond
from wirecheck.talk.fields.unknown import FieldFlaw, FieldWalk

_BLOB = {"mimeType", "data"}
_FRAME, _REALTIME = MESSAGES["frame"], MESSAGES["realtimeInput"]


def in_frame(value: Mapping[str, Any], spot: Spot, context: Context, turn: int, limits: Limits) -> Iterator[FieldFact]:
    """`limits` are those of the session's model."""
    if _usual(value):
        return
    walk = FieldWalk(LIVE, context)
    walk.message(value, "frame", ())
    walk.found = [flaw for flaw in walk.found if not _no_parts(value, flaw)]
    walk.found += _together(value)
    if type(setup := get(value, "setup")) is dict:
        walk.found += _in_setup(setup, (written(value, "setup"),))
        walk.found += [FieldFlaw(each.steps, each.limit.path[-2], "model") for each in beyond(value, limits)]
    if walk.found:
        yield from walk.facts(spot, turn)


def _usual(value: Mapping[str, Any]) -> bool:
    """Whether a frame is a piece of audio or video and nothing else, which nearly all frames are."""
    given = value.get("realtimeInput")
    if type(given) is not dict or len(value) != 1 or len(given) != 1:
        return False
    media = given.get("audio") or given.get("video")
    if type(media) is not dict or media.keys() != _BLOB:
        return False
    kind, data = media["mimeType"], media["data"]
    return type(kind) is str and type(data) is str and data[:5].lower() != "data:"


def _no_parts(value: Mapping[str, Any], flaw: FieldFlaw) -> bool:
    """Whether it stands in a turn without parts: that is told of as a whole, whatever stands in their place."""
    if flaw.message != "content" or flaw.why != "unknown" or camel(str(flaw.steps[0])) != "clientContent":
        return False
    holder: Any = value
    for step in flaw.steps[:-1]:
        holder = holder[step]
    return "parts" not in holder


def _together(value: Mapping[str, Any]) -> Iterator[FieldFlaw]:
    """One message a frame, and one thing a realtimeInput."""
    if len(value) > 1 and len(members := _given(value, _FRAME)) > 1:
        yield FieldFlaw((members[1],), "frame", "beside")
    given = get(value, "realtimeInput")
    if type(given) is dict and len(given) != 1:
        steps, fields = (written(value, "realtimeInput"),), _given(given, _REALTIME)
        if len(fields) > 1:
            yield FieldFlaw((*steps, fields[1]), "realtimeInput", "beside")
        elif not given:
            yield FieldFlaw(steps, "realtimeInput", "empty")


def _given(value: Mapping[str, Any], known: Mapping[str, str]) -> list[str]:
    """The keys of a message that are its fields, and say something."""
    return [key for key, inner in value.items() if camel(key) in known and inner is not None]


def _in_setup(setup: dict[str, Any], steps: tuple[Step, ...]) -> Iterator[FieldFlaw]:
    for at, message, inner in _messages(setup, "setup", steps):
        if odd := _other_spelling(inner, message):
            yield FieldFlaw((*at, odd), message, "mixed")


def _messages(
    value: dict[str, Any], message: str, steps: tuple[Step, ...]
) -> Iterator[tuple[tuple[Step, ...], str, dict[str, Any]]]:
    """The message, and those in it that stand alone."""
    yield steps, message, value
    for key, inner in value.items():
        kind = MESSAGES[message].get(camel(key), "")
        if kind in MESSAGES and type(inner) is dict:
            yield from _messages(inner, kind, (*steps, key))


def _other_spelling(value: Mapping[str, Any], message: str) -> str:
    """A field in snake_case, where another one is in camelCase."""
    known = MESSAGES[message]
    snake = next((key for key in value if key not in known and camel(key) in known), "")
    return snake if snake and any(key in known and key != key.lower() for key in value) else ""
