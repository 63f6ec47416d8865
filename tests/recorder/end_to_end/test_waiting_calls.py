"""Calls of a Live session that wait: told while the session lives, and with --enforce its end."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.end_to_end.run import record
from tests.standin import Standin

PROGRAM = """
import json, os, ssl, time
from tests.standin.caller import HOST, Call
inside = ssl.create_default_context()
with Call(f"https://{HOST}:443", proxy=os.environ["HTTPS_PROXY"], tls=inside) as call:
    call.say({"setup": {"model": "models/gemini-2.5-flash-native-audio-latest", "tools": [{"functionDeclarations": [
        {"name": "now", "description": "x"}, {"name": "zone", "description": "x"}]}]}})
    call.until("setupComplete")
    call.say({"clientContent": {"turns": [{"role": "user", "parts": [{"text": "[[call=now,zone]]"}]}],
              "turnComplete": True}})
    calls = {one["name"]: one["id"] for each in call.until("toolCall") if "toolCall" in each
             for one in each["toolCall"]["functionCalls"]}
    for step in json.loads(os.environ["STEPS"]):
        if step == "answer":
            call.say({"toolResponse": {"functionResponses": [
                {"id": calls["now"], "name": "now", "response": {"output": 1}}]}})
        elif step == "speak":
            call.say({"clientContent": {"turns": [{"role": "user", "parts": [{"text": "And?"}]}],
                      "turnComplete": True}})
        else:
            time.sleep(step)
    if os.environ["ENDS"] == "client":
        call.hang_up()
    else:
        for _ in call:
            pass
    print(json.dumps([call.closed.code, call.closed.reason]))
"""


@pytest.fixture
def server() -> Iterator[Standin]:
    with Standin() as standin:
        yield standin


def run(server: Standin, folder: Path, steps: list[Any], *options: str, ends: str = "client") -> Any:
    (folder / "program.py").write_text(PROGRAM)
    return record(folder, server.url, [sys.executable, "program.py"], *options, STEPS=json.dumps(steps), ENDS=ends)


def test_a_turn_that_goes_on_without_a_response_is_told_at_once(server: Standin, tmp_path: Path) -> None:
    done = run(server, tmp_path, ["answer", 0.3, "speak", 0.3])
    (said,) = (line for line in done.err.splitlines() if "waiting: " in line)
    assert "waiting: zone (" in said
    assert "has no response, and the turn goes on without it, called in line " in said
    assert done.err.index("waiting: ") < done.err.index("tool-response-partial")
    assert done.linted() == done.live()


def test_a_call_whose_time_is_up_is_told_once_also_when_nobody_speaks(server: Standin, tmp_path: Path) -> None:
    done = run(server, tmp_path, ["answer", 3.4], "--call-timeout", "1")
    (said,) = (line for line in done.err.splitlines() if "waiting: " in line)
    assert "has no response, and 1 s have passed" in said or "and 2 s have passed" in said


@pytest.mark.parametrize(("steps", "options"), [(["answer", 2.5], ("--call-timeout", "0")), (["answer"], ())])
def test_nothing_is_told_of_a_call_that_has_time(
    server: Standin, tmp_path: Path, steps: list[Any], options: tuple[str, ...]
) -> None:
    assert "waiting: " not in run(server, tmp_path, steps, *options).err


@pytest.mark.parametrize(
    ("steps", "options"),
    [(["answer", "speak"], ()), (["answer"], ("--call-timeout", "1"))],
    ids=["left out of a turn", "its time is up"],
)
def test_enforced_the_session_ends_there(
    server: Standin, tmp_path: Path, steps: list[Any], options: tuple[str, ...]
) -> None:
    done = run(server, tmp_path, steps, "--enforce", *options, ends="server")
    code, reason = json.loads(done.out)
    assert code == 1007
    assert reason.startswith("[wirecheck WC718 tool-response-partial]")
    assert done.code == 1
    assert done.linted() == done.live()
