"""What COMMAND sees of the recorder, and what is left of it: terminal, signals, exit codes; and `--enforce`."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.end_to_end.run import WIRECHECK, environment, line, record, serving, started
from tests.standin import Standin
from tests.standin.caller import Call, ask, asking, path, user, wait_for

# A program as short as may be: it sends the bodies it is given, prints what comes back, and ends as it is told.
PROGRAM = """
import json, os, sys, urllib.error, urllib.request as web
url = os.environ["GOOGLE_GEMINI_BASE_URL"] + os.environ["TARGET"]
for body in json.loads(os.environ["BODIES"]):
    try:
        print(web.urlopen(web.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})).status)
    except urllib.error.HTTPError as error:
        print(error.code)
exit(int(os.environ["ENDS"]))
"""
GOOD = asking("hello")
BAD = {"contents": [user("hi"), {"role": "model", "parts": [{"functionCall": {"name": "f"}}] * 2}, user("well?")]}


@pytest.fixture
def server() -> Iterator[Standin]:
    with Standin() as standin:
        yield standin


def python(folder: Path, program: str) -> list[str]:
    (folder / "program.py").write_text(program)
    return [sys.executable, str(folder / "program.py")]


@pytest.mark.parametrize(
    ("bodies", "ends", "options", "code"),
    [
        ([GOOD], 0, (), 0),
        ([BAD], 0, (), 1),
        ([BAD], 0, ("--fail-on", "never"), 0),
        ([BAD], 7, (), 7),
        ([GOOD], 7, (), 7),
        ([], 0, (), 2),
        ([], 0, ("--allow-empty",), 0),
        ([], 7, (), 7),
    ],
)
def test_exit_codes(
    server: Standin, tmp_path: Path, bodies: list[Any], ends: int, options: tuple[str, ...], code: int
) -> None:
    more = {"BODIES": json.dumps(bodies), "ENDS": str(ends), "TARGET": path()}
    run = record(tmp_path, server.url, python(tmp_path, PROGRAM), "--mode", "reverse", *options, **more)
    assert run.code == code, run.err
    assert run.out.split() == ["400" if body is BAD else "200" for body in bodies]


def test_a_command_that_is_not_there_is_one_line(server: Standin, tmp_path: Path) -> None:
    run = record(tmp_path, server.url, ["no-such-command"])
    assert run.code in (2, 127)
    assert "no-such-command" in run.err
    assert "Traceback" not in run.err


def test_a_file_that_is_no_program_is_one_line(server: Standin, tmp_path: Path) -> None:
    (tmp_path / "script").write_text("echo hi")
    (tmp_path / "script").chmod(0o700)
    run = record(tmp_path, server.url, ["./script"], "--allow-empty")
    assert run.code == 126
    assert "wirecheck: ./script: Exec format error\n" in run.err


def test_what_recorded_nothing_leaves_no_log(server: Standin, tmp_path: Path) -> None:
    run = record(tmp_path, server.url, ["true"])
    assert run.code == 2
    assert not run.log.exists()


def test_two_that_start_at_once_have_a_log_each(server: Standin, tmp_path: Path) -> None:
    line = [*WIRECHECK, "record", "--upstream", server.url, "--mode", "reverse", "--", *python(tmp_path, PROGRAM)]
    more: Any = {"BODIES": json.dumps([GOOD]), "ENDS": "0", "TARGET": path()}
    with started(tmp_path, line, **more) as first, started(tmp_path, line, **more) as second:
        assert (first.code, second.code) == (0, 0), first.err + second.err
    logs = list(tmp_path.glob("wirecheck-*.jsonl"))
    assert [log.read_text().count('"opened"') for log in logs] == [1, 1]


def test_who_hears_nothing_changes_nothing(server: Standin, tmp_path: Path) -> None:
    command = [*line(tmp_path, server.url, "--mode", "reverse"), "--", *python(tmp_path, PROGRAM)]
    more = {"BODIES": json.dumps([BAD]), "ENDS": "0", "TARGET": path()}
    done = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", *command], env=environment(tmp_path, **more))
    assert done.returncode == 1


def test_what_is_beside_the_log_is_for_its_owner_alone(server: Standin, tmp_path: Path) -> None:
    for name in ("live.jsonl", "there.json"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o644)
    reports = [part for name in ("there", "new") for part in ("--report", f"json={tmp_path / name}.json")]
    more = {"BODIES": json.dumps([BAD]), "ENDS": "0", "TARGET": path()}
    record(tmp_path, server.url, python(tmp_path, PROGRAM), "--mode", "reverse", *reports, **more)
    modes = {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.glob("*.json*")}
    assert modes == dict.fromkeys(("log.jsonl", "live.jsonl", "there.json", "new.json"), "0o600")


def test_a_log_that_is_continued_says_later_what_was_said_live(server: Standin, tmp_path: Path) -> None:
    """The second run knows nothing of the first, whose mistakes it may recite; the places are those of the log."""
    more = {"BODIES": json.dumps([BAD]), "ENDS": "0", "TARGET": path()}
    lived = []
    for name in ("f", "g"):
        more["BODIES"] = json.dumps([BAD]).replace('"f"', f'"{name}"').replace("hi", f"hi {name}")
        run = record(tmp_path, server.url, python(tmp_path, PROGRAM), "--mode", "reverse", **more)
        lived += [(found["rule"], found["path"], found["line"], found["pointer"]) for found in run.live()]
    linted = [(found["rule"], found["path"], found["line"], found["pointer"]) for found in run.linted()]
    assert linted == lived
    assert len({line for _, _, line, _ in lived}) == 2


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_reaches_the_command_and_its_word_holds(server: Standin, tmp_path: Path, name: str) -> None:
    program = (
        "import signal, sys, time\n"
        f"signal.signal(signal.{name}, lambda *_: (print('heard', flush=True), sys.exit(5)))\n"
        "print('ready', flush=True)\n"
        "time.sleep(30)\n"
    )
    with started(tmp_path, [*line(tmp_path, server.url), "--", *python(tmp_path, program)]) as run:
        wait_for(lambda: "ready" in run.out)
        run.process.send_signal(getattr(signal, name))
        assert run.code == 5
    assert run.out.split() == ["ready", "heard"]


def test_a_command_that_is_killed_is_not_a_success(server: Standin, tmp_path: Path) -> None:
    run = record(tmp_path, server.url, ["sh", "-c", "kill -9 $$"])
    assert run.code == 128 + signal.SIGKILL, run.err


def test_input_and_output_are_the_commands_own(server: Standin, tmp_path: Path) -> None:
    command = [*line(tmp_path, server.url, "--allow-empty"), "--", "sh", "-c", "cat; echo loud >&2"]
    done = subprocess.run(command, input="through\n", capture_output=True, text=True, env=environment(tmp_path))
    assert done.stdout == "through\n"
    assert "loud\n" in done.stderr


def test_a_proxy_without_traffic_ends_when_it_is_told(server: Standin, tmp_path: Path) -> None:
    with serving(tmp_path, server.url, "--allow-empty") as run:
        assert run.url
        assert run.end() == 0


def test_enforce_answers_as_google_would_and_spends_nothing(server: Standin, tmp_path: Path) -> None:
    with serving(tmp_path, server.url, "--enforce") as run:
        status, body = ask(run.url, path(), BAD)
        error = json.loads(body)["error"]
        assert (status, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
        assert "f" in error["message"]
        assert server.heard == []
        assert ask(run.url, path(), GOOD)[0] == 200
        with Call(run.url) as call:
            call.say({"clientContent": {"turns": [user("no setup")], "turnComplete": True}})
            assert list(call) == []
        assert call.closed is not None
        assert call.closed.code == 1007
        assert "setup" in str(call.closed.reason)
        assert [heard.messages for heard in server.heard if heard.method == "GET"] in ([], [[]])
        assert run.end() == 1
    assert "crashed" not in run.err
    assert run.linted("--predict") == run.live()  # what was enforced was judged without the server's word
