"""What is kept of files is what they say now, whatever became of it or of them, and nobody else can change it."""

import os
import stat
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from wirecheck.data import parsed_cache, shipped
from wirecheck.data.parsed_cache import kept
from wirecheck.rules import RuleError
from wirecheck.rules.engine.load import builtin

LONG_AGO = 1_700_000_000_000_000_000


class Folder:
    """Two files, and where what is made of them is kept."""

    def __init__(self, folder: Path) -> None:
        self.first, self.second, self.cache = folder / "a", folder / "b", folder / "cache" / "wirecheck"
        self.reads = 0
        self.first.write_text("one")
        self.second.write_text("two")

    def read(self) -> bytes:
        self.reads += 1
        return json.encode({file.name: file.read_text() for file in self.files()})

    def files(self) -> list[Path]:
        return [file for file in (self.first, self.second) if file.exists()]

    def kept(self, root: str = "here") -> Any:
        return json.decode(kept("made", root, map(str, self.files()), self.read))

    @property
    def place(self) -> Path:
        (place,) = self.cache.iterdir()
        return place


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setattr(parsed_cache, "SETTLED", -(1 << 62))  # files written just now are old enough
    return Folder(tmp_path)


def test_files_are_read_once(folder: Folder) -> None:
    assert [folder.kept() for _ in range(3)] == [{"a": "one", "b": "two"}] * 3
    assert folder.reads == 1


def same_time(folder: Folder) -> None:
    """Another text of the same length, with the time of the old one."""
    at = folder.first.stat()
    folder.first.write_text("eno")
    os.utime(folder.first, ns=(at.st_atime_ns, at.st_mtime_ns))


CHANGES: dict[str, Callable[[Folder], object]] = {
    "another text": lambda folder: folder.first.write_text("three"),
    "another text as long as the old one": lambda folder: folder.first.write_text("eno"),
    "as long, and as old": same_time,
    "older": lambda folder: os.utime(folder.first, ns=(LONG_AGO, LONG_AGO)),
    "put in the place of another": lambda folder: folder.second.replace(folder.first),
    "gone": lambda folder: folder.second.unlink(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_kept_of_other_files_is_not_used(folder: Folder, change: str) -> None:
    folder.kept()
    CHANGES[change](folder)
    now = {file.name: file.read_text() for file in folder.files()}
    assert folder.kept() == now
    assert folder.kept() == now
    assert folder.reads == 2


BREAKS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut short": lambda data: data[:-4],
    "without its first line": lambda data: data.partition(b"\n")[2],
    "another value": lambda data: data.replace(b"one", b"two"),
    "no JSON": lambda data: data[:65] + b"{",
    "something else": lambda _: b"\xff\x00" * 99,
}


@pytest.mark.parametrize("change", BREAKS)
def test_what_is_broken_is_not_used_and_made_anew(folder: Folder, change: str) -> None:
    made = folder.kept()
    whole = folder.place.read_bytes()
    folder.place.write_bytes(BREAKS[change](whole))
    assert folder.kept() == made
    assert folder.place.read_bytes() == whole


def test_what_is_kept_is_for_its_user_alone(folder: Folder) -> None:
    old = os.umask(0)
    try:
        folder.kept()
    finally:
        os.umask(old)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder.cache, folder.place)] == [0o700, 0o600]


def test_nothing_is_kept_in_the_checkout(folder: Folder) -> None:
    """Who may write there could otherwise change verdicts, or have code run, where another runs wirecheck."""
    (root := folder.cache.parent.parent / "checkout").mkdir()
    folder.kept(str(root))
    assert list(root.iterdir()) == []


def another_user(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is there belongs to somebody else now."""
    euid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: euid + 1)


def others_may_write_there(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.cache.chmod(0o777)


def others_may_write_to_it(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.place.chmod(0o620)


def a_link(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.cache.rename(folder.cache.with_name("elsewhere"))
    folder.cache.symlink_to("elsewhere")


@pytest.mark.parametrize("change", [another_user, others_may_write_there, others_may_write_to_it, a_link])
def test_what_somebody_else_may_have_written_is_not_used(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, change: Callable[[Folder, pytest.MonkeyPatch], None]
) -> None:
    made = folder.kept()
    change(folder, monkeypatch)
    assert (folder.kept(), folder.reads) == (made, 2)


def no_folder(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.cache.parent.write_text("a file")


def no_folder_of_ours(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.cache.parent.mkdir()
    folder.cache.write_text("a file")


def no_home(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(folder.cache.parent / "nowhere"))


def a_path_from_somewhere(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.chdir(folder.cache.parent.parent)


@pytest.mark.parametrize("hinder", [no_folder, no_folder_of_ours, no_home, a_path_from_somewhere])
def test_where_nothing_can_be_kept_files_are_read_each_time(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, hinder: Callable[[Folder, pytest.MonkeyPatch], None]
) -> None:
    hinder(folder, monkeypatch)
    before = sorted(folder.cache.parent.parent.rglob("*"))
    assert [folder.kept() for _ in range(2)] == [{"a": "one", "b": "two"}] * 2
    assert folder.reads == 2
    assert sorted(folder.cache.parent.parent.rglob("*")) == before


def test_a_home_gets_a_folder_for_caches(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(folder.cache.parent.parent))
    folder.kept()
    assert [path.name for path in (folder.cache.parent.parent / ".cache" / "wirecheck").iterdir()] != []


def test_each_checkout_has_its_own_and_few_are_kept(folder: Folder) -> None:
    for root in map(str, range(parsed_cache.MOST + 5)):
        folder.kept(root)
    assert len(list(folder.cache.iterdir())) == parsed_cache.MOST
    reads = folder.reads
    folder.kept(root)
    assert folder.reads == reads


def test_files_that_have_only_just_changed_may_change_unseen(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.kept()
    assert list(folder.cache.iterdir()) == []


def test_what_is_made_the_first_time_is_what_is_kept(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where JSON has no word for it."""
    monkeypatch.setattr(shipped, "PACKAGE", str(folder.first.parent / "wirecheck"))
    first, second = (shipped.parsed("made", [str(folder.first)], lambda: {"pair": (1, 2)}) for _ in range(2))
    assert folder.place.exists()
    assert first == second == {"pair": [1, 2]}


def _often(folder: Folder) -> None:
    for _ in range(100):
        assert folder.kept() == {"a": "one", "b": "two"}
        for place in folder.cache.glob("*.json"):
            place.write_bytes(place.read_bytes()[:20])


def test_two_processes_do_each_other_no_harm(folder: Folder) -> None:
    context = get_context("fork")
    both = [context.Process(target=partial(_often, folder)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join()
    assert [process.exitcode for process in both] == [0, 0]


RULE = """
name: {name}
code: XX100
title: A title
severity: error
doc: Why.
given: call
check: {{never: null}}
message: "said"
examples: {{good: [], bad: []}}
"""


def test_a_checkout_keeps_its_rules_and_sees_each_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped.models()
    monkeypatch.setattr(parsed_cache, "SETTLED", -(1 << 62))
    monkeypatch.setattr(shipped, "PACKAGE", tmp_path / "wirecheck")
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "models.yaml").write_text("{}")
    (tmp_path / "pyproject.toml").touch()
    (rules / "first.yaml").write_text(RULE.format(name="first"))
    assert [rule.name for rule in builtin()] == ["first"]
    assert len(list((tmp_path / "cache" / "wirecheck").glob("rules-*.json"))) == 1
    assert not (tmp_path / "build").exists()
    (rules / "again.yaml").write_text(RULE.format(name="again"))
    assert [rule.name for rule in builtin()] == ["again", "first"]
    (rules / "first.yaml").write_text("name: [")
    with pytest.raises(RuleError, match=r"first\.yaml:2"):
        builtin()
