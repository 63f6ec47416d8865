"""The quick lane: what was heard before, in all but the wording, is not read again.

A line comes here first. Where its history was heard, these bytes are not looked at; where the rest has forms that were
judged before and found sound, nothing more can be found, and only what talk remembers of a conversation is moved on.
Anything else takes the long way, and what came of it is learnt. Both ways give the same findings: nothing here knows
a rule.
"""

from array import array
from collections.abc import Callable, Sequence

from msgspec import UNSET, Struct

from wirecheck.finding import Finding
from wirecheck.lane import usual
from wirecheck.lane.around import Around, Kin, Surroundings
from wirecheck.lane.cuts import Cut, Cutter, beginning
from wirecheck.lane.history import WHOLE, Histories, Key, Place, Told
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.prefixes import Heard, Prefixes
from wirecheck.lane.replies import Replies, Said
from wirecheck.lane.shelf import KeptReply, Shelf
from wirecheck.lane.usual import Call
from wirecheck.models import Models
from wirecheck.talk import Talk
from wirecheck.talk.conversation import Conversation, Kind, Taken, Trimmed
from wirecheck.talk.memory import chained, digests
from wirecheck.talk.toolbox import Toolbox
from wirecheck.wire.log import PREFIX
from wirecheck.wire.record import Origin, Site
from wirecheck.wire.utf8 import utf8

BEGINS, OPENED = b'{"request":', PREFIX + b'opened"'
MOST, MANY = 32_768, 1 << 16  # forms of pieces, and pieces of all of them
Found = list[tuple[Place, Finding]]
Forms = list[tuple[Place, Key]]
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
    def form(self) -> Key:
        """The form of its contents as wholes."""
        return self.around.lead.contents, self.told.telling.shape, self.told.how, self.seam

    def wholes(self) -> Forms:
        """The forms of its contents, each of which rules judge by itself."""
        context, told = self.around.lead.contents, self.told
        forms = told.wholes(context, self.begin)
        if told.state == "model":  # else nothing is
            forms.append((ENDING, (context, ENDING, *told.telling.keys[-1])))
        if self.seam is not None:
            forms += [(place, (context, place, key)) for place, key in zip(SEAMS, self.seam, strict=True)]
        return forms

    def others(self) -> Forms:
        """The forms of its other pieces: what stands around the contents, the reply, and parts that name functions."""
        lead, said, forms = self.around.lead, self.said, self.told.named(self.around.lead.contents, self.begin)
        forms += ((AROUND, self.around.form), (REPLY, (lead.reply, said.events, said.form)))
        return forms + [((REPLY[0] - 1 - n, m), (lead.reply, form)) for n, m, form in said.saying.named]

    def pieces(self, place: Place, key: Key) -> list[tuple[Key, Key]]:
        """Forms that are told apart by less, and wider ones: nothing is wrong with this where nothing is with each."""
        if place == AROUND:
            return self.around.pieces
        context, *form = key
        if place[1] >= 0:  # a part that names a function: which one that is matters only to what is told of it
            role, _, *rest = form[0]
            form = [role, *rest]
        wider = self.around.lead.wider
        return [((context, *form), (wider.reply if place[0] <= REPLY[0] else wider.contents, *form))]

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
        self._surroundings = Surroundings(models, kin)
        self._cutter = Cutter(self._surroundings)
        self._histories, self._replies = Histories(), Replies()
        self._sound: dict[Key, tuple[Finding, ...]] = {}
        self._wholes: Learnt[Key, Found] = Learnt(MANY)  # what is found in contents of these forms

    def begin(self, talk: Talk) -> None:
        """Another file begins: its conversations are others. What is sound stays so."""
        self._talk = talk
        self._prefixes, self._shelf = Prefixes(), Shelf()
        self._surroundings.begin(talk.toolboxes)
        self._cutter.begin()

    def take(self, line: bytes, origin: Origin) -> Usual | None:
        """The line as an exchange, where it is a usual one."""
        if not line.startswith(BEGINS):
            return None
        if (start := beginning(line)) < 0:
            return self._take_text(line, origin) if TEXT in line else None
        return self._taken(line, start, origin, lambda past: self._cutter.cut(line, start, past))

    def _take_text(self, line: bytes, origin: Origin) -> Usual | None:
        """The same where the body of the request is a text of JSON, as HAR keeps it."""
        try:
            exchange = usual.exchange(utf8(line))
            text = exchange.request.body.encode() if isinstance(exchange.request.body, str) else b""
        except usual.UNUSUAL:
            return None
        if (start := beginning(text)) < 0:
            return None
        return self._taken(text, start, origin, lambda past: self._cutter.cut_text(exchange, text, start, past))

    def take_kept(self, lines: Sequence[bytes], begin: int, origin: Origin) -> Usual | None:
        """Lines of our own log as an exchange, where they are one from this line on, and a usual one."""
        line = lines[begin]
        if not line.startswith(OPENED) or (start := beginning(line)) < 0:
            return None
        return self._taken(line, start, origin, lambda past: self._cutter.cut_kept(lines, begin, start, past))

    def found(self, one: Usual) -> Found | None:
        """What is found in an exchange of these forms, and in which new content of it; None where a form is new."""
        form = one.form
        if (wholes := self._wholes.get(form)) is None:
            if (wholes := self._of_pieces(one, one.wholes())) is None:
                return None
            self._wholes.add(form, wholes, len(one.told.telling.keys))
        others = self._of_pieces(one, one.others())
        return None if others is None else wholes + others

    def _of_pieces(self, one: Usual, forms: Forms) -> Found | None:
        """What is found in pieces of it."""
        sound, begin, found = self._sound, one.begin, Found()
        for place, key in forms:
            known = sound.get(key)
            if known is None:
                if (known := self._pieced(one, place, key)) is None:
                    return None
                sound[key] = known
            if known:
                n, m = place
                found += [((n - begin if n >= 0 else n, m), each) for each in known]
        return found

    def _pieced(self, one: Usual, place: Place, key: Key) -> tuple[Finding, ...] | None:
        """What is found in a piece, from forms that are told apart by less."""
        sound, found = self._sound, list[Finding]()
        for form, wider in one.pieces(place, key):
            if (known := sound.get(form)) is None and (known := sound.get(wider)) is None:
                return None
            found += known
        surface, name = one.around.lead.where.surface, key[1][1] if place[1] >= 0 else ""
        return tuple([self._renamed(each, surface, name) for each in found])

    def of_band(self, one: Usual, band: str | None) -> bool:
        """Whether its model is of this band, or an alias that now turns out to stand for one that is."""
        if one.around.lead.alias:
            one.around = self._surroundings.of_band(one.around, band)
        return one.around.lead.band == band

    def learn(self, one: Usual, first: int, found: dict[Place, list[Finding]], anywhere: Anywhere) -> None:
        """These forms were judged, the contents from `first` on, and no more was found than this."""
        forms, of_forms = one.wholes() + one.others(), one.judged(found, first)
        if of_forms is None or not of_forms.keys() <= {place for place, _ in forms}:
            return
        if len(self._sound) > MOST:
            self._sound.clear()
        for place, key in forms:
            if place[0] < 0 or place[0] >= first:
                known = self._sound.get(key)
                self._sound[key] = now = tuple(of_forms.get(place, ()))
                if known is not None and known != now:
                    self._wholes.clear()
                for form, wider in one.pieces(place, key):
                    if not now:
                        self._sound[form] = ()
                    if anywhere(place, now):
                        self._sound[wider] = now

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

    def _taken(self, line: bytes, start: int, origin: Origin, cut: Callable[[int], Cut]) -> Usual | None:
        try:
            heard = self._heard(line, start) if len(line) - start > SHORT else None
            return self._exchange(line, start, origin, heard, cut(0 if heard is None else heard.length))
        except (*usual.UNUSUAL, IndexError):
            return None

    def _exchange(self, line: bytes, start: int, origin: Origin, heard: Heard | None, cut: Cut) -> Usual | None:
        around, contents = cut.around, cut.contents
        tail = usual.slices(contents)
        hashes = digests(tail)
        known, trimmed, count, chain = self._known(heard, hashes, around.lead.kind)
        seam = None if trimmed is None else self._histories.seam(tail, trimmed.head)
        if count:
            kept, tail, hashes, chain = tail[:count], tail[count:], hashes[count:], chain[count:]
            contents = b"[%b]" % b",".join(tail)
        if not tail or (known is not None and known.sound != around.lead.kind):
            return None
        if known is not None and around.lead.alias:
            around = self._surroundings.known_as(around, known.model)
        begin = 0 if known is None else len(known.hashes) if trimmed is None else count
        told = self._histories.told(contents, known, trimmed, begin, around.toolbox)
        if trimmed is not None and not told.asked:
            told.asked.append(self._histories.words(kept))
        said = self._replies.said(cut.reply)
        for call in said.called:
            if not _fits(call, around.toolbox):
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
            KeptReply(origin, cut.reply, said, inner=cut.inner),
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


def _fits(call: Call, toolbox: Toolbox) -> bool:
    """Whether a call of the model is one of those that are declared, and its arguments what they may be."""
    declared = toolbox.declaration(call.name)
    args = {} if call.args is UNSET else call.args
    return declared is not None and toolbox.fits(declared, args)
