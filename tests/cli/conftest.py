"""Every test of the program works in a folder of its own."""

from pathlib import Path

import pytest

from tests.cli.logs import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)
