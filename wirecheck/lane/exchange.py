"""A usual exchange: what the lane read in a line, and the forms of its pieces."""

from collections.abc import Iterator

from msgspec import Struct

from wirecheck.finding import Finding
from wirecheck.lane import native
from wirecheck.lane.around import Around
from wirecheck.lane.contents import WHOLE, Key, Place, Seam, Told
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
        """But for what stands around the contents. Those are counted from the first that is new; parts come last."""
        lead = self.around.lead
        of = (self._asked(), lead.contents, lead.wider.contents), (self._replied(), lead.reply, lead.wider.reply)
        pieces = [
            Piece(place, native.piece(narrow, *key), native.piece(wide, *key), name)
            for several, narrow, wide in of
            for place, key, name in several
        ]
        return sorted(pieces, key=lambda piece: piece.name is not None)

    def _asked(self) -> Iterator[tuple[Place, Key, str | None]]:
        for n, m, key, name in self.told.pieces:
            yield ENDING if key[0] == native.ENDING else (n, m), key, name
        if self.seam is not None:
            yield from [(place, key, None) for place, key in zip((SEAM, NEXT, GONE), self.seam, strict=True)]

    def _replied(self) -> Iterator[tuple[Place, Key, str | None]]:
        said, reply = self.said, self.said.saying.told
        yield REPLY, (native.REPLY | said.events | said.one << 1, reply.form, reply.adds_up, 0), None
        for (n, m, _, form), name in zip(reply.named, said.names, strict=True):
            yield (REPLY[0] - 1 - n, m), (native.PART, form, 0, 0), name

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
