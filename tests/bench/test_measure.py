"""A bench at a tiny scale: every mode runs, on our own workloads and on anybody's logs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench import modes, tables
from bench.logs import lines
from bench.measure import Bench, log_of, recorded
from bench.modes import MODES


def bench(folder: Path, beside: str | None = None) -> Bench:
    return Bench(str(folder), scale=0.0001, seed=0, rounds=1, patience=1, beside=beside)


def test_every_mode_runs_and_is_told(tmp_path: Path) -> None:
    one = bench(tmp_path)
    idle = one.starts(with_modes=True)
    with one.written("small") as log:
        row = one.speed(log, idle, with_modes=True)
    assert {"orjson", "json", *MODES} <= set(row.runs)
    assert all(run.memory > 0 for run in row.runs.values())
    assert "small" in tables.modes([row])
    assert "wirecheck lint" in tables.startups(idle)
    assert list(tmp_path.iterdir()) == [tmp_path / "line.jsonl"]


def test_another_wirecheck_runs_in_turns_with_this_one(tmp_path: Path) -> None:
    one = bench(tmp_path, beside=sys.executable)
    with one.written("live.channel") as log:
        row = one.speed(log, one.starts(with_modes=False), with_modes=False)
    assert {"plain", "beside plain"} <= set(row.runs)


def test_a_log_may_be_several_files_with_other_seeds(tmp_path: Path) -> None:
    with bench(tmp_path).written("10", 3) as log:
        assert len({Path(path).read_bytes() for path in log.paths}) == 3
        assert log.lines == sum(len(Path(path).read_bytes().splitlines()) for path in log.paths)


def test_a_folder_of_logs_is_one_log(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b/c.json", "d.txt", "e.jsonl.gz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"contents": []}\n')
    log = recorded(tmp_path)
    assert [Path(path).name for path in log.paths] == ["a.jsonl", "c.json"]
    assert (log.lines, log.form) == (2, "any")


@pytest.mark.parametrize("name", ["mixed", "live.sessions"])
def test_logs_of_ones_own_are_measured(name: str, tmp_path: Path) -> None:
    (path := tmp_path / "own.jsonl").write_bytes(b"".join(lines(name, 0.0001)) + b"nonsense\n")
    asked = ["recorded", str(path), "--rounds", "1", "--only", "speed"]
    run = subprocess.run([sys.executable, "-m", "bench", *asked], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert re.search(r"^\| own.jsonl ", run.stdout, re.MULTILINE)
    assert "small" not in run.stdout


def test_logs_that_are_not_there_are_refused(tmp_path: Path) -> None:
    asked = ["recorded", str(tmp_path / "no.jsonl")]
    run = subprocess.run([sys.executable, "-m", "bench", *asked], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "there is no" in run.stderr


def test_the_share_of_regular_pieces_is_that_of_the_inspector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log_of("small", "exchanges", [_small(tmp_path)]).paths
    monkeypatch.setitem(modes.PROGRAMS, "inspector", "print('[8, 6]')")
    assert modes.regular(sys.executable, path) == 0.75
    monkeypatch.setitem(modes.PROGRAMS, "inspector", "print('null')")
    assert modes.regular(sys.executable, path) is None


def _small(folder: Path) -> Path:
    (path := folder / "small.jsonl").write_bytes(b"".join(lines("small", 0.0001)))
    return path


@pytest.mark.parametrize("command", ["check", "test"])
def test_the_users_rule_is_a_good_one(command: str) -> None:
    rule = str(modes.ASKED / "refund-without-approval.yaml")
    subprocess.run([sys.executable, "-m", "wirecheck", "rules", command, rule], check=True)
