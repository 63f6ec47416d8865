"""What came of an inspection, and how several are put together as one: of runs of files, and of shares of one file."""

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.finding import Finding, Severity
from wirecheck.inspector import Inspector
from wirecheck.report.report import Checked, Skipped
from wirecheck.sources import Problem

T = TypeVar("T")
SUMS = ("files", "lines", "exchanges", "frames", "conversations", "sessions", "open_calls")


class Inspected(Struct, frozen=True):
    """What came of it, and what could not be read."""

    findings: list[Finding]
    checked: Checked
    problems: list[Problem]
    counted: Mapping[Severity, int] = {}


class Part(Struct, frozen=True):
    """What came of a share of a file: `lines` are those at which findings were given, but for the last ones, which were
    given at the end; `births` those in which conversations were born."""

    inspected: Inspected
    lines: Sequence[int]
    births: Sequence[int]


def checked(files: int, lines: int, inspector: Inspector) -> Checked:
    seen = inspector.checked
    return Checked(
        files=files,
        lines=lines,
        exchanges=seen.exchanges,
        frames=seen.frames,
        conversations=seen.conversations,
        sessions=seen.sessions,
        skipped=tuple(Skipped(*entry) for entry in seen.skipped),
        open_calls=seen.open_calls,
        unjudged=dict(seen.unjudged),
    )


def joined(runs: Sequence[Inspected]) -> Inspected:
    """Runs of files in their order, each judged for itself. Names of conversations go on from run to run."""
    findings: list[Finding] = []
    before = {"c": 0, "s": 0}
    for run in runs:
        findings += [_renamed(finding, before) for finding in run.findings]
        before = {"c": before["c"] + run.checked.conversations, "s": before["s"] + run.checked.sessions}
    problems = list(chain.from_iterable(run.problems for run in runs))
    return Inspected(findings, _checked([run.checked for run in runs]), problems, _sum([run.counted for run in runs]))


def _renamed(finding: Finding, before: Mapping[str, int]) -> Finding:
    name = finding.conversation
    if not name or not before[name[0]]:
        return finding
    return replace(finding, conversation=f"{name[0]}{int(name[1:]) + before[name[0]]}")


def whole(parts: Sequence[Part]) -> Inspected | None:
    """The shares of one file. None where several gave findings at the end: nobody knows in which order."""
    given: list[tuple[int, Finding]] = []
    last: list[Finding] = []
    for part in parts:
        findings = list(_named_anew(part, [other.births for other in parts if other is not part]))
        given += zip(part.lines, findings, strict=False)
        if last and len(findings) > len(part.lines):
            return None
        last += findings[len(part.lines) :]
    several = [part.inspected for part in parts]
    found = replace(_checked([each.checked for each in several]), files=1)
    found = replace(found, skipped=_together(found.skipped))
    given.sort(key=itemgetter(0))
    return Inspected([finding for _, finding in given] + last, found, [], _sum([each.counted for each in several]))


def _named_anew(part: Part, others: Sequence[Sequence[int]]) -> Iterator[Finding]:
    """Names of conversations count those of all shares."""
    for finding in part.inspected.findings:
        name = finding.conversation or ""
        if name.startswith("c"):
            born = part.births[int(name[1:]) - 1]
            before = sum(bisect(births, born) for births in others)
            finding = replace(finding, conversation=f"c{int(name[1:]) + before}")
        yield finding


def _together(skipped: Iterable[Skipped]) -> tuple[Skipped, ...]:
    found: dict[str, Skipped] = {}
    for one in sorted(skipped, key=lambda one: one.line):
        first = found.get(one.why)
        found[one.why] = replace(first, count=first.count + one.count) if first is not None else one
    return tuple(found.values())


def _checked(several: Sequence[Checked]) -> Checked:
    return Checked(
        skipped=tuple(chain.from_iterable(each.skipped for each in several)),
        unjudged=dict(sorted(_sum([each.unjudged for each in several]).items())),
        **{name: sum(getattr(each, name) for each in several) for name in SUMS},
    )


def _sum(several: Sequence[Mapping[T, int]]) -> dict[T, int]:
    total: Counter[T] = Counter()
    for each in several:
        total.update(each)
    return dict(total)
