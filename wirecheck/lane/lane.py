"""The quick lane: what was heard before, in all but the wording, is not read again.

A line comes here first. Where its history was heard, these bytes are not looked at; where the rest has forms that were
judged before and found sound, nothing more can be found, and only what talk remembers of a conversation is moved on.
Anything else takes the long way, and what came of it is learnt. Both ways give the same findings: nothing here knows
a rule.
"""

from array import array
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from msgspec import Struct

from wirecheck.finding import Finding
from wirecheck.lane.around import Around, Kin, Surroundings
from wirecheck.lane.cuts import Cut, Cutter, beginning
from wirecheck.lane.history import WHOLE, Histories, Key, Place, Told, read_contents
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.prefixes import Heard, Prefixes
from wirecheck.lane.replies import Replies, Said
from wirecheck.lane.shelf import KeptReply, Shelf
from wirecheck.lane.usual import UNUSUAL
from wirecheck.models import Models
from wirecheck.talk import Talk
from wirecheck.talk.conversation import Conversation, Kind, Taken, Trimmed
from wirecheck.talk.memory import chained, digests
from wirecheck.talk.toolbox import Toolbox
from wirecheck.wire.log import PREFIX
from wirecheck.wire.record import Origin, Site

BEGINS, OPENED = b'{"request":', PREFIX + b'opened"'
MOST, MANY = 32_768, 1 << 17  # forms of pieces, and pieces of all of them
Found = list[tuple[Place, Finding]]
Piece = tuple[Key, Key]  # the form of a piece, and a wider one: bands and surfaces are not told apart there
Pieces = list[tuple[Place, Piece]]
Renamed = Callable[[Finding, str, str], Finding]  # what is found, on another surface and of another function
Anywhere = Callable[[Place, tuple[Finding, ...]], bool]  # whether that is found there in any form as wide
FEWEST = 3  # contents: two of the history, and something new
SHORT = 4096  # bytes of contents that are read rather than looked for
TEXT = b'\\"contents\\":'  # within a text
AROUND: Place = (-1, WHOLE)  # what stands around the contents
REPLY: Place = (-2, WHOLE)  # as a whole; the contents before it are those of its chunks
# Where others are gone, the content after them and the next; what is wrong with that; and with how contents end.
SEAM, NEXT, GONE, ENDING = ((-1, WHOLE - n) for n in range(1, 5))
SEAMS = SEAM, NEXT, GONE


class Judged(Struct, frozen=True):
    """What is found in contents or a reply of these forms, and the parts of which more is told, under the names of
    their functions: which of the names each has."""

    found: Found
    parts: list[tuple[Place, int, Piece]]


class Stood(Struct, eq=False):
    """How far a conversation had come when a history of it was heard."""

    conversation: Conversation
    chain: int


class Usual(Taken, eq=False):
    """A usual exchange, and where its history ends in the line."""

    told: Told
    said: Said
    reply: KeptReply
    seam: Key | None  # how what is kept of a history goes together where others are gone
    around: Around
    heard: Heard | None
    line: bytes
    start: int
    end: int
    lines: int
    channel: str

    @property
    def asked(self) -> Key:
        """The form of its contents."""
        return self.around.lead.contents, self.told.telling.number, self.told.how, self.seam

    @property
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


class Lane:
    """Knows the forms that are sound, and the histories that go on."""

    def __init__(self, models: Models, kin: Kin, renamed: Renamed) -> None:
        self._renamed = renamed
        self._surroundings, self._replies = Surroundings(models, kin), Replies()
        self._cutter = Cutter(self._surroundings, self._replies)
        self._histories = Histories()
        self._sound: dict[Key, tuple[Finding, ...]] = {}
        self._whole: Learnt[Key, Judged] = Learnt(MANY)
        self._noted: set[Key] = set()  # forms of parts of which something is told, in the name of a function

    def begin(self, talk: Talk) -> None:
        """Another file begins: its conversations are others. What is sound stays so."""
        self._talk = talk
        self._prefixes, self._shelf = Prefixes(), Shelf()
        self._surroundings.begin(talk.toolboxes)

    def take(self, line: bytes, origin: Origin) -> Usual | None:
        """The line as an exchange, where it is a usual one."""
        if not line.startswith(BEGINS):
            return None
        if (start := beginning(line)) < 0:
            return self._take_text(line, origin) if TEXT in line else None
        return self._taken(line, start, origin, self._cutter.cut)

    def _take_text(self, line: bytes, origin: Origin) -> Usual | None:
        """The same where the body of the request is a text of JSON, as HAR keeps it."""
        try:
            one, values, text = self._cutter.text(line)
        except UNUSUAL:
            return None
        if (start := beginning(text)) < 0:
            return None
        return self._taken(text, start, origin, partial(self._cutter.cut_text, one, values))

    def take_kept(self, lines: Sequence[bytes], begin: int, origin: Origin) -> Usual | None:
        """Lines of our own log as an exchange, where they are one from this line on, and a usual one."""
        line = lines[begin]
        if not line.startswith(OPENED) or (start := beginning(line)) < 0:
            return None
        return self._taken(line, start, origin, partial(self._cutter.cut_kept, lines, begin))

    def found(self, one: Usual) -> Found | None:
        """What is found in an exchange of these forms, and in which new content of it; None where a form is new."""
        surface = one.around.lead.where.surface
        if (around := self._sound.get(one.around.form)) is None:
            around = self._of_around(one.around)
        if (contents := self._whole.get(one.asked)) is None:
            pieces, parts = one.pieces_asked(), one.parts_asked()
            contents = self._judged(one.asked, pieces, parts, surface, one.told.telling.weight)
        if (reply := self._whole.get(one.replied)) is None:
            pieces, parts = one.pieces_replied(), one.parts_replied()
            reply = self._judged(one.replied, pieces, parts, surface, one.said.saying.weight)
        if around is None or contents is None or reply is None:
            return None
        found = contents.found + reply.found
        for several, by in ((contents.parts, one.told), (reply.parts, one.said)):
            names = by.names if several else []
            for place, which, piece in several:
                if (told := self._of_part(piece, surface, names[which])) is None:
                    return None
                found += [(place, each) for each in told]
        return found + [(AROUND, each) for each in around] if around else found

    def _of_around(self, around: Around) -> tuple[Finding, ...] | None:
        """What is found around contents, from the forms of the pieces."""
        found = list[Finding]()
        for piece in around.pieces:
            if (known := self._of_piece(piece, around.lead.where.surface)) is None:
                return None
            found += known
        self._sound[around.form] = together = tuple(found)
        return together

    def _judged(self, form: Key, pieces: Pieces, parts: Pieces, surface: str, weight: int) -> Judged | None:
        """The same of contents or a reply."""
        found, told = Found(), list[tuple[Place, int, Piece]]()
        for place, piece in pieces:
            if (known := self._of_piece(piece, surface)) is None:
                return None
            found += [(place, each) for each in known]
        for which, (place, piece) in enumerate(parts):
            if piece[0] in self._noted or self._sound.get(piece[1]):
                self._noted.add(piece[0])
                told.append((place, which, piece))
            elif self._of_piece(piece, surface) is None:
                return None
        return self._whole.add(form, Judged(found, told), weight)

    def _of_piece(self, piece: Piece, surface: str, name: str = "") -> tuple[Finding, ...] | None:
        sound, (form, wider) = self._sound, piece
        if (known := sound.get(form)) is None and (known := sound.get(wider)) is not None:
            known = sound[form] = tuple([self._renamed(each, surface, name) for each in known])
        return known

    def _of_part(self, piece: Piece, surface: str, name: str) -> tuple[Finding, ...] | None:
        """What is found in a part that names this function."""
        return self._of_piece((_by_name(piece, name), piece[1]), surface, name)

    def of_band(self, one: Usual, band: str | None) -> bool:
        """Whether its model is of this band, or an alias that now turns out to stand for one that is."""
        if one.around.lead.alias:
            one.around = self._surroundings.of_band(one.around, band)
        return one.around.lead.band == band

    def learn(self, one: Usual, first: int, found: dict[Place, list[Finding]], anywhere: Anywhere) -> None:
        """These forms were judged, the contents from `first` on, and no more was found than this."""
        several, of_forms = self._pieces(one), one.judged(found, first)
        if of_forms is None or not of_forms.keys() <= {place for place, *_ in several}:
            return
        if len(self._sound) > MOST:
            self._sound.clear()
        for place, form, pieces in several:
            if place[0] < 0 or place[0] >= first:
                known = self._sound.get(form)
                self._sound[form] = now = tuple(of_forms.get(place, ()))
                if known is not None and known != now:
                    self._whole.clear()
                for narrow, wider in pieces:
                    if not now:
                        self._sound[narrow] = ()
                    elif place[1] >= 0 and narrow not in self._noted:
                        self._noted.add(narrow)
                        self._whole.clear()
                    if anywhere(place, now):
                        self._sound[wider] = now

    @staticmethod
    def _pieces(one: Usual) -> list[tuple[Place, Key, list[Piece]]]:
        """Where something may be found, in which form, and the forms of its pieces."""
        several: list[tuple[Place, Key, list[Piece]]] = [(AROUND, one.around.form, one.around.pieces)]
        for pieces, parts, by in (
            (one.pieces_asked(), one.parts_asked(), one.told),
            (one.pieces_replied(), one.parts_replied(), one.said),
        ):
            several += [(place, piece[0], [piece]) for place, piece in pieces]
            named = zip(parts, by.names, strict=True)
            several += [(place, _by_name(piece, name), [piece]) for (place, piece), name in named]
        return [((n + one.begin if n >= 0 else n, m), form, pieces) for (n, m), form, pieces in several]

    def went_on(self, one: Usual, conversation: Conversation) -> None:
        """The conversation stands at the end of this history now. A long one is to be found again in a line."""
        line, start, end = one.line, one.start, one.end
        self._shelf.add(one.reply, conversation)
        if len(line) - start <= SHORT:
            return
        if one.heard is not None and one.heard.name == conversation.name:
            one.heard.known = Stood(conversation, one.chain[-1])
            self._prefixes.move(one.heard, line, start, end)
        else:
            self._prefixes.add(conversation.name, line, start, end, Stood(conversation, one.chain[-1]))

    def _taken(self, line: bytes, start: int, origin: Origin, cut: Callable[[bytes, int, int], Cut]) -> Usual | None:
        try:
            heard = self._heard(line, start) if len(line) - start > SHORT else None
            return self._exchange(line, start, origin, heard, cut(line, start, 0 if heard is None else heard.length))
        except (*UNUSUAL, IndexError):
            return None

    def _exchange(self, line: bytes, start: int, origin: Origin, heard: Heard | None, cut: Cut) -> Usual | None:
        around, tail, (shape, values), said = cut.around, cut.slices, cut.contents, cut.said
        hashes = digests(tail)
        known, trimmed, count, chain = self._known(heard, hashes, around.lead.kind)
        seam = None if trimmed is None else self._histories.seam(tail, trimmed.head)
        if count:
            kept, tail, hashes, chain = tail[:count], tail[count:], hashes[count:], chain[count:]
            shape, values = read_contents(tail)
        if not tail or (known is not None and known.sound != around.lead.kind):
            return None
        if known is not None and around.lead.alias:
            around = self._surroundings.known_as(around, known.model)
        begin = 0 if known is None else len(known.hashes) if trimmed is None else count
        telling = self._histories.telling(None if known is None else known.state, shape)
        told = self._histories.told(telling, values, known, trimmed, begin, cut.toolbox)
        if trimmed is not None and not told.asked:
            told.asked.append(self._histories.words(kept))
        for name, args in said.called:
            if not _fits(name, args, cut.toolbox):
                return None
        return Usual(
            around.lead.kind,
            known,
            trimmed,
            begin,
            tail,
            hashes,
            chain,
            told,
            said,
            KeptReply(origin, said, lines=cut.channel != "" or cut.lines > 1, text=cut.text, inner=cut.inner),
            seam,
            around,
            heard,
            line,
            start,
            cut.end,
            cut.lines,
            cut.channel,
        )

    def _known(
        self, heard: Heard | None, hashes: "array[int]", kind: Kind
    ) -> tuple[Conversation | None, Trimmed | None, int, list[int]]:
        """The conversation that goes on here, how many of these contents it holds, and their chain."""
        if heard is not None:
            return heard.known.conversation, None, 0, chained(hashes, heard.known.chain)
        chain = chained(hashes, kind.thread)
        if (stands := self._talk.standing(chain, kind)) is not None:
            return stands[1], None, stands[0], chain
        if len(hashes) >= FEWEST and (goes_on := self._talk.trimmed(hashes, chain, kind)) is not None:
            return *goes_on, len(goes_on[1].hashes), chain
        return None, None, 0, chain

    def _heard(self, line: bytes, start: int) -> Heard | None:
        """The history that was heard before in these bytes, if its conversation has not gone on another way."""
        heard = self._prefixes.find(line, start)
        if heard is not None and heard.known.conversation.chain != heard.known.chain:
            self._prefixes.drop(heard)
            return None
        return heard


def _by_name(piece: Piece, name: str) -> Key:
    """The form of a part that names this function."""
    return name, *piece[0]


def _fits(name: str, args: bytes | None, toolbox: Toolbox) -> bool:
    """Whether a call of the model is one of those that are declared, and its arguments what they may be."""
    declared = toolbox.declaration(name)
    return declared is not None and toolbox.fits(declared, {} if args is None else msgspec.json.decode(args))
