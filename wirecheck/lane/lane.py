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
from wirecheck.lane.around import Kin, Surroundings
from wirecheck.lane.cuts import Cut, Cutter, beginning
from wirecheck.lane.exchange import Usual
from wirecheck.lane.history import Histories, Place, read_contents
from wirecheck.lane.judged import Anywhere, Found, Judgements, Renamed
from wirecheck.lane.prefixes import Heard, Prefixes
from wirecheck.lane.replies import Replies
from wirecheck.lane.shelf import KeptReply, Shelf
from wirecheck.lane.usual import UNUSUAL
from wirecheck.models import Models
from wirecheck.talk import Talk
from wirecheck.talk.conversation import Conversation, Kind, Trimmed
from wirecheck.talk.memory import chained, digests
from wirecheck.talk.toolbox import Toolbox
from wirecheck.wire.log import PREFIX
from wirecheck.wire.record import Origin

BEGINS, OPENED = b'{"request":', PREFIX + b'opened"'
FEWEST = 3  # contents: two of the history, and something new
SHORT = 4096  # bytes of contents that are read rather than looked for
TEXT = b'\\"contents\\":'  # within a text


class Stood(Struct, eq=False):
    """How far a conversation had come when a history of it was heard."""

    conversation: Conversation
    chain: int


class Lane:
    """Knows the forms that are sound, and the histories that go on."""

    def __init__(self, models: Models, kin: Kin, renamed: Renamed) -> None:
        self._surroundings, self._replies = Surroundings(models, kin), Replies()
        self._cutter = Cutter(self._surroundings, self._replies)
        self._histories, self._judgements = Histories(), Judgements(renamed)

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
            KeptReply(origin, said, lines=cut.lines > 1, text=cut.text, inner=cut.inner),
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
