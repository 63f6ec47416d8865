"""Shapes as they are read: what stands in a line, but for its wording. Where two are equal, rules see no difference.

A number is the place of what is said among the values that came with the shape. Of ids the same have one place.
"""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

Nothing = Literal[""]
Place = int | Nothing  # of something that is said; or it is empty


class Blank(Struct, frozen=True, gc=False, rename="camel", forbid_unknown_fields=True):
    """A JSON object."""


class Empty(Blank, frozen=True, gc=False):
    pass


class Call(Blank, frozen=True, gc=False, rename="camel"):
    name: Place
    args: int | Empty | UnsetType = UNSET
    id: Place | None = None


class Answer(Blank, frozen=True, gc=False, rename="camel"):
    name: Place
    response: dict[str, int]
    id: Place | None = None

    @property
    def gives(self) -> tuple[bool, ...]:
        """Whether it holds anything, an output, an error."""
        return self.response != {}, "output" in self.response, "error" in self.response


class Blob(Blank, frozen=True, gc=False, rename="camel"):
    mime_type: str
    data: Place


class Part(Blank, frozen=True, gc=False, rename="camel"):
    text: Place | None = None
    function_call: Call | None = None
    function_response: Answer | None = None
    inline_data: Blob | None = None
    thought: bool = False
    thought_signature: Place = ""

    @property
    def signed(self) -> bool:
        return self.thought_signature != ""


class Content(Blank, frozen=True, gc=False, rename="camel"):
    parts: tuple[Part, ...]
    role: str | None = None


class Candidate(Blank, frozen=True, gc=False, rename="camel"):
    content: Content | None = None
    index: int = 0
    finish_reason: str = ""
    finish_message: Place = ""
    safety_ratings: tuple[dict[str, int], ...] = ()
    avg_logprobs: int = 0


class Usage(Blank, frozen=True, gc=False, rename="camel"):
    prompt_token_count: int
    total_token_count: int
    adds_up: bool = field(name="=")
    candidates_token_count: int = 0
    thoughts_token_count: int = 0
    tool_use_prompt_token_count: int = 0
    cached_content_token_count: int = 0
    prompt_tokens_details: tuple[dict[str, int], ...] = ()
    candidates_tokens_details: tuple[dict[str, int], ...] = ()
    cache_tokens_details: tuple[dict[str, int], ...] = ()
    traffic_type: Place = ""
    service_tier: Place = ""


class Chunk(Blank, frozen=True, gc=False, rename="camel"):
    candidates: tuple[Candidate, ...]
    usage_metadata: Usage | None = None
    model_version: Place = ""
    response_id: Place = ""
    create_time: Place = ""


Fixed = Literal[1]


class Body(Blank, frozen=True, gc=False, rename="camel"):
    contents: tuple[int]
    system_instruction: Content | None = None
    tools: int | None = None
    tool_config: Fixed | None = None
    generation_config: Fixed | None = None
    safety_settings: Fixed | None = None


class Request(Blank, frozen=True, gc=False, rename="camel"):
    method: Literal["POST"]
    url: Fixed
    body: Body | int
    headers: dict[str, int] | None = None


class Response(Blank, frozen=True, gc=False, rename="camel"):
    """Its body is a form; or several in a text, and whether that is a stream."""

    status: Literal[200]
    body: tuple[int | bool, ...]
    headers: Any = None


class Exchange(Blank, frozen=True, gc=False):
    request: Request
    response: Response


class Entry(Blank, frozen=True, gc=False, tag_field="kind", kw_only=True):
    """A line of wirecheck's own log."""

    v: Literal[1]
    channel: Place
    at: Literal[1] | None = None


class Opened(Entry, frozen=True, gc=False, tag="opened"):
    method: Literal["POST"]
    url: Fixed
    body: Body
    headers: dict[str, int] | None = None


class Replied(Entry, frozen=True, gc=False, tag="replied"):
    status: Literal[200]
    headers: dict[str, int] | None = None


class Frame(Entry, frozen=True, gc=False, tag="frame"):
    sender: Literal["server"] = field(name="from")
    data: tuple[int]


class Closed(Entry, frozen=True, gc=False, tag="closed"):
    pass


Contents = tuple[Content, ...]
Chunks = tuple[Chunk, ...]
exchange = msgspec.json.Decoder(Exchange).decode
body = msgspec.json.Decoder(Body).decode
opened = msgspec.json.Decoder(Opened).decode
answered = msgspec.json.Decoder(Replied | Frame | Closed).decode
content = msgspec.json.Decoder(Content).decode
chunk = msgspec.json.Decoder(Chunk).decode


def weight(contents: Contents) -> int:
    """How many contents and parts these are."""
    return len(contents) + sum([len(content.parts) for content in contents])


def weight_of_chunks(chunks: Chunks) -> int:
    """The same of a reply."""
    candidates = [candidate for chunk in chunks for candidate in chunk.candidates]
    said = tuple([one.content for one in candidates if one.content is not None])
    return len(chunks) + weight(said) + sum([len(one.safety_ratings) for one in candidates])


def said(content: Content, values: Sequence[Any]) -> dict[str, Any]:
    """The content as it was written."""
    told = {"role": content.role} if content.role is not None else {}
    return {**told, "parts": [_part(part, values) for part in content.parts]}


def _part(part: Part, values: Sequence[Any]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if part.text is not None:
        told["text"] = value(part.text, values)
    if (call := part.function_call) is not None:
        told["functionCall"] = {"name": value(call.name, values)} | (
            {} if call.id is None else {"id": value(call.id, values)}
        )
        if call.args is not UNSET:
            told["functionCall"]["args"] = args(call.args, values)
    if part.inline_data is not None:
        told["inlineData"] = {"mimeType": part.inline_data.mime_type, "data": _base64(part.inline_data.data, values)}
    if part.thought:
        told["thought"] = True
    if part.signed:
        told["thoughtSignature"] = _base64(part.thought_signature, values)
    return told


def value(place: Place, values: Sequence[Any]) -> Any:
    return values[place] if isinstance(place, int) else ""


def args(place: int | Empty | UnsetType, values: Sequence[Any]) -> dict[str, Any]:
    """Those of a call."""
    return msgspec.json.decode(values[place]) if isinstance(place, int) else {}


def _base64(place: Place, values: Sequence[Any]) -> str:
    return bytes(value(place, values)).decode() if place != "" else ""
