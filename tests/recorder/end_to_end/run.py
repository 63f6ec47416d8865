"""Runs of the recorder: around a command to its end, or serving while a test talks through it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.standin.caller import wait_for

WIRECHECK = [sys.executable, "-m", "wirecheck"]
KEY = "AIzaSyStandin0123456789012345678901234-"  # of the shape of a key, and of nobody
SERVES = re.compile(r"GOOGLE_GEMINI_BASE_URL=['\"]?(https?://[\d.]+:\d+)")
Limit = Callable[[], None]  # what a process does to itself before it begins
# What the shell of whoever runs the tests may have set, and a client would heed.
NOT_OURS = ("GOOGLE_", "GEMINI_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT", "NODE_", "GITHUB_")


@dataclass
class Run:
    """A run: what it says while it lasts, and what is left of it."""

    folder: Path
    process: "subprocess.Popen[str]"
    printed: list[str] = field(default_factory=list)  # stdout, line by line
    said: list[str] = field(default_factory=list)  # stderr

    @property
    def log(self) -> Path:
        return self.folder / "log.jsonl"

    @property
    def out(self) -> str:
        return "".join(self.printed)

    @property
    def err(self) -> str:
        return "".join(self.said)

    @property
    def code(self) -> int:
        return self.process.wait(30)

    @property
    def url(self) -> str:
        """Where it serves, in reverse mode."""
        wait_for(lambda: SERVES.search(self.out + self.err) or self.process.poll() is not None, 30)
        found = SERVES.search(self.out + self.err)
        assert found is not None, self.err
        return found[1]

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.code

    def live(self) -> list[Any]:
        """The findings as they were reported while it ran."""
        report = self.folder / "live.jsonl"
        return _findings(report.read_text()) if report.exists() else []

    def linted(self, *options: str) -> list[Any]:
        """What linting the log finds afterwards."""
        return lint(self.log, *options)

    def lines(self, kind: str) -> list[Any]:
        """The records of one kind in the log; a line that is cut off is none."""
        records = [json.loads(line) for line in self.log.read_bytes().splitlines(True) if line.endswith(b"\n")]
        return [record for record in records if record["kind"] == kind]


def lint(log: Path, *options: str) -> list[Any]:
    done = subprocess.run(
        [*WIRECHECK, "lint", str(log), "--output-format", "json-lines", "--min-severity", "info", *options],
        capture_output=True,
        text=True,
        env=environment(log.parent),
    )
    assert done.returncode in (0, 1), done.stderr
    return _findings(done.stdout)


def _findings(lines: str) -> list[Any]:
    """All they say but how often a mistake was recited again: nobody knows that as it happens."""
    return [{**json.loads(line), "repeated": None} for line in lines.splitlines()]


def environment(home: Path, **more: str) -> dict[str, str]:
    """An environment in which a client finds nothing of the machine's owner."""
    ours = {name: value for name, value in os.environ.items() if not name.upper().startswith(NOT_OURS)}
    return {**ours, "HOME": str(home), "GEMINI_API_KEY": KEY, **more}


def line(folder: Path, upstream: str, *options: str) -> list[str]:
    """The command line of a run whose log is `log.jsonl` in a folder."""
    report = f"json-lines={folder / 'live.jsonl'}"
    line = [*WIRECHECK, "record", "-o", str(folder / "log.jsonl"), "--upstream", upstream, "--port", "0"]
    return [*line, "--report", report, "--min-severity", "info", *options]


@contextmanager
def started(folder: Path, command: Sequence[str], limit: Limit | None = None, **more: str) -> Iterator[Run]:
    """A process in a group of its own, none of which outlives the block."""
    folder.mkdir(exist_ok=True)
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(folder, **{"PYTHONPATH": os.getcwd(), **more}),
        start_new_session=True,
        preexec_fn=limit,
    )
    run = Run(folder, process)
    pipes = ((process.stdout, run.printed), (process.stderr, run.said))
    readers = [threading.Thread(target=_read, args=each) for each in pipes]
    for reader in readers:
        reader.start()
    try:
        yield run
    finally:
        kill(run)
        for reader in readers:
            reader.join(10)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def kill(run: Run) -> None:
    """kill -9, the recorder and whatever it started."""
    with suppress(ProcessLookupError):
        os.killpg(run.process.pid, signal.SIGKILL)
    run.process.wait(10)


def serving(folder: Path, upstream: str, *options: str, **more: Any) -> Any:
    """A recorder that serves in reverse mode while the block lasts."""
    return started(folder, line(folder, upstream, "--mode", "reverse", *options), **more)


def record(folder: Path, upstream: str, command: Sequence[str], *options: str, **more: Any) -> Run:
    """Runs a command behind the recorder, and both to their end."""
    with started(folder, [*line(folder, upstream, *options), "--", *command], **more) as run:
        try:
            run.process.wait(60)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after a minute\n{run.err}") from None
    return run


def _read(pipe: Any, said: list[str]) -> None:
    with pipe:
        said.extend(pipe)
