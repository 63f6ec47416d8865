"""Several processes say what one says, in the same order; whatever happens to them."""

import gzip
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

from bench.logs import lines
from tests.cli.logs import BAD, GOOD, SAD, TOLERATED, Desk, content, exchange
from tests.cli.test_process import COMMAND, environ
from wirecheck.cli.linting import file_batches, inspect, process_pool
from wirecheck.cli.linting.file_batches import divided, known
from wirecheck.inspector import Inspector

FRAMES = [
    json.dumps({"channel": "1", "from": "client", "data": {"setup": {"model": "models/gemini-3.8-live"}}}),
    json.dumps({"channel": "1", "from": "server", "data": {"setupComplete": {}}}),
]
CHUNK = json.dumps({"candidates": [{"content": content("nobody", "x")}]})
RECITED = exchange(content("nobody", "hi :)"), content("model", "ok :)"), content("user", "more :)"))
LOGS: dict[str, Sequence[str]] = {
    "a/bad.jsonl": [BAD, GOOD, "3", "no JSON"],
    "a/again.jsonl": [TOLERATED, RECITED, "3", "[]"],
    "b/chunks.jsonl": [CHUNK],
    "b/more.jsonl": [CHUNK, SAD],
    "b/empty.jsonl": [],
    "b/frames.jsonl": FRAMES,
    "c.jsonl": [SAD, BAD.replace("hi", "ho")],
    "d.jsonl": [*FRAMES, exchange(content("user", "who?")), '{"contents": [{"role"'],
}
PATHS = ["a", "nowhere.jsonl", "b", "c.jsonl", "d.jsonl", "packed.jsonl.gz", "cut.jsonl.gz", "b/more.jsonl"]


@pytest.fixture(autouse=True)
def _nothing_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_batches, "LARGE", 0)


@pytest.fixture
def logs(desk: Desk) -> Desk:
    for name, log in LOGS.items():
        (desk.folder / name).parent.mkdir(exist_ok=True)
        desk.write(name, *log)
    packed = gzip.compress(f"{BAD}\n{GOOD}\n".encode())
    (desk.folder / "packed.jsonl.gz").write_bytes(packed)
    (desk.folder / "cut.jsonl.gz").write_bytes(packed[:-9])
    return desk


ASKED: list[list[str]] = [
    ["--output-format", "json", "--min-severity", "info"],
    ["--output-format", "full", "-v"],
    ["--output-format", "concise", "--statistics"],
    ["--output-format", "json", "--max-findings", "3"],
    ["--predict"],
]


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
@pytest.mark.parametrize("jobs", ["2", "3", "64"])
def test_the_same_is_said_in_the_same_order(logs: Desk, asked: list[str], jobs: str) -> None:
    one, several = (logs.run("lint", *PATHS, *asked, "--jobs", number) for number in ("1", jobs))
    assert one.exit_code == 2
    assert "OWN201" in one.stdout
    assert (several.exit_code, several.stdout, several.stderr) == (one.exit_code, one.stdout, one.stderr)


def test_long_logs_with_mistakes_say_the_same(desk: Desk) -> None:
    for seed in range(6):
        name = ("small", "10", "window.records", "long", "live", "strings")[seed]
        (desk.folder / f"{seed}.jsonl").write_bytes(b"".join(islice(lines(name, 0.0001, seed, 3), 300)))
    asked = ("lint", ".", "--isolated", "--output-format", "json", "--min-severity", "info", "--jobs")
    one, two = desk.run(*asked, "1").stdout, desk.run(*asked, "2").stdout
    assert len(json.loads(one)["findings"]) > 10
    assert two == one


def test_every_file_is_in_one_run_and_runs_are_about_as_large(desk: Desk) -> None:
    files = [desk.write(f"{n}.jsonl", "x" * (n * 37 % 100)) for n in range(100)]
    found = divided(files, 3)
    assert [file for run in found for file in run.files] == files
    assert [run.size for run in found] == [sum(map(os.path.getsize, run.files)) for run in found]
    assert 3 * file_batches.TASKS // 2 < len(found) <= 3 * file_batches.TASKS
    assert max(run.size for run in found) < 2 * sum(run.size for run in found) // len(found)


def _small(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(file_batches, "LARGE", 1 << 20)


NOT_DIVIDED: dict[str, tuple[list[str], int, Callable[[pytest.MonkeyPatch], None]]] = {
    "one process asked for": (["c.jsonl", "d.jsonl"], 1, lambda patch: None),
    "one file": (["c.jsonl"], 8, lambda patch: None),
    "small": (["c.jsonl", "d.jsonl"], 2, _small),
    "standard input": (["c.jsonl", "-"], 2, lambda patch: None),
    "a pipe": (["c.jsonl", "pipe"], 2, lambda patch: None),
}


@pytest.mark.parametrize("case", NOT_DIVIDED)
def test_what_one_process_does_best(logs: Desk, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    files, jobs, change = NOT_DIVIDED[case]
    os.mkfifo(logs.folder / "pipe")
    change(monkeypatch)
    (run,) = divided(files, jobs)
    assert run.files == files


def test_how_much_is_to_be_read_is_said_where_it_is_known(logs: Desk) -> None:
    assert known(["c.jsonl", "nowhere.jsonl"]) == os.path.getsize("c.jsonl")
    assert (known(["c.jsonl", "packed.jsonl.gz"]), known(["-"])) == (None, None)


def test_a_file_that_is_named_and_found_is_read_once(logs: Desk) -> None:
    assert logs.json("a", "a/bad.jsonl", "./a/bad.jsonl")["checked"]["files"] == 2


def _killed(task: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _stopped(task: int) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def _raising(task: int) -> None:
    raise MemoryError


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_pool, "PATIENCE", 0.2)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("end", [_killed, _stopped, _raising])
@pytest.mark.parametrize("unlucky", [{0}, {5}, {0, 1, 2, 3}, set(range(9))])
def test_what_no_worker_can_do_is_left_undone(end: Callable[[int], None], unlucky: set[int]) -> None:
    came: dict[int, int] = {}

    def work(task: int) -> int:
        if task in unlucky:
            end(task)
        return task * task

    process_pool.spread({n: n for n in range(9)}, 2, work, came.__setitem__)
    assert all(came[task] == task * task for task in came)
    assert unlucky.isdisjoint(came)
    assert end is not _raising or came.keys() == set(range(9)) - unlucky


@pytest.mark.usefixtures("_impatient")
def test_a_worker_that_goes_on_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after Ctrl-Z and fg: it was seen stopped, and then it went on."""
    looks: list[set[int]] = []
    look = process_pool._stopped

    def continued() -> set[int]:
        looks.append(look())
        for pid in looks[-1]:
            os.kill(pid, signal.SIGCONT)
        return looks[-1]

    monkeypatch.setattr(process_pool, "_stopped", continued)
    came: dict[int, int] = {}

    def work(task: int) -> int:
        if task == 3:
            os.kill(os.getpid(), signal.SIGSTOP)
        return task * task

    process_pool.spread({n: n for n in range(9)}, 2, work, came.__setitem__)
    assert came == {n: n * n for n in range(9)}
    assert any(looks)


def test_where_no_thread_is_to_be_had_all_is_left_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", none)
    came: dict[int, int] = {}
    process_pool.spread({0: 0, 1: 1}, 2, abs, came.__setitem__)
    assert came == {}
    monkeypatch.undo()
    assert not multiprocessing.active_children()


def test_where_no_process_is_to_be_had_all_is_left_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    fork, several = os.fork, iter([True, False])

    def scarce() -> int:
        if next(several):
            return fork()
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", scarce)
    came: dict[int, int] = {}
    process_pool.spread({0: 0, 1: 1, 2: 2}, 2, abs, came.__setitem__)
    assert came == {}
    assert not multiprocessing.active_children()


WITHOUT_FORK = """
import os, sys
del os.fork
sys.modules.update(fcntl=None, termios=None, resource=None)
from wirecheck.cli import app
from wirecheck.cli.linting import file_batches
if __name__ == "__main__":
    import multiprocessing
    multiprocessing.set_start_method("spawn")
    file_batches.LARGE = 0
    app.main()
"""


@pytest.mark.parametrize("asked", ASKED[:2], ids=" ".join)
def test_what_is_not_forked_loads_the_rules_again(logs: Desk, asked: list[str]) -> None:
    one = logs.run("lint", *PATHS, *asked, "--jobs", "1")
    (logs.folder / "lint.py").write_text(WITHOUT_FORK)
    command = [sys.executable, "lint.py", "lint", *PATHS, *asked, "--jobs", "2"]
    done = subprocess.run(command, capture_output=True, text=True, env=environ())
    assert (done.returncode, done.stdout, done.stderr) == (one.exit_code, one.stdout, one.stderr)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.parametrize("asked", [["--output-format", "json"], ["--output-format", "concise"]], ids=" ".join)
def test_a_worker_that_is_killed_or_stopped_changes_nothing(
    logs: Desk, monkeypatch: pytest.MonkeyPatch, asked: list[str], number: int
) -> None:
    expected = logs.run("lint", *PATHS, *asked, "--jobs", "1")
    here, judged = os.getpid(), inspect.FileJudge.__call__

    def dying(*given: object) -> object:
        if os.getpid() != here and "b/more.jsonl" in given[1]:  # type: ignore[operator]
            os.kill(os.getpid(), number)
        return judged(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(inspect.FileJudge, "__call__", dying)
    result = logs.run("lint", *PATHS, *asked, "--jobs", "2")
    assert (result.exit_code, result.output) == (expected.exit_code, expected.output)


def test_a_fault_of_ours_shows_where_it_is(logs: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr(Inspector, "feed", crash)
    result = logs.run("lint", *PATHS, "--jobs", "2")
    assert isinstance(result.exception, KeyError)


def _children(process: int) -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == process:
            yield int(path.parent.name)


def _until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.02)
    return held


def _alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def large(desk: Desk) -> Iterator[subprocess.Popen[bytes]]:
    """Two processes at work."""
    for name in ("a.jsonl", "b.jsonl"):
        with (desk.folder / name).open("w") as log:
            log.writelines(f"{BAD.replace('hi', f'hi {n}')}\n" for n in range(60_000))
    command = [*COMMAND, "lint", "a.jsonl", "b.jsonl", "--jobs", "2", "-q"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environ())
    yield process
    process.kill()
    process.wait()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
@pytest.mark.parametrize(
    ("number", "code", "said"),
    [
        (signal.SIGINT, 130, b"\nwirecheck: interrupted before it was done\n"),
        (signal.SIGTERM, -signal.SIGTERM, b""),
        (signal.SIGKILL, -signal.SIGKILL, b""),
    ],
)
def test_no_worker_is_left_behind(
    large: subprocess.Popen[bytes], number: signal.Signals, code: int, said: bytes
) -> None:
    assert _until(lambda: len(list(_children(large.pid))) == 2)
    children = list(_children(large.pid))
    large.send_signal(number)
    _, err = large.communicate()
    assert (large.returncode, err) == (code, said)
    assert _until(lambda: not any(map(_alive, children)))
