"""The blocks of code in README.md and docs/, and how they are run.

What a block is says its language: `sh` lines are run and may find something, a `console` shows what its commands print,
`python` is run, a `yaml` with a name is a rule, `json` and `jsonl` are read. `python -m tests.pages` writes what the
consoles show anew.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    *(ROOT / "docs" / name for name in ("formats.md", "recipes.md", "recording.md", "live.md")),
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What changes with every rule and release, and is not what a page is about.
PASSING = re.compile(r'\d+ rules|"rules": ?\d+|"version": ?"[^"]*"|"fingerprint": ?"[^"]*"')


class Block(NamedTuple):
    page: str
    line: int
    language: str
    text: str


class Step(NamedTuple):
    """A command of a console and what it prints."""

    command: str
    output: str


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield Block(page.name, text.count("\n", 0, found.start()) + 1, found[1], found[2])


def desk(folder: Path) -> Path:
    """A folder with what the pages speak of: logs, the stories, and the rules they show."""
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    (folder / "logs").mkdir()
    for name in ("logs.jsonl", "logs/today.jsonl"):
        shutil.copy(ROOT / "fixtures" / "parallel-response-missing" / "log.jsonl", folder / name)
    story = (folder / "logs.jsonl").read_text(encoding="utf-8").splitlines()
    (folder / "app.log").write_text("".join(f"10:00:00 DEBUG agent: {line}\n" for line in story), encoding="utf-8")
    (folder / "saved.har").write_text(json.dumps(_har(map(json.loads, story))), encoding="utf-8")
    (folder / "my-rules").mkdir()
    for page in PAGES:
        for block in blocks(page):
            if block.language == "yaml" and (rule := re.match(r"name: ([a-z-]+)\n", block.text)):
                (folder / "my-rules" / f"{rule[1]}.yaml").write_text(block.text, encoding="utf-8")
    return folder


def _har(exchanges: Iterable[Any]) -> Any:
    return {"log": {"entries": [{"request": _sent(e["request"]), "response": _came(e["response"])} for e in exchanges]}}


def _sent(request: Any) -> Any:
    return {"method": request["method"], "url": request["url"], "postData": {"text": json.dumps(request["body"])}}


def _came(response: Any) -> Any:
    return {"status": response["status"], "content": {"text": json.dumps(response["body"])}}


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {"PATH": here, "HOME": str(folder), "COLUMNS": "90", "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True, check=False)


def steps(console: str) -> Iterator[Step]:
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield Step(command, output)


def printed(command: str, folder: Path) -> str:
    done = run(command, folder)
    return done.stdout + done.stderr


def lasting(text: str) -> str:
    return PASSING.sub("…", text)


def anew(page: Path, folder: Path) -> str:
    """The text of a page, its consoles as they are now."""

    def console(found: re.Match[str]) -> str:
        if found[1] != "console":
            return found[0]
        told = (f"$ {step.command}\n{printed(step.command, folder)}" for step in steps(found[2]))
        return f"```console\n{''.join(told)}```"

    return BLOCK.sub(console, page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    for each in PAGES:
        with TemporaryDirectory() as scratch:
            each.write_text(anew(each, desk(Path(scratch))), encoding="utf-8")
