"""Strict types for the regular frames of a Live session: media, transcripts, the end of a turn, token counts.

A frame that decodes here has an outline: its shape without the wording. Any other falls back to live.py, which reads it
leniently into the same messages. The types of what clients send are generated from the field tables; those of what
servers say are written by hand, since their fields are not all published.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Raw, ValidationError
from msgspec.json import Decoder

from wirecheck.dialects.messages import Message
from wirecheck.dialects.raw_json import deep
from wirecheck.dialects.regular_content import AnyMessage, outline_of
from wirecheck.dialects.strict_types import ABSENT, USUAL, MediaSaid, Name, Strict, message_type
from wirecheck.dialects.vocabulary.live_field_tables import LIVE
from wirecheck.wire.records import Frame, FrameData, FrameKey, Frames, Peer

KIND = Annotated[str, Meta(max_length=64)]  # of media
# The common fields of the messages a client sends, beside those of strict_types.py.
USUAL_LIVE = {
    **USUAL,
    "realtimeInput": ("audio", "video", "mediaChunks", "text", "audioStreamEnd", "activityStart", "activityEnd"),
    "audio": ("mimeType", "data"),
    "video": ("mimeType", "data"),
    "mediaChunk": ("mimeType", "data"),
}
# Fields for which regular frames are narrower than the tables. `_media` checks that data is no data: URL.
STRICTER: dict[tuple[str, str], Any] = {
    **{(media, "mimeType"): KIND for media in ("audio", "video", "mediaChunk")},
    **{(media, "data"): str for media in ("audio", "video", "mediaChunk")},
    ("realtimeInput", "audioStreamEnd"): bool,
    ("realtimeInput", "activityStart"): dict[str, Any],
    ("realtimeInput", "activityEnd"): dict[str, Any],
}


REQUIRED = {(media, field) for media in ("audio", "video", "mediaChunk") for field in ("mimeType", "data")}


def _input(names: Iterable[str], required: set[tuple[str, str]]) -> Callable[[Raw], Any]:
    """A decoder of real-time input with only these fields."""
    usual = {**USUAL_LIVE, "realtimeInput": names}
    return Decoder(message_type("realtimeInput", usual, STRICTER, required, LIVE.messages)).decode


_sound = _input(("audio",), REQUIRED | {("realtimeInput", "audio")})
_any_input = _input(USUAL_LIVE["realtimeInput"], REQUIRED)


class Blob(Strict):
    inlineData: MediaSaid


class SoundTurn(Strict):
    """Sound or pictures of the model."""

    parts: tuple[Blob]
    role: Literal["model"] = ABSENT


class FramePart(Strict):
    """Without calls: what follows from a call depends on more than its outline."""

    text: str = ABSENT
    inlineData: MediaSaid = ABSENT
    thought: bool = ABSENT
    thoughtSignature: Name = ABSENT
    functionCall: ClassVar[Any] = None
    functionResponse: ClassVar[Any] = None
    fileData: ClassVar[Any] = None


class FrameTurn(Strict):
    parts: list[FramePart]
    role: Literal["model"] = ABSENT


class TranscriptSaid(Strict):
    text: str = ABSENT
    finished: bool = ABSENT
    languageCode: str = ABSENT


class Sounds(Strict):
    modelTurn: SoundTurn


class ServerContent(Strict):
    modelTurn: FrameTurn = ABSENT
    inputTranscription: TranscriptSaid = ABSENT
    outputTranscription: TranscriptSaid = ABSENT
    generationComplete: bool = ABSENT
    turnComplete: bool = ABSENT
    interrupted: bool = ABSENT
    waitingForInput: bool = ABSENT
    groundingMetadata: dict[str, Any] = ABSENT
    urlContextMetadata: dict[str, Any] = ABSENT


FLAGS = ("generationComplete", "turnComplete", "interrupted", "waitingForInput")
BESIDE = ("inputTranscription", "outputTranscription", "groundingMetadata", "urlContextMetadata")
_sounds, _content, _counts = Decoder(Sounds).decode, Decoder(ServerContent).decode, Decoder(dict[str, Any]).decode


class Irregular(ValueError):
    """It decodes, and is not regular all the same."""


def _sent(raw: Raw) -> str:
    """The outline of real-time input: one field a frame, nearly always audio."""
    try:
        return _media("audio", _sound(raw).audio)
    except ValidationError:
        given = _any_input(raw)
    told = [name for name in USUAL_LIVE["realtimeInput"] if getattr(given, name) is not None]
    if len(told) != 1 or deep(raw):
        raise Irregular
    name, value = told[0], getattr(given, told[0])
    if name in ("audio", "video"):
        return _media(name, value)
    if name == "mediaChunks":
        return " ".join(dict.fromkeys(_media("chunk", chunk) for chunk in value))
    return f"{name} {value}" if type(value) is bool else name if value else f"empty {name}"


def _media(name: str, media: Any) -> str:
    data = media.data
    if data[4:5] == ":":  # a URL
        raise Irregular
    return f"{name} {media.mimeType}" if data else f"empty {name} {media.mimeType}"


def _said(raw: Raw) -> str:
    """The outline of server content: nearly always audio."""
    try:
        return "m" if _sounds(raw).modelTurn.role is None else "model m"
    except ValidationError:
        said = _content(raw)
        if deep(raw):
            raise Irregular from None
    words = []
    if (turn := said.modelTurn) is not None:
        outlines = [outline_of(part) for part in turn.parts]
        if None in outlines or not outlines:
            raise Irregular
        words += ["model" if turn.role else "turn", *map(str, outlines)]
    words += [name for name in BESIDE if getattr(said, name) is not None]
    words += [f"{name} {value}" for name in FLAGS if (value := getattr(said, name)) is not None]
    return f"said {' '.join(words)}"


def _counted(raw: Raw) -> str:
    _counts(raw)
    if deep(raw):
        raise Irregular
    return "counted"


SERVER: dict[FrameKey, Callable[[Raw], str]] = {"serverContent": _said, "usageMetadata": _counted}


def outline(sender: Peer, data: FrameData) -> str | None:
    """The outline of a frame. None if it is not regular."""
    try:
        if sender == "client":
            return _sent(data["realtimeInput"]) if len(data) == 1 else None
        if len(data) == 1 and (said := data.get("serverContent")) is not None:
            return _said(said)
        return " ".join([SERVER[key](raw) for key, raw in data.items()]) or None
    except (ValueError, KeyError, RecursionError):
        return None


# The fields of regular frames, for decided_conditions.py.
FIELDS: Mapping[str, Iterable[str]] = {
    **USUAL_LIVE,
    "frame": ("realtimeInput", *SERVER),
    "serverContent": ServerContent.__struct_fields__,
}


class RegularFrame(Message, frozen=True, kw_only=True):
    """A regular frame. `read` reads it leniently, into its messages."""

    outline: str
    read: Callable[[], Iterable[Message]]


class LiveFrames:
    """Frames of sessions that have begun, with their outlines: None for those that are not regular."""

    __slots__ = ("_read", "outlines", "record")

    def __init__(self, record: Frames, read: "ReadFrame") -> None:
        self.record, self._read = record, read
        self.outlines = list(map(outline, record.senders, record.data))

    def messages(self, n: int) -> "Iterable[AnyMessage | LiveFrames]":
        """The messages of one of them."""
        return self._read(self.record.read(n), self.outlines[n])


ReadFrame = Callable[[Frame, str | None], Iterable[AnyMessage | LiveFrames]]
