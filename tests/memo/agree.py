"""With what was heard recognised, and with everything read again, the same is found."""

from pathlib import Path

from wirecheck.finding import Finding, Severity, milder_than
from wirecheck.inspector import Inspector
from wirecheck.library import repeated
from wirecheck.rules import Ruleset
from wirecheck.sources import Reader

MILD: tuple[Severity, ...] = tuple(milder_than("warning"))


def judged_by(
    rules: Ruleset, path: Path, *, recognise: bool, pictures: bool = False
) -> tuple[Inspector, list[Finding]]:
    """Whoever judged a log, and the findings."""
    inspector = Inspector(rules, recognise=recognise, pictures=pictures, counted=MILD)
    findings = [finding for record in Reader([str(path)]) for finding in inspector.feed(record)]
    return inspector, repeated(inspector, findings)


def agree(rules: Ruleset, path: Path, *, pictures: bool = False) -> list[Finding]:
    """What is found both ways."""
    memo, findings = judged_by(rules, path, recognise=True, pictures=pictures)
    plain, plainly = judged_by(rules, path, recognise=False, pictures=pictures)
    assert findings == plainly
    assert memo.counted == plain.counted
    assert memo.checked == plain.checked
    return findings
