"""A usual exchange: what the lane read in a line, and the forms of its pieces."""

from msgspec import Struct

from wirecheck.finding import Finding
from wirecheck.lane.around import Around, Lead
from wirecheck.lane.cuts import Cut
from wirecheck.lane.forms import Form
from wirecheck.lane.history import NOTHING, WHOLE, Key, Place, Telling, Told
from wirecheck.lane.prefixes import Heard
from wirecheck.lane.replies import Said, Saying
from wirecheck.lane.shelf import KeptReply
from wirecheck.talk.conversation import Taken
from wirecheck.wire.record import Site

Piece = tuple[Key, Key]  # the form of a piece, and a wider one: bands and surfaces are not told apart there
Pieces = list[tuple[Place, Piece]]
Forms = list[tuple[Place, Key]]
AROUND: Place = (-1, WHOLE)  # what stands around the contents
REPLY: Place = (-2, WHOLE)  # as a whole; the contents before it are those of its chunks
# Where others are gone, the content after them and the next; what is wrong with that; and with how contents end.
SEAM, NEXT, GONE, ENDING = ((-1, WHOLE - n) for n in range(1, 5))
SEAMS = SEAM, NEXT, GONE


class Asked(Struct, frozen=True, eq=False):
    """The contents of an exchange, as far as rules see them: what stands around them, what they tell, `how` the reply
    before is recited, and how what is kept goes together where others are gone (`seam`)."""

    lead: Lead
    telling: Telling
    how: Form
    seam: Key | None = None

    @property
    def form(self) -> Key:
        return self.lead.contents, self.telling.number, self.how, self.seam

    @property
    def weight(self) -> int:
        return self.telling.weight

    def pieces(self) -> Pieces:
        """The forms of the contents, each of which rules judge by itself, counted from the first that is new. What may
        be found wrong with each hangs on that, and on what is called in each part."""
        telling, last = self.telling, len(self.telling.keys) - 1
        forms: Forms = [
            ((n, WHOLE), (n >= telling.question, n == last, *key, NOTHING if n else self.how))
            for n, key in enumerate(telling.keys)
        ]
        if telling.state == "model":  # else nothing is
            forms.append((ENDING, (ENDING, *telling.keys[-1])))
        if self.seam is not None:
            forms += [(place, (place, key)) for place, key in zip(SEAMS, self.seam, strict=True)]
        return self._under(forms)

    def parts(self) -> Pieces:
        """The forms of those parts that name functions. Which function matters only to what is told."""
        return self._under([((n, m), form) for n, m, _, form in self.telling.named])

    def _under(self, forms: Forms) -> Pieces:
        return _under(self.lead.contents, self.lead.wider.contents, forms)


class Replied(Struct, frozen=True, eq=False):
    """The reply of an exchange, likewise. Its chunks may be the `events` of a stream, and say they are of `one`."""

    lead: Lead
    saying: Saying
    events: bool
    one: bool

    @property
    def form(self) -> Key:
        return self.lead.reply, self.saying.number, self.events, self.one

    @property
    def weight(self) -> int:
        return self.saying.weight

    def pieces(self) -> Pieces:
        """The form of the whole."""
        return self._under([(REPLY, (self.events, *self.saying.form, self.one))])

    def parts(self) -> Pieces:
        """The forms of those parts that name functions."""
        return self._under([((REPLY[0] - 1 - n, m), form) for n, m, _, form in self.saying.named])

    def _under(self, forms: Forms) -> Pieces:
        return _under(self.lead.reply, self.lead.wider.reply, forms)


def _under(lead: int, wider: int, forms: Forms) -> Pieces:
    """Each form with what stands around it, and with as much of that as tells no bands and surfaces apart."""
    return [(place, ((lead, *form), (wider, *form))) for place, form in forms]


class Usual(Taken, eq=False):
    """A usual exchange, and where its history ends in the line."""

    told: Told
    said: Said
    reply: KeptReply
    seam: Key | None
    around: Around
    heard: Heard | None
    cut: Cut

    @property
    def asked(self) -> Asked:
        return Asked(self.around.lead, self.told.telling, self.told.how, self.seam)

    @property
    def replied(self) -> Replied:
        return Replied(self.around.lead, self.said.saying, self.said.events, self.said.one)

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
        at, named = (n - self.begin, self.told.telling.named) if n >= 0 else (REPLY[0] - 1 - n, self.said.saying.named)
        if any([each[:2] == (at, m) for each in named]):
            return place
        return (n, WHOLE) if n >= 0 else REPLY

    def chunk(self, site: Site) -> int:
        """Which chunk of the reply stands there."""
        return self.reply.chunk(site)
