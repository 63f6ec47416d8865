"""What is kept of files is what they say now, whatever became of it or of them."""

import os
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
        self.first, self.second, self.place = folder / "a", folder / "b", folder / "build" / "made.json"
        self.reads = 0
        self.first.write_text("one")
        self.second.write_text("two")

    def read(self) -> bytes:
        self.reads += 1
        return json.encode({file.name: file.read_text() for file in self.files()})

    def files(self) -> list[Path]:
        return [file for file in (self.first, self.second) if file.exists()]

    def kept(self) -> Any:
        return json.decode(kept(str(self.place), map(str, self.files()), self.read))


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


def no_folder(folder: Folder) -> None:
    folder.place.parent.write_text("a file")


def no_file(folder: Folder) -> None:
    folder.place.mkdir(parents=True)


def shut(folder: Folder) -> None:
    folder.place.parent.mkdir(mode=0o500)


@pytest.mark.parametrize("hinder", [no_folder, no_file, shut])
def test_where_nothing_can_be_kept_files_are_read_each_time(folder: Folder, hinder: Callable[[Folder], None]) -> None:
    hinder(folder)
    assert [folder.kept() for _ in range(2)] == [{"a": "one", "b": "two"}] * 2
    assert folder.reads == 2 or os.geteuid() == 0


def test_files_that_have_only_just_changed_may_change_unseen(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.kept()
    assert not folder.place.exists()


def test_what_is_made_the_first_time_is_what_is_kept(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where JSON has no word for it."""
    monkeypatch.setattr(shipped, "PACKAGE", str(folder.place.parent.parent / "wirecheck"))
    first, second = (shipped.parsed("made", [str(folder.first)], lambda: {"pair": (1, 2)}) for _ in range(2))
    assert folder.place.exists()
    assert first == second == {"pair": [1, 2]}


def _often(folder: Folder) -> None:
    for _ in range(100):
        assert folder.kept() == {"a": "one", "b": "two"}
        folder.place.write_bytes(folder.place.read_bytes()[:20])


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
    assert (tmp_path / "build" / "rules.json").exists()
    (rules / "again.yaml").write_text(RULE.format(name="again"))
    assert [rule.name for rule in builtin()] == ["again", "first"]
    (rules / "first.yaml").write_text("name: [")
    with pytest.raises(RuleError, match=r"first\.yaml:2"):
        builtin()
