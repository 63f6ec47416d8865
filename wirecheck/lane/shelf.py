"""Replies that were read the quick way, as they are kept: as they were written, and for a while also as they were read.

Those idle longest are kept no better than others are, when they take too much room: by what they may be recognised.
"""

from collections import deque
from typing import Any

import msgspec
from msgspec import UNSET

from wirecheck.dialects.content import read_content
from wirecheck.dialects.messages import Spot
from wirecheck.lane import usual
from wirecheck.lane.replies import QUOTE, Said, Saying, Written, written
from wirecheck.lane.usual import Chunk, Odd, Part
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.reply import ENOUGH, MANY, PIECE, Reply, size_of
from wirecheck.wire.record import Origin, Site

AFTER = 2  # lines that are before the chunks of a reply: opened, replied
LATELY, MOST = 64, 128  # replies that are likely to be recited, and the pieces that one of them may have
ROOM = 12 << 20  # bytes of replies that are kept as they were written, and what was made of them
REPLY, PART = 1 << 8, 1 << 9  # so many bytes more is a reply, and a part, of which is kept where it stands


class KeptReply(Reply):
    """What a server said, as it was written; for a while also as it was read."""

    __slots__ = ("_events", "_inner", "_lines", "_origin", "_parts", "_raw", "_saying", "_speaks", "_text", "_weight")

    def __init__(self, origin: Origin, raw: Written, said: Said, *, inner: bool) -> None:
        saying = said.saying
        self._origin = origin
        self._raw: Written | None = raw
        self._lines = isinstance(raw, tuple)  # its chunks stand in lines of our own log
        self._text = raw[:1] == QUOTE  # it stands as a text within the line
        self._inner = inner  # its request is a text within the line
        self._saying: Saying | None = saying
        self._events = said.events
        self._speaks = saying.texts != () or saying.calls != ()
        self._parts: list[Part] | None = _parts(said.chunks) if saying.weight <= MOST else None
        self.failed = False
        self.many = self.doubtful = saying.pieces > MANY
        self._weight = _weight(said) if saying.pieces else 0
        self.size = 0
        self.finish = saying.finish or None

    def __bool__(self) -> bool:
        return self._speaks

    def __getattr__(self, name: str) -> Any:
        """The calls, the text and the pieces as talk knows them are made when they are asked for."""
        if name not in ("calls", "pieces", "text"):
            raise AttributeError(name)
        self._make()
        return getattr(self, name)

    def _make(self) -> None:
        self.calls, self.pieces, self.text = [], [], ""
        if self._raw is not None and self._saying is not None:
            self._tell(self._raw, self._saying)

    def _tell(self, raw: Written, saying: Saying) -> None:
        """Of the chunks that only go on with a text no more are read than it is known by."""
        chunks, kept = written(raw)[0], {n for n, _ in (*saying.calls, *saying.signed)}
        for n in sorted(kept.union([n for n, _ in saying.texts])):
            if n in kept or len(self.text) < ENOUGH:
                content = usual.chunk(chunks[n]).candidates[0].content
                self.add(read_content(msgspec.to_builtins(content), "candidates", self._spot(n)))

    def grow_old(self) -> None:
        """It is not likely to be recited any more."""
        self._parts = None

    @property
    def weight(self) -> int:
        """What it takes to remember its calls and its signatures."""
        return self._weight

    def room(self) -> int:
        """What it takes to keep it as it was written."""
        raw, saying = self._raw or (), self._saying
        places = () if saying is None else (*saying.texts, *saying.calls, *saying.signed)
        return PART * len(places) + (sum(map(len, raw)) if isinstance(raw, tuple) else len(raw))

    def wither(self) -> None:
        """Of what it said is kept by what it may be recognised."""
        self._make()  # now or never
        self.forget()

    def forget(self) -> None:
        """What it said is not kept, as nobody will ask."""
        self._parts = self._raw = self._saying = None

    def parts(self) -> list[Part]:
        """What it said, in the order it came."""
        if self._raw is None:
            raise Odd
        return self._parts or _parts([usual.chunk(each) for each in written(self._raw)[0]])

    def recited_at(self, n: int) -> Spot:
        """Where content n of its request stands."""
        pointer = "/body" if self._lines else "/request/body"
        return Spot(Site(self._origin, pointer, self._inner), ("contents", n))

    def made(self) -> tuple[Spot, ...]:
        """Where its calls stand."""
        if self._saying is None:
            return super().made()
        return tuple([self._spot(n).to("parts", m) for n, m in self._saying.calls])

    def chunk(self, site: Site) -> int:
        """Which of its chunks stands there."""
        return site.origin.line - self._origin.line - AFTER if self._lines else site.event or 0

    def _spot(self, n: int) -> Spot:
        if self._lines:
            site = Site(Origin(self._origin.path, self._origin.line + AFTER + n), "/data")
        else:
            site = Site(self._origin, "/response/body", self._text, n if self._events else None)
        return Spot(site, ("candidates", 0, "content"))


def _parts(chunks: list[Chunk]) -> list[Part]:
    return [part for chunk in chunks if (content := chunk.candidates[0].content) for part in content.parts]


def _weight(said: Said) -> int:
    kept = 0 if said.saying.pieces > MANY else len(said.signatures)
    weight = PIECE * (len(said.called) + kept)
    return weight + size_of([one.args for one in said.called if one.args is not UNSET]) if said.called else weight


class Shelf:
    """The replies that were read in one file, in the order they came. A conversation that has gone on holds another."""

    def __init__(self) -> None:
        self._lately: deque[KeptReply] = deque()
        self._all: deque[tuple[KeptReply, Conversation, int]] = deque()
        self._size = 0

    def add(self, reply: KeptReply, conversation: Conversation) -> None:
        size = REPLY + reply.room()
        self._all.append((reply, conversation, size))
        self._size += size
        while self._size > ROOM:
            one, holder, size = self._all.popleft()
            self._size -= size
            one.wither() if holder.reply is one else one.forget()
        self._lately.append(reply)
        if len(self._lately) > LATELY:
            self._lately.popleft().grow_old()
