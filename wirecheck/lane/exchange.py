"""A usual exchange: what the lane read in a line, and the forms of its pieces."""

from wirecheck.finding import Finding
from wirecheck.lane.around import Around
from wirecheck.lane.cuts import Cut
from wirecheck.lane.history import WHOLE, Key, Place, Told
from wirecheck.lane.prefixes import Heard
from wirecheck.lane.replies import Said
from wirecheck.lane.shelf import KeptReply
from wirecheck.talk.conversation import Taken
from wirecheck.wire.record import Site

Piece = tuple[Key, Key]  # the form of a piece, and a wider one: bands and surfaces are not told apart there
Pieces = list[tuple[Place, Piece]]
AROUND: Place = (-1, WHOLE)  # what stands around the contents
REPLY: Place = (-2, WHOLE)  # as a whole; the contents before it are those of its chunks
# Where others are gone, the content after them and the next; what is wrong with that; and with how contents end.
SEAM, NEXT, GONE, ENDING = ((-1, WHOLE - n) for n in range(1, 5))
SEAMS = SEAM, NEXT, GONE


class Usual(Taken, eq=False):
    """A usual exchange, and where its history ends in the line."""

    told: Told
    said: Said
    reply: KeptReply
    seam: Key | None  # how what is kept of a history goes together where others are gone
    around: Around
    heard: Heard | None
    cut: Cut

    def asked(self) -> Key:
        """The form of its contents."""
        return self.around.lead.contents, self.told.telling.number, self.told.how, self.seam

    def replied(self) -> Key:
        """The form of its reply."""
        return self.around.lead.reply, self.said.saying.number, self.said.events, self.said.one

    def pieces_asked(self) -> Pieces:
        """The forms of its contents, each of which rules judge by itself, counted from the first that is new."""
        told = self.told
        forms = told.forms()
        if told.state == "model":  # else nothing is
            forms.append((ENDING, (ENDING, *told.telling.keys[-1])))
        if self.seam is not None:
            forms += [(place, (place, key)) for place, key in zip(SEAMS, self.seam, strict=True)]
        return self._of_contents(forms)

    def pieces_replied(self) -> Pieces:
        """The form of its reply."""
        return self._of_reply([(REPLY, (self.said.events, *self.said.saying.form, self.said.one))])

    def parts_asked(self) -> Pieces:
        """The forms of those parts of its contents that name functions. Which function matters only to what is told."""
        return self._of_contents([((n, m), form) for n, m, _, form in self.told.telling.named])

    def parts_replied(self) -> Pieces:
        """The same of its reply."""
        return self._of_reply([((REPLY[0] - 1 - n, m), form) for n, m, _, form in self.said.saying.named])

    def _of_contents(self, forms: list[tuple[Place, Key]]) -> Pieces:
        lead = self.around.lead
        return [(place, ((lead.contents, *form), (lead.wider.contents, *form))) for place, form in forms]

    def _of_reply(self, forms: list[tuple[Place, Key]]) -> Pieces:
        lead = self.around.lead
        return [(place, ((lead.reply, *form), (lead.wider.reply, *form))) for place, form in forms]

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

    def chunk(self, site: Site) -> int:
        """Which chunk of the reply stands there."""
        return self.reply.chunk(site)
