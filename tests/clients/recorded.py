"""One run of the recorder around a command: what it wrote, said and found, and what a later lint says of its log."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WIRECHECK = [sys.executable, "-m", "wirecheck"]
KEY = "AIzaSyStandin0123456789012345678901234-"  # of the shape of a key, and of nobody
# What the shell of whoever runs the tests may have set, and a client would heed.
NOT_OURS = (
    "GOOGLE_",
    "GEMINI_",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT",
    "NODE_",
    "GITHUB_ACTIONS",
)


@dataclass(frozen=True)
class Recorded:
    """What is left of a run."""

    code: int
    out: str
    err: str
    log: Path
    live: list[Any]  # the findings as they were reported while the command ran

    def linted(self) -> list[Any]:
        """What linting the log finds afterwards."""
        done = subprocess.run(
            [*WIRECHECK, "lint", str(self.log), "--output-format", "json-lines", "--min-severity", "info"],
            capture_output=True,
            text=True,
            env=environment(self.log.parent),
        )
        assert done.returncode in (0, 1), done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def lines(self, kind: str) -> list[Any]:
        """The records of one kind in the log."""
        records = [json.loads(line) for line in self.log.read_bytes().splitlines()]
        return [record for record in records if record["kind"] == kind]


def environment(home: Path, **more: str) -> dict[str, str]:
    """An environment in which a client finds nothing of the machine's owner."""
    ours = {name: value for name, value in os.environ.items() if not name.upper().startswith(NOT_OURS)}
    return {**ours, "HOME": str(home), "GEMINI_API_KEY": KEY, **more}


def recording(folder: Path, upstream: str, *options: str, command: Sequence[str] = ()) -> list[str]:
    """The command line of a run whose log is `log.jsonl` in a folder."""
    report = f"json-lines={folder / 'live.jsonl'}"
    line = [*WIRECHECK, "record", "-o", str(folder / "log.jsonl"), "--upstream", upstream, "--report", report]
    return [*line, "--min-severity", "info", *options, *(["--", *command] if command else [])]


def record(folder: Path, upstream: str, command: Sequence[str], *options: str, **more: str) -> Recorded:
    """Runs a command behind the recorder, and both to their end."""
    with subprocess.Popen(
        recording(folder, upstream, *options, command=command),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(folder, **more),
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise AssertionError(f"still running after a minute\n{out}\n{err}") from None
    live = folder / "live.jsonl"
    findings = [json.loads(line) for line in live.read_text().splitlines()] if live.exists() else []
    return Recorded(process.returncode, out, err, folder / "log.jsonl", findings)
