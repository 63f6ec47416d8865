"""The server's word on a Live session, which is its close: which finding it confirms."""

from msgspec.structs import replace

from wirecheck.finding import Finding, Related, ServerWord
from wirecheck.rules.engine.findings import fingerprint
from wirecheck.rules.language.rule import Rule
from wirecheck.rules.server_word.confirmation import LONGEST, apply
from wirecheck.rules.server_word.texts import even, predicts
from wirecheck.secrets.scrub import plain, scrub
from wirecheck.talk.facts import EndedFact
from wirecheck.talk.sessions.closes import SURE, refuses, says

SHOWN = 140  # of a reason, which has 123 bytes


def explains(rule: Rule, reason: str) -> bool:
    """Whether a close with this reason, which may have been cut, is what a rule says the server does."""
    return bool(reason) and (predicts(rule, reason) or any(_begins(reason, text) for text in rule.server))


def _begins(reason: str, text: str) -> bool:
    """Whether a reason says a text, as much of it as was left, or no more than its beginning."""
    return says(reason, text) or (len(reason) >= SURE and even(text).startswith(even(reason)))


def closing_word(rule: Rule, code: int | None, reason: str) -> ServerWord:
    """What a close says of a finding. A close in peace says nothing."""
    if not refuses(code, reason):
        return ServerWord()
    said = scrub(reason[:LONGEST]) or None
    return ServerWord("confirmed" if explains(rule, reason) else "unknown", code, said)


def confirmed(rule: Rule, earlier: Finding, close: EndedFact) -> Finding:
    """The close as a finding: the server left for a mistake that was found before."""
    place, reason = close.spot.place(), plain(scrub(close.reason[:LONGEST]), SHOWN)
    finding = replace(
        earlier,
        message=f"the server closed the session for it: {close.code} {reason}",
        place=place,
        turn=None,
        related=(Related(earlier.place, earlier.message),),
        fingerprint=fingerprint(rule.name, earlier.surface or "", earlier.call, place),
        around=(),
    )
    return apply(finding, closing_word(rule, close.code, close.reason))
