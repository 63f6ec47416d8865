"""The program as a process: pipes, signals, terminals, and how fast it is there."""

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.cli.logs import BAD, CALLING, GOOD, Desk
from wirecheck.cli import app

COMMAND = [sys.executable, "-m", "wirecheck"]
HEAVY = (
    "tabulate",
    "jsonschema",
    "jsonschema_rs",
    "difflib",
    "tomllib",
    "multiprocessing",
    "subprocess",
    "asyncio",
    "dataclasses",
    "mitmproxy",
    "socket",
    "email",
    "wirecheck.cli.commands.show",
    "concurrent.futures",
    "wirecheck.cli.linting.process_pool",
    "wirecheck.report.full",
    "wirecheck.rules.pages.page",
    "wirecheck.rules.engine.rulefile",
)
# They cost a millisecond each, and most runs need none.
UNUSUAL = (
    "json",
    "shutil",
    "string",
    "_strptime",
    "ctypes",
    "pathlib",
    "urllib.parse",
    "wirecheck.rules.server_word.likely_causes",
    "wirecheck.cli.conversion",
    "wirecheck.wire.log_origin",
)
WRONG = ("wirecheck.sketch", "wirecheck.rules.language.template")  # where something is
JUDGING = ("wirecheck.inspector", "wirecheck.verdicts.pending", "wirecheck.cli.linting.inspect")
QUIET = ("GITHUB_ACTIONS", "FORCE_COLOR", "NO_COLOR", "COLUMNS", "GITHUB_STEP_SUMMARY")


def environ() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in QUIET}


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, text=True, env=environ())


def on_terminal(*arguments: str, **more: str) -> str:
    """What somebody at a terminal sees."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**environ(), "TERM": "xterm", **more},
    )
    os.close(follower)
    seen = b"".join(_read(leader))
    process.wait()
    os.close(leader)
    return seen.decode().replace("\r\n", "\n")


def _read(leader: int) -> Iterator[bytes]:
    with suppress(OSError):  # how Linux says that nobody writes any more
        while chunk := os.read(leader, 65536):
            yield chunk


@pytest.mark.parametrize(("log", "code"), [(GOOD, 0), (BAD, 1), ("3", 2)])
def test_exit_codes(desk: Desk, log: str, code: int) -> None:
    assert run("lint", desk.write("log.jsonl", log)).returncode == code


def test_a_reader_that_goes_away_changes_no_verdict(desk: Desk) -> None:
    lines = [BAD.replace("hi", f"hi {number}") for number in range(2000)]
    process = subprocess.Popen(
        [*COMMAND, "lint", desk.write("log.jsonl", *lines)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ(),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b"log.jsonl:1: error[OWN201")
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", 1)


@pytest.mark.parametrize("asked", ["lint", "show", "convert", "explain"])
def test_a_closed_standard_input_is_called_so(asked: str) -> None:
    shell = ["sh", "-c", '"$@" <&-', "sh", *COMMAND, asked, "-"]
    done = subprocess.run(shell, capture_output=True, text=True, env=environ(), check=False)
    said = "wirecheck: standard input is closed; pipe something into it, or name a file\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_without_a_standard_input_files_are_judged(desk: Desk) -> None:
    shell = ["sh", "-c", '"$@" <&-', "sh", *COMMAND, "lint", desk.write("log.jsonl", BAD)]
    done = subprocess.run(shell, capture_output=True, text=True, env=environ(), check=False)
    assert (done.returncode, done.stderr.count("Traceback")) == (1, 0)


def test_ctrl_c_is_no_traceback(desk: Desk) -> None:
    process = subprocess.Popen([*COMMAND, "lint", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environ())
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert (process.returncode, said) == (130, b"\nwirecheck: interrupted before it was done\n")


EARLY = """
import os, signal, sys
class Press:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Press())
from wirecheck.cli import main
main()
"""


@pytest.mark.parametrize("module", ["wirecheck.cli.process_memory", "click", "wirecheck.cli.app"])
def test_ctrl_c_before_anything_is_loaded_is_none_either(module: str) -> None:
    done = subprocess.run([sys.executable, "-c", EARLY, module, "lint", "-"], capture_output=True, env=environ())
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_a_terminal_gets_the_full_picture_in_colour(desk: Desk) -> None:
    seen = on_terminal("lint", desk.write("log.jsonl", BAD))
    assert seen.startswith("\x1b[1;31merror[OWN201 own-role]\x1b[0m")
    assert "\x1b" not in on_terminal("lint", "log.jsonl", NO_COLOR="1")


def test_a_narrow_terminal_gets_whole_words(desk: Desk) -> None:
    seen = on_terminal("lint", desk.write("log.jsonl", BAD), COLUMNS="30", NO_COLOR="1")
    assert seen.splitlines()[-4:] == [
        "1 line → 1 exchange → 1",
        "conversation, 2 rules · 1",
        "error · settings:",
        "wirecheck.toml",
    ]


def test_a_terminal_is_not_read_as_a_log(desk: Desk) -> None:
    assert "Say what to judge" in on_terminal("lint")


def test_standard_output_that_is_closed_is_no_traceback(desk: Desk) -> None:
    log = desk.write("log.jsonl", BAD)
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m wirecheck lint {log} > /dev/full"],
        capture_output=True,
        text=True,
        env=environ(),
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == "wirecheck: standard output: cannot be written: No space left on device"


def test_hostile_text_does_nothing_to_a_terminal(desk: Desk) -> None:
    log = desk.write("log.jsonl", BAD.replace("nobody", "\\u001b[2J\\u009b2J\\u202e\\n::error::x"))
    for name in ("full", "table", "concise", "json", "json-lines", "github"):
        seen = on_terminal("lint", log, "--output-format", name, "--color", "never")
        assert all(char.isprintable() or char == "\n" for char in seen), name
        assert not any(line.startswith("::error::") for line in seen.splitlines())


@pytest.mark.parametrize("arguments", [("--version",), ("-h",), ("lint", "--help"), ("rules", "list", "-h")])
def test_help_and_version(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["", "lint", "record", "show", "convert", "explain", "rules list", "addon-path"])
def test_help_fits_into_a_terminal_of_80_columns(command: str) -> None:
    assert [line for line in run(*command.split(), "-h").stdout.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    ("word", "said"), [("lnt", "did you mean 'lint'?"), ("explian", "did you mean 'explain'?"), ("zzz", "known: ")]
)
def test_a_mistyped_command_is_told_its_neighbour(word: str, said: str) -> None:
    done = run(word)
    assert (done.returncode, said in done.stderr) == (2, True)


def loaded(*arguments: str) -> set[str]:
    """The modules that are there when a command has ended."""
    code = "import sys; from wirecheck.cli.app import _run; _run(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environ())
    return set(done.stdout.splitlines()[-1].split())


def test_nothing_heavy_is_loaded_for_a_small_log(desk: Desk) -> None:
    log = desk.write("log.jsonl", CALLING)
    for _ in range(2):
        run("lint", log, "--isolated")  # from now on what was made of the rules is kept
    assert not loaded("lint", log, "--isolated") & {*HEAVY, *UNUSUAL, *WRONG}


def test_only_the_reader_of_its_own_format_is_loaded(desk: Desk) -> None:
    session = '{"sessionId": "s", "projectHash": "p"}\n{"id": "m", "type": "user", "content": "Hi"}\n'
    for written, module in ((CALLING, None), (session, "wirecheck.sources.agents.gemini_cli")):
        readers = {
            name for name in loaded("lint", desk.write("log.jsonl", written), "--isolated") if ".agents." in name
        }
        assert (module in readers) == bool(readers)
        assert not readers & {"wirecheck.sources.agents.adk", "wirecheck.sources.agents.vercel"}


@pytest.mark.parametrize("asked", ["--help", "--version"])
def test_what_needs_no_rules_loads_nothing_that_judges(asked: str) -> None:
    assert not loaded(asked) & {*HEAVY, *JUDGING, "json", "msgspec", "pathlib", "wirecheck.report", "wirecheck.rules"}


@pytest.mark.parametrize("asked", [("explain", "WC301"), ("rules", "list", "--output-format", "json")])
def test_what_is_about_rules_loads_nothing_that_reads_logs(asked: tuple[str, ...]) -> None:
    run(*asked)  # from now on what was made of the rules is kept
    assert not loaded(*asked) & {*JUDGING, "jsonschema", "jsonschema_rs"}


def test_a_fault_of_ours_says_so_and_where(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def crash(**_: object) -> None:
        raise KeyError("\x1b[2J and a key: AIza" + "x" * 35)

    monkeypatch.setattr(app.program, "main", crash)
    assert app._run() == 2
    said = capsys.readouterr().err
    assert "in crash" in said
    assert "please report it" in said
    assert "\x1b" not in said
    assert "xxx" not in said
