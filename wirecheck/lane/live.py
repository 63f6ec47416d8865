"""Frames of a Live session as they usually are, one a line: in wirecheck's own log, or as other programs write them.

The types leave no key and no kind of value open. What is not usual, and be it a null, does not fit and is read the long
way; so is what they keep undecoded.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, Raw, UnsetType

from wirecheck.lane.usual import UNUSUAL, Usual
from wirecheck.wire.log import PREFIX

SOME = "~"  # stands where something is written


class Piece(Usual, gc=False, rename="camel"):
    pass


class Blob(Piece, gc=False):
    mime_type: str
    data: str


class Realtime(Piece, gc=False):
    audio: Blob | UnsetType = UNSET
    video: Blob | UnsetType = UNSET
    media_chunks: list[Blob] | UnsetType = UNSET
    text: str | UnsetType = UNSET
    audio_stream_end: bool | UnsetType = UNSET


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


class Count(Piece, gc=False):
    modality: str
    token_count: int


class Usage(Piece, gc=False):
    prompt_token_count: int | UnsetType = UNSET
    response_token_count: int | UnsetType = UNSET
    total_token_count: int | UnsetType = UNSET
    thoughts_token_count: int | UnsetType = UNSET
    tool_use_prompt_token_count: int | UnsetType = UNSET
    cached_content_token_count: int | UnsetType = UNSET
    prompt_tokens_details: list[Count] | UnsetType = UNSET
    response_tokens_details: list[Count] | UnsetType = UNSET
    cache_tokens_details: list[Count] | UnsetType = UNSET
    tool_use_prompt_tokens_details: list[Count] | UnsetType = UNSET
    traffic_type: str | UnsetType = UNSET


class FromClient(Piece, gc=False):
    """What a client sends."""

    realtime_input: Realtime | UnsetType = UNSET
    setup: Raw | UnsetType = UNSET
    client_content: Raw | UnsetType = UNSET
    tool_response: Raw | UnsetType = UNSET

    @property
    def usual(self) -> bool:
        return self.realtime_input is not UNSET and (self.setup, self.client_content, self.tool_response) == _NONE[:3]


class FromServer(Piece, gc=False):
    """What a server sends. The numbers of `usage` are told from what they are about."""

    server_content: Content | UnsetType = UNSET
    usage_metadata: Usage | tuple[bool, ...] | UnsetType = UNSET
    tool_call: Raw | UnsetType = UNSET
    tool_call_cancellation: Raw | UnsetType = UNSET
    setup_complete: Raw | UnsetType = UNSET
    session_resumption_update: Raw | UnsetType = UNSET
    go_away: Raw | UnsetType = UNSET

    @property
    def usual(self) -> bool:
        calls = (self.tool_call, self.tool_call_cancellation)
        return (*calls, self.setup_complete, self.session_resumption_update, self.go_away) == _NONE


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
_NONE = (UNSET,) * 5
# How a line begins that may be one, and what decodes a run of them.
READERS: dict[bytes, Callable[[bytes], list[Line | None]]] = {
    PREFIX: msgspec.json.Decoder(KeptOfClient | KeptOfServer | None).decode_lines,
    b'{"from":': msgspec.json.Decoder(ToldOfClient | ToldOfServer | None).decode_lines,
}
BEGINS = tuple(READERS)
BETWEEN = b"null\n"  # stands between two lines, so that neither a line of two values nor a value of two lines passes


def frames(lines: Sequence[bytes]) -> list[Line] | None:
    """The frames of these lines, where each is one."""
    read = next((read for begins, read in READERS.items() if lines[0].startswith(begins)), None)
    try:
        found = read(BETWEEN.join(lines)) if read is not None else []
    except UNUSUAL:
        return None
    frames, between = found[::2], found[1::2]
    if len(frames) != len(lines) or not all(frames) or between != [None] * len(between):
        return None
    return frames  # type: ignore[return-value]


def form(line: Line) -> Line:
    """The line without its wording and its time."""
    line.at, data = None, line.data
    if isinstance(data, FromClient):
        if data.realtime_input is not UNSET:
            _realtime(data.realtime_input)
        return line
    if data.server_content is not UNSET:
        _content(data.server_content)
    if isinstance(data.usage_metadata, Usage):
        data.usage_metadata = tuple(map(bool, msgspec.structs.astuple(data.usage_metadata)))
    return line


def _realtime(given: Realtime) -> None:
    if given.audio is not UNSET:
        given.audio.data = SOME if given.audio.data else ""
    if given.video is not UNSET:
        given.video.data = SOME if given.video.data else ""
    if given.media_chunks is not UNSET:
        for blob in given.media_chunks:
            blob.data = SOME if blob.data else ""
    if given.text is not UNSET:
        given.text = SOME if given.text else ""


def _content(content: Content) -> None:
    if content.model_turn is not UNSET:
        for part in content.model_turn.parts:
            if part.inline_data is not UNSET:
                part.inline_data.data = SOME if part.inline_data.data else ""
            if part.text is not UNSET:
                part.text = SOME if part.text else ""
    for said in (content.input_transcription, content.output_transcription):
        if said is not UNSET and said.text is not UNSET:
            said.text = SOME if said.text else ""
