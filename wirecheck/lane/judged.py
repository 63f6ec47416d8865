"""What was judged before: forms that were found sound, or what was found in them. Nothing here knows a rule.

Each piece of an exchange is judged by itself: what stands around the contents, each content where it stands, the reply,
and the parts that name functions. An exchange is known where all its pieces are.
"""

from collections.abc import Callable

from wirecheck.finding import Finding
from wirecheck.lane import native
from wirecheck.lane.around import Around, Lead
from wirecheck.lane.contents import Place
from wirecheck.lane.exchange import AROUND, Piece, Usual
from wirecheck.lane.learnt import Learnt

MOST = 1 << 16  # forms of pieces
Key = tuple[object, ...]
Findings = tuple[Finding, ...]
Found = list[tuple[Place, Finding]]
Renamed = Callable[[Finding, str, str], Finding]  # what is found, on another surface and of another function
Anywhere = Callable[[Place, Findings], bool]  # whether that is found there in any form as wide


class Judgements:
    """What is found in the forms that were judged."""

    def __init__(self, renamed: Renamed) -> None:
        self._renamed = renamed
        # Of pieces; None of a part of which it hangs on the name of its function. And of what stands around contents.
        self.sound: Learnt[int, Findings | None] = Learnt(MOST)
        self.around: Learnt[Key, Findings] = Learnt(MOST)

    def found(self, one: Usual) -> Found | None:
        """What is found in an exchange of these forms, and in which new content of it; None where a form is new."""
        lead, found = one.around.lead, Found()
        if (around := self.around.get(one.around.form)) is None and (around := self.of_around(one.around)) is None:
            return None
        for piece in one.pieces():
            known = self._of(piece, lead)
            if known is None:
                return None
            if known:
                found += [(piece.place, each) for each in known]
        return found + [(AROUND, each) for each in around]

    def of_around(self, around: Around) -> Findings | None:
        """What is found around contents, from the forms of the pieces."""
        found: list[Finding] = []
        for narrow, wider in around.pieces:
            if (known := self.around.get(narrow)) is None and (known := self.around.get(wider)) is not None:
                known = self.around.add(narrow, self._here(known, around.lead))
            if known is None:
                return None
            found += known
        return self.around.add(around.form, tuple(found))

    def _of(self, piece: Piece, lead: Lead) -> Findings | None:
        """Of a part that names a function another is asked about that may be of any function."""
        if piece.name is not None:
            return self.of_part(piece.form, piece.wider, lead, piece.name)
        known = self.sound.get(piece.form)
        return self.of_piece(piece.form, piece.wider, lead) if known is None else known

    def of_piece(self, form: int, wider: int, lead: Lead, name: str = "") -> Findings | None:
        """What is found in a piece whose form is new; None where no other that is as good was judged."""
        if (known := self.sound.get(wider)) is None:
            return None
        return self.sound.add(form, self._here(known, lead, name))

    def of_part(self, form: int, wider: int, lead: Lead, name: str) -> Findings | None:
        """The same of a part that names this function."""
        if form not in self.sound.known:
            if (known := self.sound.get(wider)) is None:
                return None
            self.sound.add(form, None if known else ())
        if (known := self.sound.get(form)) is not None:
            return known
        own = native.named(form, name)
        return self.of_piece(own, wider, lead, name) if (known := self.sound.get(own)) is None else known

    def _here(self, known: Findings, lead: Lead, name: str = "") -> Findings:
        return tuple([self._renamed(each, lead.where.surface, name) for each in known])

    def learn(self, one: Usual, first: int, found: dict[Place, list[Finding]], anywhere: Anywhere) -> None:
        """These forms were judged, the contents from `first` on, and no more was found than this."""
        pieces = [(_in_history(piece.place, one.begin), piece) for piece in one.pieces()]
        of_forms = one.judged(found, first)
        if of_forms is None or not of_forms.keys() <= {AROUND, *[place for place, _ in pieces]}:
            return
        self._learn_around(one.around, tuple(of_forms.get(AROUND, ())), anywhere)
        for place, piece in pieces:
            if place[0] < 0 or place[0] >= first:
                now = tuple(of_forms.get(place, ()))
                self._learn_piece(piece, now)
                if anywhere(place, now):
                    self.sound.add(piece.wider, now)

    def _learn_around(self, around: Around, now: Findings, anywhere: Anywhere) -> None:
        self.around.add(around.form, now)
        for narrow, wider in around.pieces:
            if not now:
                self.around.add(narrow, ())
            if anywhere(AROUND, now):
                self.around.add(wider, now)

    def _learn_piece(self, piece: Piece, now: Findings) -> None:
        if piece.name is None:
            self.sound.add(piece.form, now)
            return
        if now:
            self.sound.add(piece.form, None)
        elif self.sound.get(piece.form, ()) is not None:
            self.sound.add(piece.form, ())
        self.sound.add(native.named(piece.form, piece.name), now)


def _in_history(place: Place, begin: int) -> Place:
    n, m = place
    return (n + begin, m) if n >= 0 else place
