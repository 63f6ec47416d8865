"""What README.md and the pages of docs/ say is so: every block of code in them is run.

The two commands that set everything up are only looked at: they need a fresh machine.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import wirecheck
from tests.pages import PAGES, ROOT, Block, blocks, desk, lasting, printed, run, steps
from tests.picture import PICTURE, draw
from tests.picture import printed as on_screen
from wirecheck import load
from wirecheck.cli.commands import record
from wirecheck.recorder.mitm.client_environment import VARIABLES
from wirecheck.recorder.mitm.settings import OPTIONS
from wirecheck.sources import FORMATS

SETTING_UP = re.compile(r"python3 -m venv \.venv && \.venv/bin/pip install -q (\.|-e '\.\[dev\]') && (.+)\n")
BLOCKS = [block for page in PAGES for block in blocks(page)]


def of(*languages: str) -> pytest.MarkDecorator:
    chosen = [block for block in BLOCKS if block.language in languages]
    return pytest.mark.parametrize("block", chosen, ids=lambda block: f"{block.page}:{block.line}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return desk(tmp_path)


def judges(command: str, folder: Path) -> str:
    """Run a command, which may find something but has to work; what it says beside its findings."""
    done = run(command, folder)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_readme_has_two_commands_that_set_everything_up() -> None:
    found = [SETTING_UP.fullmatch(block.text) for block in BLOCKS if "venv" in block.text]
    assert [match and match[2].split()[0] for match in found] == [".venv/bin/wirecheck", ".venv/bin/python"]


def test_the_first_command_lints_a_log_that_is_there() -> None:
    first = next(match[2].split() for block in BLOCKS if (match := SETTING_UP.fullmatch(block.text)))
    assert (ROOT / first[2]).is_file()


@of("sh")
def test_commands_run(block: Block, folder: Path) -> None:
    for command in block.text.splitlines():
        if not SETTING_UP.fullmatch(f"{command}\n"):
            judges(command, folder)


@of("console")
def test_commands_print_what_is_shown(block: Block, folder: Path) -> None:
    for command, output in steps(block.text):
        assert lasting(printed(command, folder)) == lasting(output)


@of("python")
def test_programs_run(block: Block, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(block.text, f"{block.page}:{block.line}", "exec"), names)
    for name, value in names.items():
        if name.startswith("test_"):
            value()


def test_a_har_file_is_read_as_the_exchanges_it_was(folder: Path) -> None:
    findings = [wirecheck.lint(folder / name) for name in ("logs.jsonl", "saved.har")]
    assert [finding.rule for finding in findings[0]] == [finding.rule for finding in findings[1]] != []


@of("yaml")
def test_what_yaml_says_is_so(block: Block, folder: Path) -> None:
    commands = _commands(yaml.safe_load(block.text))
    if block.text.startswith("name: ") and "given:" in block.text:
        commands = ["wirecheck rules check my-rules", "wirecheck rules test my-rules"]
    assert commands
    for command in commands:
        judges(command, folder)


def test_the_rule_on_the_page_about_rules_is_one(folder: Path) -> None:
    (block,) = (block for block in blocks(ROOT / "docs" / "writing-rules.md") if block.text.startswith("name: "))
    (folder / "my-rules" / f"{yaml.safe_load(block.text)['name']}.yaml").write_text(block.text, encoding="utf-8")
    for command in ("wirecheck rules check my-rules", "wirecheck rules test my-rules"):
        assert run(command, folder).returncode == 0, run(command, folder).stdout


def _commands(value: Any) -> list[str]:
    """The commands of a pipeline that are ours. A hook is given the files that changed."""
    if isinstance(value, str):
        return [value] if value.startswith("wirecheck ") else []
    if isinstance(value, dict) and "entry" in value:
        return [f"{value['entry']} logs/today.jsonl"]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [command for item in inner for command in _commands(item)]


@of("toml")
def test_settings_hold(block: Block, folder: Path) -> None:
    (folder / "pyproject.toml").write_text(block.text, encoding="utf-8")
    assert "settings: " in judges("wirecheck lint logs.jsonl --output-format json", folder)


@of("json", "jsonl")
def test_samples_are_traffic(block: Block, folder: Path) -> None:
    (folder / "sample.jsonl").write_text(block.text, encoding="utf-8")
    done = run("wirecheck lint sample.jsonl --verbose", folder)
    assert (done.returncode, "skipped" in done.stderr, "unreadable" in done.stdout) in ((0, False, False),), done.stdout


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_rule_that_is_named_exists() -> None:
    rules = {rule.name for rule in load().rules}
    table = re.findall(r"^\| [a-z ,]+ \| (.+) \|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    named = {name for cell in table for name in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", cell)}
    assert len(named) > 10
    assert named <= rules


def test_every_format_has_a_sample() -> None:
    sections = re.split(r"^### ", (ROOT / "docs" / "formats.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    sampled = {name[1] for part in sections if "```json" in part and (name := re.search(r"\(`([a-z]+)`\)", part))}
    assert sampled == set(FORMATS)


def test_the_page_about_recording_names_every_option_and_variable() -> None:
    page = (ROOT / "docs" / "recording.md").read_text(encoding="utf-8")
    options = {option.opts[-1] for option in record.command.params if option.opts[-1].startswith("--")}
    assert set(re.findall(r"--[a-z-]+(?=[`= ])", page)) - {"--set", "--with"} == options - {"--output"}
    assert set(re.findall(r"wirecheck_([a-z_]+)", page)) == set(OPTIONS)
    variables = {name for table in VARIABLES.values() for name in table}
    assert variables <= set(re.findall(r"`([A-Za-z_]+)`", page))


def test_the_picture_is_fresh() -> None:
    """`python -m tests.picture` draws it anew."""
    assert lasting(PICTURE.read_text(encoding="utf-8")) == lasting(draw(on_screen()))
