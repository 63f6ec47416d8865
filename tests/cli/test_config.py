"""Settings: where they are found, what they may say, and that flags win."""

from pathlib import Path

import pytest

from tests.cli.logs import BAD, SAD, Desk


def test_the_nearest_settings_upwards_are_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    below = desk.folder / "a" / "b"
    below.mkdir(parents=True)
    (desk.folder / "a" / "pyproject.toml").write_text("[tool.other]\nselect = 3\n")
    (below / "bad.jsonl").write_text(BAD)
    monkeypatch.chdir(below)
    result = desk.run("lint", "bad.jsonl")
    assert "OWN201" in result.stdout


def test_pyproject_has_its_own_table(desk: Desk) -> None:
    (desk.folder / "wirecheck.toml").unlink()
    text = '[project]\nname = "x"\n[tool.wirecheck]\nrules = ["own"]\nselect = "own-role"\nfail-on = "never"\n'
    (desk.folder / "pyproject.toml").write_text(text)
    result = desk.run("lint", desk.write("bad.jsonl", BAD))
    assert (result.exit_code, "OWN201" in result.stdout) == (0, True)


def test_its_own_file_may_have_that_table_too(desk: Desk) -> None:
    (desk.folder / "wirecheck.toml").write_text('rules = ["own"]\n[tool.wirecheck]\nselect = "own-role"\n')
    assert desk.json(desk.write("bad.jsonl", BAD))["checked"]["rules"] == 1


@pytest.mark.parametrize("text", ["tool = 3", "[tool]\nwirecheck = 3"])
def test_a_table_that_is_none(desk: Desk, text: str) -> None:
    (desk.folder / "pyproject.toml").write_text(text)
    result = desk.run("lint", desk.write("bad.jsonl", BAD), "--config", "pyproject.toml")
    assert (result.exit_code, "is no table; settings stand under [tool.wirecheck]" in result.stderr) == (2, True)


@pytest.mark.parametrize("command", ["lint bad.jsonl", "show bad.jsonl", "rules list"])
def test_a_wrong_rule_name_is_said_with_its_place(desk: Desk, command: str) -> None:
    desk.write("bad.jsonl", BAD)
    desk.settings('ignore = ["own-rol"]')
    said = "unknown rule 'own-rol', did you mean 'own-role'?\n"
    assert desk.run(*command.split()).stderr == f"wirecheck: wirecheck.toml:3: {said}"
    assert desk.run(*command.split(), "--ignore", "own-rol").stderr == f"wirecheck: {said}"


def test_flags_win(desk: Desk) -> None:
    desk.settings('fail-on = "info"\nmin-severity = "info"')
    log = desk.write("sad.jsonl", SAD)
    assert desk.run("lint", log).exit_code == 1
    assert desk.run("lint", log, "--fail-on", "error").exit_code == 0


def test_isolated_reads_none(desk: Desk) -> None:
    desk.settings("nonsense = 1")
    result = desk.run("lint", desk.write("bad.jsonl", BAD), "--isolated", "--rules", "own", "--select", "OWN201")
    assert result.exit_code == 1


def test_a_file_can_be_named(desk: Desk) -> None:
    Path("other.toml").write_text('rules = ["own"]\nselect = ["OWN202"]')
    assert desk.run("lint", desk.write("bad.jsonl", BAD), "--config", "other.toml").exit_code == 0


def test_help_needs_no_settings(desk: Desk) -> None:
    desk.settings("selct = []")
    assert desk.run("lint", "--help").exit_code == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("selct = []", "wirecheck.toml:3: unknown key 'selct', did you mean 'select'?"),
        ("config = 'x'", "wirecheck.toml:3: unknown key 'config'"),
        ("fail-on = 'eror'", "wirecheck.toml:3: 'fail-on': unknown value 'eror', did you mean 'error'?"),
        ("fail-on = ['error']", "wirecheck.toml:3: 'fail-on' takes one value"),
        ("max-findings = 'ten'", "wirecheck.toml:3: 'max-findings': 'ten' is not a whole number, 0 or more"),
        ("max-findings = -1", "wirecheck.toml:3: 'max-findings': '-1' is not a whole number, 0 or more"),
        ("ignore = [1]", "wirecheck.toml:3: 'ignore' takes a list of texts"),
        ("ignore = {a = 1}", "wirecheck.toml:3: 'ignore' takes a list of texts"),
        ("baseline = 3", "wirecheck.toml:3: 'baseline' takes a text"),
        ("report = ['nosuch=x']", "wirecheck.toml:3: 'report': no format 'nosuch'"),
        ("= 1", "wirecheck.toml: not valid TOML: "),
    ],
)
def test_what_is_wrong_is_one_line_for_its_author(desk: Desk, line: str, said: str) -> None:
    desk.settings(line)
    result = desk.run("lint", desk.write("bad.jsonl", BAD))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"wirecheck: {said}")
    assert len(result.stderr.splitlines()) == 1
