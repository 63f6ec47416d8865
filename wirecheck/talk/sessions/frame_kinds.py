"""The frames of a Live session as they were written: which message each is, and whether it is a piece of media."""

from wirecheck.dialects.live.live import LOOSE_ANSWERS
from wirecheck.dialects.messages import Framed
from wirecheck.dialects.vocabulary.field_names import get
from wirecheck.talk.facts import Context, FrameFact
from wirecheck.talk.sessions.state_tables import SessionState

CLIENT_SAYS = ("setup", "clientContent", "realtimeInput", "toolResponse", "contextUpdate")


def frame_fact(message: Framed, context: Context, turn: int, state: SessionState, number: int) -> FrameFact:
    says = says_of(message)
    return FrameFact(
        context=context,
        spot=message.spot,
        turn=turn,
        sender=message.seen.sender,
        keys=message.keys,
        says=says,
        enveloped=says != "toolResponse" or _enveloped(message),
        state=state.value,
        form=message.form,
        number=number,
        at=message.seen.at,
        value=message.value,
    )


def says_of(message: Framed) -> str:
    """The message of a frame."""
    if message.seen.sender != "client":
        return next(iter(message.keys), "other")
    if any(key in LOOSE_ANSWERS for key in message.keys):
        return "toolResponse"
    return next((key for key in message.keys if key in CLIENT_SAYS), "other")


def _enveloped(message: Framed) -> bool:
    """Whether the tool responses of a frame stand where they belong."""
    answers = get(message.value, "toolResponse")
    loose = any(key in LOOSE_ANSWERS for key in message.keys)
    given = get(answers, "functionResponses") if type(answers) is dict else None
    return not loose and bool(given) and all(type(one) is dict for one in (given if type(given) is list else [given]))


def is_media(message: Framed) -> bool:
    """Whether a frame is a piece of media, counts tokens, or cannot be read: pictures of a session do without these."""
    if message.form != "object":
        return True
    if "realtimeInput" in message.keys:
        return not is_spoken(message)
    if message.keys == ("usageMetadata",):
        return True
    content = get(message.value, "serverContent")
    turn = get(content, "modelTurn") if type(content) is dict else None
    parts = get(turn, "parts") if type(turn) is dict else None
    return (
        type(parts) is list
        and bool(parts)
        and all(type(part) is dict and get(part, "inlineData") is not None for part in parts)
    )


def is_spoken(message: Framed) -> bool:
    """Whether realtime input is a turn in writing."""
    given = get(message.value, "realtimeInput")
    return type(given) is dict and bool(get(given, "text"))
