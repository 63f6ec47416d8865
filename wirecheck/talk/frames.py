"""The frames of a Live session as they were written: which message each is, and whether it is a piece of media."""

from wirecheck.dialects.live import LOOSE_ANSWERS
from wirecheck.dialects.messages import Framed
from wirecheck.dialects.names import get

CLIENT_SAYS = ("setup", "clientContent", "realtimeInput", "toolResponse", "contextUpdate")


def form_of(message: Framed) -> tuple[str, bool]:
    """The message of a frame, and whether the tool responses in it stand where they belong."""
    if message.seen.sender != "client":
        return next(iter(message.keys), "other"), True
    if any(key in LOOSE_ANSWERS for key in message.keys):
        return "toolResponse", False
    says = next((key for key in message.keys if key in CLIENT_SAYS), "other")
    answers = get(message.value, "toolResponse") if says == "toolResponse" else None
    loose = says == "toolResponse" and not (type(answers) is dict and get(answers, "functionResponses"))
    return says, not loose


def is_media(message: Framed) -> bool:
    """Whether a frame is a piece of audio or video, counts tokens, or cannot be read: pictures of a session do without these."""
    if message.form != "object":
        return True
    if "realtimeInput" in message.keys or message.keys == ("usageMetadata",):
        return True
    content = get(message.value, "serverContent")
    turn = get(content, "modelTurn") if type(content) is dict else None
    parts = get(turn, "parts") if type(turn) is dict else None
    return type(parts) is list and bool(parts) and all(_is_blob(part) for part in parts)


def is_spoken(message: Framed) -> bool:
    """Whether realtime input is a turn in writing."""
    given = get(message.value, "realtimeInput")
    return type(given) is dict and bool(get(given, "text"))


def _is_blob(part: object) -> bool:
    return type(part) is dict and get(part, "inlineData") is not None
