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
FEWEST = 3  # contents: two of the history, and something new
SHORT = 4096  # bytes of contents that are read rather than looked for
TEXT = b'\\"contents\\":'  # within a text
AROUND: Place = (-1, WHOLE)  # what stands around the contents
REPLY: Place = (-2, WHOLE)  # as a whole; the contents before it are those of its chunks
# Where others are gone, the content after them and the next; what is wrong with that; and with how contents end.
SEAM, NEXT, GONE, ENDING = ((-1, WHOLE - n) for n in range(1, 5))
SEAMS = SEAM, NEXT, GONE


class Part(Struct, frozen=True, gc=False):
    """A part that names a function: its form, and which of the names it has. Which function that is matters only to
    what is told of it."""

    form: Key
    name: int

    def key(self, names: list[str]) -> Key:
        return names[self.name], *self.form


class Judged(Struct, frozen=True):
    """What is found in contents or a reply of a form, and the parts of which something is told by their names."""

    found: Found
    parts: list[tuple[Place, Part]]


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

    def forms(self) -> list[tuple[Place, Key]]:
        """The forms of its pieces, each of which rules judge by itself."""
        forms = self.forms_asked() + self.forms_replied() + [(AROUND, self.around.form)]
        forms += [(place, part.key(self.told.names)) for place, part in self.parts_asked()]
        forms += [(place, part.key(self.said.names)) for place, part in self.parts_replied()]
        return [((n + self.begin if n >= 0 else n, m), key) for (n, m), key in forms]

    def forms_asked(self) -> list[tuple[Place, Key]]:
        """Those of its contents, counted from the first that is new."""
        context = self.around.lead.contents
        forms = self.told.forms(context)
        if self.told.state == "model":  # else nothing is
            forms.append((ENDING, (context, ENDING, *self.told.telling.keys[-1])))
        if self.seam is not None:
            forms += [(place, (context, place, key)) for place, key in zip(SEAMS, self.seam, strict=True)]
        return forms

    def forms_replied(self) -> list[tuple[Place, Key]]:
        return [(REPLY, (self.around.lead.reply, self.said.events, *self.said.saying.form, self.said.one))]

    def parts_asked(self) -> list[tuple[Place, Part]]:
        """The parts of its contents that name functions."""
        context = self.around.lead.contents
        return [((n, m), Part((context, *form), at)) for at, (n, m, _, form) in enumerate(self.told.telling.named)]

    def parts_replied(self) -> list[tuple[Place, Part]]:
        context = self.around.lead.reply
        named = enumerate(self.said.saying.named)
        return [((REPLY[0] - 1 - n, m), Part((context, *form), at)) for at, (n, m, _, form) in named]

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

    def __init__(self, models: Models, kin: Kin) -> None:
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
        around = self._of_around(one.around)
        if around is None:
            return None
        if (contents := self._whole.get(one.asked)) is None:
            contents = self._judged(one.forms_asked(), one.parts_asked(), one.asked, one.told.telling.weight)
        if (reply := self._whole.get(one.replied)) is None:
            reply = self._judged(one.forms_replied(), one.parts_replied(), one.replied, one.said.saying.weight)
        if contents is None or reply is None:
            return None
        found = contents.found + reply.found
        for parts, by in ((contents.parts, one.told), (reply.parts, one.said)):
            names = by.names if parts else []
            for place, part in parts:
                if (told := self._sound.get(part.key(names))) is None:
                    return None
                found += [(place, each) for each in told]
        return found + [(AROUND, each) for each in around] if around else found

    def _of_around(self, around: Around) -> tuple[Finding, ...] | None:
        """What is found around contents: nothing in all of it, where nothing is in each piece."""
        sound = self._sound
        if (known := sound.get(around.form)) is None and sound.keys() >= set(around.pieces):
            known = sound[around.form] = ()
        return known

    def _judged(
        self, forms: list[tuple[Place, Key]], parts: list[tuple[Place, Part]], form: Key, weight: int
    ) -> Judged | None:
        """The same of contents or a reply from the forms of the pieces; None where one of these is new."""
        sound, found = self._sound, Found()
        for place, key in forms:
            if (known := sound.get(key)) is None:
                return None
            found += [(place, each) for each in known]
        told = [(place, part) for place, part in parts if part.form in self._noted]
        if not sound.keys() >= {part.form for _, part in parts} - self._noted:
            return None
        return self._whole.add(form, Judged(found, told), weight)

    def of_band(self, one: Usual, band: str | None) -> bool:
        """Whether its model is of this band, or an alias that now turns out to stand for one that is."""
        if one.around.lead.alias:
            one.around = self._surroundings.of_band(one.around, band)
        return one.around.lead.band == band

    def learn(self, one: Usual, first: int, found: dict[Place, list[Finding]]) -> None:
        """These forms were judged, the contents from `first` on, and no more was found than this."""
        forms, of_forms = one.forms(), one.judged(found, first)
        if of_forms is None or not of_forms.keys() <= {place for place, _ in forms}:
            return
        if len(self._sound) > MOST:
            self._sound.clear()
        for place, key in forms:
            if place[0] < 0 or place[0] >= first:
                known = self._sound.get(key)
                self._sound[key] = now = tuple(of_forms.get(place, ()))
                if known is not None and known != now:
                    self._whole.clear()
                pieces = one.around.pieces if place == AROUND else [key[1:]] if place[1] != WHOLE else []
                if not now:
                    self._sound.update(dict.fromkeys(pieces, ()))
                elif place[1] != WHOLE and not self._noted.issuperset(pieces):
                    self._noted.update(pieces)
                    self._whole.clear()

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


def _fits(name: str, args: bytes | None, toolbox: Toolbox) -> bool:
    """Whether a call of the model is one of those that are declared, and its arguments what they may be."""
    declared = toolbox.declaration(name)
    return declared is not None and toolbox.fits(declared, {} if args is None else msgspec.json.decode(args))
