"""The quick lane of Live sessions: frames whose form was judged before, while the session stood as it stands now.

Such a frame does what the one before did: nothing, or it leads the session to another state. So it is only counted.
Frames are decoded many at a time, and those of one form that follow one another are taken together. Forms are learnt
from the long way: one is sound where nothing was found wrong, and of the session no more than the state changed.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from wirecheck.dialects.messages import Spot
from wirecheck.lane import live
from wirecheck.lane.live import FromClient, Kept, Line
from wirecheck.talk import Talk
from wirecheck.talk.facts import Context
from wirecheck.talk.session import Session, Standing
from wirecheck.talk.states import State
from wirecheck.wire.record import Origin, Peer, Site

FEW, MANY = 4, 256  # lines decoded at once: after one that is not usual, and at most
MOST = 4096  # contexts, and forms in one

_key = msgspec.json.Encoder().encode


class Source(Protocol):
    """Whoever reads the lines knows which session a frame belongs to."""

    def channel(self, name: str | None, *, kept: bool) -> str | None:
        """The channel of frames that name this one, or none; `kept` in our log. None where they are of no session."""

    def passed(self, name: str | None, site: Site, *, kept: bool) -> None:
        """Frames of an open session were passed by; the last stood here."""


class Quiet(Struct, frozen=True):
    """A frame in which nothing is wrong: where it leads, and whether pictures show it."""

    state: State
    shown: bool


class Asked(Struct):
    """A frame that takes the long way, and how its session stood before."""

    session: Session
    context: Context
    standing: Standing
    form: bytes


class Group(Struct, gc=False):
    """Frames of one form that follow one another, and where in the lines they end."""

    form: Line
    end: int


Forms = dict[tuple[Standing, bytes], Quiet]


class Frames:
    """Knows the forms that are sound. With `pictures` frames that these show take the long way."""

    def __init__(self, *, pictures: bool) -> None:
        self._pictures = pictures
        self._known: dict[Context, Forms] = {}
        self._asked: Asked | None = None
        self._most = MANY

    def begin(self, talk: Talk) -> None:
        """Another file begins. What is sound stays so."""
        self._talk, self._asked = talk, None
        self._left: dict[str, Session] = {}  # by channel: sessions of which no more comes, for it was opened anew
        self._lines: Sequence[bytes] = ()
        self._groups: list[Group] = []  # of the lines decoded last, in reverse

    def opened(self, channel: str) -> None:
        """A channel is opened, perhaps anew: what comes on it belongs to another session than before."""
        if (session := self._talk.session(channel)) is not None:
            self._left[channel] = session

    def pass_by(self, lines: Sequence[bytes], begin: int, path: str, number: int, source: Source) -> int:
        """How many lines, from this one on, hold nothing but frames of sound forms. `number` is that of the first."""
        at, self._asked = begin, None
        while at < len(lines) and (group := self._group(lines, at)) is not None:
            form, kept = group.form, isinstance(group.form, Kept)
            session = self._session(source.channel(form.channel, kept=kept))
            quiet = self._quiet(session, form)
            if session is None or quiet is None:
                break
            first, at = at, group.end if quiet.state is session.state else at + 1
            site = Site(Origin(path, number + at - 1 - begin), "/data")
            self._count(session, form, quiet, Spot(site), first, at)
            source.passed(form.channel, site, kept=kept)
        return at - begin

    def _count(self, session: Session, form: Line, quiet: Quiet, spot: Spot, begin: int, end: int) -> None:
        """Talk remembers these lines, and the last place and time of them."""
        sender: Peer = "client" if isinstance(form.data, FromClient) else "server"
        count, at = end - begin, self._time(begin, end)
        session.pass_by(sender, "realtimeInput", spot, at, media=not quiet.shown, count=count)
        session.move_on(quiet.state)
        self._talk.frames += count

    def learn(self) -> None:
        """Nothing was wrong with the frame that took the long way."""
        asked, self._asked = self._asked, None
        if asked is None or asked.context is not asked.session.context:
            return
        state, *rest = asked.session.standing
        if rest == list(asked.standing[1:]):
            forms = self._forms(asked.context)
            if len(forms) > MOST:
                forms.clear()
            forms[asked.standing, asked.form] = Quiet(state, asked.session.story.has_last)

    def _session(self, channel: str | None) -> Session | None:
        session = self._talk.session(channel) if channel is not None else None
        if channel in self._left and self._left[channel] is not session:
            del self._left[channel]
        return session if channel not in self._left else None

    def _group(self, lines: Sequence[bytes], at: int) -> Group | None:
        """The group that this line is in; None where it is no usual frame."""
        if lines is self._lines:
            while self._groups and self._groups[-1].end <= at:
                self._groups.pop()
        if lines is not self._lines or not self._groups:
            self._lines, self._groups = lines, self._read(lines, at)
        return self._groups[-1] if self._groups else None

    def _read(self, lines: Sequence[bytes], at: int) -> list[Group]:
        frames = live.frames(lines[at : at + self._most])
        self._most = FEW if frames is None else min(2 * self._most, MANY)
        if frames is None and (frames := live.frames(lines[at : at + 1])) is None:
            return []
        self._begin, self._times = at, [frame.at for frame in frames]
        groups, end = list[Group](), at
        for form, alike in groupby(frames, live.form):
            end += len(list(alike))
            groups.append(Group(form, end))
        return groups[::-1]

    def _quiet(self, session: Session | None, form: Line) -> Quiet | None:
        """What is known of a frame of this form, as the session stands. It may be learnt where that is nothing."""
        if session is None or not form.data.usual:
            return None
        standing, key = session.standing, _key(form.data)
        quiet = self._forms(session.context).get((standing, key))
        if quiet is None:
            self._asked = Asked(session, session.context, standing, key)
        return None if quiet is not None and quiet.shown and self._pictures else quiet

    def _forms(self, context: Context) -> Forms:
        """Those of all sessions of a kind."""
        forms = self._known.get(context)
        if forms is None:
            if len(self._known) > MOST:
                self._known.clear()
            forms = self._known[context] = self._known.setdefault(replace(context, conversation=""), {})
        return forms

    def _time(self, begin: int, end: int) -> float | None:
        """The last time that is told in these lines."""
        times = self._times[begin - self._begin : end - self._begin]
        return next((at for at in reversed(times) if at is not None), None)
