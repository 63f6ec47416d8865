"""From paths to findings: reads files, feeds the Inspector, and collects.

Files are independent of each other, so several processes can judge batches of them.
"""

import sys
from collections import Counter
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
from wirecheck.report.report import Checked, Guess, checked
from wirecheck.report.summary import number
from wirecheck.rules import Ruleset
from wirecheck.sources import Reader, ReadProblem
from wirecheck.sources.files.folder_search import endings
from wirecheck.sources.reader import found
from wirecheck.talk.facts import Fact

WANTED = "requests, replies, frames or messages are looked for, as JSON: one value a line, or one document"
JUDGED = "conversations with Gemini are judged: generateContent, Live, interactions, and chat completions of Gemini"
KINDS = 5  # of traffic that is not judged are told
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
    passed: list[str] = []
    files = each_once(list(found(each_once(paths), problems, passed)))
    freeze_loaded()
    if (size := known(files)) is None or size > LARGE:
        return_memory()
    with Progress(size if sys.stderr.isatty() else None) as progress:
        came = joined(_each(divided(files, jobs), jobs, judge, progress.add))
    counts = replace(came.checked, rules=len(rules.rules), passed_over=endings(passed))
    return replace(came, checked=counts, problems=problems + came.problems, passed=passed)


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
        guesses = tuple(Guess(each.path, tuple(sorted(each.guessed))) for each in reader.notes if each.guessed)
        prefixed = sum(each.prefixed for each in reader.notes)
        counts = checked(inspector.checked, files=reader.files, lines=reader.lines, guesses=guesses, prefixed=prefixed)
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


def report_problems(inspected: Inspection, allow_empty: bool, side: str = "") -> bool:
    """Reports what could not be checked. Returns whether there was anything. `side` is one of several inputs, none of
    which may be empty."""
    where = side or "the input"
    for line in grouped(inspected.faults):
        complain(line)
    if inspected.faults:
        complain(f"all other lines were judged; {REPORT}")
    problems = [problem for problem in inspected.problems if not (problem.empty and allow_empty)]
    for problem in problems:
        complain(str(problem))
    checked = inspected.checked
    if checked.judged or allow_empty:
        return bool(problems or inspected.faults)
    if checked.unjudged:
        complain(f"nothing in {where} could be judged: {_unjudged(checked)}")
        complain(f"  {JUDGED}")
    elif checked.files > sum(not problem.empty for problem in problems):
        unreadable = sum(finding.rule == "unreadable-line" for finding in inspected.findings)
        read = number(checked.lines, "line")
        complain(f"nothing in {where} was traffic: {read} read{f', {unreadable} unreadable' if unreadable else ''}")
        report_skipped(checked)
        complain(f"  {WANTED}{'' if side else ' (--input-format picks one kind of them)'}")
    if checked.files and not problems and not side:
        complain("  --allow-empty lets this pass")
    return True


def _unjudged(checked: Checked) -> str:
    """What was recognised and is not judged, most first."""
    kinds = Counter(checked.unjudged).most_common()
    told = [f"{kind} ({times} ×)" for kind, times in kinds[:KINDS]]
    return ", ".join([*told, f"{len(kinds) - KINDS} other hosts or methods"] if len(kinds) > KINDS else told)


def report_skipped(checked: Checked) -> None:
    for entry in checked.skipped:
        complain(f"  {entry.path}:{entry.line}: skipped, {entry.why} ({number(entry.count, 'line')})")
