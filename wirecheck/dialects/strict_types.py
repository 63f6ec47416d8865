"""Strict msgspec types for regular traffic, generated from the field tables (vocabulary/field_tables.py).

What decodes here has no mistake of shape: no unknown key, no mix of spellings, no null, no value of another type, no
role but `user` and `model`. Anything else falls back to content.py, which reads it leniently into the same messages. So
a field that is missing here costs time and never a finding.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Raw, Struct, defstruct, field
from msgspec.json import Decoder

from wirecheck.dialects.vocabulary.field_tables import MESSAGES, NO_MIME, Table, table

ABSENT: Any = None  # default of optional fields; an explicit null does not decode
Name = Annotated[str, Meta(min_length=1)]
Read = Callable[[bytes | Raw], Any]
Usual = Mapping[str, Iterable[str]]

# The common fields of each message. Contents with others from the field tables fall back to content.py.
USUAL = {
    "content": ("role", "parts"),
    "part": ("text", "functionCall", "functionResponse", "inlineData", "fileData", "thought", "thoughtSignature"),
    "functionCall": ("name", "args", "id"),
    "functionResponse": ("name", "response", "id"),
    "inlineData": ("mimeType", "data"),
    "fileData": ("mimeType", "fileUri"),
}
# The type of a field by its kind in the field tables. Any other kind is a message, with `*` a list of messages.
KINDS: dict[str, Any] = {
    "text": str,
    "mime": Annotated[str, Meta(pattern=f"^(?!(?:{'|'.join(map(re.escape, sorted(NO_MIME)))})$)[^/]+/[^/]")],
    "bytes": Annotated[str, Meta(pattern="^(?![dD][aA][tT][aA]:)")],  # base64, and no data: URL
}
# Fields for which regular traffic is narrower than the tables.
STRICTER: dict[tuple[str, str], Any] = {
    ("content", "role"): Literal["user", "model"],
    ("part", "thought"): bool,
    ("part", "thoughtSignature"): Annotated[str, Meta(pattern=r"^[^{\[]")],
    ("functionCall", "name"): Name,
    ("functionCall", "id"): Name,
    ("functionCall", "args"): dict[str, Any],
    ("functionResponse", "name"): Name,
    ("functionResponse", "id"): Name,
    ("functionResponse", "response"): dict[str, Raw],
}
REQUIRED = {
    ("content", "role"),
    ("content", "parts"),
    ("functionCall", "name"),
    ("functionResponse", "name"),
    ("functionResponse", "response"),
}


class Readers(Struct, frozen=True, eq=False):
    """Decoders for a regular content of one surface and version, in camelCase and in snake_case. Both raise
    ValidationError for any other."""

    camel: Read
    snake: Read


@lru_cache(maxsize=256)
def readers(surface: str, version: str | None) -> Readers:
    tables = table(surface, version)
    return _readers(
        tuple([(message, tuple([name for name in USUAL[message] if name in tables[message]])) for message in USUAL])
    )


@lru_cache(maxsize=16)
def _readers(usual: tuple[tuple[str, tuple[str, ...]], ...]) -> Readers:
    """Few surfaces and versions differ in what is usual."""
    how = dict(usual), STRICTER, REQUIRED, MESSAGES
    return Readers(*[Decoder(message_type("content", *how, spelled)).decode for spelled in (str, snake)])


def message_type(
    message: str,
    usual: Usual,
    stricter: Mapping[tuple[str, str], Any],
    required: set[tuple[str, str]],
    tables: Table,
    spelled: Callable[[str], str] = str,
) -> type[Struct]:
    """The type of a message whose keys are spelled like this; its attributes have the names of the tables."""
    members = []
    for name in sorted(usual[message], key=lambda name: (message, name) not in required):
        default = {} if (message, name) in required else {"default": ABSENT}
        kind = stricter.get((message, name)) or _type(tables[message][name], usual, stricter, required, tables, spelled)
        members.append((name, kind, field(name=spelled(name), **default)))
    return defstruct(message, members, forbid_unknown_fields=True, gc=False)


def _type(kind: str, usual: Usual, *how: Any) -> Any:
    if kind in KINDS:
        return KINDS[kind]
    inner = message_type(kind.rstrip("*"), usual, *how)
    return Annotated[list[inner], Meta(min_length=1)] if kind.endswith("*") else inner  # type: ignore[valid-type]


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", name)


class Words(Struct, forbid_unknown_fields=True):
    text: Name


class Instruction(Struct, forbid_unknown_fields=True):
    """A system instruction with nothing but texts. Its role has no meaning."""

    parts: list[Words]
    role: str = ABSENT


instruction: Read = Decoder(Instruction).decode


# Replies. Their fields are not all published; these are the ones in recorded traffic.
# Any reason in words: which it is stands in the key of a reply.
Finish = Annotated[str, Meta(pattern="^(?!FINISH_REASON_UNSPECIFIED$)[A-Z]+(_[A-Z]+)*$")]


class Strict(Struct, forbid_unknown_fields=True, gc=False):
    """Base of the types of replies: unknown fields do not decode."""


class CallSaid(Strict):
    name: Name
    args: dict[str, Any] = ABSENT
    id: Name = ABSENT


class MediaSaid(Strict):
    data: str
    mimeType: str = ABSENT


class PartSaid(Strict):
    text: str = ABSENT
    functionCall: CallSaid = ABSENT
    inlineData: MediaSaid = ABSENT
    thought: bool = ABSENT
    thoughtSignature: Name = ABSENT
    # A reply has none of these, but code that reads parts asks for them.
    functionResponse: ClassVar[Any] = None
    fileData: ClassVar[Any] = None


class ContentSaid(Strict):
    parts: list[PartSaid] = ABSENT
    role: Literal["model"] = ABSENT


class CandidateSaid(Strict):
    content: ContentSaid = ABSENT
    finishReason: Finish = ABSENT
    index: int = ABSENT
    finishMessage: str = ABSENT
    safetyRatings: Raw = ABSENT
    avgLogprobs: float = ABSENT
    tokenCount: int = ABSENT
    groundingMetadata: Raw = ABSENT
    citationMetadata: Raw = ABSENT
    urlContextMetadata: Raw = ABSENT
    logprobsResult: Raw = ABSENT
    score: float = ABSENT


class Usage(Struct, gc=False):
    """The counts that make up the total. No rule reads others, so unknown fields are ignored."""

    promptTokenCount: int = ABSENT
    candidatesTokenCount: int = ABSENT
    thoughtsTokenCount: int = ABSENT
    toolUsePromptTokenCount: int = ABSENT
    totalTokenCount: int = ABSENT


class Feedback(Strict):
    """Feedback on a prompt that was not blocked."""

    safetyRatings: Raw = ABSENT


class ChunkSaid(Strict):
    candidates: Annotated[list[CandidateSaid], Meta(min_length=1, max_length=1)]
    usageMetadata: Usage = ABSENT
    modelVersion: str = ABSENT
    responseId: str = ABSENT
    createTime: str = ABSENT
    turnToken: str = ABSENT
    automaticFunctionCallingHistory: Raw = ABSENT
    promptFeedback: Feedback = ABSENT


REPLY_FIELDS = frozenset(CandidateSaid.__struct_fields__)


class Wrapped(Struct, gc=False):
    """A reply as Code Assist wraps it."""

    response: ChunkSaid


_chunk: Callable[[bytes | Raw], ChunkSaid] = Decoder(ChunkSaid).decode
_wrapped: Callable[[bytes | Raw], Wrapped] = Decoder(Wrapped).decode


def chunk(raw: bytes | Raw) -> tuple[ChunkSaid, tuple[str, ...]]:
    """A chunk of a reply, and the steps to it. Raises ValidationError where it is not regular."""
    try:
        return _chunk(raw), ()
    except ValueError:
        return _wrapped(raw).response, ("response",)
