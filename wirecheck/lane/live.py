"""Frames of a Live session as they usually are, one a line: in wirecheck's own log, or as other programs write them.

The types leave no key and no kind of value open. What is not usual, and be it a null, does not fit and is read the long
way; so is what they keep undecoded.
"""

from typing import Literal

from msgspec import UNSET, Raw, UnsetType, field

from wirecheck.lane.usual import Usual


class Piece(Usual, gc=False, rename="camel"):
    pass


class Blob(Piece, gc=False):
    mime_type: str
    data: str


class Nothing(Piece, gc=False):
    pass


class Realtime(Piece, gc=False):
    audio: Blob | UnsetType = UNSET
    video: Blob | UnsetType = UNSET
    media_chunks: list[Blob] | UnsetType = UNSET
    text: str | UnsetType = UNSET
    audio_stream_end: bool | UnsetType = UNSET
    activity_start: Nothing | UnsetType = UNSET
    activity_end: Nothing | UnsetType = UNSET


class Part(Piece, gc=False):
    text: str | UnsetType = UNSET
    inline_data: Blob | UnsetType = UNSET
    thought: bool | UnsetType = UNSET


class Turn(Piece, gc=False):
    parts: list[Part]
    role: str | UnsetType = UNSET


class Transcription(Piece, gc=False):
    text: str | UnsetType = UNSET
    finished: bool | UnsetType = UNSET
    language_code: str | UnsetType = UNSET


class Content(Piece, gc=False):
    model_turn: Turn | UnsetType = UNSET
    input_transcription: Transcription | UnsetType = UNSET
    output_transcription: Transcription | UnsetType = UNSET
    interrupted: bool | UnsetType = UNSET
    generation_complete: bool | UnsetType = UNSET
    turn_complete: bool | UnsetType = UNSET
    waiting_for_input: bool | UnsetType = UNSET
    turn_complete_reason: str | UnsetType = UNSET
    grounding_metadata: Raw | UnsetType = UNSET


class Count(Piece, gc=False):
    modality: str
    token_count: int


class Usage(Piece, gc=False):
    prompt_token_count: int | UnsetType = UNSET
    response_token_count: int | UnsetType = UNSET
    candidates_token_count: int | UnsetType = UNSET
    total_token_count: int | UnsetType = UNSET
    thoughts_token_count: int | UnsetType = UNSET
    tool_use_prompt_token_count: int | UnsetType = UNSET
    cached_content_token_count: int | UnsetType = UNSET
    prompt_tokens_details: list[Count] | UnsetType = UNSET
    response_tokens_details: list[Count] | UnsetType = UNSET
    candidates_tokens_details: list[Count] | UnsetType = UNSET
    cache_tokens_details: list[Count] | UnsetType = UNSET
    tool_use_prompt_tokens_details: list[Count] | UnsetType = UNSET
    traffic_type: str | UnsetType = UNSET


class FromClient(Piece, gc=False):
    """What a client sends. Python's library writes its keys, and no others, with underscores."""

    realtime_input: Realtime | UnsetType = UNSET
    realtime_input_: Realtime | UnsetType = field(name="realtime_input", default=UNSET)
    setup: Raw | UnsetType = UNSET
    client_content: Raw | UnsetType = UNSET
    client_content_: Raw | UnsetType = field(name="client_content", default=UNSET)
    tool_response: Raw | UnsetType = UNSET
    tool_response_: Raw | UnsetType = field(name="tool_response", default=UNSET)

    @property
    def usual(self) -> bool:
        """Whether nothing was left undecoded."""
        contents = (self.client_content, self.client_content_)
        others = (self.setup, *contents, self.tool_response, self.tool_response_)
        return not any(others) and bool(self.realtime_input) != bool(self.realtime_input_)


class FromServer(Piece, gc=False):
    """What a server sends. Where `usage` was read it says which of its numbers there are."""

    server_content: Content | UnsetType = UNSET
    usage_metadata: Usage | tuple[bool, ...] | UnsetType = UNSET
    tool_call: Raw | UnsetType = UNSET
    tool_call_cancellation: Raw | UnsetType = UNSET
    setup_complete: Raw | UnsetType = UNSET
    session_resumption_update: Raw | UnsetType = UNSET
    go_away: Raw | UnsetType = UNSET

    @property
    def usual(self) -> bool:
        """Whether nothing was left undecoded."""
        calls = (self.tool_call, self.tool_call_cancellation)
        others = (*calls, self.setup_complete, self.session_resumption_update, self.go_away)
        return not any(others) and not (self.server_content and self.server_content.grounding_metadata)


class Kept(Usual, gc=False, tag_field="from"):
    """A frame in wirecheck's log."""

    v: Literal[1]
    kind: Literal["frame"]
    channel: str
    at: float | None = None
    opcode: Literal[1, 2] | None = None


class Told(Usual, gc=False, tag_field="from"):
    """A frame in the log of another program."""

    channel: str | None = None
    at: float | None = None
    url: str | None = None


class KeptOfClient(Kept, gc=False, tag="client", kw_only=True):
    data: FromClient


class KeptOfServer(Kept, gc=False, tag="server", kw_only=True):
    data: FromServer


class ToldOfClient(Told, gc=False, tag="client", kw_only=True):
    data: FromClient


class ToldOfServer(Told, gc=False, tag="server", kw_only=True):
    data: FromServer


Line = KeptOfClient | KeptOfServer | ToldOfClient | ToldOfServer
