"""A baseline holds what is known; only what is new counts."""

import json
from pathlib import Path

import pytest

from tests.cli.logs import BAD, GOOD, SAD, Desk


def test_what_is_known_does_not_count(desk: Desk) -> None:
    log = desk.write("log.jsonl", BAD, SAD)
    updated = desk.run("lint", log, "--baseline", "known.json", "--update-baseline")
    assert (updated.exit_code, "2 suppressed" in updated.stdout) == (0, True)
    result = desk.run("lint", log, "--baseline", "known.json", "--fail-on", "info")
    assert (result.exit_code, "own-role" in result.stdout) == (0, False)
    assert desk.json(log, "--baseline", "known.json")["summary"] == {
        "error": 0,
        "warning": 0,
        "info": 0,
        "suppressed": 2,
    }


def test_one_more_of_the_known_is_new(desk: Desk) -> None:
    desk.run("lint", desk.write("log.jsonl", BAD), "--baseline", "known.json", "--update-baseline")
    desk.write("log.jsonl", BAD, BAD.replace("hi", "ho"))
    result = desk.run("lint", "log.jsonl", "--baseline", "known.json")
    assert (result.exit_code, "1 error · 1 suppressed" in result.stdout) == (1, True)


def test_what_is_no_longer_found_is_said(desk: Desk) -> None:
    desk.run("lint", desk.write("log.jsonl", BAD), "--baseline", "known.json", "--update-baseline")
    result = desk.run("lint", desk.write("log.jsonl", GOOD), "--baseline", "known.json")
    assert result.exit_code == 0
    assert "known.json: no longer found: own-role (1); --update-baseline forgets them" in result.stderr


def test_lines_and_texts_may_change(desk: Desk) -> None:
    desk.run("lint", desk.write("log.jsonl", BAD), "--baseline", "known.json", "--update-baseline")
    desk.write("log.jsonl", GOOD, GOOD.replace("hi", "ho"), BAD.replace("hi", "hello"))
    assert desk.run("lint", "log.jsonl", "--baseline", "known.json").exit_code == 0


def test_a_baseline_reads_well_in_a_diff(desk: Desk) -> None:
    desk.run("lint", desk.write("log.jsonl", BAD), "--baseline", "known.json", "--update-baseline")
    written = json.loads(desk.read("known.json"))
    assert written["version"] == 1
    assert list(written["findings"].values()) == [{"rule": "own-role", "count": 1}]
    assert len(desk.read("known.json").splitlines()) > 5


NOT_BASELINES = ["[]", "{", "{}", BAD, "a note", '{"version": 1, "findings": {"a": 1}}', "[" * 5000, '{"\udcff": 1}']


@pytest.mark.parametrize("more", [[], ["--update-baseline"]])
@pytest.mark.parametrize("text", NOT_BASELINES)
def test_what_is_no_baseline_is_refused_and_never_replaced(desk: Desk, text: str, more: list[str]) -> None:
    before = text.encode(errors="surrogateescape")
    Path("known.json").write_bytes(before)
    result = desk.run("lint", desk.write("log.jsonl", BAD), "--baseline", "known.json", *more)
    assert (result.exit_code, result.stderr.startswith("wirecheck: known.json: not a baseline")) == (2, True)
    assert Path("known.json").read_bytes() == before


@pytest.mark.parametrize("more", [[], ["--update-baseline"]])
def test_a_baseline_of_another_version_is_refused(desk: Desk, more: list[str]) -> None:
    desk.write("known.json", text := '{"version": 2, "findings": {}}')
    result = desk.run("lint", desk.write("log.jsonl", BAD), "--baseline", "known.json", *more)
    assert (result.exit_code, result.stderr) == (
        2,
        "wirecheck: known.json: a baseline of version 2, and this wirecheck knows 1\n",
    )
    assert desk.read("known.json") == f"{text}\n"


def test_an_empty_file_may_become_a_baseline(desk: Desk) -> None:
    (desk.folder / "known.json").touch()
    log = desk.write("log.jsonl", BAD)
    assert desk.run("lint", log, "--baseline", "known.json").exit_code == 2
    assert desk.run("lint", log, "--baseline", "known.json", "--update-baseline").exit_code == 0


@pytest.mark.parametrize("some", [["--select", "own-smile"], ["--ignore", "own-role"]])
def test_what_is_known_of_rules_that_were_not_asked_stays(desk: Desk, some: list[str]) -> None:
    log = desk.write("log.jsonl", BAD, SAD)
    desk.run("lint", log, "--baseline", "known.json", "--update-baseline")
    before = desk.read("known.json")
    again = desk.run("lint", log, "--baseline", "known.json", "--update-baseline", *some)
    assert (again.exit_code, again.stderr, desk.read("known.json")) == (0, "", before)
    desk.run("lint", desk.write("log.jsonl", BAD), "--baseline", "known.json", "--update-baseline", *some)
    assert [known["rule"] for known in json.loads(desk.read("known.json"))["findings"].values()] == ["own-role"]


def test_of_rules_that_were_not_asked_nothing_is_missed(desk: Desk) -> None:
    desk.run("lint", desk.write("log.jsonl", BAD), "--baseline", "known.json", "--update-baseline")
    result = desk.run("lint", "log.jsonl", "--baseline", "known.json", "--ignore", "own-role")
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_missing_baseline_is_refused(desk: Desk) -> None:
    result = desk.run("lint", desk.write("log.jsonl", BAD), "--baseline", "known.json")
    assert (result.exit_code, result.stderr) == (
        2,
        "wirecheck: known.json: no such baseline; --update-baseline writes one\n",
    )


def test_a_baseline_is_not_updated_where_something_could_not_be_read(desk: Desk) -> None:
    log = desk.write("log.jsonl", BAD)
    desk.run("lint", log, "--baseline", "known.json", "--update-baseline")
    before = desk.read("known.json")
    result = desk.run("lint", log, "missing.jsonl", "--baseline", "known.json", "--update-baseline")
    assert (result.exit_code, desk.read("known.json")) == (2, before)
