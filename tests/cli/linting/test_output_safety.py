"""No log is lost: what is written is none of what is read, and each output is a file of its own."""

import os
import subprocess
import sys

import pytest

from tests.cli.logs import BAD, Desk

HERE = "log.jsonl"


@pytest.mark.parametrize("target", [HERE, f"./{HERE}", f"logs/../{HERE}", "soft", "hard"])
@pytest.mark.parametrize("option", [["-o", "{}"], ["--report", "json={}"], ["--baseline", "{}", "--update-baseline"]])
@pytest.mark.parametrize("source", [HERE, "soft", "logs"])
def test_an_input_is_never_written_over(desk: Desk, target: str, option: list[str], source: str) -> None:
    (desk.folder / "logs").mkdir()
    desk.write(HERE, BAD)
    os.symlink(HERE, "soft")
    os.link(HERE, "hard")
    os.link(HERE, "logs/found.jsonl")
    result = desk.run("lint", source, *(word.format(target) for word in option))
    assert (result.exit_code, result.stdout, desk.read(HERE)) == (2, "", f"{BAD}\n")
    assert len(result.stderr.splitlines()) == 1
    assert "log.jsonl: would be overwritten, and is an input" in result.stderr or target != HERE or source == "logs"


@pytest.mark.parametrize("target", ["own/own-role.yaml", "wirecheck.toml"])
def test_nor_is_a_rule_or_a_setting(desk: Desk, target: str) -> None:
    before = desk.read(target)
    result = desk.run("lint", desk.write(HERE, BAD), "-o", target)
    assert (result.exit_code, desk.read(target)) == (2, before)


def test_nor_is_what_comes_from_standard_input(desk: Desk) -> None:
    desk.write(HERE, BAD)
    with open(HERE, "rb") as log:
        done = subprocess.run([sys.executable, "-m", "wirecheck", "lint", "-", "-o", HERE], stdin=log, check=False)
    assert (done.returncode, desk.read(HERE)) == (2, f"{BAD}\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-o out --report json=./out", "./out: would be written over out, which is the same file; name another one"),
        ("--report json=out --report table=out", "out: would be written over out, which is the same file"),
        ("-o known.json --baseline known.json --update-baseline", "known.json: would be written over known.json"),
        ("--report json=known.json --baseline known.json", "known.json: would be written over known.json"),
        ("-o -", "'-' is no file; standard output is where findings go without -o"),
        ("--report json=-", "'-' is no file; standard output is where findings go without -o"),
    ],
)
def test_two_outputs_are_two_files(desk: Desk, options: str, said: str) -> None:
    before = sorted(os.listdir(desk.folder))
    result = desk.run("lint", "missing.jsonl", *options.split())
    assert (result.exit_code, said in result.stderr, sorted(os.listdir(desk.folder))) == (2, True, before)
    assert "missing.jsonl" not in result.stderr


def test_what_keeps_nothing_may_be_named_twice(desk: Desk) -> None:
    log = desk.write(HERE, BAD)
    assert desk.run("lint", log, "-o", "/dev/null", "--report", "json=/dev/null").exit_code == 1


def test_a_baseline_may_lie_among_the_logs(desk: Desk) -> None:
    desk.write(HERE, BAD)
    for _ in range(2):
        assert desk.run("lint", ".", "--baseline", "known.json", "--update-baseline").exit_code == 0
    assert desk.run("lint", ".", "--baseline", "known.json").exit_code == 0
