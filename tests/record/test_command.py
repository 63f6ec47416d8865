"""What COMMAND sees of the recorder, and what is left of it: terminal, signals, exit codes; and `--enforce`."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.record.run import environment, line, record, serving, started
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
