"""The server's word: whether the recorded answer confirms a finding, or shows that the mistake is tolerated.

Which answer belongs to a finding is not known here.
"""

from msgspec.structs import replace

from wirecheck.finding import Finding, ServerWord
from wirecheck.rules.rule import Rule
from wirecheck.rules.said import predicts
from wirecheck.wire.scrub import scrub

LONGEST = 1000
CLEAN_CLOSES = (None, 1000, 1001, 1005)


def word(rule: Rule, status: int | None, text: str | None, *, closed: bool = False) -> ServerWord:
    """What an answer says of a rule's finding: its status and error text, or (`closed`) a close code and its reason."""
    rejected = status not in CLEAN_CLOSES if closed else bool(text) or (status is not None and status >= 400)
    said = None if text is None else scrub(text[:LONGEST])
    if rejected and text and predicts(rule, text):
        return ServerWord("confirmed", status, said)
    if status == 200 and not rejected:
        return ServerWord("tolerated", status, said)
    return ServerWord("unknown", status, said)


def apply(finding: Finding, word: ServerWord) -> Finding:
    """The finding with the server's word: what was rejected for it is an error, what was tolerated is none."""
    if word.verdict == "confirmed":
        return replace(finding, server=word, severity="error")
    if word.verdict != "tolerated" or finding.severity != "error":
        return replace(finding, server=word)
    message = f"{finding.message}; accepted here, but an error by what is known of this model and surface"
    return replace(finding, server=word, severity="warning", message=message)
