"""Requests that wait for the server's word: what was found in them is held, and what they asked is kept, until then."""

from msgspec import Struct

from wirecheck.dialects.generate import error_code
from wirecheck.dialects.regular import RegularChunk
from wirecheck.dialects.messages import Chunk, Hangup, Message, Recited, Status
from wirecheck.finding import SEVERITIES, Finding
from wirecheck.once import Known, Once
from wirecheck.rules import Ruleset
from wirecheck.rules.asked import Asked
from wirecheck.rules.rule import Rule
from wirecheck.rules.said import predicts
from wirecheck.rules.verdict import again, apply, unexplained, word
from wirecheck.talk.facts import Context, RejectionFact

REJECTED = 400
LAST: tuple[type[object], ...] = (Chunk, RegularChunk, Hangup, Recited)  # with these the server's word is known


class Held(Struct):
    """The findings of a request that waits for its answer."""

    findings: list[tuple[Rule, Known]]
    status: int | None = None

    def release(self, text: str | None) -> list[Finding]:
        """With what the server says of them."""
        for rule, known in self.findings:
            known.finding = apply(known.finding, word(rule, self.status, text), rule.accepted)
        return [known.finding for _, known in self.findings]


class Awaited:
    """By channel."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._held: dict[str, Held] = {}
        self._asked: dict[str, Asked] = {}  # also of those that are being answered

    def hold(self, channel: str, findings: list[tuple[Rule, Known]]) -> None:
        self._held[channel] = Held(findings)

    @property
    def held(self) -> set[int]:
        """What is held, by identity."""
        return {id(known) for held in self._held.values() for _, known in held.findings}

    def rest(self) -> list[Finding]:
        """No more will be said of any."""
        given = [finding for held in self._held.values() for finding in held.release(None)]
        self._held.clear()
        self._asked.clear()
        return given

    def heed(self, message: Message, once: Once) -> None:
        """What was asked is kept as long as it is being answered."""
        recital = once.recital
        if type(message) is Recited and recital is not None:
            asked = Asked(recital, message.around, message.slices, once.recited, message.at)
            self._asked[message.seen.channel] = asked
        elif type(message) is Hangup:
            self._asked.pop(message.seen.channel, None)

    def asked(self, context: Context) -> Asked | None:
        """The request of this context, while it is being answered."""
        return next((one for one in self._asked.values() if one.recital.context is context), None)

    def verdict(self, message: Message) -> tuple[list[Finding], RejectionFact | None]:
        """What this message lets go, with the server's word on it; and the rejection that nothing of it explains."""
        held = self._held.get(message.seen.channel)
        if held is None:
            return [], None
        if type(message) is Status:  # what it means comes with the body: a 200 may hold nothing but an error
            held.status = message.code
        if type(message) not in LAST:
            return [], None
        del self._held[message.seen.channel]
        text = message.error if type(message) is Chunk else None
        given = held.release(text)
        asked = self._asked.get(message.seen.channel)
        if asked is None or (text is None and held.status != REJECTED):
            return given, None
        if meant := self._meant(asked, text or ""):
            return given + self._again(meant, asked, held.status, text), None
        from wirecheck.rules.blame import rejection  # most servers take what they are sent

        code = error_code(message.value) if type(message) is Chunk else None
        return given, rejection(asked, code or held.status, text or "", unexplained(held.status, text), self._rules)

    def told(self, finding: Finding, channel: str, once: Once) -> bool:
        """Whether what an answer shows of its request is to be told: it is new to the conversation."""
        return once.answered(finding, self._asked[channel].recital)

    def _meant(self, asked: Asked, text: str) -> list[Known]:
        """What a request has wrong that is known to be answered with this text."""
        return [known for known in asked.found if predicts(self._rules.named[known.finding.rule], text)]

    def _again(self, meant: list[Known], asked: Asked, status: int | None, text: str | None) -> list[Finding]:
        """What was not rejected when it was found, and is now: the gravest, of these the last."""
        if any(known.rejected or known.finding.server.verdict == "confirmed" for known in meant):
            return []
        for known in meant:
            known.rejected = True
        one = max(reversed(meant), key=lambda known: SEVERITIES.index(known.finding.severity))
        recital = asked.recital
        found, n = one.stands(recital)
        spot, turn = (recital.spot, None) if n is None else (asked.at(n), recital.first + n)
        return [again(found, one.finding, word(self._rules.named[found.rule], status, text), spot, turn)]
