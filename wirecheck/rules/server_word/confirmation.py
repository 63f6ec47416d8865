"""The server's word: whether the recorded answer confirms a finding, or shows that the mistake is tolerated.

Which answer belongs to a finding is not known here.
"""

from msgspec.structs import replace

from wirecheck.dialects.messages import Spot
from wirecheck.finding import Finding, Place, Related, ServerWord, Severity
from wirecheck.rules.language.rule import Rule
from wirecheck.rules.server_word.texts import bare, predicts
from wirecheck.secrets.scrub import scrub

LONGEST = 1000
ACCEPTED = "; accepted here, but an error by what is known of this model and surface"
CLEAN_CLOSES = (None, 1000, 1001, 1005)


def fits(rule: Rule, severity: Severity, text: str) -> bool:
    """Whether an error text is what the server says of a rule's finding: one of its texts, or, where it is known to
    give no reason for that error, none."""
    return predicts(rule, text) or (rule.bare and severity == "error" and bare(text))


def word(
    rule: Rule, status: int | None, text: str | None, *, severity: Severity = "warning", closed: bool = False
) -> ServerWord:
    """What an answer says of a rule's finding: its status and error text, or (`closed`) a close code and its reason."""
    rejected = status not in CLEAN_CLOSES if closed else bool(text) or (status is not None and status >= 400)
    said = None if text is None else scrub(text[:LONGEST])
    if rejected and text and fits(rule, severity, text):
        return ServerWord("confirmed", status, said)
    if status == 200 and not rejected:
        return ServerWord("tolerated", status, said)
    return ServerWord("unknown", status, said)


def unexplained(status: int | None, text: str | None) -> ServerWord:
    """What a rejection says of findings that do not explain it."""
    return ServerWord("unknown", status, None if text is None else scrub(text[:LONGEST]))


def apply(finding: Finding, word: ServerWord, accepted: Severity = "warning") -> Finding:
    """The finding with the server's word: what was rejected for it is an error, what was tolerated is none.

    `accepted` is what becomes of a warning that was tolerated.
    """
    if word.verdict == "confirmed":
        return replace(finding, server=word, severity="error")
    if word.verdict == "tolerated" and finding.severity == "error":
        return replace(finding, server=word, severity="warning", message=finding.message + ACCEPTED)
    if word.verdict == "tolerated" and finding.severity == "warning":
        return replace(finding, server=word, severity=accepted)
    return replace(finding, server=word)


def again(found: Finding, earlier: Finding, word: ServerWord, spot: Spot, turn: int | None) -> Finding:
    """A mistake that was found before, told once more of the request that was rejected for it.

    `found` is how it stands there: in the content at this spot, or in the request as a whole.
    """
    return apply(
        replace(
            found,
            message=found.message.removesuffix(ACCEPTED),
            place=_there(spot.place(), found.place, content=turn is not None),
            turn=turn,
            related=(Related(earlier.place, earlier.message),),
            around=(),
        ),
        word,
    )


def _there(here: Place, earlier: Place, *, content: bool) -> Place:
    """As far into this place as the earlier one was into its own; contents may have moved."""
    if here.inner is not None:
        inside = earlier.inner.pointer if earlier.inner is not None else ""
        return replace(here, inner=replace(here.inner, pointer=_further(here.inner.pointer, inside, content=content)))
    return replace(here, pointer=_further(here.pointer, earlier.pointer, content=content))


def _further(here: str, earlier: str, *, content: bool) -> str:
    stem = here.rpartition("/")[0] if content else here
    if not earlier.startswith(f"{stem}/"):
        return here
    rest = earlier.removeprefix(f"{stem}/")
    rest = rest.partition("/")[2] if content else rest
    return f"{here}/{rest}" if rest else here
