"""Conversations an application wrote down itself: OpenAI-style messages, scratchpads, and every mixture of the two.

One file may mix several dialects: `tool_calls`, Gemini `parts`, Anthropic-style blocks. Each message becomes a Content.
Internal roles (`assistant`, `tool`, `system`) are legal here.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from wirecheck.dialects.address import Address
from wirecheck.dialects.choices import Choices
from wirecheck.dialects.content import read_answer, read_call, read_content, shape_of, speaker_of
from wirecheck.dialects.generate import error_text
from wirecheck.dialects.messages import (
    Answer,
    Call,
    Candidate,
    Chunk,
    Content,
    Message,
    Part,
    Recited,
    Said,
    Seen,
    Spot,
    Status,
    Unreadable,
)
from wirecheck.dialects.provenance import hangup, seen_of
from wirecheck.dialects.raw_json import OK, Undecodable, decode, members, replied, sliced, why_not
from wirecheck.dialects.vocabulary.field_names import camel, get, keys_of, text_or_none, written
from wirecheck.wire.records import Closed, Frame, Opened, Record, Replied

CALLS = ("tool_use", "tool_call", "tool-call")  # types of blocks
RESULTS = ("tool_result", "tool_call_response", "tool-result", "tool-error")
RECITALS = frozenset(("messages", "chatMessages", "contents"))  # keys that hold a whole conversation


class Chat:
    """One transcript, or one exchange with an OpenAI-compatible endpoint. Their messages look the same."""

    def __init__(self, where: Address, whole: bool) -> None:
        self.protocol = "chat" if where.protocol == "chat" else "transcript"
        self._where = where
        self._whole = whole and self.protocol == "chat"
        self._choices = Choices(read_message)
        self._status = OK

    def read(self, record: Record) -> Iterator[Message]:
        if isinstance(record, Opened):
            if record.body is not None:
                yield self._messages(seen_of(record), record.body.payload, Spot(record.body.site))
        elif isinstance(record, Frame):
            yield from self._frame(record)
        elif isinstance(record, Replied):
            self._status = record.status
            yield Status(seen=seen_of(record), code=record.status)
        elif isinstance(record, Closed):
            if rest := tuple(self._choices.rest()):
                yield self._chunk(seen_of(record), {}, rest[0].spot, rest)
            yield hangup(record)

    def _messages(self, seen: Seen, raw: bytes | Raw, spot: Spot) -> Recited | Unreadable:
        """What recites a conversation, if its messages can be read."""
        try:
            return self._recited(seen, raw, spot)
        except Undecodable as error:
            return Unreadable(seen=seen, kind="unreadable", why=f"the messages are {why_not(error)}", spot=spot)

    def _recited(self, seen: Seen, raw: bytes | Raw, spot: Spot) -> Recited:
        listed = bytes(memoryview(raw)[:1]) == b"["
        keys = {} if listed else members(raw)
        name = next((key for key in keys if recites((camel(key),))), "messages")
        slices = sliced(raw if listed else keys.pop(name, Raw(b"[]")))
        at = spot if listed else spot.to(name)

        def read(n: int) -> Content:
            return read_message(decode(slices[n]), at.to(n))

        return Recited(
            seen=seen,
            protocol=self.protocol,
            surface=self._where.surface,
            version=self._where.version,
            model=_model(keys) or self._where.model,
            whole=self._whole,
            container="messages",
            around={key: bytes(value) for key, value in keys.items()},
            slices=slices,
            at=at.to,
            read=read,
            spot=spot,
        )

    def _frame(self, record: Frame) -> Iterator[Message]:
        seen, spot = seen_of(record), Spot(record.body.site)
        value, why = replied(record.body, self._status)
        if why is not None:
            yield Unreadable(seen=seen, kind="unreadable", why=f"the message is {why}", spot=spot)
        elif self.protocol == "chat":
            first = value[0] if type(value) is list and value else value
            yield self._chunk(seen, first, spot, tuple(self._choices.candidates(first, spot)))
        elif recites(keys_of(value) if type(value) is dict else ()):
            body = record.body.payload
            yield self._messages(seen, body.strip() if isinstance(body, bytes) else body, spot)
        else:
            yield Said(seen=seen, contents=(read_message(value, spot),), spot=spot)

    def _chunk(self, seen: Seen, value: Any, spot: Spot, candidates: tuple[Candidate, ...]) -> Chunk:
        return Chunk(
            seen=seen,
            protocol=self.protocol,
            surface=self._where.surface,
            candidates=candidates,
            model_version=text_or_none(value.get("model")) if type(value) is dict else None,
            error=error_text(value),
            streamed=spot.site.event is not None,
            keys=keys_of(value) if type(value) is dict else (),
            value=value,
            spot=spot,
        )


def recites(keys: Iterable[str]) -> bool:
    """Whether an object with these keys holds a whole conversation."""
    return not RECITALS.isdisjoint(keys)


def _model(keys: dict[str, Raw]) -> str | None:
    """The model named in a body or a scratchpad."""
    if "model" in keys:
        return text_or_none(decode(keys["model"]))
    about = decode(keys["identity_info"]) if "identity_info" in keys else None
    return text_or_none(about.get("model")) if type(about) is dict else None


def read_message(value: Any, spot: Spot) -> Content:
    """Reads one message, in any of the dialects."""
    if type(value) is not dict or "parts" in value:
        content = read_content(value, "messages", spot)
        return content if type(value) is not dict else _with_tool_calls(content, value, spot)
    parts = list(_parts(value, spot))
    calls = tuple(part.call for part in parts if part.call is not None)
    answers = tuple(part.answer for part in parts if part.answer is not None)
    role = value.get("role")
    return Content(
        role=role,
        speaker=speaker_of(role, "messages", calls, answers),
        container="messages",
        shape=shape_of(value.get("content")) if "content" in value else "missing",
        keys=keys_of(value),
        parts=tuple(parts),
        calls=calls,
        answers=answers,
        signed=any(call.signed for call in calls) or _is_signed(value),
        value=value,
        spot=spot,
    )


def _with_tool_calls(content: Content, value: dict[str, Any], spot: Spot) -> Content:
    """Adds the `tool_calls` of a message with Gemini parts. They may repeat calls of the parts, with ids."""
    calls = list(content.calls)
    for told in (part.call for part in _tool_calls(value, spot)):
        if told is None:
            continue
        same = next((n for n, call in enumerate(calls) if call.name == told.name and call.id in (None, told.id)), None)
        if same is None:
            calls.append(told)
        elif calls[same].id is None:
            calls[same] = replace(calls[same], id=told.id)
    return content.replace(calls=tuple(calls))


def _parts(value: dict[str, Any], spot: Spot) -> Iterator[Part]:
    content, at = value.get("content"), spot.to("content")
    if value.get("role") in ("tool", "function") and "functionResponse" not in keys_of(value) and not _holds(content):
        yield _tool_result(value, spot)
        return
    if type(content) is str and content:
        yield Part(keys=("text",), data=("text",), value={"text": content}, spot=at)
    elif type(content) is list:
        yield from (_block(block, at.to(n)) for n, block in enumerate(content) if type(block) is dict)
    yield from _tool_calls(value, spot)
    if type(call := value.get("function_call")) is dict:  # the form that tool_calls replaced
        yield _called(call, None, spot.to("function_call"))
    if (answer := get(value, "functionResponse")) is not None:
        at = spot.to(written(value, "functionResponse"))
        yield Part(keys=("functionResponse",), data=("functionResponse",), answer=read_answer(answer, at), spot=at)


def _holds(content: Any) -> bool:
    """Whether a content is a list with results as Vercel's AI SDK writes them: each with its own id."""
    return type(content) is list and any(type(block) is dict and "toolCallId" in block for block in content)


def _tool_calls(value: dict[str, Any], spot: Spot) -> Iterator[Part]:
    name = written(value, "toolCalls")
    calls = value.get(name)
    for n, call in enumerate(calls if type(calls) is list else ()):
        if type(call) is dict:
            inner = call.get("function")
            held = inner if type(inner) is dict else call
            yield _called(
                held, call.get("id"), spot.to(name, n), signed=_is_signed(call) or (n == 0 and _is_signed(value))
            )


def _is_signed(value: dict[str, Any]) -> bool:
    """Whether a message or a call has a thought signature, which Google's endpoint puts into `extra_content`."""
    extra = value.get("extra_content")
    kept = extra.values() if type(extra) is dict else ()  # google, vertex
    return any(type(one) is dict and bool(one.get("thought_signature")) for one in (value, *kept))


def _called(value: dict[str, Any], call_id: Any, spot: Spot, *, signed: bool = False) -> Part:
    args = value.get("args", value.get("arguments", value.get("input")))
    call = Call(
        id=text_or_none(call_id) or text_or_none(value.get("id")),
        name=text_or_none(value.get("name")) or text_or_none(value.get("toolName")),
        args=_json_text(args),
        signed=signed,
        keys=keys_of(value),
        value=value,
        spot=spot,
    )
    return Part(keys=("functionCall",), data=("functionCall",), value=value, call=call, spot=spot)


def _json_text(args: Any) -> Any:
    """Decodes JSON text, as OpenAI writes arguments."""
    if type(args) is not str:
        return args
    try:
        return decode(args.encode())
    except (*Undecodable, UnicodeEncodeError):
        return args


def _tool_result(value: dict[str, Any], spot: Spot) -> Part:
    """Reads the result of a tool, from a message or a block."""
    own = ("id",) if value.get("type") == "tool_call_response" else ()  # elsewhere `id` is the id of the message
    ids = (value.get(key) for key in ("tool_call_id", "toolCallId", "tool_use_id", *own))
    answer = Answer(
        id=next((one for one in ids if type(one) is str), None),
        name=text_or_none(value.get("name")) or text_or_none(value.get("toolName")),
        response={"content": value.get("content", value.get("response", value.get("output")))},
        keys=keys_of(value),
        value=value,
        spot=spot,
    )
    return Part(keys=("functionResponse",), data=("functionResponse",), value=value, answer=answer, spot=spot)


def _block(block: dict[str, Any], spot: Spot) -> Part:
    """Reads one block of a content list: a tool call, a tool result, or text."""
    keys, kind = keys_of(block), block.get("type")
    if block.get("providerExecuted") is not True:  # else nobody else answers
        if kind in CALLS:
            return _called(block, block.get("toolCallId"), spot)
        if kind in RESULTS:
            return _tool_result(block, spot)
    if "functionCall" in keys:
        call = read_call(block, spot, "functionCall")
        return Part(keys=keys, data=("functionCall",), value=block, call=call, spot=spot)
    if "functionResponse" in keys:
        answer = read_answer(block, spot, "functionResponse")
        return Part(keys=keys, data=("functionResponse",), value=block, answer=answer, spot=spot)
    return Part(keys=keys, data=("text",) if "text" in keys else (str(kind)[:60],), value=block, spot=spot)
