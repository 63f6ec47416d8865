"""The frames of a Live session as they were written: which message each is, and whether it comes when it may."""

from wirecheck.dialects.live import LOOSE_ANSWERS
from wirecheck.dialects.messages import Framed
from wirecheck.dialects.names import get
from wirecheck.talk.facts import Context, FrameFact
from wirecheck.wire.record import Peer

CLIENT_SAYS = ("setup", "clientContent", "realtimeInput", "toolResponse", "contextUpdate")


class Frames:
    """Counts the frames of a session."""

    def __init__(self) -> None:
        self.count = 0
        self._sent: dict[Peer, int] = {"client": 0, "server": 0}
        self._setups = 0

    def fact(self, message: Framed, context: Context) -> FrameFact:
        sender = message.seen.sender
        says, enveloped = _says(message)
        number = self._sent[sender]
        self._sent[sender] += 1
        self.count += 1
        return FrameFact(
            context=context,
            spot=message.spot,
            turn=self.count - 1,
            sender=sender,
            keys=message.keys,
            says=says,
            enveloped=enveloped,
            order=self._order(says, number, context.whole) if sender == "client" else "ok",
            number=number,
            value=message.value,
        )

    def _order(self, says: str, number: int, whole: bool) -> str:
        """Whether setup came first: known where the session is known from its start, or where it comes after all."""
        setups, self._setups = self._setups, self._setups + (says == "setup")
        if setups or (says == "setup" and number == 0):
            return "ok"
        if says == "setup":
            return "ok" if whole else "late-setup"  # where the start is known the first frame has been reported
        return "before-setup" if whole and number == 0 else "ok"


def _says(message: Framed) -> tuple[str, bool]:
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
    """Whether a frame is a piece of audio or video, or counts tokens: pictures of a session do without these."""
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
