"""Where in a request a server's text points, as in `tools[0].function_declarations[2].parameters.properties[city]`.

Servers write paths in snake_case whatever was sent; what stands in brackets is an index, or a key of a map. To some of
them a map is a list of pairs: `properties[3].value` is the value of the fourth. What a text means is not known here.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from wirecheck.dialects.messages import Step
from wirecheck.dialects.vocabulary.field_names import camel, written

_PATH = re.compile(
    r"(?<!\w)(?:contents|tools|tool_config|generation_config|system_instruction|safety_settings)"
    r"(?:\.[A-Za-z_]\w{0,63}|\[[^\[\]\s]{1,64}\]){1,64}"
)
_STEP = re.compile(r"\[(?P<pair>\d{1,9})\]\.value\b|\[(?P<index>\d{1,9})\]|\[(?P<key>[^\]]+)\]|(?P<name>\w+)")

# What a text without a path speaks of: a key, the setting it has a value of, or what these words stand for; of several
# ways the first that the request has.
_NAMED = (
    (re.compile(r"[Uu]nknown name \\*\"(\w{1,64})\\*\": Cannot find field"), "{}"),
    (re.compile(r"\bhas an? (\w{1,64}) value of\b"), "generationConfig.{}"),
)
_SPOKEN = {
    "response modalities": "generationConfig.responseModalities",
    "json mode": "generationConfig.responseMimeType",
    "response mime type": "generationConfig.responseMimeType",
    "thinking is": "generationConfig.thinkingConfig",
    "thinking budget": "generationConfig.thinkingConfig.thinkingBudget",
    "multiple candidates": "generationConfig.candidateCount",
    "penalty is": "generationConfig",
    "developer instruction": "systemInstruction",
    "cached content": "cachedContent",
    "background interactions": "background",
    "the specified schema": "generationConfig.responseSchema generationConfig.responseJsonSchema tools",
    "a functiondeclaration in the request": "tools",
    "tools are supported": "tools",
}
_EMPTY = re.compile(r"field [`'\"]?(\w{1,64})[`'\"]? has an empty value")
_MOST = 10_000  # values looked at for an empty one


class SpokenStep(NamedTuple):
    """A step as the server says it. `kind`: name, index, key, or pair, the number of a key."""

    kind: str
    word: str


def path(text: str) -> list[SpokenStep]:
    """The steps of the first path in a text."""
    found = _PATH.search(text)
    return (
        [SpokenStep(kind, each[kind]) for each in _STEP.finditer(found[0]) if (kind := each.lastgroup)] if found else []
    )


def spoken(text: str) -> list[list[SpokenStep]]:
    """The steps to what a text without a path may speak of."""
    said = text.lower()
    named = (way.format(found[1]) for pattern, way in _NAMED if (found := pattern.search(text)))
    ways = next(named, "") or next((ways for words, ways in _SPOKEN.items() if words in said), "")
    return [[SpokenStep("name", word) for word in way.split(".")] for way in ways.split()]


def theirs(steps: list[SpokenStep], protocol: str) -> list[SpokenStep]:
    """The steps in a body of another protocol. The server tells of it as of the request that it made of it."""
    if protocol == "generate-content" or not steps:
        return steps
    if [step.word for step in steps[2:3]] == ["function_declarations"]:
        around = [SpokenStep("name", "function")] if protocol == "chat" else []
        return [steps[0], *steps[3:4], *around, *steps[4:]]
    return [] if protocol == "interactions" and steps[0].word == "contents" else steps


def turns(messages: Iterable[Any]) -> list[int]:
    """By Gemini's contents the message that each begins with: those of the system are none, responses in a row one."""
    found, former = [], ""
    for n, message in enumerate(messages):
        role = message.get("role") if type(message) is dict else ""
        if role not in ("system", "developer") and not role == former == "tool":
            found.append(n)
        former = str(role)
    return found


def walk(value: Any, steps: list[SpokenStep]) -> Iterator[Step]:
    """As many of the steps as lead somewhere, as they are written there."""
    for kind, word in steps:
        if kind == "index" and type(value) is dict and word not in value:
            if word == "0":
                continue  # one thing stands where a list belongs
            return
        found = _member(value, kind, word)
        if found is None:
            return
        yield found
        value = value[found]


def _member(value: Any, kind: str, word: str) -> Step | None:
    if type(value) is list:
        return int(word) if kind == "index" and int(word) < len(value) else None
    if type(value) is not dict:
        return None
    if kind == "pair":
        return next((key for n, key in enumerate(value) if n == int(word)), None)
    key = written(value, camel(word)) if kind == "name" else word
    return key if key in value else None


def empty(text: str) -> str | None:
    """The name of a field, where a text says that it has an empty value."""
    found = _EMPTY.search(text)
    return found[1] if found else None


def seek(value: Any, name: str) -> tuple[Step, ...] | None:
    """The steps to a field of that name with nothing in it."""
    waiting: list[tuple[Any, tuple[Step, ...]]] = [(value, ())]
    for _ in range(_MOST):
        if not waiting:
            return None
        held, steps = waiting.pop()
        if type(held) is dict and name in held and not held[name] and held[name] not in (False, 0):
            return *steps, name
        inside = held.items() if type(held) is dict else enumerate(held) if type(held) is list else ()
        waiting.extend((each, (*steps, key)) for key, each in inside)
    return None
