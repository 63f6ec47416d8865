"""Frames of a Live session that decode strictly: media, transcripts, the end of a turn, counted tokens.

The outline of such a frame is all of it that can matter but for the wording. What does not decode here is read
leniently (live.py), to the same messages. What a client sends is typed by the tables of fields, what a server says by
hand.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Raw, ValidationError
from msgspec.json import Decoder

from wirecheck.dialects.messages import Message
from wirecheck.dialects.regular_content import outline_of
from wirecheck.dialects.strict_types import ABSENT, USUAL, MediaSaid, Name, Strict, message_type
from wirecheck.dialects.vocabulary.live_field_tables import LIVE
from wirecheck.wire.records import Frame, FrameData, FrameKey, Frames, Peer

KIND = Annotated[str, Meta(max_length=64)]  # of media
# What is usual in the messages of a client, beside those of strict_types.py.
USUAL_LIVE = {
    **USUAL,
    "realtimeInput": ("audio", "video", "mediaChunks", "text", "audioStreamEnd", "activityStart", "activityEnd"),
    "audio": ("mimeType", "data"),
    "video": ("mimeType", "data"),
    "mediaChunk": ("mimeType", "data"),
}
# Where regular frames have less than the tables allow; whether base64 begins like a URL is looked at here.
STRICTER: dict[tuple[str, str], Any] = {
    **{(media, "mimeType"): KIND for media in ("audio", "video", "mediaChunk")},
    **{(media, "data"): str for media in ("audio", "video", "mediaChunk")},
    ("realtimeInput", "audioStreamEnd"): bool,
    ("realtimeInput", "activityStart"): dict[str, Any],
    ("realtimeInput", "activityEnd"): dict[str, Any],
}


REQUIRED = {(media, field) for media in ("audio", "video", "mediaChunk") for field in ("mimeType", "data")}


def _input(names: Iterable[str], required: set[tuple[str, str]]) -> Callable[[Raw], Any]:
    """What decodes real-time input of no more than this."""
    usual = {**USUAL_LIVE, "realtimeInput": names}
    return Decoder(message_type("realtimeInput", usual, STRICTER, required, LIVE.messages)).decode


_sound = _input(("audio",), REQUIRED | {("realtimeInput", "audio")})
_any_input = _input(USUAL_LIVE["realtimeInput"], REQUIRED)


class Blob(Strict):
    inlineData: MediaSaid


class SoundTurn(Strict):
    """A piece of what the model says aloud, or shows."""

    parts: tuple[Blob]
    role: Literal["model"] = ABSENT


class FramePart(Strict):
    """No call: what becomes of one follows from more than its outline."""

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
    """It decodes, and is not regular after all."""


def _sent(raw: Raw) -> str:
    """Real-time input: one thing a frame, nearly always a piece of sound."""
    try:
        return _media("audio", _sound(raw).audio)
    except ValidationError:
        given = _any_input(raw)
    told = [name for name in USUAL_LIVE["realtimeInput"] if getattr(given, name) is not None]
    if len(told) != 1:
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
    """What a server says of a turn: nearly always a piece of sound."""
    try:
        return "m" if _sounds(raw).modelTurn.role is None else "model m"
    except ValidationError:
        said = _content(raw)
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
    return "counted"


SERVER: dict[FrameKey, Callable[[Raw], str]] = {"serverContent": _said, "usageMetadata": _counted}


def outline(sender: Peer, data: FrameData) -> str | None:
    """None where it is not regular."""
    try:
        if sender == "client":
            return _sent(data["realtimeInput"]) if len(data) == 1 else None
        if len(data) == 1 and (said := data.get("serverContent")) is not None:
            return _said(said)
        return " ".join([SERVER[key](raw) for key, raw in data.items()]) or None
    except (ValueError, KeyError, RecursionError):
        return None


# The fields of regular frames, from the top down.
FIELDS: Mapping[str, Iterable[str]] = {
    **USUAL_LIVE,
    "frame": ("realtimeInput", *SERVER),
    "serverContent": ServerContent.__struct_fields__,
}


class RegularFrame(Message, frozen=True, kw_only=True):
    """A frame that decodes strictly. `read` reads it leniently."""

    outline: str
    read: Callable[[], Iterable[Message]]


class LiveFrames:
    """Frames of sessions that have begun, with their outlines; that of one that is not regular is None."""

    __slots__ = ("_read", "outlines", "record")

    def __init__(self, record: Frames, read: Callable[[Frame, str | None], Iterable[Message]]) -> None:
        self.record, self._read = record, read
        self.outlines = list(map(outline, record.senders, record.data))

    def messages(self, n: int) -> Iterable[Message]:
        """What one of them says."""
        return self._read(self.record.read(n), self.outlines[n])
