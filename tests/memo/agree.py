"""With memos and without the same is found, with each record.

Without them nothing is left out of a line that is recited either: all that was ever heard is decoded again.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from tests.sources.telling import singly
from wirecheck.api import repeated
from wirecheck.finding import Finding, Severity, milder_than
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset
from wirecheck.sources import Reader
from wirecheck.wire.recited_prefix import PrefixFinder
from wirecheck.wire.records import Record

MILD: tuple[Severity, ...] = milder_than("warning")
# Rules about calls that one reply made together. How often a mistake is recited again is not compared: it is only known
# in the conversation of that reply, and a request of it may recite what was heard in another one.
OF_REPLIES = ("interleaved-call-and-response",)
Read = Callable[[], Iterable[Record]]


class Judged(NamedTuple):
    """A log that was judged."""

    inspector: Inspector
    given: list[list[Finding]]  # with each record
    findings: list[Finding]  # all of them, with how often each was recited again


def judged(rules: Ruleset, records: Iterable[Record], **options: Any) -> Judged:
    inspector = Inspector(rules, **options)
    given = [inspector.feed(record) for record in records]
    return Judged(inspector, given, repeated(inspector, [finding for some in given for finding in some]))


def same(rules: Ruleset, read: Read, **options: Any) -> list[Finding]:
    """What is found both ways."""
    quick = judged(rules, read(), **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PrefixFinder, "find", lambda finder, line: None)
        plain = judged(rules, read(), memo=False, **options)
    assert [*map(compared, quick.findings)] == [*map(compared, plain.findings)]
    assert [[*map(compared, some)] for some in quick.given] == [[*map(compared, some)] for some in plain.given]
    assert quick.inspector.counted == plain.inspector.counted
    assert quick.inspector.checked == plain.inspector.checked
    return quick.findings


def judged_by(
    rules: Ruleset, path: Path, *, memo: bool, alone: bool = False, pictures: bool = False
) -> tuple[Inspector, list[Finding]]:
    """Whoever judged a log, and the findings. `alone`: each frame was a record of its own."""
    records = singly(Reader([str(path)])) if alone else Reader([str(path)])
    inspector, _, findings = judged(rules, records, memo=memo, pictures=pictures, counted=MILD)
    return inspector, findings


def agree(rules: Ruleset, path: Path, **options: Any) -> list[Finding]:
    """What is found both ways in a file, where nobody says otherwise as `lint` asks for it."""
    return same(rules, lambda: Reader([str(path)]), **{"pictures": False, "counted": MILD, **options})


def compared(finding: Finding) -> Finding:
    return replace(finding, repeated=0) if finding.rule in OF_REPLIES else finding
