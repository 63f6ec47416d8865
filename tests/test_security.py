"""SECURITY.md: each promise names tests, and they exist. What no other test shows is shown here."""

import ast
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.logs import BAD, CALLING, Desk

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
PROMISED = PAGE.partition("## Promised")[2].partition("## Not promised")[0]
NAMED = re.compile(r"^- `(tests/[\w/]+\.py)::(\w+)`$", re.M)
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


@pytest.mark.parametrize(("file", "name"), NAMED.findall(PAGE), ids=[name for _, name in NAMED.findall(PAGE)])
def test_a_test_that_is_named_exists(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, FUNCTIONS)}


def test_each_promise_names_tests() -> None:
    promises = re.findall(r"^\*\*.*?(?=^\*\*|\Z)", PROMISED, re.M | re.S)
    assert len(promises) >= 9
    assert [promise for promise in promises if not NAMED.search(promise)] == []
    assert [line for line in PROMISED.splitlines() if line.startswith("- ") and not NAMED.match(line)] == []


COMMANDS = (
    ("lint", "log.jsonl", "--rules", "own", "--verbose", "--statistics"),
    ("lint", ".", "--output-format", "github"),
    ("lint", ".", "--output-format", "json", "--jobs", "2"),
    ("show", "log.jsonl"),
    ("convert", "log.jsonl"),
    ("explain", "WC301"),
    ("explain", "Please use a valid role: user, model."),
    ("rules", "list"),
    ("rules", "test", "own"),
    ("rules", "check", "own"),
)
REFERENCE = {"$ref": "https://x.test/schema", "$schema": "https://x.test/meta", "type": "object"}


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Logs that name servers and files, and settings beside them that name nothing of the kind."""
    monkeypatch.chdir(tmp_path)
    desk = Desk(tmp_path)
    linked = CALLING.replace('{"type": "object", "properties"', f'{{"$ref": "{REFERENCE["$ref"]}", "properties"')
    assert linked != CALLING
    named = BAD.replace("nobody", "file:///etc/passwd")
    desk.write("log.jsonl", BAD, linked, named, BAD.replace("gemini-3.6-flash", "..%2F..%2Fout.json"))
    desk.write("json=out.jsonl", BAD)
    return desk


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_judging_showing_and_explaining_open_no_connection(
    hostile: Desk, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    def refused(*arguments: object, **options: object) -> None:
        raise AssertionError("a connection was opened")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refused)
    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, refused)
    result = hostile.run(*command)
    assert result.exit_code in (0, 1)
    assert not isinstance(result.exception, AssertionError)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_is_written_that_was_not_named(hostile: Desk, command: tuple[str, ...]) -> None:
    before = tree(hostile.folder)
    assert hostile.run(*command).exit_code in (0, 1)
    assert tree(hostile.folder) == before


def test_what_is_named_is_written_and_nothing_beside_it(hostile: Desk) -> None:
    before = tree(hostile.folder)
    hostile.run(
        "lint", "log.jsonl", "-o", "out", "--report", "json=out.json", "--baseline", "known", "--update-baseline"
    )
    assert set(tree(hostile.folder)) - set(before) == {"out", "out.json", "known"}
    assert {name: tree(hostile.folder)[name] for name in before} == before


def tree(folder: Path) -> dict[str, bytes]:
    read: Callable[[Path], bytes] = Path.read_bytes
    return {os.path.relpath(path, folder): read(path) for path in folder.rglob("*") if path.is_file()}
