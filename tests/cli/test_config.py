"""Settings: where they are found, what they may say, and that flags win."""

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from tests.cli.logs import BAD, SAD, Desk, deep, write_rules
from wirecheck.cli import config
from wirecheck.data import ownership

ALONE = "is for the command line alone (--{}): settings write no files"


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
        ("fail-on = ['error']", "wirecheck.toml:3: 'fail-on' takes a text"),
        ("max-findings = 'ten'", "wirecheck.toml:3: 'max-findings' takes a whole number, 0 or more"),
        ("max-findings = -1", "wirecheck.toml:3: 'max-findings' takes a whole number, 0 or more"),
        ("ignore = [1]", "wirecheck.toml:3: 'ignore' takes a list of texts"),
        ("ignore = {a = 1}", "wirecheck.toml:3: 'ignore' takes a list of texts"),
        ("baseline = 3", "wirecheck.toml:3: 'baseline' takes a text"),
        ("report = 'json=x'", f"wirecheck.toml:3: 'report' {ALONE.format('report')}"),
        ("output = 'x'", f"wirecheck.toml:3: 'output' {ALONE.format('output')}"),
        ("update-baseline = true", f"wirecheck.toml:3: 'update-baseline' {ALONE.format('update-baseline')}"),
        ("= 1", "wirecheck.toml: not valid TOML: "),
    ],
)
def test_what_is_wrong_is_one_line_for_its_author(desk: Desk, line: str, said: str) -> None:
    desk.settings(line)
    result = desk.run("lint", desk.write("bad.jsonl", BAD))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"wirecheck: {said}")
    assert len(result.stderr.splitlines()) == 1
    assert not (desk.folder / "x").exists()


LISTS = "a list of texts"
TAKES = {
    "select": LISTS,
    "ignore": LISTS,
    "rules": LISTS,
    "color": "a text",
    "fail-on": "a text",
    "min-severity": "a text",
    "predict": "true or false",
    "input-format": "a text",
    "output-format": "a text",
    "baseline": "a text",
    "statistics": "true or false",
    "max-findings": "a whole number, 0 or more",
    "jobs": "a whole number, 1 or more",
    "allow-empty": "true or false",
}
ODD = {
    "a date": "1979-05-27",
    "a time": "07:32:00.999999",
    "a moment": "1979-05-27T07:32:00Z",
    "infinity": "-inf",
    "nan": "nan",
    "a broken number": "1.5",
    "a huge number": "-1e400",
    "a long integer": "-" + "9" * 10_000,
    "a longer integer": "-" + "1_234" * 10_000,
    "a table": "{a = 1}",
    "a list of lists": "[[1]]",
    "a list of dates": "[1979-05-27]",
    "NUL": '["a\\u0000b"]',
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
@pytest.mark.parametrize("key", TAKES)
def test_an_odd_value_is_one_line_with_what_the_key_takes(desk: Desk, key: str, odd: str) -> None:
    (desk.folder / "wirecheck.toml").write_text(f"\n{key} = {odd}\n")
    result = desk.run("lint", desk.write("bad.jsonl", BAD))
    assert (result.exit_code, result.stderr) == (2, f"wirecheck: wirecheck.toml:2: '{key}' takes {TAKES[key]}\n")


def test_every_key_is_tried_with_odd_values() -> None:
    assert set(TAKES) == set(config.KEYS)


@pytest.mark.parametrize(
    ("value", "key"), [("true", "jobs"), ("2", "predict"), ("'yes'", "predict"), ("0", "jobs"), ("'2'", "jobs")]
)
def test_nothing_is_taken_for_what_it_is_not(desk: Desk, value: str, key: str) -> None:
    desk.settings(f"{key} = {value}")
    assert f"'{key}' takes {TAKES[key]}" in desk.run("lint", desk.write("bad.jsonl", BAD)).stderr


@pytest.mark.parametrize("text", ["[jobs]\nx = 1", "[[jobs]]\nx = 1", "jobs.x.y = 1", "[tool.wirecheck.jobs]\nx = 1"])
def test_a_table_is_no_value(desk: Desk, text: str) -> None:
    (desk.folder / "wirecheck.toml").write_text(text)
    result = desk.run("lint", desk.write("bad.jsonl", BAD))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith("wirecheck: wirecheck.toml")
    assert "'jobs' takes a whole number, 1 or more" in result.stderr


def test_a_long_integer_elsewhere_does_not_matter(desk: Desk) -> None:
    (desk.folder / "wirecheck.toml").unlink()
    text = f'[tool.wirecheck]\nrules = ["own"]\nselect = "own-role"\n[tool.other]\nx = {"9" * 5000}\n'
    (desk.folder / "pyproject.toml").write_text(text)
    assert "OWN201" in desk.run("lint", desk.write("bad.jsonl", BAD)).stdout


def test_a_byte_order_mark_is_no_part_of_the_settings(desk: Desk) -> None:
    (desk.folder / "wirecheck.toml").write_text('rules = ["own"]\nselect = "own-role"\n', encoding="utf-8-sig")
    assert "OWN201" in desk.run("lint", desk.write("bad.jsonl", BAD)).stdout


def test_settings_above_the_repository_are_not_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    below = desk.folder / "repository" / "a"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert config.find(str(below)) == str(desk.folder / "wirecheck.toml")
    (below.parent / ".git").write_text("gitdir: elsewhere\n")  # a worktree
    assert config.find(str(below)) is None
    (below.parent / "wirecheck.toml").touch()
    assert config.find(str(below)) == str(below.parent / "wirecheck.toml")


@pytest.fixture
def give_away(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Lets another user own a file or folder."""
    given: set[str] = set()
    owners = ownership._owners
    monkeypatch.setattr(ownership, "_owners", lambda path: {4711} if path in given else owners(path))
    return lambda path: given.add(str(path))


@pytest.mark.parametrize("name", ["wirecheck.toml", ""])
def test_what_another_user_owns_is_not_read_and_said(
    desk: Desk, give_away: Callable[[Path], None], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.settings('nonsense = "1"')
    (below := desk.folder / "mine").mkdir()
    monkeypatch.chdir(below)
    give_away(desk.folder / name)
    result = desk.run("lint", desk.write("mine/bad.jsonl", BAD).removeprefix("mine/"))
    file = desk.folder / "wirecheck.toml"
    said = f"wirecheck: {file}: not read: another user owns it or its folder; to use it, name it with --config\n"
    assert (result.exit_code, result.stderr) == (1, said)
    assert "OWN201" not in result.stdout
    desk.settings("")
    assert "OWN201" in desk.run("lint", "bad.jsonl", "--config", str(file)).stdout


def test_what_has_nothing_for_us_is_passed_over_silently(desk: Desk, give_away: Callable[[Path], None]) -> None:
    (desk.folder / "wirecheck.toml").unlink()
    (desk.folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    give_away(desk.folder / "pyproject.toml")
    assert desk.run("lint", desk.write("bad.jsonl", BAD)).stderr == ""


def test_what_has_nothing_for_us_does_not_hide_what_is_above(
    desk: Desk, give_away: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    (below := desk.folder / "below").mkdir()
    (below / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    give_away(below / "pyproject.toml")
    monkeypatch.chdir(below)
    assert config.find(str(below)) == str(desk.folder / "wirecheck.toml")
    give_away(below)
    assert config.find(str(below)) is None


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_whose_a_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, owner in (("mine", 4711), ("another's", 4712), ("root's", 0)):
        (tmp_path / name).touch()
        os.chown(tmp_path / name, owner, 0)
    (link := tmp_path / "link").symlink_to("mine")
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    names = ("mine", "another's", "root's", "link")
    assert [ownership.anothers(str(tmp_path / name)) for name in names] == [False, True, False, False]
    os.chown(link, 4712, 0, follow_symlinks=False)
    assert ownership.anothers(str(link))


def up(desk: Desk) -> str:
    return "../outside"


def by_a_link(desk: Desk) -> str:
    (desk.folder / "repository" / "link").symlink_to("../outside")
    return "link"


def by_a_link_in_a_folder(desk: Desk) -> str:
    (folder := desk.folder / "repository" / "rules").mkdir()
    (folder / "x.yaml").symlink_to(desk.folder / "outside" / "own-role.yaml")
    return "rules"


def absolute(desk: Desk) -> str:
    return str(desk.folder / "outside" / "own-role.yaml")


WAYS_OUT: list[Callable[[Desk], str]] = [up, by_a_link, by_a_link_in_a_folder, absolute]


@pytest.mark.parametrize("way", WAYS_OUT)
@pytest.mark.parametrize("key", config.PATHS)
def test_what_settings_name_lies_in_their_repository(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, key: str, way: Callable[[Desk], str]
) -> None:
    write_rules(desk.folder / "outside")
    (repository := desk.folder / "repository").mkdir()
    (repository / "wirecheck.toml").write_text(f"{key} = '{way(desk)}'\n")
    (repository / "bad.jsonl").write_text(BAD)
    monkeypatch.chdir(repository)
    result = desk.run("lint", "bad.jsonl")
    said = f"wirecheck: wirecheck.toml:1: '{key}' leads out of {repository} to "
    assert (result.exit_code, result.stderr.count("\n"), result.stderr.startswith(said)) == (2, 1, True)
    named = desk.run("lint", "bad.jsonl", "--config", "wirecheck.toml")
    assert "leads out" not in named.stderr


def test_what_lies_above_the_settings_in_their_repository_may_be_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk.folder / ".git").mkdir()
    (below := desk.folder / "a").mkdir()
    (below / "wirecheck.toml").write_text("rules = ['../own']\n")
    (below / "bad.jsonl").write_text(BAD)
    monkeypatch.chdir(below)
    assert "OWN201" in desk.run("lint", "bad.jsonl").stdout


@pytest.mark.parametrize("command", ["lint", "show"])
@pytest.mark.parametrize("name", ["wirecheck.toml", "pyproject.toml"])
def test_the_last_line_names_the_settings(desk: Desk, command: str, name: str) -> None:
    (desk.folder / "wirecheck.toml").unlink()
    (desk.folder / name).write_text('[tool.wirecheck]\nrules = ["own"]\n')
    log = desk.write("bad.jsonl", BAD)
    assert desk.run(command, log).stdout.splitlines()[-1].endswith(f" · settings: {name}")
    assert "settings" not in desk.run(command, log, "--isolated").stdout.splitlines()[-1]


def test_the_last_line_names_settings_above_by_their_whole_path(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    (below := desk.folder / "a\x1b[2J").mkdir()
    (above := desk.folder / "wirecheck.toml").rename(below / "wirecheck.toml")
    (below / "b").mkdir()
    monkeypatch.chdir(below / "b")
    write_rules(below / "own")
    last = desk.run("lint", str(above.parent / desk.write("bad.jsonl", BAD))).stdout.splitlines()[-1]
    assert last.endswith(f"a\\x1b[2J{os.sep}wirecheck.toml")
    assert f"settings: {desk.folder}" in last


def test_programs_get_the_last_line_on_standard_error(desk: Desk) -> None:
    result = desk.run("lint", desk.write("bad.jsonl", BAD), "--output-format", "json")
    assert "settings" not in result.stdout
    assert result.stderr.splitlines()[-1].endswith(" · settings: wirecheck.toml")


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


def circle(path: Path) -> None:
    path.symlink_to(path.name)


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)  # all of it a hole


SPECIAL: dict[Callable[[Path], None], str] = {
    fifo: "not a regular file",
    device: "not a regular file",
    listening: "not a regular file",
    circle: "Too many levels of symbolic links",
    large: "larger than ",
    Path.mkdir: "",  # a folder
}


@pytest.mark.parametrize("make", SPECIAL)
@pytest.mark.parametrize("option", ["--config", "--baseline", "--rules"])
def test_what_is_no_regular_file_is_never_opened(desk: Desk, make: Callable[[Path], None], option: str) -> None:
    make(desk.folder / "special.yaml")
    result = desk.run("lint", desk.write("bad.jsonl", BAD), option, "special.yaml")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith("wirecheck: special.yaml: ")
    assert SPECIAL[make] in result.stderr


@pytest.mark.parametrize("make", [each for each in SPECIAL if each is not Path.mkdir])
def test_what_is_no_regular_file_in_a_folder_of_rules_is_never_opened(
    desk: Desk, make: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk.folder / "own")
    make(desk.folder / "own" / "special.yaml")
    monkeypatch.chdir(desk.folder)
    result = desk.run("lint", desk.write("bad.jsonl", BAD), "--isolated", "--rules", "own")
    assert (result.exit_code, result.stderr.startswith("wirecheck: own/special.yaml: ")) == (2, True)
    assert SPECIAL[make] in result.stderr


@pytest.mark.parametrize("make", [fifo, device, listening, circle])
def test_what_is_no_regular_file_is_found_neither_as_settings_nor_as_a_log(
    desk: Desk, make: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    (logs := desk.folder / "logs").mkdir()
    (logs / "bad.jsonl").write_text(BAD)
    monkeypatch.chdir(logs)
    make(logs / "wirecheck.toml")
    make(logs / "special.jsonl")
    monkeypatch.chdir(desk.folder)
    assert config.find(str(logs)) == str(desk.folder / "wirecheck.toml")
    assert desk.json("logs")["checked"]["files"] == 1


def test_a_folder_in_itself_is_searched_once(desk: Desk) -> None:
    (desk.folder / "own" / "again").symlink_to("..")
    desk.write("bad.jsonl", BAD)
    assert desk.json(".")["checked"]["files"] == 1


def test_folders_may_be_nested_deeper_than_python_recurses(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with deep(desk.folder) as bottom:
        (bottom / "bad.jsonl").write_text(BAD)
        (bottom / "own-role.yaml").write_text((desk.folder / "own" / "own-role.yaml").read_text())
        result = desk.run("lint", "d", "--isolated", "--rules", "d", "--select", "OWN201")
        assert (result.exit_code, "1 error" in result.stdout) == (1, True)
        monkeypatch.chdir(bottom)
        assert "OWN201" in desk.run("lint", "bad.jsonl").stdout  # by the settings far above
        monkeypatch.chdir(desk.folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_of_rules_that_cannot_be_read_is_said(desk: Desk) -> None:
    (shut := desk.folder / "own" / "shut").mkdir(mode=0)
    result = desk.run("lint", desk.write("bad.jsonl", BAD))
    shut.chmod(0o700)
    assert (result.exit_code, result.stderr) == (2, "wirecheck: own/shut: Permission denied\n")


TABLES = [
    "[ tool.wirecheck ]\nselect = ['WC1']\n",
    "[tool.\"wirecheck\"]\nselect = ['WC1']\n",
    "tool.wirecheck.select = ['WC1']\n",
]


@pytest.mark.parametrize("text", TABLES)
def test_the_table_is_found_however_toml_writes_it(desk: Desk, text: str) -> None:
    (desk.folder / "wirecheck.toml").unlink()
    (desk.folder / "pyproject.toml").write_text(text)
    result = desk.run("rules", "list", "--output-format", "json")
    assert {rule["code"][:3] for rule in json.loads(result.stdout)} == {"WC1"}


@pytest.mark.parametrize("part", ["a", '"a b"', "'a'"])
def test_a_key_of_many_parts_costs_nothing(desk: Desk, part: str) -> None:
    (desk.folder / "wirecheck.toml").write_text(f"{part}{f'.{part}' * 100_000} = 1\n")
    result = desk.run("rules", "list")
    assert (result.exit_code, "wirecheck.toml: a key of more than a hundred parts" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    "text", ["a" * 1_000_000, "a." * 99 * 5_000, '"' * 1_000_000, "'a'" * 300_000, "1 . " * 250_000]
)
def test_such_keys_are_looked_for_in_linear_time(text: str) -> None:
    began = process_time()
    config.MANY_PARTS.search(text)
    assert process_time() - began < 5


def test_a_folder_elsewhere_is_refused_before_it_is_searched(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    (desk.folder / "wirecheck.toml").write_text('rules = ["/"]\n')
    monkeypatch.setattr(config, "rule_files", None)
    result = desk.run("rules", "list")
    assert (result.exit_code, "leads out of" in result.stderr) == (2, True)


def test_a_baseline_that_is_no_file_is_not_written(desk: Desk) -> None:
    os.mkfifo(desk.folder / "fifo")
    log = desk.write("log.jsonl", BAD)
    result = desk.run("lint", log, "--baseline", "fifo", "--update-baseline")
    assert (result.exit_code, "fifo: not a regular file" in result.stderr) == (2, True)
