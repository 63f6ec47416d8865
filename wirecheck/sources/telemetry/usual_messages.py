"""Messages as most are, decoded strictly: those of OpenTelemetry, of OpenAI, and contents of the Gemini API. What is
none of these is left to told_messages.py."""

from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec
from msgspec import Raw, Struct

from wirecheck.hashing import text_digest
from wirecheck.sources.agents.gathered import Steps
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.telemetry.attributes import ABSENT
from wirecheck.sources.telemetry.typed_messages import (
    ELIDED,
    ROLES,
    SIGNS,
    CalledNames,
    ReadMessage,
    ToldMessage,
    known_by,
    typed_message,
)
from wirecheck.wire.records import Body, Site

_encode, _raw = msgspec.json.encode, msgspec.json.Decoder(Raw).decode
Form = Callable[[bytes, CalledNames], ReadMessage | None]


class OpenAIFunction(Struct):
    name: str
    arguments: str


class OpenAICall(Struct):
    function: OpenAIFunction
    id: str
    tool_call: Raw = ABSENT


class OpenAIMessage(Struct):
    """The last eight are of messages that are written in another way."""

    role: str
    content: str | None = None
    tool_calls: list[OpenAICall] | None = None
    tool_call_id: str | None = None
    name: str | None = None
    parts: Raw = ABSENT
    message: Raw = ABSENT
    contents: Raw = ABSENT
    text: Raw = ABSENT
    toolCalls: Raw = ABSENT
    toolCallId: Raw = ABSENT
    function_call: Raw = ABSENT
    additional_kwargs: Raw = ABSENT


class GeminiCall(Struct):
    id: str | None = None
    name: str | None = None
    args: Raw = Raw(b"")


class GeminiResponse(Struct):
    id: str | None = None


class GeminiPart(Struct):
    type: Raw = ABSENT
    builtin: Raw = ABSENT
    functionCall: GeminiCall | None = None
    function_call: GeminiCall | None = None
    functionResponse: GeminiResponse | None = None
    function_response: GeminiResponse | None = None


class GeminiContent(Struct):
    parts: Raw
    role: str = ""
    message: Raw = ABSENT
    content: Raw = ABSENT


_openai = msgspec.json.Decoder(OpenAIMessage).decode
_content, _parts = msgspec.json.Decoder(GeminiContent).decode, msgspec.json.Decoder(list[GeminiPart]).decode


def usual_messages(values: list[tuple[str, JsonNode]], one: bool) -> list[ToldMessage] | None:
    """The same as told_messages.py makes of them. None where they are not like most."""
    if one and len(values) > 1:
        return None
    names, told, responded = CalledNames(), list[ToldMessage](), False
    form: Form = typed_message
    for role, node in values:
        if not node.verbatim:
            return None
        form, message = _read(node.raw, names, form)
        if message is None or (responded and message.responses):
            return None  # responses that follow one another are one content
        responded = message.responses == message.parts
        speaker = ROLES.get((message.role or role).lower(), "user")
        site, places = node.site, message.places(node.site)
        site = Site(site.origin, site.pointer, site.inner, site.event, site.inner_pointer, places)
        body = Body(b'{"role":"%b","parts":%b}' % (speaker.encode(), message.written), site)
        told.append(ToldMessage(speaker, body, message.calls, message.answers, message.names))
    return told


def _read(raw: bytes, names: CalledNames, form: Form) -> tuple[Form, ReadMessage | None]:
    """The message, in whichever form: first in that of the one before. None where it is in none of them."""
    for read in (form, *FORMS):
        try:
            if (message := read(raw, names)) is not None:
                return read, message
        except (msgspec.DecodeError, RecursionError):
            continue
    return form, None


def _openai_message(raw: bytes, names: CalledNames) -> ReadMessage | None:
    message = _openai(raw)
    content, calls = message.content or "", message.tool_calls or ()
    if (
        any(each is not ABSENT for each in (message.parts, message.message, message.contents, message.text))
        or any(each is not ABSENT for each in (message.toolCalls, message.toolCallId, message.function_call))
        or message.additional_kwargs is not ABSENT
        or _may_be_structured(content)
    ):
        return None
    if message.tool_call_id:
        return _openai_response(message, message.tool_call_id, names)
    if message.role.lower() in ("tool", "function") or (content in ELIDED and not calls):
        return None
    written = [] if content in ELIDED else [b'{"text":%b}' % _encode(content)]
    keys, has_ids, texts = list[int](), list[bool](), len(written)
    for call in calls:
        name, given = call.function.name, call.function.arguments
        if not name or not call.id or call.tool_call is not ABSENT or not given.lstrip().startswith("{"):
            return None
        args = given.encode().strip()
        _raw(args)
        id = names.called(call.id, name)
        keys.append(known_by(id, name, args))
        has_ids.append(bool(id))
        known = b'"id":%b,' % _encode(id) if id else b""
        written.append(b'{"functionCall":{%b"name":%b,"args":%b}}' % (known, _encode(name), args))
    return ReadMessage(
        role=message.role,
        written=b"[%b]" % b",".join(written),
        parts=len(written),
        calls=tuple(keys),
        names=tuple([call.function.name for call in calls]),
        places=lambda site: _openai_places(texts, tuple(has_ids), site.inner),
    )


def _may_be_structured(content: str) -> bool:
    """Whether it may hold blocks or a content, also as a text in a text."""
    begins = content.lstrip()[:1]
    return begins == '"' or (begins in SIGNS and SIGNS[begins] in content)


def _openai_response(message: OpenAIMessage, told: str, names: CalledNames) -> ReadMessage | None:
    own = message.name or ""
    id, name = names.responded(told, own)
    halves = [b'"%b":%b,' % (key, _encode(each)) for key, each in ((b"id", id), (b"name", name)) if each]
    output = _encode(message.content)
    places: dict[Steps, str] = {("parts", 0): ""}
    if id:
        places["parts", 0, "functionResponse", "id"] = "/tool_call_id/"
    if name:
        places["parts", 0, "functionResponse", "name"] = "/name/" if name == own else "/tool_call_id/"
    return ReadMessage(
        role=message.role,
        written=b'[{"functionResponse":{%b"response":{"output":%b}}}]' % (b"".join(halves), output),
        parts=1,
        responses=1,
        answers=(text_digest(id),) if id else (),
        places=lambda _: places,
    )


@lru_cache(maxsize=1024)
def _openai_places(texts: int, has_ids: tuple[bool, ...], inner: bool) -> Mapping[Steps, str]:
    """Arguments are a text: a place leads into them only where all of it is one."""
    places: dict[Steps, str] = {("parts", n): "/content" for n in range(texts)}
    for n, has_id in enumerate(has_ids):
        part, at = texts + n, f"/tool_calls/{n}"
        places["parts", part] = at
        if has_id:
            places["parts", part, "functionCall", "id"] = f"{at}/id/"
        places["parts", part, "functionCall", "name"] = f"{at}/function/name/"
        places["parts", part, "functionCall", "args"] = f"{at}/function/arguments{'/' * inner}"
    return places


def _gemini_content(raw: bytes, names: CalledNames) -> ReadMessage | None:
    content = _content(raw)
    parts = _parts(content.parts)
    if not parts or content.message is not ABSENT or content.content is not ABSENT:
        return None
    calls, called, answers, responses = list[int](), list[str](), list[int](), 0
    for part in parts:
        if part.type is not ABSENT or part.builtin is not ABSENT:
            return None
        if (call := part.functionCall or part.function_call) is not None:
            name = call.name or ""
            calls.append(known_by(names.called(call.id or "", name), name, bytes(call.args)))
            called += [name] * bool(name)
        elif (response := part.functionResponse or part.function_response) is not None:
            responses += 1
            answers += [text_digest(response.id)] if response.id else []
    size = len(parts)
    return ReadMessage(
        role=content.role,
        written=bytes(content.parts),
        parts=size,
        responses=responses,
        calls=tuple(calls),
        answers=tuple(answers),
        names=tuple(called),
        places=lambda _: _gemini_places(size),
    )


@lru_cache(maxsize=256)
def _gemini_places(size: int) -> Mapping[Steps, str]:
    return {("parts", n): f"/parts/{n}/" for n in range(size)}


FORMS: tuple[Callable[[bytes, CalledNames], ReadMessage | None], ...] = (
    _openai_message,
    _gemini_content,
    typed_message,
)
