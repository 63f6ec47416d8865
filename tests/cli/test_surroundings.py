"""Faults of the surroundings: Ctrl-C at any moment, no memory, no room on the disk, no home, nobody who reads."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.cli.logs import BAD, GOOD, Desk
from tests.cli.test_process import COMMAND, environ, run
from wirecheck.cli import app

INTERRUPTED = "wirecheck: interrupted before it was done"
MAIN = "\nfrom wirecheck.cli import main\nmain()\n"
PRESSED_AFTER = """
import os, sys
from wirecheck.cli import main
calls, moment = 0, int(sys.argv.pop(1))
def see(frame, event, _):
    global calls
    calls += 1
    if calls == moment:
        sys.setprofile(None)
        os.kill(os.getpid(), 2)
sys.setprofile(see)
"""
MOMENTS = [*range(30, 3_000, 500), *range(3_000, 200_000, 13_111)]  # calls of functions until then


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environ(), check=False)


def test_ctrl_c_at_any_moment_is_told_once_or_not_at_all(desk: Desk) -> None:
    desk.write("log.jsonl", BAD)
    before = {path.name for path in desk.folder.iterdir()}
    asked = ("lint", "log.jsonl", "-o", "out.json", "--output-format", "json", "--report", "full=full.txt")
    codes = set()
    for moment in MOMENTS:
        done = python(PRESSED_AFTER + MAIN, str(moment), *asked)
        codes.add(done.returncode)
        assert done.returncode in (130, -signal.SIGINT), moment
        assert done.stderr.lstrip("\n") in ("", f"{INTERRUPTED}\n"), moment
        assert {path.name for path in desk.folder.iterdir()} - before <= {"out.json", "full.txt"}, moment
    assert codes == {130, -signal.SIGINT}


PRESSED_IN_A_CALLBACK = """
import os
from wirecheck.cli import app
class Mortal:
    def __del__(self):
        os.kill(os.getpid(), 2)
app.program.main = lambda **_: [Mortal(), None][1] or 0
"""


def test_ctrl_c_where_it_cannot_be_caught_ends_the_process() -> None:
    done = python(PRESSED_IN_A_CALLBACK + MAIN)
    assert (done.returncode, done.stderr) == (130, f"{INTERRUPTED}\n")


@pytest.fixture
def _ctrl_c_is_restored() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def _wrapped(error: BaseException) -> BaseException:
    """As the interpreter wraps what happens while a class is made."""
    wrapped = RuntimeError("Error calling __set_name__")
    wrapped.__cause__ = error
    return wrapped


NO_MEMORY = "wirecheck: out of memory, so nothing is judged; --jobs 1 takes less, and so do fewer logs at a time\n"
ENDS: dict[str, tuple[BaseException, int, str]] = {
    "Ctrl-C": (KeyboardInterrupt(), 130, f"{INTERRUPTED}\n"),
    "Ctrl-C while a class is made": (_wrapped(KeyboardInterrupt()), 130, f"{INTERRUPTED}\n"),
    "no memory": (MemoryError(), 2, NO_MEMORY),
    "no memory for a class": (_wrapped(MemoryError()), 2, NO_MEMORY),
    "no memory for a process": (OSError(12, "Cannot allocate memory"), 2, NO_MEMORY),
    "no memory for a library": (
        ImportError("x.so: failed to map segment from shared object"),
        2,
        NO_MEMORY,
    ),
    "a disk that is full": (
        OSError(28, "No space left on device"),
        2,
        "wirecheck: standard output: cannot be written: No space left on device\n",
    ),
}


@pytest.mark.usefixtures("_ctrl_c_is_restored")
@pytest.mark.parametrize("end", ENDS)
def test_how_a_run_may_end(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], end: str) -> None:
    error, code, said = ENDS[end]

    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(app.program, "main", fail)
    monkeypatch.setattr(app, "discard_output", lambda: None)
    assert app._run() == code
    assert capfd.readouterr().err == said


def _limited(what: int, most: int) -> None:
    resource.setrlimit(what, (most, most))


@pytest.mark.skipif(sys.platform != "linux", reason="others do not obey this limit")
@pytest.mark.parametrize("megabytes", range(20, 50, 3))
def test_without_memory_nothing_is_called_a_finding(desk: Desk, megabytes: int) -> None:
    done = subprocess.run(
        [*COMMAND, "lint", desk.write("log.jsonl", GOOD)],
        capture_output=True,
        text=True,
        env=environ(),
        check=False,
        preexec_fn=partial(_limited, resource.RLIMIT_AS, megabytes << 20),
    )
    assert done.returncode != 1 or "wirecheck" not in done.stderr  # Python itself did not start
    assert done.returncode != 2 or "wirecheck: " in done.stderr


def test_what_cannot_be_loaded_is_no_finding() -> None:
    done = python(f"import sys; sys.modules['click'] = None{MAIN}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wirecheck: cannot be loaded: ")
    assert done.stderr.count("\n") == 1


REPORTS: dict[str, tuple[str, ...]] = {
    "a report": ("-o", "old"),
    "another report": ("--report", "json=old"),
    "a baseline": ("--baseline", "old", "--update-baseline"),
}


@pytest.mark.parametrize("asked", REPORTS.values(), ids=REPORTS)
def test_a_disk_that_is_full_costs_no_old_file(desk: Desk, asked: tuple[str, ...]) -> None:
    log = desk.write("log.jsonl", BAD)
    (old := desk.folder / "old").write_text(before := '{"version": 1, "findings": {}}')
    files = sorted(desk.folder.iterdir())
    done = subprocess.run(
        [*COMMAND, "lint", log, *asked],
        capture_output=True,
        text=True,
        env=environ(),
        check=False,
        preexec_fn=partial(_limited, resource.RLIMIT_FSIZE, 64),
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, "wirecheck: old: cannot be written: File too large")
    assert (old.read_text(), sorted(desk.folder.iterdir())) == (before, files)


def _shell(line: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", line, "sh", *COMMAND, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environ(), check=False)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk that is always full")
@pytest.mark.parametrize("asked", ["--help", "--version", "lint -h", "addon-path", "rules list", "explain WC301"])
def test_what_cannot_be_printed_is_said(asked: str) -> None:
    done = _shell('exec "$@" > /dev/full', *asked.split())
    said = "wirecheck: standard output: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, said)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk that is always full")
@pytest.mark.parametrize("where", ["2> /dev/full", "2>&1 | true; exit $(cat code)"])
@pytest.mark.parametrize(("asked", "code"), [("lint good", 0), ("lint bad", 1), ("lint nowhere", 2), ("lint -x", 2)])
def test_a_verdict_is_the_same_where_nobody_hears_why(desk: Desk, asked: str, code: int, where: str) -> None:
    desk.write("good", GOOD)
    desk.write("bad", BAD)
    done = _shell(f'("$@" --output-format json > out; echo $? > code) {where}', *asked.split())
    assert (int(desk.read("code")), done.stderr) == (code, "")


@pytest.mark.parametrize(
    "asked", ["--help", "addon-path", "rules list", "explain WC301", "show log.jsonl", "convert log.jsonl"]
)
def test_a_reader_that_is_gone_finds_nothing(desk: Desk, asked: str) -> None:
    desk.write("log.jsonl", *[BAD] * 50)
    done = _shell('("$@"; echo $? > code) | true', *asked.split())
    assert done.stderr == ""
    assert int(desk.read("code")) in (0, 2)


@pytest.mark.parametrize("asked", [("lint", "log.jsonl"), ("show", "/log.jsonl"), ("rules", "list"), ("record",)])
def test_a_working_folder_that_is_gone(tmp_path: Path, asked: tuple[str, ...]) -> None:
    (folder := tmp_path / "gone").mkdir()
    line = f'cd "{folder}" && rmdir "{folder}" && "$@"'
    done = _shell(line, *asked)
    said = "wirecheck: the working folder is gone: No such file or directory; change to another one\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


SURROUNDINGS: dict[str, dict[str, str]] = {
    "no home": {"HOME": "/nowhere"},
    "a home to which nobody may write": {"HOME": "/proc"},
    "no variable at all": {"PATH": "", "HOME": "", "LANG": "", "TMPDIR": ""},
    "the C locale": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "ASCII": {"PYTHONIOENCODING": "ascii"},
}


INTERPRETERS = [("-W", "error"), ("-X", "dev", "-W", "error"), ("-O",), ("-I",)]


@pytest.mark.parametrize(
    ("more", "options"),
    [*((more, ()) for more in SURROUNDINGS.values()), *(({}, options) for options in INTERPRETERS)],
    ids=[*SURROUNDINGS, *map(" ".join, INTERPRETERS)],
)
def test_surroundings_that_change_nothing(desk: Desk, more: dict[str, str], options: tuple[str, ...]) -> None:
    asked = ("lint", desk.write("log.jsonl", BAD), "--output-format", "json")
    command = [sys.executable, *options, "-m", "wirecheck", *asked]
    done = subprocess.run(command, capture_output=True, env={**environ(), **more}, check=False)
    usual = run(*asked)
    assert (done.returncode, json.loads(done.stdout)) == (1, json.loads(usual.stdout))
    assert done.stderr.count(b"\n") == 1  # what was checked


IN_TWO_PROCESSES = """
from wirecheck.cli.linting import file_batches
if __name__ == "__main__":
    file_batches.LARGE = 0
    from wirecheck.cli import main
    main()
"""


def test_several_processes_bring_no_warning(desk: Desk) -> None:
    (desk.folder / "lint.py").write_text(IN_TWO_PROCESSES)
    logs = [desk.write(f"{n}.jsonl", GOOD) for n in range(4)]
    command = [sys.executable, "-X", "dev", "-W", "error", "lint.py", "lint", *logs, "--jobs", "2"]
    done = subprocess.run(command, capture_output=True, text=True, env=environ(), check=False)
    assert (done.returncode, done.stderr) == (0, "")
