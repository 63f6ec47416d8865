"""The end of a Live connection: by whom, what the reason means, and which frame of the client is likely to blame."""

from wirecheck.dialects.messages import Hangup, Spot
from wirecheck.talk.facts import Context, EndedFact, Linked
from wirecheck.talk.sessions.closes import BY_CLIENT, NOT_FOUND, UNKNOWN, KnownClose, blamed, read, refuses
from wirecheck.talk.sessions.state_tables import SessionState

LATENCY = 1.0  # seconds: in less no tool need have answered
ENDED = ("refused", "closed")  # by the server
PATIENCE = 60.0  # seconds: so long one may take
NAMELESS = ("argument", "unknown")  # what says nothing of what is refused


WORDED = ("argument", "input", "schema")  # meanings that say that something sent was wrong


class SessionEnd:
    """What a connection keeps for its end: the last frame of each message that the client sent, and how far the server
    took them."""

    def __init__(self) -> None:
        self._sent: dict[str, tuple[Spot, int]] = {}
        self._last = ""  # the message sent last that was no piece of audio or video
        self._heard = -1  # the last frame that went on with the model's turn
        self.set_up = False
        self.resumed = False
        self.going_away = False

    def sent(self, says: str, spot: Spot, turn: int, *, media: bool) -> None:
        self._sent[says] = spot, turn
        if not media:
            self._last = says

    def heard(self, turn: int) -> None:
        """The model says something: what was sent before is taken."""
        self._heard = turn

    def fact(
        self,
        context: Context,
        spot: Spot,
        hangup: Hangup | None,
        state: SessionState,
        open_calls: int,
        waiting: tuple[str, ...],
    ) -> EndedFact:
        """`waiting`: calls without an answer when it closed, `open_calls` those of them that nothing was told of."""
        row = self._read(hangup.reason, state) if hangup else UNKNOWN
        refused = hangup is not None and event(hangup) == "refused"
        suspect = self._suspect(row, hangup.reason, state, waiting) if hangup and refused else ""
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
            waiting=waiting,
            refused=refused,
            meaning=row.meaning,
            state=state.value,
            resumed=self.resumed,
            going_away=self.going_away,
            suspect=suspect,
            explained="",
            because=None,
        )

    def _read(self, reason: str, state: SessionState) -> KnownClose:
        """The row of a reason. What was not found is the handle where there is one, else the model, as long as nothing
        but the setup was looked at."""
        row = read(reason)
        if row.text != NOT_FOUND or self.resumed:
            return row._replace(meaning="unknown", blames="") if row.meaning == "handle" and not self.resumed else row
        early = state in (SessionState.CONNECTED, SessionState.SETTING_UP)
        return row._replace(meaning="model") if early else row._replace(meaning="unknown", blames="")

    def _suspect(self, row: KnownClose, reason: str, state: SessionState, waiting: tuple[str, ...]) -> str:
        """The message the reason speaks of; else the setup, where it is all there was; else what was sent last, unless
        the server took it."""
        named = blamed(row, reason)
        amid = row.meaning == "operation" or (row.meaning == "aborted" and waiting)
        if amid and "realtimeInput" in self._sent:
            named = "realtimeInput"
        if not named and state in (SessionState.CONNECTED, SessionState.SETTING_UP):
            named = "setup"
        if named in self._sent:
            return named
        left = (says for says in (self._last, *reversed(self._sent)) if says in self._sent)
        return next((says for says in left if not self._taken(says, row)), "")

    def _taken(self, says: str, row: KnownClose) -> bool:
        """Whether the server took the last of these messages. Of audio that goes on nobody knows: it is to blame where
        the reason says that something sent was wrong."""
        if says == "setup":
            return self.set_up
        return self._sent[says][1] < self._heard or (says == "realtimeInput" and row.meaning not in WORDED)


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
