"""The quick lane of Live sessions: frames whose form was judged before, while the session stood as it stands now.

Such a frame does what the one before did: nothing, or it leads the session to another state. So it is only counted.
Frames are read many at a time, and those of one form that follow one another are taken together. Forms are learnt
from the long way: one is sound where nothing was found wrong, and of the session no more than the state changed.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.dialects.messages import Spot
from wirecheck.lane.runs import Alike, Run, read
from wirecheck.talk import Talk
from wirecheck.talk.facts import Context
from wirecheck.talk.session import Session, Standing
from wirecheck.talk.states import State
from wirecheck.wire.record import Origin, Site

MOST = 4096  # contexts, and standings and forms in one


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


Forms = dict[Standing, dict[bytes, Quiet]]


class Asked(Struct):
    """A frame that takes the long way, and how its session stood before."""

    session: Session
    standing: Standing
    form: bytes


class Stretch:
    """Frames of one session that follow one another, and how many of them the client sent."""

    def __init__(self, session: Session, forms: Forms, name: str | None, begin: int) -> None:
        self.session, self._forms, self.name = session, forms, name
        self.begin = self.end = self.last_sent = begin
        self.sent, self.media = 0, True
        self._stand()

    def _stand(self) -> None:
        self.standing = self.session.standing
        self._sound = self._forms.get(self.standing, {}) if self.standing is not None else {}

    def take(self, run: Run, *, pictures: bool) -> bool:
        """Whether the next frames are of a sound form: then they belong to it, up to the one that leads elsewhere."""
        alike, end = run.group(self.end)
        quiet = self._sound.get(alike.form) if alike is not None and alike.channel == self.name else None
        if quiet is None or alike is None or self.standing is None or (pictures and quiet.shown):
            return False
        begin, stays = self.end, quiet.state is self.standing[0]
        self.end = end if stays else begin + 1
        if alike.client:
            self.sent, self.last_sent = self.sent + self.end - begin, self.end
            self.media = self.media and not quiet.shown
        if not stays:
            self.session.move_on(quiet.state)
            self._stand()
        return True


class Frames:
    """Knows the forms that are sound. With `pictures` frames that these show take the long way."""

    def __init__(self, *, pictures: bool) -> None:
        self._pictures = pictures
        self._known: dict[Context, Forms] = {}
        self._asked: Asked | None = None

    def begin(self, talk: Talk) -> None:
        """Another file begins. What is sound stays so."""
        self._talk, self._asked = talk, None
        self._left: dict[str, Session] = {}  # by channel: sessions of which no more comes, for it was opened anew
        self._run: Run | None = None

    def opened(self, channel: str) -> None:
        """A channel is opened, perhaps anew: what comes on it belongs to another session than before."""
        if (session := self._talk.session(channel)) is not None:
            self._left[channel] = session

    def pass_by(self, lines: Sequence[bytes], begin: int, path: str, number: int, source: Source) -> int:
        """How many lines, from this one on, hold nothing but frames of sound forms. `number` is that of the first."""
        at, self._asked = begin, None
        while at < len(lines) and (run := self._read(lines, at)) and (stretch := self._stretch(run, at, source)):
            while stretch.end < run.end and stretch.take(run, pictures=self._pictures):
                pass
            if stretch.end == at:
                if at == begin:
                    self._ask(stretch, run.group(at)[0])
                break
            at = stretch.end
            self._count(stretch, run, path, number - begin - 1)
            source.passed(stretch.name, Site(Origin(path, number - begin - 1 + at)), kept=run.kept)
        return at - begin

    @property
    def asks(self) -> bool:
        """Whether a frame takes the long way of which there is something to learn."""
        return self._asked is not None

    def learn(self, *, sound: bool) -> None:
        """The frame took the long way, and it shows now whether anything was wrong with it."""
        asked, self._asked = self._asked, None
        after = asked.session.standing if asked is not None else None
        if asked is None or after is None or not sound:
            return
        if after[1:] == asked.standing[1:]:
            forms = self._forms(asked.session.context)
            if len(forms) > MOST or len(forms.get(asked.standing, ())) > MOST:
                forms.clear()
            forms.setdefault(asked.standing, {})[asked.form] = Quiet(after[0], asked.session.story.has_last)

    def _read(self, lines: Sequence[bytes], at: int) -> Run | None:
        """The run that this line is in; None where it is no usual frame."""
        run = self._run
        if run is None or run.lines is not lines or not run.begin <= at < run.end:
            self._run = run = read(lines, at)
        return run

    def _stretch(self, run: Run, at: int, source: Source) -> Stretch | None:
        """A stretch that begins here, where a session is open."""
        alike, _ = run.group(at)
        if alike is None:
            return None
        channel = source.channel(name := alike.channel, kept=run.kept)
        session = self._talk.session(channel) if channel is not None else None
        if channel in self._left and self._left[channel] is not session:
            del self._left[channel]
        if session is None or channel in self._left:
            return None
        return Stretch(session, self._forms(session.context), name, at)

    def _ask(self, stretch: Stretch, alike: Alike | None) -> None:
        """The frame takes the long way, and is learnt from."""
        if stretch.standing is not None and alike is not None:
            self._asked = Asked(stretch.session, stretch.standing, alike.form)

    def _count(self, stretch: Stretch, run: Run, path: str, before: int) -> None:
        """All that talk remembers of these frames, up to the last that was sent, and of those after it."""
        session, begin, last = stretch.session, stretch.begin, stretch.last_sent
        if stretch.sent:
            received, at = last - begin - stretch.sent, run.time(begin, last)
            session.pass_by(
                _spot(path, before + last), at, stretch.sent, received, "realtimeInput", media=stretch.media
            )
        if stretch.end > last:
            received, at = stretch.end - last, run.time(last, stretch.end)
            session.pass_by(_spot(path, before + stretch.end), at, 0, received, "", media=True)
        self._talk.frames += stretch.end - begin

    def _forms(self, context: Context) -> Forms:
        """Those of all sessions of a kind."""
        forms = self._known.get(context)
        if forms is None:
            if len(self._known) > MOST:
                self._known.clear()
            forms = self._known[context] = self._known.setdefault(replace(context, conversation=""), {})
        return forms


def _spot(path: str, line: int) -> Spot:
    return Spot(Site(Origin(path, line), "/data"))
