"""From paths to findings: sources, rules and the inspector, strung together."""

import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from wirecheck.cli.config import place
from wirecheck.cli.ending import Refusal, complain
from wirecheck.cli.progress import watched
from wirecheck.finding import Finding, Severity
from wirecheck.inspector import Inspector
from wirecheck.library import repeated
from wirecheck.report.closing import number
from wirecheck.report.report import Checked, Skipped
from wirecheck.rules import RuleError, Ruleset, load
from wirecheck.sources import FORMATS, Problem, Reader
from wirecheck.talk.facts import Fact


class Inspected(Struct, frozen=True):
    """What came of it, and what could not be read."""

    findings: list[Finding]
    checked: Checked
    problems: list[Problem]
    counted: Mapping[Severity, int] = {}


def ruleset(paths: Sequence[str], select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Ruleset:
    try:
        return load(user_paths=_each_once(paths), select=select, ignore=ignore)
    except RuleError as error:
        at = _said_by(str(error), select=select, ignore=ignore)
        raise Refusal(f"{at}: {error}" if at else str(error)) from None


def _each_once(paths: Sequence[str]) -> list[str]:
    """However often, and in whatever spelling, a path is named."""
    named: dict[str, str] = {}
    for path in paths:
        named.setdefault("-" if path == "-" else os.path.realpath(path), path)
    return list(named.values())


def _said_by(error: str, **terms: Sequence[str]) -> str:
    """The place in the settings that names a rule which nobody knows."""
    keys = [key for key, named in terms.items() if any(f"unknown rule '{term}'" in error for term in named)]
    return next(filter(None, map(place, keys)), "")


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
) -> Inspected:
    """Without `pictures` findings are kept without the turns around them, for there may be many.

    Findings of the severities `counted` are not kept at all.
    """
    inspector = Inspector(
        rules, predict=predict, listen=listen, recognise=recognise, pictures=pictures, counted=counted
    )
    reader = Reader(
        _each_once(paths),
        input_format=input_format,
        stdin=sys.stdin.buffer,
        heard=inspector.heard,
        passed=inspector.passed,
    )
    findings = repeated(inspector, list(chain.from_iterable(map(inspector.feed, watched(reader)))))
    checked = _checked(reader, inspector, len(rules.rules))
    return Inspected(findings, checked, reader.problems, inspector.counted)


def _checked(reader: Reader, inspector: Inspector, rules: int) -> Checked:
    seen = inspector.checked
    return Checked(
        files=reader.files,
        lines=reader.lines,
        exchanges=seen.exchanges,
        frames=seen.frames,
        conversations=seen.conversations,
        sessions=seen.sessions,
        rules=rules,
        skipped=tuple(Skipped(*entry) for entry in seen.skipped),
        open_calls=seen.open_calls,
        unjudged=dict(seen.unjudged),
    )


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
    complain(f"  --input-format names a format ({', '.join(FORMATS)}); --allow-empty lets this pass")


def report_skipped(checked: Checked) -> None:
    for entry in checked.skipped:
        complain(f"  {entry.path}:{entry.line}: skipped, {entry.why} ({number(entry.count, 'line')})")
