"""From paths to findings: sources, rules and the inspector, strung together.

Files are worlds of their own, so that several can be judged at a time: in runs, by as many processes as help. One that
is too large for one of them is divided, where its conversations have nothing to do with each other.
"""

import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain

from msgspec.structs import replace

from wirecheck.cli.blocks import for_good, give_back, swept
from wirecheck.cli.ending import complain, standard_input
from wirecheck.cli.inspected import Inspected, checked, joined
from wirecheck.cli.progress import Meter, Progress, Tell
from wirecheck.cli.ruleset import each_once
from wirecheck.cli.runs import LARGE, Run, divided, known, processors, too_large
from wirecheck.finding import Severity
from wirecheck.inspector import Inspector
from wirecheck.library import repeated
from wirecheck.report.closing import number
from wirecheck.report.report import Checked
from wirecheck.rules import Ruleset
from wirecheck.sources import Problem, Reader
from wirecheck.sources.reader import found
from wirecheck.talk.facts import Fact

WANTED = "requests, replies, frames or messages are looked for, as JSON: one value a line, or one document"
Judge = Callable[[Sequence[str], Tell], Inspected]  # files, in their order
Divide = Callable[[Run, Tell], Inspected | None]  # a large file; None where one process does it


def inspect(
    paths: Sequence[str],
    rules: Ruleset,
    *,
    input_format: str | None = None,
    predict: bool = False,
    listen: Callable[[Fact], None] | None = None,
    recognise: bool = True,
    pictures: bool = True,
    counted: Collection[Severity] = (),
    jobs: int | None = 1,
) -> Inspected:
    """Without `pictures` findings are kept without the turns around them, for there may be many.

    Findings of the severities `counted` are not kept at all. `jobs` is how many processes may work, None as many as
    help; whoever listens hears only this one.
    """
    inspector = Inspector(
        rules, predict=predict, listen=listen, recognise=recognise, pictures=pictures, counted=counted
    )
    jobs = jobs or processors()
    problems: list[Problem] = []
    files = each_once(list(found(each_once(paths), problems)))
    judge, divide = partial(_judged, inspector, input_format), partial(_divided, inspector, input_format, jobs)
    listening = listen is not None or not recognise or rules.remembers
    for_good()
    if (size := known(files)) is None or size > LARGE:
        give_back()
    with Progress(size if sys.stderr.isatty() else None) as progress:
        came = joined(_each(divided(files, jobs), jobs, judge, None if listening else divide, progress.add))
    return Inspected(
        came.findings, replace(came.checked, rules=len(rules.rules)), problems + came.problems, came.counted
    )


def _each(runs: Sequence[Run], jobs: int, judge: Judge, divide: Divide | None, tell: Tell) -> list[Inspected]:
    """What comes of each run of files. What no other process could do is done here."""
    came: dict[int, Inspected] = {}
    for n in too_large(runs, jobs):
        if divide is not None and (found := divide(runs[n], tell)) is not None:
            came[n] = found
    # Who begins with what is large ends together.
    order = sorted(set(range(len(runs))) - came.keys(), key=lambda n: -runs[n].size)
    if len(order) > 1:
        from wirecheck.cli.workers import spread

        came |= spread(order, jobs, lambda n, tell: judge(runs[n].files, tell), tell)
    return [came.get(n) or judge(run.files, tell) for n, run in enumerate(runs)]


def _divided(inspector: Inspector, input_format: str | None, jobs: int, run: Run, tell: Tell) -> Inspected | None:
    from wirecheck.sources.openings import places

    with suppress(OSError):
        if input_format != "document" and (where := places(run.files[0], run.size, jobs)):
            from wirecheck.cli.ahead import Log, in_parts

            return in_parts(inspector, Log(run.files[0], run.size, input_format), where, tell)
    return None


def _judged(inspector: Inspector, input_format: str | None, files: Sequence[str], tell: Tell) -> Inspected:
    inspector.anew()
    meter = Meter(inspector.passed, tell, inspector.brief)
    stdin = standard_input().buffer if "-" in files else None
    reader = Reader(files, input_format=input_format, stdin=stdin, passed=meter.passed, brief=meter.brief)
    findings = repeated(inspector, list(chain.from_iterable(map(inspector.feed, swept(reader)))))
    return Inspected(findings, checked(reader.files, reader.lines, inspector), reader.problems, inspector.counted)


def report_problems(inspected: Inspected, allow_empty: bool) -> bool:
    """Say what could not be checked; whether there was anything of the kind."""
    problems = [problem for problem in inspected.problems if not (problem.empty and allow_empty)]
    for problem in problems:
        complain(f"{problem.path}: {problem.why}")
    if inspected.checked.traffic or allow_empty:
        return bool(problems)
    if inspected.checked.files:
        _report_nothing(inspected)
    return True


def _report_nothing(inspected: Inspected) -> None:
    unreadable = sum(finding.rule == "unreadable-line" for finding in inspected.findings)
    read = number(inspected.checked.lines, "line")
    complain(f"nothing in the input was traffic: {read} read{f', {unreadable} unreadable' if unreadable else ''}")
    report_skipped(inspected.checked)
    complain(f"  {WANTED} (--input-format picks one kind of them)")
    complain("  --allow-empty lets this pass")


def report_skipped(checked: Checked) -> None:
    for entry in checked.skipped:
        complain(f"  {entry.path}:{entry.line}: skipped, {entry.why} ({number(entry.count, 'line')})")
