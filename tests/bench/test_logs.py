"""The logs that speed is measured with: always the same, sound, and wrong where that is asked for."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from bench.__main__ import LOGS, form, log
from bench.agent import MISTAKES
from bench.logs import AT_ONCE, lines
from bench.rivals import RIVALS
from wirecheck import lint
from wirecheck.finding import Finding

SCALE, FEW = 0.0005, 2
SHORT = [*LOGS, "10"]  # numbers of turns are logs too


def put(folder: Path, name: str, mistakes: int = 0) -> str:
    path = folder / f"{name}.jsonl"
    path.write_bytes(b"".join(lines(name, SCALE, mistakes=mistakes)))
    return str(path)


def found(path: str) -> list[Finding]:
    return [finding for finding in lint(path) if finding.severity != "info"]


@pytest.mark.parametrize("name", SHORT)
def test_a_log_is_the_same_for_the_same_seed(name: str) -> None:
    first, again, other = (b"".join(lines(name, SCALE, seed)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("name", SHORT)
def test_nothing_is_wrong_in_a_log(name: str, tmp_path: Path) -> None:
    assert found(put(tmp_path, name)) == []


@pytest.mark.parametrize("name", [name for name in SHORT if "live" not in name])
def test_so_many_conversations_go_wrong_as_were_asked_for(name: str, tmp_path: Path) -> None:
    assert len({finding.conversation for finding in found(put(tmp_path, name, FEW))}) == FEW


@pytest.mark.parametrize("name", ["live", "live.records"])
def test_so_many_calls_of_a_session_go_wrong_as_were_asked_for(name: str, tmp_path: Path) -> None:
    strangers = [each for each in found(put(tmp_path, name, FEW)) if each.rule == "tool-response-unknown-id"]
    assert len(strangers) == FEW


def test_every_kind_of_mistake_is_found(tmp_path: Path) -> None:
    findings = found(put(tmp_path, "small", len(MISTAKES)))
    assert len({finding.conversation for finding in findings}) == len(MISTAKES)


def test_conversations_interleave() -> None:
    asked = [json.loads(line)["request"]["body"]["contents"][0] for line in lines("10", 0.001)]
    changes = sum(one != other for one, other in pairwise(asked))
    assert len({json.dumps(one) for one in asked}) > AT_ONCE
    assert changes > len(asked) / 2


@pytest.mark.parametrize("rival", ["jq", "duckdb"])
@pytest.mark.parametrize("name", LOGS)
def test_rivals_answer_their_question(rival: str, name: str, tmp_path: Path) -> None:
    if not RIVALS[rival].there():
        pytest.skip(f"{rival} is not installed")
    sound, wrong = (said(rival, name, [put(tmp_path, name, mistakes)]) for mistakes in (0, 20))
    assert sound in (b"", b"[]\n")
    assert wrong != sound


def said(rival: str, name: str, paths: list[str]) -> bytes:
    return subprocess.run(RIVALS[rival].command(form(name), paths), stdout=subprocess.PIPE, check=True).stdout


@pytest.mark.parametrize("rival", ["jq", "duckdb"])
def test_rivals_read_all_files_of_a_log(rival: str, tmp_path: Path) -> None:
    if not RIVALS[rival].there():
        pytest.skip(f"{rival} is not installed")
    sound, wrong = (put(tmp_path, name, mistakes) for name, mistakes in (("10", 0), ("small", 20)))
    assert said(rival, "small", [sound, sound]) == said(rival, "small", [sound])
    assert said(rival, "small", [sound, wrong]) not in (b"", b"[]\n")


def test_a_log_may_be_several_files(tmp_path: Path) -> None:
    one, three = (log(str(tmp_path), name, 0.01) for name in ("small", "small/3"))
    assert [len(set(each.paths)) for each in (one, three)] == [1, 3]
    assert three.lines == pytest.approx(one.lines, rel=0.01)
    assert len({Path(path).read_bytes() for path in three.paths}) == 3
    assert form("small.records/3") == "records"


@pytest.mark.parametrize("name", ["nonsense", "small/x", "small/0", "small.else", "0", "long/-1"])
@pytest.mark.parametrize(("module", "argument"), [("bench", "logs"), ("bench.logs", "name")])
def test_a_log_that_is_not_there_is_said_to_be_none(module: str, argument: str, name: str) -> None:
    run = subprocess.run([sys.executable, "-m", module, name], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.splitlines()[-1] == f"python -m {module}: error: argument {argument}: there is no log {name!r}"
