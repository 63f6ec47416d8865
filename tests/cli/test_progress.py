"""The line that says how far a long run is: only where somebody watches, only after a second."""

import io
import itertools
import sys
from types import SimpleNamespace

import pytest

from tests.cli.logs import BAD, GOOD, Desk
from tests.cli.test_process import on_terminal
from wirecheck.cli import progress
from wirecheck.sources.world import World

PYTHON = [sys.executable, "-c"]
END = "\r\x1b[K"


def _clock(monkeypatch: pytest.MonkeyPatch, pace: float) -> None:
    """Each look at it takes so many seconds."""
    times = itertools.count(0.0, pace)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(times)))


@pytest.mark.parametrize(
    ("terminal", "pace", "size", "said"),
    [
        (True, 1.1, 40_000, f"\r  7 %, 1,500 lines …\x1b[K\r 15 %, 3,000 lines …\x1b[K{END}"),
        (True, 1.1, None, f"\r1,500 lines …\x1b[K\r3,000 lines …\x1b[K{END}"),
        (True, 1.1, 1, f"\r100 %, 1,500 lines …\x1b[K\r100 %, 3,000 lines …\x1b[K{END}"),
        (True, 0.1, 40_000, ""),
        (False, 1.1, 40_000, ""),
    ],
)
def test_what_is_said(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, pace: float, size: int | None, said: str
) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr("sys.stderr", stderr)
    monkeypatch.setattr(stderr, "isatty", lambda: terminal)
    _clock(monkeypatch, pace)
    with progress.Progress(size) as line:
        for _ in range(2):
            line.add((1500, 3000))
    assert stderr.getvalue() == said


def test_every_line_is_counted_and_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    _clock(monkeypatch, 0.04)
    meter = progress.Meter(lambda lines, begin, *_: lines.index(b"new", begin) - begin, told.append)
    lines = [b"new", b"old", b"new", b"old", b"old", b"new"]
    assert [meter.passed(lines, begin, "x", 1, World()) for begin in (0, 1, 3) * 2] == [0, 1, 2] * 2
    meter = progress.Meter(lambda lines, begin, *_: len(lines) - begin, told.append)
    assert [meter.passed([b"some"] * 5, begin, "x", 1, World()) for begin in (0, 2, 4)] == [5, 3, 1]
    assert told == [(6, 18), (6, 18), (9, 36)]


def test_what_is_left_out_of_a_line_went_by_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    _clock(monkeypatch, 0.2)
    meter = progress.Meter(lambda *_: 0, told.append, lambda line: line[:3])
    assert [meter.brief(line) for line in (b"a line", b"one")] == [b"a l", b"one"]
    meter.passed([b"a l", b"one"], 0, "x", 1, World())
    assert told == [(1, 6)]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_terminal_sees_all_lines_go_by(desk: Desk, monkeypatch: pytest.MonkeyPatch, jobs: str) -> None:
    """Those as well in which nothing is new."""
    hidden = "import sys; from wirecheck.cli import app, progress, runs; progress.PATIENCE = progress.PAUSE = 0\n"
    code = f"{hidden}runs.LARGE = 0; sys.argv[0] = 'wirecheck'; app.main()"
    monkeypatch.setattr("tests.cli.test_process.COMMAND", [*PYTHON, code])
    logs = [desk.write("a.jsonl", *[GOOD] * 300, BAD), desk.write("b.jsonl", *[GOOD] * 300)]
    seen = on_terminal("lint", *logs, "--jobs", jobs)
    assert "\r100 %, 601 lines …\x1b[K" in seen
    assert END in seen
    assert "\n601 lines → 601 exchanges" in seen
