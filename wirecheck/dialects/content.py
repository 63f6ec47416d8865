"""Reads a Gemini content (role and parts) leniently into a Content: of HTTP requests, replies and Live turns.

Anything written in place of a content becomes a Content too; what is wrong with it is for rules to say. This is the
fallback of regular_content.py.
"""

from typing import Any

from msgspec.structs import replace

from wirecheck.dialects.messages import Answer, Call, Container, Content, Part, Speaker, Spot, Step
from wirecheck.dialects.vocabulary.field_names import get, id_or_none, keys_of, text_or_none, told_keys, written

# The members of the `data` oneof of a part.
DATA = frozenset(
    (
        "text",
        "inlineData",
        "fileData",
        "functionCall",
        "functionResponse",
        "executableCode",
        "codeExecutionResult",
        "toolCall",
        "toolResponse",
    )
)
SPEAKERS: dict[str, Speaker] = {
    "user": "user",
    "function": "user",
    "tool": "user",
    "model": "model",
    "assistant": "model",
    "system": "system",
    "developer": "system",
}
# Keys of a content that hold a call or response in other protocols, or by mistake.
BESIDE = frozenset(("functionCall", "functionResponse", "toolCalls", "toolCallId"))
SHAPES: dict[type, str] = {list: "list", dict: "object", str: "string", type(None): "null"}


def shape_of(value: Any) -> str:
    return SHAPES.get(type(value), "other")


def read_content(value: Any, container: Container, spot: Spot) -> Content:
    """Reads one content."""
    if type(value) is not dict:
        return _no_content(value, container, spot)
    keys = keys_of(value)
    written_parts, shape, at = _parts(value, keys, spot)
    parts = tuple([read_part(part, at.to(n) if shape != "object" else at) for n, part in enumerate(written_parts)])
    calls = tuple([part.call for part in parts if part.call is not None])
    answers = tuple([part.answer for part in parts if part.answer is not None])
    role = value.get("role")
    if shape == "missing" or (container != "messages" and not BESIDE.isdisjoint(keys)):
        more_calls, more_answers = _beside_parts(value, keys, spot)
        calls, answers = calls + more_calls, answers + more_answers
        shape = "response" if shape == "missing" and "functionResponse" in keys and role is None else shape
    return Content(
        role=role,
        speaker=speaker_of(role, container, calls, answers),
        container=container,
        shape=shape,
        keys=keys,
        parts=parts,
        calls=calls,
        answers=answers,
        value=value,
        spot=spot,
    )


def _no_content(value: Any, container: Container, spot: Spot) -> Content:
    """A Content for something else in its place. A list of bare function responses still counts as answers."""
    items = value if type(value) is list else []
    bare = [(n, item) for n, item in enumerate(items) if type(item) is dict and "functionResponse" in keys_of(item)]
    answers = tuple(read_answer(item, spot.to(n), "functionResponse") for n, item in bare)
    return Content(
        role=None,
        speaker="user" if answers else "",
        container=container,
        shape="response" if answers else "none",
        answers=answers,
        value=value,
        spot=spot,
    )


def _beside_parts(
    value: dict[str, Any], keys: tuple[str, ...], spot: Spot
) -> tuple[tuple[Call, ...], tuple[Answer, ...]]:
    """Calls and responses outside the parts: bare ones, and those of other protocols."""
    calls = [read_call(value, spot, "functionCall")] if "functionCall" in keys else []
    others = get(value, "toolCalls") if "toolCalls" in keys else None
    for n, other in enumerate(others if type(others) is list else []):
        inner = other.get("function") if type(other) is dict else None
        call = read_call(inner if type(inner) is dict else other, spot.to(written(value, "toolCalls"), n))
        calls.append(replace(call, id=call.id or text_or_none(other.get("id"))) if type(other) is dict else call)
    answers = [read_answer(value, spot, "functionResponse")] if "functionResponse" in keys else []
    if "toolCallId" in keys:
        response = {"content": value.get("content")}
        answers.append(Answer(id=text_or_none(get(value, "toolCallId")), name=None, response=response, spot=spot))
    return tuple(calls), tuple(answers)


def _parts(value: dict[str, Any], keys: tuple[str, ...], spot: Spot) -> tuple[list[Any], str, Spot]:
    if "parts" not in keys:
        return [], "missing", spot
    parts = value["parts"]
    shape = shape_of(parts)
    at = Spot(spot.site, (*spot.steps, "parts"))
    if shape == "list":
        return parts, shape, at
    return ([parts] if shape == "object" else []), shape, at


def speaker_of(role: Any, container: Container, calls: tuple[Call, ...], answers: tuple[Answer, ...]) -> Speaker:
    """Who speaks: by the role, else by the container and by what is in the content."""
    known = SPEAKERS.get(role) if type(role) is str else None
    if known is not None:
        return known
    if container == "candidates" or calls:
        return "model"
    if answers or role in (None, ""):
        return "user"
    return SPEAKERS.get(role.lower(), "") if type(role) is str else ""


def read_part(value: Any, spot: Spot) -> Part:
    if type(value) is not dict:
        return Part(value=value, spot=spot)
    keys = told_keys(value)
    data = tuple([key for key in keys if key in DATA])
    if len(data) > 1:  # one field may be present in both spellings
        data = tuple(dict.fromkeys(data))
    call = answer = None
    if "functionCall" in data:
        call = read_call(
            value, spot, "functionCall", signed="thoughtSignature" in keys and bool(get(value, "thoughtSignature"))
        )
    if "functionResponse" in data:
        answer = read_answer(value, spot, "functionResponse")
    return Part(keys=keys, data=data, value=value, call=call, answer=answer, spot=spot)


def read_call(holder: Any, spot: Spot, member: str = "", *, signed: bool = False) -> Call:
    """Reads the call in `holder[member]`, or without `member` the call that `holder` is."""
    value, steps = _member(holder, member)
    if type(value) is not dict:
        return Call(id=None, name=None, value=value, spot=spot, member=steps)
    return Call(
        id=id_or_none(value.get("id")),
        name=text_or_none(value.get("name")),
        args=value.get("args"),
        signed=signed,
        keys=told_keys(value),
        value=value,
        spot=spot,
        member=steps,
    )


def read_answer(holder: Any, spot: Spot, member: str = "") -> Answer:
    """Reads the response in `holder[member]`, or without `member` the response that `holder` is."""
    value, steps = _member(holder, member)
    if type(value) is not dict:
        return Answer(id=None, name=None, value=value, spot=spot, member=steps)
    return Answer(
        id=id_or_none(value.get("id")),
        name=text_or_none(value.get("name")),
        response=value.get("response"),
        keys=told_keys(value),
        value=value,
        spot=spot,
        member=steps,
    )


def _member(holder: Any, member: str) -> tuple[Any, tuple[Step, ...]]:
    if not member:
        return holder, ()
    name = written(holder, member)
    return holder[name], (name,)
