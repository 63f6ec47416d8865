"""Every test of the program works in a folder of its own."""

import signal
from pathlib import Path

import pytest

from tests.cli.logs import Desk

# Where the tests run in the background, programs they start would inherit that Ctrl-C is nothing to them.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)
