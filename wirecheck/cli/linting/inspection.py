"""The result of judging files, and how the results of several batches are joined."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.faults import Fault
from wirecheck.finding import Finding, Severity
from wirecheck.report.report import Checked
from wirecheck.sources import ReadProblem

T = TypeVar("T")
SUMS = ("files", "lines", "exchanges", "frames", "conversations", "sessions", "open_calls", "prefixed")


class Inspection(Struct, frozen=True):
    """Findings, counts, paths that could not be read or were passed over, and lines that could not be judged."""

    findings: list[Finding]
    checked: Checked
    problems: list[ReadProblem]
    counted: Mapping[Severity, int] = {}
    faults: list[Fault] = []
    passed: list[str] = []  # files in folders that are no logs


def joined(runs: Sequence[Inspection]) -> Inspection:
    """Joins the results of batches in order. Conversations are renumbered to continue from batch to batch."""
    findings: list[Finding] = []
    before = {"c": 0, "s": 0}
    for run in runs:
        findings += [_renumbered(finding, before) for finding in run.findings]
        before = {"c": before["c"] + run.checked.conversations, "s": before["s"] + run.checked.sessions}
    problems = list(chain.from_iterable(run.problems for run in runs))
    several = [run.checked for run in runs]
    checked = Checked(
        skipped=tuple(chain.from_iterable(each.skipped for each in several)),
        unjudged=dict(sorted(_sum([each.unjudged for each in several]).items())),
        passed_over=_sum([each.passed_over for each in several]),
        guesses=tuple(chain.from_iterable(each.guesses for each in several)),
        **{name: sum(getattr(each, name) for each in several) for name in SUMS},
    )
    faults = list(chain.from_iterable(run.faults for run in runs))
    passed = list(chain.from_iterable(run.passed for run in runs))
    return Inspection(findings, checked, problems, _sum([run.counted for run in runs]), faults, passed)


def _renumbered(finding: Finding, before: Mapping[str, int]) -> Finding:
    name = finding.conversation
    if not name or not before[name[0]]:
        return finding
    return replace(finding, conversation=f"{name[0]}{int(name[1:]) + before[name[0]]}")


def _sum(several: Sequence[Mapping[T, int]]) -> dict[T, int]:
    total: Counter[T] = Counter()
    for each in several:
        total.update(each)
    return dict(total)
