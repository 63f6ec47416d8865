"""From paths to findings: reads files, feeds the Inspector, and collects.

Files are independent of each other, so several processes can judge batches of them.
"""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.api import repeated
from wirecheck.cli.exits import complain, standard_input
from wirecheck.cli.linting.file_batches import LARGE, FileBatch, divided, known, processors
from wirecheck.cli.linting.inspection import Inspection, joined
from wirecheck.cli.process_memory import collecting, freeze_loaded, return_memory
from wirecheck.cli.progress import Progress, Tell, told
from wirecheck.cli.rule_selection import each_once
from wirecheck.faults import REPORT, Fault, grouped
from wirecheck.finding import Severity
from wirecheck.inspector import Inspector
from wirecheck.report.report import Checked, checked
from wirecheck.report.summary import number
from wirecheck.rules import Ruleset
from wirecheck.sources import Reader, ReadProblem
from wirecheck.sources.reader import found
from wirecheck.talk.facts import Fact

WANTED = "requests, replies, frames or messages are looked for, as JSON: one value a line, or one document"
Load = Callable[[], Ruleset]


def inspect(
    paths: Sequence[str],
    rules: Ruleset,
    *,
    input_format: str | None = None,
    predict: bool = False,
    listen: Callable[[Fact], None] | None = None,
    memo: bool = True,
    pictures: bool = True,
    counted: Collection[Severity] = (),
    jobs: int | None = 1,
    load: Load | None = None,
) -> Inspection:
    """Judges the files at the paths. Without `pictures` findings have no excerpts, which saves memory.

    Findings of the severities `counted` are counted and not kept. `jobs` is the largest number of processes, None for
    as many as help. Without `load`, by which other processes load the same rules, there is one process.
    """
    options = {"predict": predict, "listen": listen, "memo": memo, "pictures": pictures, "counted": counted}
    judge = FileJudge(rules, load, input_format, options)
    jobs = 1 if load is None else jobs or processors()
    problems: list[ReadProblem] = []
    files = each_once(list(found(each_once(paths), problems)))
    freeze_loaded()
    if (size := known(files)) is None or size > LARGE:
        return_memory()
    with Progress(size if sys.stderr.isatty() else None) as progress:
        came = joined(_each(divided(files, jobs), jobs, judge, progress.add))
    counts = replace(came.checked, rules=len(rules.rules))
    return Inspection(came.findings, counts, problems + came.problems, came.counted, came.faults)


class FileJudge(Struct, frozen=True):
    """Judges files in order. When it is pickled for another process, that loads the rules again."""

    rules: Ruleset
    load: Load | None
    input_format: str | None
    options: Mapping[str, Any]  # of the Inspector

    def __call__(self, files: Sequence[str], tell: Tell = lambda lines, size: None) -> Inspection:
        faults: list[Fault] = []
        inspector = Inspector(self.rules, faults=faults, **self.options)
        stdin = standard_input().buffer if "-" in files else None
        reader = Reader(files, input_format=self.input_format, stdin=stdin, brief=inspector.brief)
        records = collecting(told(reader, tell))
        findings = repeated(inspector, list(chain.from_iterable(map(inspector.feed, records))))
        counts = checked(inspector.checked, files=reader.files, lines=reader.lines)
        return Inspection(findings, counts, reader.problems, inspector.counted, faults)

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.load, self.input_format, self.options)


def _loaded(load: Load, input_format: str | None, options: Mapping[str, Any]) -> FileJudge:
    rules = load()
    freeze_loaded()
    return_memory()
    return FileJudge(rules, load, input_format, options)


def _each(runs: Sequence[FileBatch], jobs: int, judge: FileJudge, tell: Tell) -> list[Inspection]:
    """The result of each batch. This process judges those that no other process could."""
    came: dict[int, Inspection] = {}

    def hear(n: int, inspected: Inspection) -> None:
        came[n] = inspected
        tell(inspected.checked.lines, runs[n].size)

    if len(runs) > 1:
        from wirecheck.cli.linting.process_pool import spread

        # Largest first, so that all processes finish at about the same time.
        tasks = {n: runs[n].files for n in sorted(range(len(runs)), key=lambda n: -runs[n].size)}
        spread(tasks, jobs, judge, hear)
    return [came.get(n) or judge(run.files, tell) for n, run in enumerate(runs)]


def report_problems(inspected: Inspection, allow_empty: bool) -> bool:
    """Reports what could not be checked. Returns whether there was anything."""
    for line in grouped(inspected.faults):
        complain(line)
    if inspected.faults:
        complain(f"all other lines were judged; {REPORT}")
    problems = [problem for problem in inspected.problems if not (problem.empty and allow_empty)]
    for problem in problems:
        complain(str(problem))
    if inspected.checked.traffic or allow_empty:
        return bool(problems or inspected.faults)
    if inspected.checked.files > sum(not problem.empty for problem in problems):
        unreadable = sum(finding.rule == "unreadable-line" for finding in inspected.findings)
        read = number(inspected.checked.lines, "line")
        complain(f"nothing in the input was traffic: {read} read{f', {unreadable} unreadable' if unreadable else ''}")
        report_skipped(inspected.checked)
        complain(f"  {WANTED} (--input-format picks one kind of them)")
        complain("  --allow-empty lets this pass")
    return True


def report_skipped(checked: Checked) -> None:
    for entry in checked.skipped:
        complain(f"  {entry.path}:{entry.line}: skipped, {entry.why} ({number(entry.count, 'line')})")
