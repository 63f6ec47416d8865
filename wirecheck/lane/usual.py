"""Exchanges as they usually are: types that leave no key and no kind of value open.

What does not fit, and be it one key more, is not usual and is read the long way. So nothing is overlooked here.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

NOTHING = Raw(b"")
Url = Annotated[str, Meta(max_length=2048)]


class Usual(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A JSON object that has these keys and no other."""


class Call(Usual, gc=False):
    name: str
    args: dict[str, Any] | UnsetType = UNSET
    id: str | None = None


class Answer(Usual, gc=False):
    name: str
    response: dict[str, Raw]
    id: str | None = None


class Blob(Usual, gc=False):
    mime: str = msgspec.field(name="mimeType")
    data: bytes


class Part(Usual, gc=False):
    text: str | None = None
    call: Call | None = msgspec.field(name="functionCall", default=None)
    answer: Answer | None = msgspec.field(name="functionResponse", default=None)
    blob: Blob | None = msgspec.field(name="inlineData", default=None)
    thought: bool = False
    signature: bytes = msgspec.field(name="thoughtSignature", default=b"")  # base64, or it is not usual


class Content(Usual, gc=False):
    parts: list[Part]
    role: str | None = None


class Candidate(Usual, gc=False):
    content: Content | None = None
    finish: str = msgspec.field(name="finishReason", default="")
    index: int = 0
    message: str = msgspec.field(name="finishMessage", default="")
    safety: list[dict[str, Any]] = msgspec.field(name="safetyRatings", default_factory=list)
    likelihood: float = msgspec.field(name="avgLogprobs", default=0.0)


class Usage(Usual, gc=False, rename="camel"):
    prompt_token_count: int
    total_token_count: int
    candidates_token_count: int = 0
    thoughts_token_count: int = 0
    tool_use_prompt_token_count: int = 0
    cached_content_token_count: int = 0
    prompt_tokens_details: list[dict[str, Any]] = []
    candidates_tokens_details: list[dict[str, Any]] = []
    cache_tokens_details: list[dict[str, Any]] = []
    traffic_type: str = ""
    service_tier: str = ""

    @property
    def adds_up(self) -> bool:
        counts = self.prompt_token_count + self.candidates_token_count + self.thoughts_token_count
        return counts + self.tool_use_prompt_token_count == self.total_token_count


class Chunk(Usual, gc=False, rename="camel"):
    candidates: list[Candidate]
    usage_metadata: Usage | None = None
    model_version: str = ""
    response_id: str = ""
    create_time: str = ""


class Tool(Usual, gc=False):
    functions: list[Raw] = msgspec.field(name="functionDeclarations")


class Body(Usual, gc=False, rename="camel"):
    """A request."""

    contents: Raw
    system_instruction: Raw = NOTHING
    tools: Raw = NOTHING
    tool_config: Raw = NOTHING
    generation_config: Raw = NOTHING
    safety_settings: Raw = NOTHING


class Request(Usual, gc=False):
    method: str
    url: Url
    body: Body | str  # or a text of JSON
    headers: Raw = NOTHING


class Response(Usual, gc=False):
    status: int
    body: Raw
    headers: Raw = NOTHING


class Exchange(Usual, gc=False):
    request: Request
    response: Response


class Entry(Usual, tag_field="kind", kw_only=True, gc=False):
    """A line of wirecheck's own log."""

    v: Literal[1]
    channel: str
    at: float | None = None


class Opened(Entry, tag="opened", gc=False):
    method: str
    url: Url
    body: Body
    headers: Raw = NOTHING


class Replied(Entry, tag="replied", gc=False):
    status: int
    headers: dict[str, str] | None = None


class Frame(Entry, tag="frame", gc=False):
    sender: Literal["server"] = msgspec.field(name="from")
    data: Raw


class Closed(Entry, tag="closed", gc=False):
    pass


exchange = msgspec.json.Decoder(Exchange).decode
tools = msgspec.json.Decoder(list[Tool]).decode
contents = msgspec.json.Decoder(list[Content]).decode
slices = msgspec.json.Decoder(tuple[Raw, ...]).decode
headers = msgspec.json.Decoder(dict[str, str] | None).decode
response = msgspec.json.Decoder(Response).decode
text = msgspec.json.Decoder(str).decode
body = msgspec.json.Decoder(Body).decode
opened = msgspec.json.Decoder(Opened).decode
answered = msgspec.json.Decoder(Replied | Frame | Closed).decode
content = msgspec.json.Decoder(Content).decode
chunk = msgspec.json.Decoder(Chunk).decode


def own(raw: Raw) -> bytes:
    """A piece of a line by itself."""
    return b"".join((raw,))  # bytes(raw) asks first whether it is a number


class Odd(Exception):
    """It is not as usual after all."""


UNUSUAL = (msgspec.DecodeError, RecursionError, UnicodeError, Odd)
