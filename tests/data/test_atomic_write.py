"""A file is written whole or not at all, by nobody's leave but ours."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from wirecheck.data.atomic_write import write_bytes


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("before", [0o600, 0o640, 0o755, 0o444])
def test_a_file_keeps_its_mode(tmp_path: Path, before: int) -> None:
    (path := tmp_path / "report").write_text("before")
    path.chmod(before)
    write_bytes(str(path), [b"after"])
    assert (path.read_text(), mode(path)) == ("after", before)


def test_what_is_for_its_owner_alone_is_so_in_the_place_of_what_was_not(tmp_path: Path) -> None:
    (path := tmp_path / "report").touch(0o644)
    write_bytes(str(path), [b"x"], 0o600)
    assert mode(path) == 0o600


def test_a_new_file_obeys_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_bytes(str(tmp_path / "new"), [b"x"])
        write_bytes(str(tmp_path / "secret"), [b"x"], 0o600)
    finally:
        os.umask(old)
    assert [mode(tmp_path / name) for name in ("new", "secret")] == [0o640, 0o600]


def test_nobody_reads_along_before_the_mode_is_that_of_the_file_replaced(tmp_path: Path) -> None:
    (path := tmp_path / "report").write_text("before")
    path.chmod(0o600)
    seen = []

    def pieces() -> Iterator[bytes]:
        (aside,) = set(tmp_path.iterdir()) - {path}
        seen.append(mode(aside))
        yield b"after"

    write_bytes(str(path), pieces())
    assert seen == [0o600]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    (path := tmp_path / "report").touch()
    os.chown(path, 4711, 4712)
    write_bytes(str(path), [b"after"])
    assert (path.stat().st_uid, path.stat().st_gid) == (4711, 4712)


def test_the_name_aside_cannot_be_foreseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: set[str] = set()
    replace = os.replace

    def note(old: str, new: str) -> None:
        names.add(old)
        replace(old, new)

    monkeypatch.setattr(os, "replace", note)
    for _ in range(3):
        write_bytes(str(tmp_path / "report"), [b"x"])
    assert len(names) == 3
    assert not any(str(os.getpid()) in Path(name).name.split(".") for name in names)


def test_a_link_planted_there_all_the_same_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", bytes)
    (victim := tmp_path / "victim").write_text("precious")
    (tmp_path / f"report.{bytes(8).hex()}.tmp").symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_bytes(str(tmp_path / "report"), [b"x"])
    assert victim.read_text() == "precious"


class Stopped(BaseException):
    pass


ENDS: list[Callable[[], BaseException]] = [
    KeyboardInterrupt,
    SystemExit,
    MemoryError,
    RecursionError,
    Stopped,
    lambda: OSError(28, "No space left on device"),
]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("at", ["open", "pieces", "replace"])
def test_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: Callable[[], BaseException], at: str
) -> None:
    def stop(*_: object) -> None:
        raise end()

    def opened(path: str, *rest: int, open_: Callable[..., int] = os.open) -> int:
        """It is there already when Ctrl-C is noticed."""
        os.close(open_(path, *rest))
        raise end()

    def pieces() -> Iterator[bytes]:
        yield b"some"
        if at == "pieces":
            stop()

    (path := tmp_path / "report").write_text("before")
    if at != "pieces":
        monkeypatch.setattr(os, at, opened if at == "open" else stop)
    with pytest.raises(type(end())):
        write_bytes(str(path), pieces())
    monkeypatch.undo()
    assert (path.read_text(), list(tmp_path.iterdir())) == ("before", [path])
