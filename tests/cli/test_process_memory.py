"""Lines of many megabytes are let go: a log of them costs little more memory than the longest."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

MB = 1 << 20
CODE = """
import resource, sys
from wirecheck.cli import app, process_memory
process_memory.collect_rarely()
app._run()
own = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss), "kB", file=sys.stderr)
"""


def exchange(size: int) -> str:
    """A request with a picture of so many bytes of base64."""
    picture = {"inlineData": {"mimeType": "image/png", "data": "iVBO" * (size // 4)}}
    contents = [{"role": "user", "parts": [picture, {"text": f"What is this? {size}"}]}]
    reply = {"content": {"role": "model", "parts": [{"text": "A cat."}]}, "finishReason": "STOP", "index": 0}
    url = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
    asked = {"method": "POST", "url": url, "body": {"contents": contents}}
    return json.dumps({"request": asked, "response": {"status": 200, "body": {"candidates": [reply]}}})


def most_memory(log: Path, jobs: int = 1) -> int:
    """Of judging it in so many processes that of the largest, in kilobytes."""
    run = subprocess.run(
        [sys.executable, "-c", CODE, "lint", "--isolated", "-q", "--jobs", str(jobs), str(log)],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(run.stderr.split()[-2])


only_linux = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux tells the most memory of a program"
)


def test_no_cycles_are_looked_for_until_a_log_is_read(tmp_path: Path) -> None:
    """There are none in what is loaded."""
    (log := tmp_path / "log.jsonl").write_text(exchange(1000) + "\n")
    code = "import gc\nfrom wirecheck.cli import main\ngc.callbacks.append(lambda *_: print('looked'))\nmain()"
    compiled = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    compiled["PYTHONPYCACHEPREFIX"] = str(tmp_path / "compiled")
    for _ in range(2):  # the first time it is compiled
        command = [sys.executable, "-c", code, "lint", "--isolated", "-q", str(log)]
        run = subprocess.run(command, stdout=subprocess.PIPE, env=compiled)
    assert (run.returncode, run.stdout) == (0, b"")


@only_linux
def test_a_log_of_lines_of_up_to_20_megabytes_is_judged_in_120(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(exchange(size * MB) + "\n" for size in (3, 9, 6, 19, 1, 12, 5, 20)))
    assert most_memory(log) < 120 * 1024


def calls(session: int) -> Iterator[tuple[str, object]]:
    """The frames of a session with many calls: each call and what waits for its answer know each other."""
    tools = [{"functionDeclarations": [{"name": "find", "description": "Finds."}]}]
    yield "client", {"setup": {"model": "models/gemini-2.5-flash-native-audio-latest", "tools": tools}}
    yield "server", {"setupComplete": {}}
    for n in range(100):
        call = {"id": f"{session}-{n}", "name": "find"}
        yield "server", {"toolCall": {"functionCalls": [{**call, "args": {"q": "xyz" * 3000}}]}}
        yield "client", {"toolResponse": {"functionResponses": [{**call, "response": {"output": n}}]}}
        yield "server", {"serverContent": {"turnComplete": True}}


@only_linux
def test_calls_that_are_over_are_let_go(tmp_path: Path) -> None:
    """There are 90 megabytes of them."""
    log = tmp_path / "log.jsonl"
    frames = [frame for session in range(100) for frame in calls(session)]
    log.write_text("".join(json.dumps({"from": peer, "data": data}) + "\n" for peer, data in frames))
    assert most_memory(log) < 90 * 1024
