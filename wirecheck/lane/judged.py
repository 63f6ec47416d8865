"""What was judged before: forms that were found sound, or what was found in them. Nothing here knows a rule."""

from collections.abc import Callable

from msgspec import Struct

from wirecheck.finding import Finding
from wirecheck.lane.around import Around
from wirecheck.lane.exchange import AROUND, Asked, Piece, Replied, Usual
from wirecheck.lane.history import Key, Place, Told
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.replies import Said

MOST, MANY = 32_768, 1 << 17  # forms of pieces, and pieces of all of them
Found = list[tuple[Place, Finding]]
Renamed = Callable[[Finding, str, str], Finding]  # what is found, on another surface and of another function
Anywhere = Callable[[Place, tuple[Finding, ...]], bool]  # whether that is found there in any form as wide


class Judged(Struct, frozen=True):
    """What is found in contents or a reply of these forms, and the parts of which more is told, under the names of
    their functions: which of the names each has. It hangs on `pieces`, of which hashes are enough."""

    found: Found
    parts: list[tuple[Place, int, Piece]]
    pieces: tuple[int, ...]


class Judgements:
    """What is found in the forms that were judged."""

    def __init__(self, renamed: Renamed) -> None:
        self._renamed = renamed
        self.sound: dict[Key, tuple[Finding, ...]] = {}
        self._noted: set[Key] = set()  # forms of parts of which something is told, in the name of a function
        self.whole: Learnt[Key, Judged] = Learnt(MANY)

    def found(self, one: Usual) -> Found | None:
        """What is found in an exchange of these forms, and in which new content of it; None where a form is new."""
        surface = one.around.lead.where.surface
        if (around := self.sound.get(one.around.form)) is None:
            around = self.of_around(one.around)
        contents, reply = self.judged(one.asked), self.judged(one.replied)
        if around is None or contents is None or reply is None:
            return None
        found = contents.found + reply.found
        if not (around or found or contents.parts or reply.parts):
            return found
        for several, by in ((contents.parts, one.told), (reply.parts, one.said)):
            names = by.names if several else []
            for place, which, piece in several:
                if (told := self._of_part(piece, surface, names[which])) is None:
                    return None
                found += [(place, each) for each in told]
        return found + [(AROUND, each) for each in around] if around else found

    def of_around(self, around: Around) -> tuple[Finding, ...] | None:
        """What is found around contents, from the forms of the pieces."""
        found: list[Finding] = []
        for piece in around.pieces:
            if (known := self._of_piece(piece, around.lead.where.surface)) is None:
                return None
            found += known
        self.sound[around.form] = together = tuple(found)
        return together

    def judged(self, of: Asked | Replied) -> Judged | None:
        """The same of contents or a reply."""
        known = self.whole.get(form := of.form)
        return self._new(form, of) if known is None else known

    def _new(self, form: Key, of: Asked | Replied) -> Judged | None:
        pieces, parts, surface = of.pieces(), of.parts(), of.lead.where.surface
        found: Found = []
        told: list[tuple[Place, int, Piece]] = []
        for place, piece in pieces:
            if (known := self._of_piece(piece, surface)) is None:
                return None
            found += [(place, each) for each in known]
        for which, (place, piece) in enumerate(parts):
            if piece[0] in self._noted or self.sound.get(piece[1]):
                self._noted.add(piece[0])
                told.append((place, which, piece))
            elif self._of_piece(piece, surface) is None:
                return None
        hangs = tuple([hash(piece[0]) for _, piece in (*pieces, *parts)])
        return self.whole.add(form, Judged(found, told, hangs), of.weight)

    def _of_piece(self, piece: Piece, surface: str, name: str = "") -> tuple[Finding, ...] | None:
        sound, (form, wider) = self.sound, piece
        if (known := sound.get(form)) is None and (known := sound.get(wider)) is not None:
            known = tuple([self._renamed(each, surface, name) for each in known])
            if len(sound) < MOST:
                sound[form] = known
        return known

    def _of_part(self, piece: Piece, surface: str, name: str) -> tuple[Finding, ...] | None:
        """What is found in a part that names this function."""
        return self._of_piece((_by_name(piece, name), piece[1]), surface, name)

    def learn(self, one: Usual, first: int, found: dict[Place, list[Finding]], anywhere: Anywhere) -> None:
        """These forms were judged, the contents from `first` on, and no more was found than this."""
        several, of_forms = self._pieces(one), one.judged(found, first)
        if of_forms is None or not of_forms.keys() <= {place for place, *_ in several}:
            return
        if len(self.sound) > MOST:
            self._forget()
        for place, form, pieces in several:
            if place[0] < 0 or place[0] >= first:
                known = self.sound.get(form)
                self.sound[form] = now = tuple(of_forms.get(place, ()))
                if known is not None and known != now:
                    self._judge_again(form)
                for narrow, wider in pieces:
                    if not now:
                        self.sound[narrow] = ()
                    elif place[1] >= 0 and narrow not in self._noted:
                        self._noted.add(narrow)
                        self._judge_again(narrow)
                    if anywhere(place, now):
                        self.sound[wider] = now

    def _judge_again(self, piece: Key) -> None:
        """What hangs on this piece."""
        own = hash(piece)
        self.whole.drop([form for form, judged in self.whole.items() if own in judged.pieces])

    def _forget(self) -> None:
        self.sound.clear()
        self._noted.clear()
        self.whole.clear()

    @staticmethod
    def _pieces(one: Usual) -> list[tuple[Place, Key, list[Piece]]]:
        """Where something may be found, in which form, and the forms of its pieces."""
        several: list[tuple[Place, Key, list[Piece]]] = [(AROUND, one.around.form, one.around.pieces)]
        of: tuple[tuple[Asked | Replied, Told | Said], ...] = (one.asked, one.told), (one.replied, one.said)
        for which, by in of:
            several += [(place, piece[0], [piece]) for place, piece in which.pieces()]
            named = zip(which.parts(), by.names, strict=True)
            several += [(place, _by_name(piece, name), [piece]) for (place, piece), name in named]
        return [((n + one.begin if n >= 0 else n, m), form, pieces) for (n, m), form, pieces in several]


def _by_name(piece: Piece, name: str) -> Key:
    """The form of a part that names this function."""
    return name, *piece[0]
