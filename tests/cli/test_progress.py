"""The line that says how far a long run is: only where somebody watches, only after a second."""

import io
import itertools
from types import SimpleNamespace

import pytest

from wirecheck.cli import progress
from wirecheck.wire.record import Closed, Origin


class Reader(list[Closed]):
    lines = 4000


RECORDS = Reader([Closed(channel="1", origin=Origin("x", 1))] * 4000)


@pytest.mark.parametrize(
    ("terminal", "seconds", "said"),
    [(True, 2, "\r4000 lines …\r4000 lines …\r\x1b[K"), (True, 0, ""), (False, 2, "")],
)
def test_progress(monkeypatch: pytest.MonkeyPatch, terminal: bool, seconds: float, said: str) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr(stderr, "isatty", lambda: terminal)
    monkeypatch.setattr("sys.stderr", stderr)
    clock = itertools.chain([0.0], itertools.repeat(float(seconds)))
    monkeypatch.setattr("wirecheck.cli.progress.time", SimpleNamespace(monotonic=lambda: next(clock)))
    assert len(list(progress.watched(RECORDS))) == 4000  # type: ignore[arg-type]
    assert stderr.getvalue() == said
