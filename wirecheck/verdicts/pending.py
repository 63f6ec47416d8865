"""Requests that wait for the server's word: what was found in them is held, and what they asked is kept, until then."""

from collections.abc import Iterator

from msgspec import Struct

from wirecheck.dialects.generate import error_code
from wirecheck.dialects.messages import Chunk, Message
from wirecheck.dialects.regular_content import AnyChunk
from wirecheck.finding import SEVERITIES, Finding
from wirecheck.rules import Ruleset
from wirecheck.rules.language.rule import Rule
from wirecheck.rules.server_word.answered_request import AnsweredRequest
from wirecheck.rules.server_word.confirmation import again, apply, unexplained, word
from wirecheck.rules.server_word.texts import predicts
from wirecheck.talk import Request
from wirecheck.talk.facts import Context, RejectionFact
from wirecheck.verdicts.deduplication import Notes, Reported

REJECTED = 400


class Pending(Struct, eq=False):
    """A request that waits for its answer, or is being answered; then nothing is `held` any more."""

    request: Request
    recited: tuple[Notes | None, list[Reported]]  # all that it has wrong
    findings: list[tuple[Rule, Reported]]
    held: bool
    status: int | None = None

    @property
    def known(self) -> Iterator[Reported]:
        """All that it has wrong, new or recited again."""
        notes, new = self.recited
        yield from notes or ()
        yield from new

    @property
    def asked(self) -> AnsweredRequest:
        return AnsweredRequest(self.request, lambda: [known.finding for known in self.known])

    def release(self, text: str | None) -> list[Finding]:
        """What was found, with what the server says of it."""
        self.held = False
        for rule, known in self.findings:
            known.finding = apply(known.finding, word(rule, self.status, text), rule.accepted)
        return [known.finding for _, known in self.findings]


class PendingVerdicts:
    """By channel."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._pending: dict[str, Pending] = {}

    def wait(self, channel: str, pending: Pending) -> None:
        self._pending[channel] = pending

    @property
    def held(self) -> set[int]:
        """What is held, by identity."""
        return {id(known) for one in self._pending.values() if one.held for _, known in one.findings}

    def rest(self) -> list[Finding]:
        """No more will be said of any."""
        given = [finding for one in self._pending.values() if one.held for finding in one.release(None)]
        self._pending.clear()
        return given

    def status(self, channel: str, code: int) -> None:
        """The status of the answer. What it means comes with the body: a 200 may hold nothing but an error."""
        if (one := self._pending.get(channel)) is not None and one.held:
            one.status = code

    def asked(self, context: Context) -> AnsweredRequest | None:
        """The request of this context, while it is being answered."""
        return next((one.asked for one in self._pending.values() if one.request.context is context), None)

    def verdict(self, channel: str, message: Message | AnyChunk) -> tuple[list[Finding], RejectionFact | None]:
        """What this message lets go, with the server's word on it; and the rejection that nothing of it explains."""
        one = self._pending.get(channel)
        if one is None or not one.held:
            return [], None
        text = message.error if type(message) is Chunk else None
        given = one.release(text)
        if text is None and one.status != REJECTED:
            return given, None
        if meant := [known for known in one.known if predicts(self._rules.named[known.finding.rule], text or "")]:
            return given + self._again(meant, one, text), None
        from wirecheck.rules.server_word.likely_causes import rejection  # most servers take what they are sent

        code = error_code(message.value) if type(message) is Chunk else None
        said = unexplained(one.status, text)
        return given, rejection(one.asked, code or one.status, text or "", said, self._rules)

    def over(self, channel: str) -> None:
        """It is answered, or no answer will come."""
        self._pending.pop(channel, None)

    def request(self, channel: str) -> Request:
        """The request that is answered there."""
        return self._pending[channel].request

    def _again(self, meant: list[Reported], pending: Pending, text: str | None) -> list[Finding]:
        """What was not rejected when it was found, and is now: the gravest, of these the last."""
        if any(known.rejected or known.finding.server.verdict == "confirmed" for known in meant):
            return []
        for known in meant:
            known.rejected = True
        one = max(reversed(meant), key=lambda known: SEVERITIES.index(known.finding.severity))
        request = pending.request
        found, n = one.stands(request)
        spot, turn = (request.spot, None) if n is None else (request.message.at(n), request.first + n)
        return [again(found, one.finding, word(self._rules.named[found.rule], pending.status, text), spot, turn)]
