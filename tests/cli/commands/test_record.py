"""`wirecheck record` before it runs anything: what it prints, and what it refuses."""

import shlex
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from tests.cli.logs import Desk
from tests.cli.test_process import COMMAND, environ
from wirecheck.cli.commands import record
from wirecheck.recorder.mitm.client_environment import VARIABLES, Mode


def run(*arguments: str) -> Result:
    return CliRunner().invoke(record.command, ["--isolated", *arguments])


@pytest.fixture(autouse=True)
def home(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", ".")
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")


@pytest.mark.parametrize(
    ("mode", "name", "value"),
    [("forward", "HTTPS_PROXY", "http://127.0.0.1:8080"), ("reverse", "CODE_ASSIST_ENDPOINT", "http://127.0.0.1:8082")],
)
def test_a_shell_can_read_what_is_to_be_set(mode: Mode, name: str, value: str) -> None:
    done = run("--print-env", "--mode", mode)
    assert (done.exit_code, done.stderr) == (0, "")
    lines = dict(shlex.split(line)[1].split("=", 1) for line in done.stdout.splitlines())
    assert list(lines) == list(VARIABLES[mode])
    assert lines[name] == value


def test_where_files_cannot_be_locked_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    done = run("--", "true")
    assert done.exit_code == 2
    assert "mitmdump -w x.mitm" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_collector_runs_as_python_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rare collection is a long one, in which no traffic goes on."""
    code = (
        "import gc, sys\n"
        "usual = gc.get_threshold()\n"
        "from wirecheck.cli import main\n"
        "from wirecheck.recorder.mitm import serve\n"
        "async def stop(asked):\n"
        "    print(gc.get_threshold() == usual, gc.get_freeze_count() > 0)\n"
        "    return 0\n"
        "serve.serve = stop\n"
        "main()"
    )
    command = [sys.executable, "-c", code, "record", "--isolated", "--", "true"]
    done = subprocess.run(command, capture_output=True, text=True, env=environ())
    assert (done.returncode, done.stdout) == (0, "True True\n"), done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--", "no-such-command"], 127, "no-such-command: command not found"),
        (["--", "/"], 126, "/: is a directory"),
        (["--", "./data"], 126, "./data: permission denied"),
        (["--"], 2, "there is no COMMAND behind `--`"),
        (["-o", "-", "--", "true"], 2, "-o takes a file"),
        (["-o", "x.jsonl.gz", "--", "true"], 2, "name it x.jsonl"),
        (["--print-env", "--", "true"], 2, "--print-env runs no COMMAND"),
        (["--upstream", "gateway", "--", "true"], 2, "--upstream takes a URL"),
        (["--report", "json", "--", "true"], 2, "'json' is not FORMAT=PATH"),
        (["--report", "json=nowhere/x", "--", "true"], 2, "nowhere/x: cannot be written"),
        (["--mode", "forwards", "--", "true"], 2, "did you mean 'forward'?"),
        (["--select", "WC9999", "--", "true"], 2, "unknown rule 'WC9999'"),
        (["-o", "nowhere/log.jsonl", "--", "true"], 2, "cannot write nowhere/log.jsonl"),
    ],
)
def test_what_would_be_in_vain_is_said_before_anything_runs(arguments: list[str], code: int, said: str) -> None:
    Path("data").write_text("no program")
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (code, "")
    assert said in done.stderr
    assert not list(Path().rglob("*.jsonl*"))


def test_a_port_that_is_taken_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("--port", str(taken.getsockname()[1]), "--", "true")
    assert done.exit_code == 2
    assert "already; name another one with --port" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not list(Path().rglob("*.jsonl"))


def test_without_mitmproxy_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "find_spec", lambda name: None)
    done = run("--", "true")
    assert done.exit_code == 2
    assert "pip install mitmproxy" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_lint_does_not_load_mitmproxy() -> None:
    code = "import sys; from wirecheck.cli.app import _run; _run(); print('mitmproxy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "lint", "--help"], capture_output=True, text=True, env=environ(), check=True
    )
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize("words", [["--", "tool", "--flag"], ["tool", "--flag"], ["tool", "--", "--flag"]])
def test_options_behind_the_command_are_the_commands(words: list[str]) -> None:
    context = record.command.make_context("record", ["--isolated", "--enforce", *words])
    assert isinstance(context, click.Context)
    assert context.params["enforce"] is True
    assert [word for word in context.params["words"] if word != "--"] == ["tool", "--flag"]


def test_the_program_knows_the_commands() -> None:
    done = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True, env=environ(), check=True)
    assert "record" in done.stdout
    assert "addon-path" in done.stdout


def test_without_a_home_no_folder_is_made_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as where the user is unknown
    done = run("--print-env")
    assert (done.exit_code, done.output.startswith("wirecheck: there is no home ")) == (2, True)
    assert not (desk.folder / "~").exists()
