"""The tables of a Live session: what may come when, and what may become of a call.

Code looks moves up here, and docs/live.md is generated from it. A pair that a table lacks is a fact, not an exception.
Knows which message a frame is; what else it holds is not its business.
"""

from enum import Enum
from typing import Any

from wirecheck.dialects.vocabulary.field_names import get, keys_of


class SessionState(Enum):
    """Where a connection stands."""

    AMID = "amid"  # the log begins somewhere in the session
    JOINED = "joined"  # and the client spoke in it
    CONNECTED = "connected"
    UNSET = "unset"  # the client spoke without a setup
    SETTING_UP = "setting-up"
    READY = "ready"
    TURN = "model-turn"
    GENERATED = "generated"  # all is generated, and may still be spoken
    INTERRUPTED = "interrupted"
    CLOSED = "closed"


INPUT = ("clientContent", "realtimeInput", "contextUpdate")
CLIENT = (*INPUT, "toolResponse", "other")
NEWS = ("sessionResumptionUpdate", "goAway", "toolCallCancellation")  # these change nothing of the turn
TURNS = ("output", "toolCall", "interrupted", "generationComplete", "turnComplete")
CAME = {"left": "the client left", "silence": "nothing came for half a minute", "output": "output of the model came"}
ENDS = ("left", "closed", "refused", "gone")  # by the client; by the server, in peace or not; by nobody knows whom


def _to(state: SessionState, *events: str) -> dict[str, SessionState]:
    return dict.fromkeys(events, state)


_END = _to(SessionState.CLOSED, *ENDS)
# What may come in which state, and where it leads. `output` is whatever a serverContent says of the model's turn.
MOVES: dict[SessionState, dict[str, SessionState]] = {
    SessionState.AMID: {
        "setup": SessionState.SETTING_UP,
        "setupComplete": SessionState.READY,
        **_to(SessionState.JOINED, *CLIENT),
        **_to(SessionState.AMID, *NEWS, *TURNS),
        **_END,
    },
    SessionState.JOINED: {
        "setupComplete": SessionState.READY,
        **_to(SessionState.JOINED, *CLIENT, *NEWS, *TURNS),
        **_END,
    },
    SessionState.CONNECTED: {
        "setup": SessionState.SETTING_UP,
        "other": SessionState.UNSET,  # wrong for what it is, as often as not meant to be the setup
        **_to(SessionState.CONNECTED, "setupComplete", *NEWS, *TURNS),
        **_END,
    },
    SessionState.UNSET: {
        "setup": SessionState.SETTING_UP,
        **_to(SessionState.UNSET, *CLIENT, "setupComplete", *NEWS, *TURNS),
        **_END,
    },
    SessionState.SETTING_UP: {
        "setupComplete": SessionState.READY,
        **_to(SessionState.SETTING_UP, "toolResponse", "other"),  # wrong for what they are, whenever they come
        **_to(SessionState.CLOSED, "closed", "refused", "gone"),
    },
    SessionState.READY: {
        **_to(SessionState.READY, *INPUT, "other", *NEWS),
        **_to(SessionState.TURN, "toolResponse", "output", "toolCall"),
        "interrupted": SessionState.INTERRUPTED,
        **_END,
    },
    SessionState.TURN: {
        **_to(SessionState.TURN, *CLIENT, *NEWS, "output", "toolCall"),
        "interrupted": SessionState.INTERRUPTED,
        "generationComplete": SessionState.GENERATED,
        "turnComplete": SessionState.READY,
        **_END,
    },
    SessionState.GENERATED: {
        **_to(SessionState.GENERATED, *INPUT, "other", *NEWS),
        **_to(SessionState.TURN, "toolResponse", "output", "toolCall"),  # 3.1 may leave turnComplete out
        "interrupted": SessionState.INTERRUPTED,
        "turnComplete": SessionState.READY,
        **_END,
    },
    SessionState.INTERRUPTED: {
        **_to(SessionState.INTERRUPTED, *CLIENT, *NEWS, "interrupted"),
        **_to(SessionState.TURN, "output", "toolCall"),
        "turnComplete": SessionState.READY,
        **_END,
    },
    SessionState.CLOSED: {},
}
# Where a move leads that the table lacks; any other leads nowhere.
LEADS: dict[SessionState, dict[str, SessionState]] = {
    SessionState.JOINED: _to(SessionState.SETTING_UP, "setup"),
    SessionState.CONNECTED: _to(SessionState.UNSET, *CLIENT),
    SessionState.SETTING_UP: {
        **_to(SessionState.TURN, "output", "toolCall"),
        **_to(SessionState.READY, *NEWS, "generationComplete", "turnComplete"),
        "interrupted": SessionState.INTERRUPTED,
    },
    SessionState.READY: _to(SessionState.GENERATED, "generationComplete"),
}


class CallState(Enum):
    """Where a call stands."""

    OPEN = "open"
    ANSWERED = "answered"
    CANCELLED = "cancelled"
    UNANSWERED = "unanswered"  # the session is over


CALL_MOVES: dict[CallState, dict[str, CallState]] = {
    CallState.OPEN: {
        "answered": CallState.ANSWERED,
        "goes-on": CallState.OPEN,  # a response with willContinue
        "cancelled": CallState.CANCELLED,
        "over": CallState.UNANSWERED,
    },
    CallState.ANSWERED: {},
    CallState.CANCELLED: {},
    CallState.UNANSWERED: {},
}

# A token may hold the setup of this method, so that the client's need not say it.
CONSTRAINED = "BidiGenerateContentConstrained"

_OUTPUT = frozenset(("modelTurn", "outputTranscription", "turnCompleteReason", "waitingForInput"))
_FLAGS = ("interrupted", "generationComplete", "turnComplete")
_SERVER = frozenset(("setupComplete", "toolCall", *NEWS))


def events(keys: tuple[str, ...], value: Any) -> list[str]:
    """What a frame of the server is to the table, in the order it counts."""
    found: list[str] = []
    for key in keys:
        if key in _SERVER:
            found.append(key)
        elif key == "serverContent" and type(content := get(value, key)) is dict:
            said = keys_of(content)
            found += ["output"] if not _OUTPUT.isdisjoint(said) else []
            found += [each for each in _FLAGS if each in said and get(content, each) is True]
    return found
