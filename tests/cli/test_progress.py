"""The line that says how far a long run is: only where somebody watches, only after a second."""

import io
import itertools
import sys
from types import SimpleNamespace

import pytest

from tests.cli.logs import BAD, GOOD, Desk
from tests.cli.test_process import on_terminal
from wirecheck.cli import progress
from wirecheck.sources import Reader, record_stream

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
            line.add(1500, 3000)
    assert stderr.getvalue() == said


def test_every_line_is_counted_and_told_now_and_then(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those as well that say nothing."""
    told: list[tuple[int, int]] = []
    _clock(monkeypatch, 0.04)
    reader = Reader([desk.write("log.jsonl", GOOD, "", "3", GOOD)])
    assert len(list(progress.told(reader, lambda *more: told.append(more)))) == 9
    assert [*map(sum, zip(*told, strict=True))] == [reader.lines, reader.size] == [3, 2 * len(GOOD) + 4]


def test_what_is_left_out_of_a_line_was_read_as_well(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    _clock(monkeypatch, 0.2)
    monkeypatch.setattr(record_stream, "LONG", 0)
    reader = Reader([desk.write("log.jsonl", GOOD)], brief=lambda line: b"3")
    list(progress.told(reader, lambda *more: told.append(more)))
    assert told == [(1, len(GOOD) + 1)]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_terminal_sees_all_lines_go_by(desk: Desk, monkeypatch: pytest.MonkeyPatch, jobs: str) -> None:
    hidden = "import sys; from wirecheck.cli import app, progress\nfrom wirecheck.cli.linting import file_batches\n"
    code = (
        f"{hidden}progress.PATIENCE = progress.PAUSE = 0; file_batches.LARGE = 0; sys.argv[0] = 'wirecheck'; app.main()"
    )
    monkeypatch.setattr("tests.cli.test_process.COMMAND", [*PYTHON, code])
    logs = [desk.write("a.jsonl", *[GOOD] * 300, BAD), desk.write("b.jsonl", *[GOOD] * 300)]
    seen = on_terminal("lint", *logs, "--jobs", jobs)
    assert "\r100 %, 601 lines …\x1b[K" in seen
    assert END in seen
    assert "\n601 lines → 601 exchanges" in seen
