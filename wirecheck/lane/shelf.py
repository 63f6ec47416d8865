"""Replies that were read the quick way, as they are kept.

Those idle longest are kept no better than others are, when they take too much room: by what they may be recognised.
"""

from typing import Any

import msgspec

from wirecheck.dialects.content import read_content
from wirecheck.dialects.messages import Spot, Step
from wirecheck.lane import blank, native
from wirecheck.lane.replies import Said, Saying
from wirecheck.lane.shapes import Values
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.reply import ENOUGH, MANY, PIECE, Reply, size_of
from wirecheck.talk.room import Room
from wirecheck.wire.record import Origin, Site

AFTER = 2  # lines that are before the chunks of a reply: opened, replied
BODY = "/response/body"
STEPS: tuple[Step, ...] = ("candidates", 0, "content")
ROOM, LIGHT = 8 << 20, 1 << 12  # bytes of replies that are kept as they were said; a light one takes no room
REPLY, PART = 1 << 8, 1 << 9  # so many bytes more is a reply, and a part, of which is kept where it stands


class KeptReply(Reply):
    """What a server said, as it was read by its shape."""

    __slots__ = ("_events", "_inner", "_lines", "_origin", "_said", "_saying", "_text", "_weight")

    def __init__(self, origin: Origin, said: Said, lines: bool, text: bool, inner: bool) -> None:
        saying = said.saying.told
        self._origin = origin
        self._saying: native.Reply | None = said.saying
        self._said = native.pack(said.values)
        self._lines = lines  # its chunks stand in lines of our own log
        self._text = text  # it stands as a text within the line
        self._events = said.events
        self._inner = inner  # its request is a text within the line
        self.speaks = saying.texts != () or saying.calls != ()
        self._weight = weight(said.saying, self._said) if saying.pieces else 0
        self.failed = False
        self.many = self.doubtful = saying.pieces > MANY
        self.size = 0
        self.finish = saying.finish or None

    def __getattr__(self, name: str) -> Any:
        """The calls, the text and the pieces as talk knows them are made when they are asked for."""
        if name not in ("calls", "pieces", "text"):
            raise AttributeError(name)
        self._make()
        return getattr(self, name)

    def _make(self) -> None:
        self.calls, self.pieces, self.text = [], [], ""
        if self._saying is not None:
            self._tell(self._saying.told, native.unpack(self._said))

    def _tell(self, saying: Saying, values: Values) -> None:
        """Of the chunks that only go on with a text no more are read than it is known by."""
        for one in saying.spoken:
            if one.look.calls or one.look.signed or (one.look.texts and len(self.text) < ENOUGH):
                said = blank.said(one.content, values[one.first :])
                self.add(read_content(said, "candidates", self._spot(one.chunk)))

    @property
    def weight(self) -> int:
        """What it takes to remember its calls and its signatures."""
        return self._weight

    def room(self) -> int:
        """What it takes to keep what it said."""
        if self._saying is None:
            return 0
        saying = self._saying.told
        return PART * (len(saying.texts) + len(saying.calls) + len(saying.signed)) + len(self._said)

    def wither(self) -> None:
        """Of what it said is kept by what it may be recognised."""
        self._make()  # now or never
        self.forget()

    def forget(self) -> None:
        """What it said is not kept, as nobody will ask."""
        self._saying, self._said = None, b""

    def recited_at(self, n: int) -> Spot:
        """Where content n of its request stands."""
        pointer = "/body" if self._lines else "/request/body"
        return Spot(Site(self._origin, pointer, self._inner), ("contents", n))

    def made(self) -> tuple[Spot, ...]:
        """Where its calls stand."""
        if self._saying is None:
            return super().made()
        calls = self._saying.told.calls
        spots = {n: self._spot(n) for n, _ in calls}  # most are made in one chunk
        return tuple([spots[n].to("parts", m) for n, m in calls])

    def chunk(self, site: Site) -> int:
        """Which of its chunks stands there."""
        return site.origin.line - self._origin.line - AFTER if self._lines else site.event or 0

    def _spot(self, n: int) -> Spot:
        if self._lines:
            site = Site(Origin(self._origin.path, self._origin.line + AFTER + n), "/data")
        else:
            site = Site(self._origin, BODY, self._text, n if self._events else None)
        return Spot(site, STEPS)


def weight(reply: native.Reply, said: bytes) -> int:
    saying, values = reply.told, native.unpack(said)
    args = [values[place] for _, place in saying.called if isinstance(place, int)]
    size = sum(map(len, args))
    if size > PIECE:  # else it weighs nothing to speak of, however it is written
        size = size_of(map(msgspec.json.decode, args))
    kept = 0 if saying.pieces > MANY else len(saying.signed)
    return PIECE * (len(saying.called) + kept) + size


class Shelf:
    """The last replies of the conversations of one file, which are so many: that is enough to bound the light ones."""

    __slots__ = ("_room",)

    def __init__(self) -> None:
        self._room: Room[str, Conversation] = Room(ROOM, LIGHT)

    def add(self, reply: KeptReply, conversation: Conversation) -> None:
        """This is its last reply now."""
        room, size = self._room, REPLY + reply.room()
        if size <= LIGHT and conversation.name not in room.held:
            return
        for idle in room.keep(conversation.name, conversation, size):
            if isinstance(idle.reply, KeptReply):
                idle.reply.wither()
