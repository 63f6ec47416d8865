"""What was measured is told as it was."""

import sys
from pathlib import Path

import pytest

from bench import tables
from bench.measure import Log, Row
from bench.modes import MODES
from bench.race import Failed, Run, race, run

LONG = Log("long", "exchanges", ["long.jsonl"], 100_000_000, 1000)
RUNS = {
    "orjson": Run(0.5, 0.4, 20_000_000),
    "plain": Run(0.1, 0.1, 72_000_000),
    "json": Run(1, 0.8, 20_000_000),
    "jq": Run(2, 2, 20_000_000),
    "inspector": Run(0.3, 0.2, 80_000_000),
}


def cells(table: str) -> list[str]:
    return [cell.strip() for cell in table.splitlines()[-1].strip("|").split("|")]


def test_a_ratio_is_how_many_times_as_fast_as_orjson() -> None:
    assert cells(tables.speeds([Row(LONG, RUNS, 0.974)])) == [
        *("long", "100", "1000", "97.4%", "250 MB/s", "4.00 ×", "5.00 ×", "0.50 ×", "0.20 ×", "–", "yes")
    ]


def test_a_share_that_nobody_counts_and_a_rival_that_is_missing_are_left_open() -> None:
    told = cells(tables.speeds([Row(LONG, {name: RUNS[name] for name in ("orjson", "plain")})]))
    assert told[3:] == ["–", "250 MB/s", "4.00 ×", "5.00 ×", "–", "–", "–", "–"]


def test_who_is_behind_jq_is_told_so() -> None:
    assert cells(tables.speeds([Row(LONG, {**RUNS, "plain": Run(3, 2.5, 72_000_000)})]))[-1] == "no"


def test_small_ratios_keep_their_digits_and_noise_is_no_ratio() -> None:
    slow, short = ({**RUNS, "plain": Run(cpu, cpu, 0)} for cpu in (80, 0.001))
    assert cells(tables.speeds([Row(LONG, slow)]))[5] == "0.005 ×"
    assert cells(tables.speeds([Row(LONG, short)]))[5] == "–"


def test_memory_is_that_of_the_peak() -> None:
    assert cells(tables.memories([Row(LONG, RUNS)])) == ["long", "20", "72", "80", "20"]


def test_modes_beyond_the_budget_are_bold() -> None:
    runs = {mode: Run(0.1, 0.1 * (1 + number / 5), 0) for number, mode in enumerate(MODES)}
    assert cells(tables.modes([Row(LONG, runs)])) == [
        *("long", "0.10", "1.20", "1.40", "**1.60**", "**1.80**", "**2.00**", "**2.20**", "**2.40**")
    ]


def test_a_cost_is_that_of_a_request_and_of_a_megabyte() -> None:
    assert cells(tables.growths([Row(LONG, RUNS)])) == ["long", "1000", "100", "100", "1.00", "4.00 ×"]


def test_two_processes_stand_beside_one() -> None:
    row = Row(LONG, {"plain": Run(3, 3, 0), "plain 2": Run(2, 4, 0)})
    assert cells(tables.files([row])) == ["long", "100", "1000", "3.00", "2.00", "1.50 ×"]


def test_another_wirecheck_is_laid_beside_by_mode() -> None:
    table = tables.beside([Row(LONG, {**RUNS, "beside plain": Run(0.05, 0.05, 90_000_000)})])
    assert cells(table) == ["long", "0.50 ×", "72", "90"]


def test_large_lines_cost_time_and_memory() -> None:
    table = tables.wide([Row(LONG, RUNS)])
    assert cells(table) == ["long", "100", "1000", "0.40 s, 20 MB", "0.10 s, 72 MB", "0.20 s, 80 MB"]


def test_what_it_takes_to_start_is_taken_off() -> None:
    assert Run(2.0, 1.5, 7).without(Run(0.5, 0.5, 9)) == Run(1.5, 1.0, 7)
    assert Run(0.4, 0.4, 7).without(Run(0.5, 0.5, 9)).cpu > 0


@pytest.mark.parametrize("marks", [(tables.BEGIN, tables.END), (tables.OTHER, tables.OTHER_END)])
def test_results_are_kept_between_the_marks(
    marks: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, end = marks
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{begin}old\n{end}after\n", encoding="utf-8")
    monkeypatch.setattr(tables, "README", readme)
    for text in ("one\n", "two\n"):
        tables.keep(text, begin, end)
        assert readme.read_text(encoding="utf-8") == f"before\n{begin}\n{text}\n{end}after\n"


def test_the_readme_has_a_place_for_results() -> None:
    text = tables.README.read_text(encoding="utf-8")
    places = [text.index(mark) for mark in (tables.BEGIN, tables.END, tables.OTHER, tables.OTHER_END)]
    assert places == sorted(places)


def test_a_command_that_fails_wins_no_race() -> None:
    failing = [sys.executable, "-c", "raise SystemExit(3)"]
    with pytest.raises(Failed, match="exit code 3"):
        run(failing)
    assert race({"rival": failing}, rounds=2, may_fail=["rival"]) == {}


def test_time_on_the_processor_is_no_time_that_was_slept() -> None:
    slept = run([sys.executable, "-c", "import time; time.sleep(0.5)"])
    assert slept.wall > 0.5 > slept.cpu > 0


def test_the_time_of_those_it_starts_is_its_own() -> None:
    burn = "sum(range(20_000_000))"
    started = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])"
    alone, within = (run([sys.executable, "-c", program]) for program in (burn, started))
    assert within.cpu > alone.cpu / 2


def test_who_has_taken_too_long_does_not_run_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    tell = {name: [sys.executable, "-c", f"open({str(log)!r}, 'a').write({name!r})"] for name in "ab"}
    race(tell, rounds=3)
    race(tell, rounds=3, patience=0.0001)
    assert log.read_text() == "ababab" + "ab"
