"""Work grows with the size of a log and not with its square, however it was made."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench import growth
from bench.hostile import SHAPES
from bench.race import Run
from tests.work import work
from wirecheck import Inspector, Reader, load
from wirecheck.rules import Ruleset

LINES, BYTES = 60, 2_000_000  # so large a log is made, and one of four times the size
FACTOR = 4.6  # so many times the work for four times the size


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def taken(name: str, size: int, rules: Ruleset, path: Path) -> int:
    path.write_bytes(b"".join(SHAPES[name].log(size)))

    def judge() -> None:
        inspector = Inspector(rules)
        for record in Reader([str(path)], brief=inspector.brief):
            inspector.feed(record)
        inspector.close()

    return work(judge)


@pytest.mark.parametrize("name", SHAPES)
def test_work_is_linear(name: str, rules: Ruleset, tmp_path: Path) -> None:
    log, size = tmp_path / "log.jsonl", BYTES if SHAPES[name].unit == "bytes" else LINES
    taken(name, 4, rules, log)  # the first time much is compiled
    fixed = taken(name, 1, rules, log)
    few, many = (taken(name, times * size, rules, log) - fixed for times in (1, 4))
    assert many < FACTOR * max(few, 1000)


def test_what_grows_too_fast_is_bold() -> None:
    def grown(*costs: float) -> dict[int, Run]:
        return {times: Run(cost, cost, 10**6) for times, cost in zip(growth.TIMES, costs, strict=True)}

    linear, square, short = grown(1, 2, 4), grown(1, 4, 16), grown(0, 0, 0.01)
    assert (growth.factor(linear), growth.factor(square)) == ("4.0", "**16.0**")
    assert growth.factor(short) == "–"


def test_a_shape_is_measured_in_processes_of_its_own() -> None:
    asked = [sys.executable, "-m", "bench", "hostile", "Live calls", "nesting", "--scale", "0.001", "--rounds", "1"]
    run = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert re.search(r"^\| Live calls +\| +5 calls \|", run.stdout, re.MULTILINE)


def test_a_shape_that_is_not_there_is_refused() -> None:
    asked = [sys.executable, "-m", "bench", "hostile", "none"]
    run = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert (run.returncode, "there is no shape none" in run.stderr) == (2, True)


def test_the_page_has_a_place_for_results() -> None:
    text = growth.PAGE.read_text(encoding="utf-8")
    assert 0 < text.index(growth.BEGIN) < text.index(growth.END)
