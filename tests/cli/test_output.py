"""Where output goes, how wide, and whether in colour."""

import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from wirecheck.cli.exits import Refusal
from wirecheck.cli.output import auto, check_writable, screen, write, write_file


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("flag", "environ", "terminal", "colour"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": ""}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"FORCE_COLOR": ""}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colour(flag: str, environ: dict[str, str], terminal: bool, colour: bool) -> None:
    assert screen(Terminal() if terminal else io.StringIO(), flag, environ).colour is colour


@pytest.mark.parametrize(
    ("environ", "terminal", "name"),
    [
        ({"GITHUB_ACTIONS": "true"}, True, "github"),
        ({"GITHUB_ACTIONS": "false"}, True, "full"),
        ({}, True, "full"),
        ({}, False, "concise"),
    ],
)
def test_auto(environ: dict[str, str], terminal: bool, name: str) -> None:
    assert auto(Terminal() if terminal else io.StringIO(), environ) == name


def test_a_pipe_is_wide_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert screen(io.StringIO(), environ={}).width == 100
    monkeypatch.setenv("COLUMNS", "70")
    assert screen(io.StringIO(), environ=dict(os.environ)).width == 70


def test_a_screen_that_knows_few_characters_gets_the_others_as_escapes() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    write(["a → b \udce9"], stream)
    assert stream.buffer.getvalue() == b"a \\u2192 b \\udce9\n"


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("before")

    def lines() -> Iterator[str]:
        yield "one"
        raise OSError(28, "No space left on device")

    with pytest.raises(Refusal, match="No space left on device"):
        write_file(str(target), lines())
    assert (target.read_text(), list(tmp_path.iterdir())) == ("before", [target])


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.txt", tmp_path / "link.txt"
    target.write_text("before")
    link.symlink_to(target)
    write_file(str(link), ["after"])
    assert (link.is_symlink(), target.read_text()) == (True, "after\n")


def test_what_is_no_file_is_written_to_directly() -> None:
    write_file("/dev/null", ["x"])
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("path", [".", "missing/out.txt", ""])
def test_what_cannot_be_written_is_said_before_the_work(path: str) -> None:
    with pytest.raises(Refusal, match="cannot be written"):
        check_writable(path)
