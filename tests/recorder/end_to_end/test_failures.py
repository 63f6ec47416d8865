"""kill -9, a full disk, a log that is taken away, two recorders: what is left is a log, and holes are loud."""

import json
import os
import random
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.recorder.end_to_end.run import kill, line, lint, serving, started
from tests.standin import Standin
from tests.standin.caller import ask, asking, path, sent, wait_for

MOST = 1_000_000  # bytes a file may have on the full disk: room for the certificates
STREAM = path("streamGenerateContent") + "?alt=sse"


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with Standin(keep=False) as standin:
        yield standin


class Load:
    """Clients that ask without end, and what they were told in full."""

    def __init__(self, url: str, name: str, clients: int = 4) -> None:
        self.told: list[str] = []
        self._url, self._over = url, threading.Event()
        self._threads = [threading.Thread(target=self._ask, args=(f"{name}-{each}",)) for each in range(clients)]
        for thread in self._threads:
            thread.start()

    def _ask(self, name: str) -> None:
        number = 0
        with suppress(Exception):  # the recorder is killed under them
            while not self._over.is_set():
                number += 1
                said = f"told {name}-{number}."
                target = STREAM if number % 2 else path()
                status, _ = ask(self._url, target, asking(f"{'long ' * 500}[[say={said}; chunks=1]]"))
                assert status == 200
                self.told.append(said)

    def end(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(30)


def test_kill_9_loses_at_most_the_line_being_written(server: Standin, tmp_path: Path) -> None:
    """Again and again over one log, which each recorder goes on with."""
    chance, told = random.Random(7), 0
    for number in range(6):
        with serving(tmp_path, server.url) as run:
            load = Load(run.url, f"round{number}")
            wait_for(lambda load=load: len(load.told) > 8)
            time.sleep(chance.random() / 4)
            kill(run)
            load.end()
        *lines, rest = run.log.read_bytes().split(b"\n")
        records = [json.loads(each) for each in lines]
        assert all(record["v"] == 1 for record in records)
        held = b"\n".join(lines).decode()
        assert not [said for said in load.told if said not in held.replace(f"say={said}", "")]
        assert {found["rule"] for found in lint(run.log)} == ({"unreadable-line"} if rest else set())
        told += len(load.told)
    opened = [record["channel"] for record in records if record["kind"] == "opened"]
    assert len(opened) == len(set(opened)) >= told


def test_a_full_disk_stops_the_recorder_and_the_command(server: Standin, tmp_path: Path) -> None:
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST, resource.RLIM_INFINITY))

    program = (
        "import json, os, time, urllib.request as web\n"
        "url = os.environ['GOOGLE_GEMINI_BASE_URL'] + os.environ['TARGET']\n"
        "body = json.dumps({'contents': [{'role': 'user', 'parts': [{'text': 'x' * 90_000}]}]}).encode()\n"
        "while True:\n"
        "    web.urlopen(web.Request(url, body, {'content-type': 'application/json'}), timeout=5).read()\n"
    )
    command = [*line(tmp_path, server.url, "--mode", "reverse"), "--", "python3", "-c", program]
    with started(tmp_path, command, limit=full, TARGET=path()) as run:
        assert run.code != 0
    assert "log.jsonl" in run.err
    assert MOST / 2 < run.log.stat().st_size <= MOST
    assert [json.loads(each) for each in run.log.read_bytes().splitlines()]
    assert lint(run.log) == []


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_log_that_is_taken_away_stops_the_recorder(server: Standin, tmp_path: Path, how: str) -> None:
    with serving(tmp_path, server.url) as run:
        assert ask(run.url, path(), asking("hello"))[0] == 200
        run.log.unlink()
        if how == "replaced":
            run.log.write_text("another's\n")
        with suppress(OSError, Exception):
            ask(run.url, path(), asking("hello again"))
        assert run.code not in (0, 1)
    assert "log.jsonl" in run.err
    if how == "replaced":
        assert run.log.read_text() == "another's\n"


def test_two_recorders_never_write_one_log(server: Standin, tmp_path: Path) -> None:
    with serving(tmp_path, server.url) as first:
        assert ask(first.url, path(), asking("to the first"))[0] == 200
        with serving(tmp_path, server.url) as second:
            assert second.code == 2
        assert "log.jsonl" in second.err
        assert ask(first.url, path(), asking("to the first again"))[0] == 200
        assert first.end() == 0
    assert len(first.lines("opened")) == 2


@pytest.mark.parametrize("there", ["notes\n", '{"contents": []}\n'])
def test_what_is_not_a_log_of_ours_is_never_touched(server: Standin, tmp_path: Path, there: str) -> None:
    (tmp_path / "log.jsonl").write_text(there)
    with serving(tmp_path, server.url) as run:
        assert run.code == 2
    assert (tmp_path / "log.jsonl").read_text() == there


def test_nobody_else_can_ever_read_the_log(server: Standin, tmp_path: Path) -> None:
    """Whatever the umask says, and from the first moment on."""
    seen: set[int] = set()
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            with suppress(FileNotFoundError):
                seen.add((tmp_path / "log.jsonl").stat().st_mode & 0o777)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        with serving(tmp_path, server.url, limit=lambda: os.umask(0)) as run:
            ask(run.url, path(), asking("hello"))
            run.end()
    finally:
        over.set()
        watcher.join()
    assert seen == {0o600}


def test_a_server_that_is_not_there_is_the_clients_concern(tmp_path: Path) -> None:
    with serving(tmp_path, "http://127.0.0.1:9") as run:
        assert ask(run.url, path(), asking("hello"))[0] == 502
        assert run.end() == 2
    assert len(run.lines("opened")) == 1
    assert "1 of 1 request got no answer: [Errno 111] Connect call failed" in run.err
    assert run.live() == run.linted()


def test_a_stop_while_streams_are_open_keeps_what_came(server: Standin, tmp_path: Path) -> None:
    with serving(tmp_path, server.url) as run, sent(run.url, STREAM, asking("hello [[slow=2]]")) as response:
        response.read(1)
        assert run.end() == 0
    assert 1 <= len(run.lines("frame")) < 4
    assert run.linted() == run.live()
    assert "Traceback" not in run.err


def test_a_command_that_was_ended_for_the_log_is_told_as_that(server: Standin, tmp_path: Path) -> None:
    """It did not fail by itself: the exit code says that not everything was recorded."""
    program = (
        "import os, time, urllib.request as web\n"
        "os.unlink(os.environ['LOG'])\n"
        "url = os.environ['GOOGLE_GEMINI_BASE_URL'] + os.environ['TARGET']\n"
        "try:\n"
        "    web.urlopen(web.Request(url, b'{}', {'content-type': 'application/json'}), timeout=5).read()\n"
        "except OSError:\n"
        "    time.sleep(30)\n"
    )
    command = [*line(tmp_path, server.url, "--mode", "reverse"), "--", "python3", "-c", program]
    with started(tmp_path, command, TARGET=path(), LOG=str(tmp_path / "log.jsonl")) as run:
        assert run.code == 2
    assert "log.jsonl" in run.err


def test_a_log_that_is_gone_at_the_end_is_told(server: Standin, tmp_path: Path) -> None:
    program = "import os; os.unlink(os.environ['LOG'])"
    command = [*line(tmp_path, server.url, "--mode", "reverse", "--allow-empty"), "--", "python3", "-c", program]
    with started(tmp_path, command, LOG=str(tmp_path / "log.jsonl")) as run:
        assert run.code == 2
    assert "is gone" in run.err


def test_a_file_that_is_refused_keeps_its_mode(server: Standin, tmp_path: Path) -> None:
    there = tmp_path / "log.jsonl"
    there.write_text("hello\n")
    there.chmod(0o664)
    with started(tmp_path, [*line(tmp_path, server.url, "--mode", "reverse"), "--", "true"]) as run:
        assert run.code == 2
    assert (there.read_text(), there.stat().st_mode & 0o777) == ("hello\n", 0o664)


@pytest.mark.parametrize("more", [["--report", "json-lines=log.jsonl"], ["--upstream", "http://127.0.0.1:99999"]])
def test_what_cannot_be_is_said_before_anything_starts(server: Standin, tmp_path: Path, more: list[str]) -> None:
    more = [each.replace("=log.jsonl", f"={tmp_path / 'log.jsonl'}") for each in more]
    with started(tmp_path, [*line(tmp_path, server.url, "--mode", "reverse"), *more, "--", "true"]) as run:
        assert run.code == 2
    assert not (tmp_path / "log.jsonl").exists()
