"""The end of a Live connection: by whom, what the reason means, and which frame of the client is likely to blame."""

from wirecheck.dialects.messages import Hangup, Spot
from wirecheck.talk.facts import Context, EndedFact, Linked
from wirecheck.talk.sessions.closes import BY_CLIENT, UNKNOWN, KnownClose, blamed, read, refuses
from wirecheck.talk.sessions.state_tables import SessionState

LATENCY = 1.0  # seconds: in less no tool need have answered
ENDED = ("refused", "closed")  # by the server
PATIENCE = 60.0  # seconds: so long one may take
NAMELESS = ("argument", "unknown")  # what says nothing of what is refused


class SessionEnd:
    """What a connection keeps for its end: the last frame of each message that the client sent."""

    def __init__(self) -> None:
        self._sent: dict[str, tuple[Spot, int]] = {}
        self._last = ""  # the message sent last that was no piece of audio or video
        self.resumed = False
        self.going_away = False

    def sent(self, says: str, spot: Spot, turn: int, *, media: bool) -> None:
        self._sent[says] = spot, turn
        if not media:
            self._last = says

    def fact(
        self, context: Context, spot: Spot, hangup: Hangup | None, state: SessionState, open_calls: int
    ) -> EndedFact:
        row = self._read(hangup.reason) if hangup else UNKNOWN
        refused = hangup is not None and event(hangup) == "refused"
        suspect = self._suspect(row, hangup.reason, state) if hangup and refused else ""
        where, turn = self._sent.get(suspect, (spot, None))
        return EndedFact(
            context=context,
            spot=spot,
            related=(Linked(where, f"the last {suspect} before it", turn),) if suspect else (),
            recorded=hangup is not None and hangup.recorded,
            at=hangup.seen.at if hangup else None,
            code=hangup.code if hangup else None,
            reason=hangup.reason if hangup else "",
            by=_by(hangup, row) if hangup else None,
            open_calls=open_calls,
            refused=refused,
            meaning=row.meaning,
            state=state.value,
            resumed=self.resumed,
            going_away=self.going_away,
            suspect=suspect,
            explained="",
            because=None,
        )

    def _read(self, reason: str) -> KnownClose:
        """The row of a reason. Without a handle to speak of, what was not found is not said."""
        row = read(reason)
        return row._replace(meaning="unknown", blames="") if row.meaning == "handle" and not self.resumed else row

    def _suspect(self, row: KnownClose, reason: str, state: SessionState) -> str:
        """The message the reason speaks of; else the setup, where it is all there was; else what was sent last."""
        named = blamed(row, reason)
        if row.meaning == "operation" and "realtimeInput" in self._sent:
            named = "realtimeInput"
        if not named and state in (SessionState.CONNECTED, SessionState.SETTING_UP):
            named = "setup"
        likely = (named, self._last, *reversed(self._sent))
        return next((says for says in likely if says in self._sent), "")


def event(hangup: Hangup) -> str:
    """What the close is to the table of states."""
    by = _by(hangup, read(hangup.reason))
    if by == "client":
        return "left"
    return "refused" if refuses(hangup.code, hangup.reason) else "closed" if by else "gone"


def too_soon(hangup: Hangup, called_at: float | None, at_once: bool) -> bool:
    """Whether the close came before a tool could answer. `at_once`: nothing came between; it tells where no times do.

    A server that says why it ends the session did not wait any longer. With 1007 and no such word it may refuse what
    came of the call itself.
    """
    ended, meaning = event(hangup), read(hangup.reason).meaning
    passed = None if called_at is None or hangup.seen.at is None else hangup.seen.at - called_at
    if ended in ENDED and meaning not in NAMELESS:
        return passed is None or passed < PATIENCE
    if hangup.code == 1007 and ended != "left":
        return False
    return passed < LATENCY if passed is not None else at_once and (hangup.code == 1006 or ended in ENDED)


def _by(hangup: Hangup, row: KnownClose) -> str | None:
    """Who closed. Where a log does not say, words that only one side uses tell."""
    if row.meaning in BY_CLIENT:
        return "client"
    return hangup.by or ("server" if row is not UNKNOWN else None)
