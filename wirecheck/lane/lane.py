"""The quick lane: what was heard before, in all but the wording, is not read again.

A line comes here first. Where its history was heard, these bytes are not looked at; where the rest has forms that were
judged before and found sound, nothing more can be found, and only what talk remembers of a conversation is moved on.
Anything else takes the long way, and what came of it is learnt. Both ways give the same findings: nothing here knows
a rule.
"""

from array import array
from collections.abc import Sequence
from typing import Any

from wirecheck.finding import Finding
from wirecheck.lane import blank
from wirecheck.lane.around import Kin, Surroundings
from wirecheck.lane.contents import Contents, Place
from wirecheck.lane.cuts import EXCHANGE, Cut, Cutter, Inner, beginning
from wirecheck.lane.directly import Stood, taker
from wirecheck.lane.exchange import Usual
from wirecheck.lane.judged import Anywhere, Found, Judgements, Renamed
from wirecheck.lane.prefixes import SHORT, Heard, Prefixes
from wirecheck.lane.replies import Replies, Said
from wirecheck.lane.shelf import KeptReply, Shelf
from wirecheck.lane.usual import UNUSUAL
from wirecheck.models import Models
from wirecheck.talk import Talk
from wirecheck.talk.conversation import Conversation, Kind, Trimmed
from wirecheck.talk.memory import chained, digests
from wirecheck.talk.toolbox import Toolbox
from wirecheck.wire.log import PREFIX
from wirecheck.wire.record import Origin

OPENED = PREFIX + b'opened"'
FEWEST = 3  # contents: two of the history, and something new

Read = tuple[Cut, Heard | None]  # an exchange, and the history in it that was heard


class Lane:
    """Knows the forms that are sound, and the histories that go on."""

    def __init__(self, models: Models, kin: Kin, renamed: Renamed) -> None:
        self._surroundings, self._replies = Surroundings(models, kin), Replies()
        self._cutter = Cutter(self._surroundings, self._replies)
        self._contents, self._judgements = Contents(), Judgements(renamed)
        self._inner = False  # requests are texts within their lines, as far as is known
        self.directly = 0  # lines that were taken in so
        self._direct = taker(self._surroundings, self._cutter, self._replies, self._contents, self._judgements)

    def begin(self, talk: Talk, notes: dict[str, Any]) -> None:
        """Another file begins: its conversations are others. What is sound stays so."""
        self._talk = talk
        self._prefixes, self._shelf = Prefixes(), Shelf()
        self._surroundings.begin(talk.toolboxes)
        self._direct.given(
            {
                **talk.memories,
                "toolboxes": talk.toolboxes.held,
                "prefixes": self._prefixes,
                "shelf": self._shelf,
                **notes,
            }
        )

    def run(self, lines: Sequence[bytes], begin: int, origin: Origin, *, kept: bool) -> int:
        """How many lines from this one on are taken in at once: those that are known in all their forms. With `kept`
        also those of our own log, which no open channel may be in the way of."""
        if self._inner:
            return 0
        count, exchanges = self._direct.run(lines, begin, origin.path, origin.line, kept)
        self._talk.exchanges += exchanges
        self.directly += count
        return count

    def cut(self, line: bytes) -> Read | None:
        """The line as an exchange in pieces, where it may be a usual one."""
        if not line.startswith(EXCHANGE):
            return None
        try:
            start, heard = self._heard(line)
            cut = self._cutter.cut(line, start, 0 if heard is None else heard.length)
            self._inner = isinstance(cut, Inner)
            if isinstance(cut, Inner):
                start, heard = self._heard(cut.text)
                cut = self._cutter.cut_text(cut, start, 0 if heard is None else heard.length)
            return cut, heard
        except (*UNUSUAL, IndexError):
            return None

    def cut_kept(self, lines: Sequence[bytes], begin: int) -> Read | None:
        """The same of lines of our own log, where they are one exchange from this line on."""
        if not lines[begin].startswith(OPENED):
            return None
        try:
            start, heard = self._heard(lines[begin])
            return self._cutter.cut_kept(lines, begin, start, 0 if heard is None else heard.length), heard
        except (*UNUSUAL, IndexError):
            return None

    def takes(self, read: Read, origin: Origin) -> bool:
        """Whether an exchange is taken in at once. One that stands alone in its line was tried as a line already."""
        cut, heard = read
        tried = cut.lines == 1 and not cut.inner
        if tried or not self._direct.take(cut, heard, origin.path, origin.line):
            return False
        self._talk.exchanges += 1
        self.directly += cut.lines
        return True

    def usual(self, read: Read, origin: Origin) -> Usual | None:
        """It as an exchange, if it is a usual one."""
        try:
            return self._exchange(*read, origin)
        except (*UNUSUAL, IndexError):
            return None

    def found(self, one: Usual) -> Found | None:
        """What is found in an exchange of these forms, and in which new content of it; None where a form is new."""
        return self._judgements.found(one)

    def learn(self, one: Usual, first: int, found: dict[Place, list[Finding]], anywhere: Anywhere) -> None:
        """These forms were judged, the contents from `first` on, and no more was found than this."""
        self._judgements.learn(one, first, found, anywhere)

    def of_band(self, one: Usual, band: str | None) -> bool:
        """Whether its model is of this band, or an alias that now turns out to stand for one that is."""
        if one.around.lead.alias:
            one.around = self._surroundings.of_band(one.around, band)
        return one.around.lead.band == band

    def went_on(self, one: Usual, conversation: Conversation) -> None:
        """The conversation stands at the end of this history now. A long one is to be found again in a line."""
        line, start, end = one.cut.line, one.cut.start, one.cut.end
        self._shelf.add(one.reply, conversation)
        if not start or len(line) - start <= SHORT:
            return
        if one.heard is not None and one.heard.name == conversation.name:
            one.heard.known = Stood(conversation, one.chain[-1])
            self._prefixes.move(one.heard, line, start, end)
        else:
            self._prefixes.add(conversation.name, line, start, end, Stood(conversation, one.chain[-1]))

    def _exchange(self, cut: Cut, heard: Heard | None, origin: Origin) -> Usual | None:
        around, written, said, direct = cut.around, cut.slices, cut.said, self._direct
        hashes = digests(written)
        known, trimmed, count, chain = self._known(heard, hashes, around.lead.kind)
        tail, hashes, chain = written[count:], hashes[count:], chain[count:]
        if not tail or (known is not None and known.sound != around.lead.kind):
            return None
        seam = None
        if trimmed is not None:
            kept = trimmed.head + 2
            if (seam := direct.seam(cut.contents[:kept], written[:kept])) is None:
                return None
        if known is not None and around.lead.alias:
            around = self._surroundings.known_as(around, known.model)
        begin = 0 if known is None else len(known.hashes) if trimmed is None else count
        told = self._contents.told(direct, cut.contents, written, count, known, trimmed, begin, cut.toolbox)
        if trimmed is not None and not told.asked:
            if (words := direct.words(cut.contents[:count], written[:count])) is None:
                return None
            told.asked.append(words)
        if said.called and not _fit(said, cut.toolbox):
            return None
        reply = KeptReply(origin, said, cut.lines > 1, cut.text, cut.inner)
        kind = around.lead.kind
        return Usual(kind, known, trimmed, begin, tail, hashes, chain, told, said, reply, seam, around, heard, cut)

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

    def _heard(self, line: bytes) -> tuple[int, Heard | None]:
        """Where the contents of a long line begin, and the history there that was heard before, if its conversation has
        not gone on another way."""
        if len(line) <= SHORT or (start := beginning(line)) < 0:
            return 0, None
        heard = self._prefixes.find(line, start) if len(line) - start > SHORT else None
        if heard is not None and heard.known.conversation.chain != heard.known.chain:
            self._prefixes.drop(heard)
            return start, None
        return start, heard


def _fit(said: Said, toolbox: Toolbox) -> bool:
    """Whether the calls of the model are of those that are declared, and their arguments what they may be."""
    values = said.values
    calls = [(blank.value(name, values), blank.args(args, values)) for name, args in said.called]
    return all([toolbox.fits(name, args) for name, args in calls])
