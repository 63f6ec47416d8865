"""wirecheck starts and lints where Python lacks what only POSIX has: no fork, no fcntl, no termios, no resource."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STORIES = ("parallel-response-missing", "weather-sound")
ASKED = ("lint", "--isolated", "--output-format", "json", "--min-severity", "info")
# What every process there begins with.
SITE = """
import os, sys

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "termios", "resource", "pwd", "grp", "pty", "tty"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Lacking())
for name in ("fork", "forkpty"):
    if hasattr(os, name):
        delattr(os, name)
with open(os.environ["STARTED"], "a") as started:
    started.write(f"{os.getpid()}\\n")
"""
IMPORTS = """
import importlib, pkgutil, wirecheck

names = [found.name for found in pkgutil.walk_packages(wirecheck.__path__, "wirecheck.")]
skipped = ("wirecheck.recorder", "wirecheck.__main__")
for name in names:
    if not name.startswith(skipped):
        importlib.import_module(name)
import multiprocessing, os
assert not hasattr(os, "fork")
print(len(names))
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """The environment of a process on such a system."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(SITE)
    paths = os.pathsep.join([str(tmp_path / "site"), str(ROOT)])
    return {"PATH": os.defpath, "PYTHONPATH": paths, "STARTED": str(tmp_path / "started")}


def run(folder: Path, environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, timeout=120)


def test_everything_but_the_recorder_is_imported(tmp_path: Path, elsewhere: dict[str, str]) -> None:
    done = run(tmp_path, elsewhere, "-c", IMPORTS)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 100


def test_the_same_is_said_there(tmp_path: Path, elsewhere: dict[str, str]) -> None:
    for name in STORIES:
        shutil.copy(ROOT / "fixtures" / name / "log.jsonl", tmp_path / f"{name}.jsonl")
    lint = ("-m", "wirecheck", *ASKED, *[f"{name}.jsonl" for name in STORIES])
    here, there = run(tmp_path, {"PATH": os.defpath}, *lint), run(tmp_path, elsewhere, *lint)
    assert "WC303" in here.stdout
    assert (there.returncode, there.stdout, there.stderr) == (here.returncode, here.stdout, here.stderr)


def large(n: int) -> str:
    """An exchange with a picture, large enough that files are divided."""
    picture = {"inlineData": {"mimeType": "image/png", "data": "iVBO" * (3 << 20)}}
    contents = [{"role": "nobody", "parts": [picture, {"text": f"What is this? {n}"}]}]
    reply = {"candidates": [{"content": {"role": "model", "parts": [{"text": "A cat."}]}, "finishReason": "STOP"}]}
    url = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
    asked = {"method": "POST", "url": url, "body": {"contents": contents}}
    return json.dumps({"request": asked, "response": {"status": 200, "body": reply}}) + "\n"


def test_several_processes_are_spawned_there_and_say_the_same(tmp_path: Path, elsewhere: dict[str, str]) -> None:
    names = [f"{n}.jsonl" for n in range(3)]
    for n, name in enumerate(names):
        (tmp_path / name).write_text(large(n))
    one, two = (run(tmp_path, elsewhere, "-m", "wirecheck", *ASKED, "--jobs", jobs, *names) for jobs in "12")
    assert one.returncode == 1
    assert len(json.loads(one.stdout)["findings"]) >= len(names)
    assert two.stderr == one.stderr
    assert (two.returncode, two.stdout, two.stderr) == (one.returncode, one.stdout, one.stderr)
    assert len(Path(elsewhere["STARTED"]).read_text().split()) >= 4  # one, and two with two others
