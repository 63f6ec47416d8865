"""A usual exchange: what the lane read in a line, and the forms of its pieces."""

from msgspec import Struct

from wirecheck.finding import Finding
from wirecheck.lane import native
from wirecheck.lane.around import Around
from wirecheck.lane.contents import WHOLE, Place, Seam, Told
from wirecheck.lane.cuts import Cut
from wirecheck.lane.prefixes import Heard
from wirecheck.lane.replies import Said
from wirecheck.lane.shelf import KeptReply
from wirecheck.talk.conversation import Taken
from wirecheck.wire.record import Site

AROUND: Place = (-1, WHOLE)  # what stands around the contents
REPLY: Place = (-2, WHOLE)  # as a whole; the contents before it are those of its chunks
# Where others are gone, the content after them and the next; what is wrong with that; and with how contents end.
SEAM, NEXT, GONE, ENDING = ((-1, WHOLE - n) for n in range(1, 5))
# Kinds of pieces, see said.h. In front of these are those of contents; of replies there are several.
_ENDING, _PART, _SEAM, _NEXT, _GONE, _REPLY = 4, 5, 16, 17, 18, 8


class Piece(Struct, frozen=True, gc=False):
    """Something in an exchange that rules judge by itself: numbers for its form, of which the wider tells no bands and
    surfaces apart. What is found in a part that names a function may hang on that."""

    place: Place
    form: int
    wider: int
    name: str | None = None


class Usual(Taken, eq=False):
    """A usual exchange, and where its history ends in the line."""

    told: Told
    said: Said
    reply: KeptReply
    seam: Seam | None
    around: Around
    heard: Heard | None
    cut: Cut

    def pieces(self) -> list[Piece]:
        """But for what stands around the contents. Those are counted from the first that is new."""
        lead, reply = self.around.lead, self.said.saying.told
        told = [(_place(n, m, key[0]), key, name) for n, m, key, name in self.told.pieces]
        contents = [each for each in told if each[2] is None]
        if self.seam is not None:
            (one, form), (two, other) = self.seam
            keys = (_SEAM, one, form, 0), (_NEXT, two, other, 0), (_GONE, 0, 0, 0)
            contents += [(place, key, None) for place, key in zip((SEAM, NEXT, GONE), keys, strict=True)]
        whole = _REPLY | self.said.events | self.said.one << 1, reply.form, reply.adds_up, 0
        parts = [
            ((REPLY[0] - 1 - n, m), (_PART, form, 0, 0), name)
            for (n, m, _, form), name in zip(reply.named, self.said.names, strict=True)
        ]
        of_contents, of_reply = (lead.contents, lead.wider.contents), (lead.reply, lead.wider.reply)
        several = (
            *[(of_contents, *each) for each in contents],
            (of_reply, REPLY, whole, None),
            *[(of_contents, *each) for each in told if each[2] is not None],
            *[(of_reply, *each) for each in parts],
        )
        return [
            Piece(place, native.piece(narrow, *key), native.piece(wide, *key), name)
            for (narrow, wide), place, key, name in several
        ]

    def judged(self, found: dict[Place, list[Finding]], first: int) -> dict[Place, list[Finding]] | None:
        """What was found in pieces of these forms, the contents from `first` on being read. Those kept of a history
        were judged when they came; None where the one at the seam was not read, or the next one has something wrong."""
        if self.trimmed is None:
            return found
        head, begin = self.trimmed.head, self.begin
        if first > head or (head + 1, WHOLE) in found:
            return None
        found = {SEAM if place == (head, WHOLE) else place: several for place, several in found.items()}
        return {place: several for place, several in found.items() if not 0 <= place[0] < begin or place[0] == head}

    def piece(self, place: Place) -> Place:
        """The piece that a place is of: a part that names a function is one by itself, any other is of its content, or
        of the reply."""
        n, m = place
        if m < 0:
            return place
        if n < 0:
            named = any([each[:2] == (REPLY[0] - 1 - n, m) for each in self.said.saying.told.named])
        else:
            named = any([each[:2] == (n - self.begin, m) for each in self.told.pieces])
        return place if named else (n, WHOLE) if n >= 0 else REPLY

    def chunk(self, site: Site) -> int:
        """Which chunk of the reply stands there."""
        return self.reply.chunk(site)


def _place(n: int, m: int, kind: int) -> Place:
    return ENDING if kind == _ENDING else (n, m)
