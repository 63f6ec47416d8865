"""Contents and replies with the wording left out: where two are equal here, rules see no difference between them.

What is written is only said to be there. These types check nothing: the same bytes are read as what is usual, too.
"""

import re
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

Name = Annotated[str, Meta(max_length=128)]  # forms are remembered: a name without end is not usual


class Some:
    """Whatever is written there."""


SOME = Some()


class Blank(Struct, frozen=True, gc=False, rename="camel"):
    """A JSON object, but for these keys."""


class Call(Blank, frozen=True, gc=False, rename="camel"):
    name: Name
    args: Blank | None = None
    id: Some | None = None


class Answer(Blank, frozen=True, gc=False, rename="camel"):
    name: Name
    id: Some | None = None


class Blob(Blank, frozen=True, gc=False, rename="camel"):
    mime_type: Name
    empty: bool = False


class Part(Blank, frozen=True, gc=False, rename="camel"):
    text: Some | None = None
    empty: bool = False  # the text
    function_call: Call | None = None
    function_response: Answer | None = None
    inline_data: Blob | None = None
    thought: bool = False
    thought_signature: Some | None = None


class Content(Blank, frozen=True, gc=False, rename="camel"):
    parts: tuple[Part, ...]
    role: Name | None = None


class Candidate(Blank, frozen=True, gc=False, rename="camel"):
    content: Content | None = None
    index: int = 0
    finish_reason: Name = ""
    finish_message: Some | None = None
    safety_ratings: tuple[Blank, ...] = ()


class Chunk(Blank, frozen=True, gc=False, rename="camel"):
    candidates: tuple[Candidate, ...]
    usage_metadata: Blank | None = None
    model_version: Some | None = None
    response_id: Some | None = None


Contents = tuple[Content, ...]
Chunks = tuple[Chunk, ...]

# What is empty has to show: a text or data is said to be, anything else is left out. Within a text the quotes of these
# keys would be escaped.
NOTHING = b'""'
_EMPTY = re.compile(rb'"(?:(text|data)|(thoughtSignature|finishMessage|modelVersion|responseId))"\s*:\s*""')
_left_out: dict[Any, Any] = {Some: SOME}
_leave_out: Callable[[type, Any], Any] = _left_out.get
_contents = msgspec.json.Decoder(Contents, dec_hook=_leave_out).decode
_content = msgspec.json.Decoder(Content, dec_hook=_leave_out).decode
_chunk = msgspec.json.Decoder(Chunk, dec_hook=_leave_out).decode


def contents(raw: bytes) -> Contents:
    return _contents(_shown(raw))


def content(raw: bytes) -> Content:
    return _content(_shown(raw))


def chunk(raw: bytes) -> Chunk:
    return _chunk(_shown(raw))


def weight(contents: Contents) -> int:
    """How many contents and parts these are."""
    return len(contents) + sum([len(content.parts) for content in contents])


def weight_of_chunks(chunks: Chunks) -> int:
    """The same of a reply."""
    candidates = [candidate for chunk in chunks for candidate in chunk.candidates]
    said = tuple([one.content for one in candidates if one.content is not None])
    return len(chunks) + weight(said) + sum([len(one.safety_ratings) for one in candidates])


def _shown(raw: bytes) -> bytes:
    return _EMPTY.sub(_show, raw) if NOTHING in raw else raw


def _show(empty: re.Match[bytes]) -> bytes:
    return b'"empty":true' if empty[1] else b'"%b":null' % empty[2]
