"""A value that nobody expects, in any place of any log: no fault comes of it, and it costs no other line.

Two of each log are tried, always the same; WIRECHECK_MUTATIONS=200 tries so many, in a quarter of an hour.
"""

from random import Random

import pytest

from tests.memo.agree import compared
from tests.properties.mutations import LAST_RULE, SOME, Log, judged, logs, mutations, reordered, written
from tests.properties.pointing import missing
from wirecheck.cli.stories import Stories
from wirecheck.report import FORMATS, Report, Screen, render
from wirecheck.report.report import count

SHARDS = 8


def look(said: Log, *, whole: bool) -> None:
    """`whole`: also as `show` and reports of every format tell it."""
    lines, found = written(said), []
    for memo in (True, False):
        findings = judged(lines, memo=memo)
        last = [finding.rule for finding in findings if finding.place.line == len(lines)]
        assert LAST_RULE in last, lines
        assert list(missing(findings, lines)) == [], lines
        found.append([compared(finding) for finding in findings])
    assert found[0] == found[1], lines
    if whole:
        stories = Stories()
        judged(lines, memo=False, listen=stories.hear, predict=True)
        assert stories.conversations()
        report = Report(findings=tuple(findings), found=tuple(findings), summary=count(findings))
        for name in FORMATS:
            list(render(name, report, Screen()))


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_value_of_any_kind_may_stand_anywhere_in_a_log(shard: int) -> None:
    for n, (name, said) in enumerate(logs().items()):
        if n % SHARDS == shard:
            for m, mutated in enumerate(mutations(said, Random(name))):
                look(mutated, whole=(m + n) % 30 == 0)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_lines_may_be_lost_doubled_or_in_another_order(shard: int) -> None:
    names = list(logs())
    for n, name in enumerate(names):
        dice = Random(name)
        for m in range(1 + SOME // 10):
            said = reordered(logs()[name], logs()[dice.choice(names)], dice)
            if n % SHARDS == shard:
                look(next(mutations(said, dice, 1), said) if m % 2 or said == [] else said, whole=False)
