"""The quick lane: what was heard before, in all but the wording, is not read again.

A line comes here first. Where its history was heard, these bytes are not looked at; where the rest has forms that were
judged before and found sound, nothing more can be found, and only what talk remembers of a conversation is moved on.
Anything else takes the long way, and what came of it is learnt. Both ways give the same findings: nothing here knows
a rule.
"""

from msgspec import UNSET, Struct
from xxhash import xxh3_64_intdigest

from wirecheck.dialects.address import address
from wirecheck.finding import Finding
from wirecheck.lane import usual
from wirecheck.lane.forms import Odd, look, reply_form
from wirecheck.lane.history import WHOLE, History, Key, Place
from wirecheck.lane.prefixes import Heard, Prefixes
from wirecheck.lane.replies import KeptReply
from wirecheck.lane.usual import Body, Call, Chunk
from wirecheck.rules import Ruleset
from wirecheck.talk import Talk
from wirecheck.talk.memory import chained, digests
from wirecheck.talk.threads import Conversation, Kind, Taken, kind_of
from wirecheck.talk.toolbox import Toolbox
from wirecheck.wire.record import Origin

BEGINS = b'{"request":'
CONTENTS = b'"contents":'
HEARD = b"0"  # stands where a history was that is known
VERBS = frozenset(("generateContent", "streamGenerateContent"))
MOST = 65_536  # forms
SHORT = 4096  # bytes of contents that are read rather than looked for
FEW = 4096  # URLs, and lists of tools
LONG = 1 << 17  # a line longer than this, its history left out, takes the long way
AROUND: Place = (-1, WHOLE)  # what stands around the contents
REPLY: Place = (-2, WHOLE)  # as a whole; the contents before it are those of its chunks


class Lead(Struct, frozen=True, eq=False):
    """What the URL of a usual request says: which histories it may go on from, and numbers for what rules see of it:
    all, or all but the name of a model that none of them asks for."""

    kind: Kind
    number: int
    kin: int


class Usual(Taken, eq=False):
    """A usual exchange: where its history stands in the line, and what tells its form."""

    line: bytes
    start: int
    past: int  # bytes of the history, at least, before the contents that are new
    heard: Heard | None
    history: History
    lead: Lead
    around: Key
    form: Key

    def forms(self) -> list[tuple[Place, Key]]:
        """The forms of its pieces, each of which rules judge by itself."""
        kin, reply = self.lead.kin, self.reply
        forms = self.history.forms(kin)
        forms.append((AROUND, (self.lead.number, *self.around)))
        forms.append((REPLY, (kin, self.form)))
        if reply.called:
            for n, seen in enumerate(reply.looks):
                if seen is not None and seen.named:
                    forms += [((REPLY[0] - 1 - n, m), (kin, form)) for m, form in seen.named]
        return forms


class Lane:
    """Knows the forms that are sound, and the histories that go on."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._models = rules.models
        self._leads: dict[str, Lead | None] = {}
        self._contexts: dict[Key, int] = {}
        self._sound: dict[Key, tuple[Finding, ...]] = {}

    def begin(self, talk: Talk) -> None:
        """Another file begins: its conversations are others. What is sound stays so."""
        self._talk = talk
        self._prefixes = Prefixes()

    def take(self, line: bytes, origin: Origin) -> Usual | None:
        """The line as an exchange, where it is a usual one."""
        if not line.startswith(BEGINS) or (start := _start(line)) < 0:
            return None
        try:
            return self._exchange(line, start, origin)
        except (*usual.UNUSUAL, Odd):
            return None

    def found(self, one: Usual) -> list[tuple[int, Finding]] | None:
        """What is found in an exchange of these forms, and in which content of it; None where a form is new."""
        sound, begin, found = self._sound, one.begin, []
        for (n, _), key in one.forms():
            known = sound.get(key)
            if known is None:
                return None
            if known:
                found += [(n - begin if n >= 0 else n, each) for each in known]
        return found

    def learn(self, one: Usual, first: int, found: dict[Place, list[Finding]]) -> None:
        """These forms were judged, the contents from `first` on, and no more was found than this."""
        forms = one.forms()
        if not found.keys() <= {place for place, _ in forms}:
            return
        if len(self._sound) > MOST:
            self._sound.clear()
        for place, key in forms:
            if place[0] < 0 or place[0] >= first:
                self._sound[key] = tuple(found.get(place, ()))

    def went_on(self, one: Usual, conversation: Conversation) -> None:
        """The conversation stands at the end of this history now. A long one is to be found again in a line."""
        if one.heard is not None:
            self._prefixes.drop(one.heard)
        if len(one.line) - one.start > SHORT and (end := _end(one)) is not None:
            self._prefixes.add(one.line, one.start, end, (conversation, one.chain[-1]))

    def _exchange(self, line: bytes, start: int, origin: Origin) -> Usual | None:
        heard = self._prefixes.find(line, start) if len(line) - start > SHORT else None
        if heard is not None and heard.known[0].chain != heard.known[1]:  # it went on another way
            self._prefixes.drop(heard)
            heard = None
        past = 0 if heard is None else heard.length
        short = line if heard is None else line[:start] + HEARD + line[start + past :]
        exchange = usual.exchange(short)
        request, response, body = exchange.request, exchange.response, exchange.request.body
        lead = self._leads.get(request.url) or self._lead(request.url)
        if lead is None or request.method != "POST" or response.status != 200 or len(short) > LONG or not body.contents:
            return None
        tail = tuple([bytes(raw) for raw in body.contents])
        conversation: Conversation | None = None
        if heard is not None:
            conversation = heard.known[0]
            if tail[0] != HEARD or conversation.sound != lead.kind:
                return None
            tail = tail[1:]
        hashes = digests(tail)
        chain = chained(hashes, lead.kind.thread if conversation is None else conversation.chain)
        if conversation is None and (stood := self._talk.standing(chain, lead.kind)) is not None:
            count, conversation = stood
            past = sum(map(len, tail[:count])) + count
            tail, hashes, chain = tail[count:], hashes[count:], chain[count:]
        if not tail:
            return None
        around, toolbox = _around(body), self._talk.toolboxes.of(bytes(body.tools) or b"null")
        reply = KeptReply(origin, *_chunks(response.body))
        history = History(conversation, toolbox)
        for raw in tail:
            history.hear(usual.content(raw))
        if history.waiting or (reply.called and not all([_fits(call, toolbox) for call in reply.called])):
            return None
        return Usual(
            lead.kind,
            conversation,
            len(conversation.hashes) if conversation is not None else 0,
            tail,
            hashes,
            chain,
            history.asked,
            history.signs,
            history.recites,
            history.state,
            reply,
            history.called,
            line,
            start,
            past,
            heard,
            history,
            lead,
            around,
            (reply.events, reply_form(reply.chunks, reply.looks)),
        )

    def _lead(self, url: str) -> Lead | None:
        if url not in self._leads:
            if len(self._leads) > FEW:
                self._leads.clear()
            self._leads[url] = self._new_lead(url)
        return self._leads[url]

    def _new_lead(self, url: str) -> Lead | None:
        where = address(url, self._models)
        band = self._models.band(where.model, where.protocol)
        if where.verb not in VERBS or where.surface == "unknown" or not band:
            return None
        kind = kind_of(where.protocol, where.surface, band, where.version, True)
        contexts = ((kind, where.verb, where.model), (kind, where.verb, self._rules.kin(where.model)))
        return Lead(kind, *[self._contexts.setdefault(each, len(self._contexts)) for each in contexts])


def _start(line: bytes) -> int:
    """Where the first content of a history stands. Within a text the quotes of the key would be escaped."""
    at = line.find(CONTENTS)
    if at < 0:
        return -1
    at += len(CONTENTS)
    while line[at : at + 1] == b" ":
        at += 1
    return at + 1 if line[at : at + 1] == b"[" else -1


def _end(one: Usual) -> int | None:
    """Where the history ends in the line: there is no more than a comma and a blank between two contents."""
    at, most = one.start + one.past, 8 + one.begin
    for raw in one.tail:
        found = one.line.find(raw, at, at + len(raw) + most)
        if found < 0:
            return None
        at = found + len(raw)
    return at


def _chunks(reply: Chunk | str) -> tuple[list[Chunk], bool]:
    """The chunks of a reply, and whether it is the text of a stream."""
    if isinstance(reply, Chunk):
        return [reply], False
    *events, rest = reply.split("\r\n\r\n" if "\r\n" in reply else "\n\n")
    if rest or not events or not all(event.startswith("data: ") and "\n" not in event for event in events):
        raise Odd
    return [usual.chunk(event[6:]) for event in events], True


def _around(body: Body) -> Key:
    """What stands around the contents."""
    system = body.system_instruction
    raw = b"\0".join((body.tools, body.tool_config, body.generation_config, body.safety_settings))
    return xxh3_64_intdigest(raw), None if system is None else look(system).form


def _fits(call: Call, toolbox: Toolbox) -> bool:
    """Whether a call of the model is one of those that are declared, and its arguments what they may be."""
    declared = toolbox.declaration(call.name)
    args = {} if call.args is UNSET else call.args
    return declared is not None and toolbox.fits(declared, args)
