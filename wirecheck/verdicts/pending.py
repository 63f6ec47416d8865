"""Pending verdicts: requests whose findings are held until the server's reply shows whether it accepted them."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from wirecheck.dialects.generate import error_code
from wirecheck.dialects.messages import Chunk, Message
from wirecheck.dialects.regular_content import AnyChunk
from wirecheck.finding import SEVERITIES, Finding
from wirecheck.rules import Ruleset
from wirecheck.rules.language.rule import Rule
from wirecheck.rules.server_word.answered_request import AnsweredRequest
from wirecheck.rules.server_word.confirmation import again, apply, fits, unexplained, word
from wirecheck.talk import Request
from wirecheck.talk.facts import Context, RejectionFact
from wirecheck.verdicts.deduplication import Notes, Reported
from wirecheck.wire.records import OWN_REFUSAL

if TYPE_CHECKING:
    from wirecheck.rules.server_word.likely_causes import Blame

REJECTED = 400


class Pending(Struct, eq=False):
    """A request without its complete reply. `held` until the first chunk of it releases the findings."""

    request: Request
    recited: tuple[Notes | None, list[Reported]]  # all mistakes in it, recited and new
    findings: list[tuple[Rule, Reported]]
    held: bool
    status: int | None = None

    @property
    def known(self) -> Iterator[Reported]:
        """All mistakes in it, new or recited again."""
        notes, new = self.recited
        yield from notes or ()
        yield from new

    @property
    def asked(self) -> AnsweredRequest:
        return AnsweredRequest(self.request, lambda: [known.finding for known in self.known])

    def release(self, text: str | None) -> list[Finding]:
        """Returns the findings with the server's verdict. `text` is the error it gave, if any."""
        self.held = False
        for rule, known in self.findings:
            said = word(rule, self.status, text, severity=known.finding.severity)
            known.finding = apply(known.finding, said, rule.accepted)
        return [known.finding for _, known in self.findings]


class PendingVerdicts:
    """The pending requests, by channel."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._pending: dict[str, Pending] = {}

    def wait(self, channel: str, pending: Pending) -> None:
        self._pending[channel] = pending

    @property
    def held(self) -> set[int]:
        """The ids (by `id()`) of all held findings."""
        return {id(known) for one in self._pending.values() if one.held for _, known in one.findings}

    def rest(self) -> list[Finding]:
        """Releases all findings without a verdict: no more replies will come."""
        given = [finding for one in self._pending.values() if one.held for finding in one.release(None)]
        self._pending.clear()
        return given

    def status(self, channel: str, code: int) -> None:
        """Notes the status of the reply. The verdict waits for the body: a reply with 200 may consist of an error."""
        if (one := self._pending.get(channel)) is not None and one.held:
            one.status = code

    def asked(self, context: Context) -> AnsweredRequest | None:
        """The request with this context, while its reply is incomplete."""
        return next((one.asked for one in self._pending.values() if one.request.context is context), None)

    def verdict(self, channel: str, message: Message | AnyChunk) -> tuple[list[Finding], RejectionFact | None]:
        """Returns the findings this message releases, with their verdict, and a RejectionFact if the server rejected
        the request and no finding explains why."""
        one = self._pending.get(channel)
        if one is None or not one.held:
            return [], None
        text = message.error if type(message) is Chunk else None
        if text is not None and text.startswith(OWN_REFUSAL):  # the server never saw it
            return self.give_up(channel), None
        given = one.release(text)
        if text is None and one.status != REJECTED:
            return given, None
        if meant := [known for known in one.known if self._explains(known, text or "")]:
            return given + self._again(meant, one, text), None
        code = error_code(message.value) if type(message) is Chunk else None
        said = unexplained(one.status, text)
        return given, self._blame.rejection(one.asked, code or one.status, text or "", said)

    def _explains(self, known: Reported, text: str) -> bool:
        return fits(self._rules.named[known.finding.rule], known.finding.severity, text)

    @cached_property
    def _blame(self) -> "Blame":
        from wirecheck.rules.server_word.likely_causes import Blame  # most servers take what they are sent

        return Blame(self._rules)

    def give_up(self, channel: str) -> list[Finding]:
        """Releases the findings of a channel without a verdict, and forgets it."""
        one = self._pending.pop(channel, None)
        if one is not None:
            one.status = None
        return one.release(None) if one is not None and one.held else []

    def over(self, channel: str) -> None:
        """Forgets the request: its reply is complete, or none will come."""
        self._pending.pop(channel, None)

    def request(self, channel: str) -> Request:
        """The request that is pending in a channel."""
        return self._pending[channel].request

    def _again(self, meant: list[Reported], pending: Pending, text: str | None) -> list[Finding]:
        """A mistake that was accepted earlier and is rejected now is given again: the most severe, of these the
        last."""
        if any(known.rejected or known.finding.server.verdict == "confirmed" for known in meant):
            return []
        for known in meant:
            known.rejected = True
        one = max(reversed(meant), key=lambda known: SEVERITIES.index(known.finding.severity))
        request = pending.request
        found, n = one.stands(request)
        spot, turn = (request.spot, None) if n is None else (request.message.at(n), request.first + n)
        said = word(self._rules.named[found.rule], pending.status, text, severity=one.finding.severity)
        return [again(found, one.finding, said, spot, turn)]
