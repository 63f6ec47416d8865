"""What was measured is told as it was."""

import sys
from pathlib import Path

import pytest

from bench import tables
from bench.race import Failed, Run, race, run
from bench.tables import Log

RUNS = {"orjson": Run(0.5, 20_000_000), "wirecheck": Run(0.1, 72_000_000)}
LONG = Log("long", ["long.jsonl"], 100_000_000, 1000)


def test_a_ratio_is_how_many_times_as_fast_as_orjson() -> None:
    row = tables.speeds([(LONG, RUNS)]).splitlines()[-1]
    assert [cell.strip() for cell in row.strip("|").split("|")] == [
        *("long", "100", "1000", "200 MB/s, 20 MB", "5.00 ×, 72 MB"),
        *["not installed"] * 4,
    ]


def test_a_cost_is_that_of_a_request_and_of_a_megabyte() -> None:
    row = tables.growths([(LONG, RUNS)]).splitlines()[-1]
    assert [cell.strip() for cell in row.strip("|").split("|")] == ["long", "1000", "100", "100", "1.00", "5.00 ×"]


def test_results_are_kept_between_the_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{tables.BEGIN}old\n{tables.END}after\n", encoding="utf-8")
    monkeypatch.setattr(tables, "README", readme)
    for text in ("one\n", "two\n"):
        tables.keep(text)
        assert readme.read_text(encoding="utf-8") == f"before\n{tables.BEGIN}\n{text}\n{tables.END}after\n"


def test_the_readme_has_a_place_for_results() -> None:
    text = tables.README.read_text(encoding="utf-8")
    assert text.index(tables.BEGIN) < text.index(tables.END)


def test_a_command_that_fails_wins_no_race() -> None:
    with pytest.raises(Failed, match="exit code 3"):
        run([sys.executable, "-c", "raise SystemExit(3)"])


def test_who_has_taken_too_long_does_not_run_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    tell = {name: [sys.executable, "-c", f"open({str(log)!r}, 'a').write({name!r})"] for name in "ab"}
    race(tell, rounds=3)
    race(tell, rounds=3, patience=0.0001)
    assert log.read_text() == "ababab" + "ab"
