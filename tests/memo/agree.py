"""With memos and without the same is found."""

from pathlib import Path

from msgspec.structs import replace

from wirecheck.api import repeated
from wirecheck.finding import Finding, Severity, milder_than
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset
from wirecheck.sources import Reader

MILD: tuple[Severity, ...] = milder_than("warning")
# Rules about calls that one reply made together. How often a mistake is recited again is not compared: it is only known
# in the conversation of that reply, and a request of it may recite what was heard in another one.
OF_REPLIES = ("interleaved-call-and-response",)


def judged_by(rules: Ruleset, path: Path, *, memo: bool, pictures: bool = False) -> tuple[Inspector, list[Finding]]:
    """Whoever judged a log, and the findings."""
    inspector = Inspector(rules, memo=memo, pictures=pictures, counted=MILD)
    findings = [finding for record in Reader([str(path)]) for finding in inspector.feed(record)]
    return inspector, repeated(inspector, findings)


def agree(rules: Ruleset, path: Path, *, pictures: bool = False) -> list[Finding]:
    """What is found both ways."""
    quick, findings = judged_by(rules, path, memo=True, pictures=pictures)
    plain, plainly = judged_by(rules, path, memo=False, pictures=pictures)
    assert [*map(_compared, findings)] == [*map(_compared, plainly)]
    assert quick.counted == plain.counted
    assert quick.checked == plain.checked
    return findings


def _compared(finding: Finding) -> Finding:
    return replace(finding, repeated=0) if finding.rule in OF_REPLIES else finding
