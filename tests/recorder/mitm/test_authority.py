"""The authority's folder is its user's alone: who may write there could sign for every server."""

import os
import stat
from pathlib import Path

import pytest

from wirecheck.recorder.mitm.authority import bundle


def test_the_folder_and_what_is_in_it_are_made(tmp_path: Path) -> None:
    made = bundle(tmp_path / "wirecheck" / "proxy", {})
    assert made.read_bytes().count(b"BEGIN CERTIFICATE") > 1
    assert stat.S_IMODE(made.parent.stat().st_mode) == 0o700
    assert not list(made.parent.glob("*.tmp"))


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_folder_that_others_may_write_to_is_refused(tmp_path: Path, mode: int) -> None:
    (folder := tmp_path / "proxy").mkdir()
    folder.chmod(mode)
    with pytest.raises(OSError, match="others may write there"):
        bundle(folder, {})
    assert list(folder.iterdir()) == []


def test_the_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder := tmp_path / "proxy").mkdir()
    euid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: euid + 1)
    with pytest.raises(OSError, match="another user owns it"):
        bundle(folder, {})
