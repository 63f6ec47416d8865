"""Reads one entry of an Interactions `input`, or one step of a reply, as a Content.

An entry is a step (`{"type": "function_call", …}`), a bare block (`{"type": "text", …}`), a turn of the older shape
(`{"role": "user", "content": …}`) or a text. Function results are steps of their own or blocks of the user. Tools that
the server executes itself (searches, code, MCP) are no function calls. Knows no request and no stream.
"""

from collections.abc import Iterator
from typing import Any

from wirecheck.dialects.content import SPEAKERS, shape_of
from wirecheck.dialects.messages import Answer, Call, Content, Part, Speaker, Spot
from wirecheck.dialects.vocabulary.field_names import camel, keys_of, text_or_none

# The speaker by the type of a step. Blocks of the user need no step around them; for other types see `_speaker`.
SAYS: dict[str, Speaker] = {
    **dict.fromkeys(("user_input", "text", "image", "audio", "video", "document", "function_result"), "user"),
    **dict.fromkeys(("model_output", "thought", "function_call"), "model"),
}
# Fields of other protocols or other steps that clients write into these steps by mistake.
STRANGE = {
    "function_call": frozenset(("callId", "toolCallId", "args", "input", "parameters")),
    "function_result": frozenset(("id", "toolCallId", "toolUseId", "output", "response", "content")),
}
INPUT = ("user_input", "function_result")
HOLDERS = frozenset(("user_input", "model_output"))  # steps whose `content` holds the blocks


def read_step(value: Any, spot: Spot) -> Content:
    """Reads one entry of an input."""
    return _content(value, _speaker(value), spot)


def read_reply(value: Any, spot: Spot) -> Content:
    """Reads one step of a reply. A block of the older shape has no speaker: it is the model's."""
    return _content(value, "model", spot)


def read_replies(steps: list[Any], spot: Spot) -> list[Content]:
    """Reads the steps of the model in a reply, which may begin with the input."""
    asked = [n for n, step in enumerate(steps, 1) if type(step) is dict and _type(step) in INPUT]
    return [read_reply(steps[n], spot.to(n)) for n in range(max(asked, default=0), len(steps))]


def _content(value: Any, speaker: Speaker, spot: Spot) -> Content:
    fields, parts = value if type(value) is dict else {}, list(_parts(value, spot))
    role = fields.get("role")
    return Content(
        role=role if role is not None else speaker or None,
        speaker=speaker,
        container="steps",
        shape=shape_of(value) if type(value) is not dict else "list",
        keys=keys_of(fields),
        parts=tuple(parts),
        calls=tuple([part.call for part in parts if part.call is not None]),
        answers=tuple([part.answer for part in parts if part.answer is not None]),
        signed=any(type(part.value) is dict and bool(part.value.get("signature")) for part in parts),
        value=value,
        spot=spot,
    )


def _type(value: dict[str, Any]) -> str | None:
    """The type of a step, "" where it is no text."""
    return text_or_none(value.get("type"))


def _speaker(value: Any) -> Speaker:
    if type(value) is str:
        return "user"
    kind = value.get("type") if type(value) is dict else None
    if type(kind) is not str:
        role = value.get("role") if type(value) is dict else None
        return SPEAKERS.get(role, "") if type(role) is str else ""
    return SAYS.get(kind, "model" if kind.endswith(("_call", "_result")) else "")


def _parts(value: Any, spot: Spot) -> Iterator[Part]:
    if type(value) is str:
        yield Part(keys=("text",), data=("text",), value={"text": value}, spot=spot)
    elif type(value) is dict and ("content" in value and (_type(value) in HOLDERS or "type" not in value)):
        yield from _blocks(value["content"], spot.to("content"))
    elif type(value) is dict and _type(value) not in HOLDERS:
        yield _block(value, spot)


def _blocks(content: Any, spot: Spot) -> Iterator[Part]:
    if type(content) is not list:
        yield from _parts(content, spot)
        return
    for n, block in enumerate(content):
        if type(block) is dict:
            yield _block(block, spot.to(n))


def _block(value: dict[str, Any], spot: Spot) -> Part:
    kind, keys = value.get("type"), keys_of(value)
    if kind == "function_call":
        call, strange = _call(value, keys, spot), _strange(value)
        return Part(keys=keys, data=("functionCall",), value=value, call=call, spot=spot, strange=strange)
    if kind == "function_result":
        answer, strange = _answer(value, keys, spot), _strange(value)
        return Part(keys=keys, data=("functionResponse",), value=value, answer=answer, spot=spot, strange=strange)
    text = type(value.get("text")) is str and kind in ("text", None)
    return Part(keys=keys, data=("text",) if text else (str(kind)[:60],), value=value, spot=spot)


def _strange(value: dict[str, Any]) -> tuple[str, ...]:
    return tuple([key for key, told in value.items() if told is not None and camel(key) in STRANGE[value["type"]]])


def _call(value: dict[str, Any], keys: tuple[str, ...], spot: Spot) -> Call:
    return Call(
        id=text_or_none(value.get("id")),
        name=text_or_none(value.get("name")),
        args=value.get("arguments"),
        signed=bool(value.get("signature")),
        keys=keys,
        value=value,
        spot=spot,
    )


def _answer(value: dict[str, Any], keys: tuple[str, ...], spot: Spot) -> Answer:
    return Answer(
        id=text_or_none(value.get("call_id")),
        name=text_or_none(value.get("name")),
        response=value.get("result"),
        keys=keys,
        value=value,
        spot=spot,
    )
