"""What of a folder is read, and what is passed over."""

import gzip
import json
import sqlite3
from pathlib import Path

import pytest

from tests.sources.captures import test_har
from tests.sources.cassettes import test_vcr
from wirecheck.sources import Reader
from wirecheck.sources.files.folder_search import KINDS, endings, is_log, listed, why_passed
from wirecheck.sources.formats.beginning import HEAD

ASK = '{"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}\n'
PRETTY = json.dumps({"request": {"url": "x", "body": {}}}, indent=2)
NOISE = '{"level": "info", "n": 1}\n'
LOGS = {
    "a log": ("a.jsonl", ASK),
    "a log of which nobody knows yet what is in it": ("a.jsonl", NOISE),
    "an empty log": ("a.log", ""),
    "text by its name": ("a.jsonl", "started\n"),
    "a document": ("a.json", PRETTY),
    "a text in JSON with traffic in it": ("a.json", json.dumps({"log": ASK})),
    "a document that is too long to be known": ("a.json", json.dumps([{"n": 1}] * HEAD)),
    "JSON lines of any name": ("console.txt", ASK),
    "a recording without an ending": ("recording_2026", PRETTY),
    "lines after a prefix": ("app.out", f"12:00 INFO started\n12:01 INFO {ASK}"),
    "a log in JSON that begins with something else": ("app.log", NOISE * 900),
    "a HAR file without its ending": ("capture", next(iter(test_har.SAMPLES.values())).decode()),
    "a cassette": ("weather.yaml", next(iter(test_vcr.SAMPLES.values())).decode()),
}
OTHERS = {
    "an image": ("a.png", ASK),
    "code with traffic in it": ("test_a.py", f"BODY = {ASK}"),
    "a page with traffic in it": ("README.md", ASK),
    "the package": ("package.json", '{"name": "x", "contents": []}'),
    "settings": ("tsconfig.build.json", '{"compilerOptions": {"types": []}}'),
    "JSON without traffic": ("users.json", '{"users": [{"id": 7}]}'),
    "YAML without exchanges": ("compose.yaml", "services:\n  web:\n    image: x\n"),
    "text": ("notes.txt", "Dear all,\nthe logs follow.\n"),
    "text with an example": ("notes.txt", f"A request:\n{ASK}\nIts reply:\nas above\nand so on\n"),
    "what Python prints": ("printed.txt", "Content(parts=[Part(text='hi')])\n"),
    "a log with objects that console.log printed": ("app.log", "[INFO] 12:00 started\n[INFO] sent [Object]\n"),
    "a log in text": ("access.log", "2026-11-20 12:00:01 GET / 200\n" * 40),
    "a program": ("tool", "\x7fELF\0\0\0"),
    "nothing": ("empty", ""),
}


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(("name", "text"), LOGS.values(), ids=LOGS)
def test_what_may_hold_traffic_is_read(tmp_path: Path, name: str, text: str, pack: "type[bytes]") -> None:
    path = tmp_path / (name if pack is bytes else f"{name}.gz")
    path.write_bytes(pack(text.encode()))
    assert is_log(str(path))


@pytest.mark.parametrize(("name", "text"), OTHERS.values(), ids=OTHERS)
def test_what_is_plainly_something_else_is_passed_over_and_read_where_it_is_named(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "z.jsonl").write_text(ASK, encoding="utf-8")
    reader = Reader([str(tmp_path)])
    assert len(list(reader)) == 2
    assert (reader.files, reader.passed, reader.problems) == (1, [str(tmp_path / name)], [])
    named = Reader([str(tmp_path / name)])
    told = len(list(named)) + len(named.problems)
    assert (named.files, told > 0) == (1, bool(text))


def test_of_databases_those_of_agents_are_read(tmp_path: Path) -> None:
    for name, table in (("sessions.db", "events"), ("other.db", "users"), ("events_db", '"events"')):
        with sqlite3.connect(tmp_path / name) as database:
            database.execute(f"CREATE TABLE {table} (id TEXT, event_data TEXT)")
    assert [is_log(str(tmp_path / name)) for name in ("sessions.db", "other.db", "events_db")] == [True, False, True]


def test_folders_of_packages_are_not_searched(tmp_path: Path) -> None:
    for name in ("node_modules/x", ".venv/lib", "venv/lib", ".git", "src"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "a.jsonl").write_text(ASK, encoding="utf-8")
    reader = Reader([str(tmp_path)])
    assert {record.origin.path for record in reader} == {str(tmp_path / "src" / "a.jsonl")}
    assert reader.passed == []
    assert len(list(Reader([str(tmp_path / "node_modules")]))) == 2


def test_a_folder_without_logs_says_what_lies_there(tmp_path: Path) -> None:
    for n in range(3):
        (tmp_path / f"{n}.PNG").touch()
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    (tmp_path / "Makefile").touch()
    reader = Reader([str(tmp_path)])
    assert list(reader) == []
    (problem,) = reader.problems
    assert str(problem) == f"nothing to read in {tmp_path}: 3 .png, 1 without ending, 1 .txt"
    assert problem.empty


LANGSMITH = '{"id": "1", "dotted_order": "x", "trace_id": "2", "inputs": {"messages": []}}'


def test_json_that_is_recognised_and_not_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "runs.json").write_text(LANGSMITH, encoding="utf-8")
    reader = Reader([str(tmp_path)])
    assert list(reader) == []
    assert [problem.why.partition(":")[0] for problem in reader.problems] == ["runs of LangSmith, which is not read"]


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ("an image", "by its name it is no log"),
        ("the package", "by its name it is no log"),
        ("JSON without traffic", "JSON without requests, replies, frames or messages"),
        ("YAML without exchanges", "YAML without recorded exchanges"),
        ("what Python prints", "what Python prints of the objects of an SDK, which is not read: print leaves out"),
        ("a log in text", "a log in plain text"),
        ("a program", "a program"),
        ("nothing", "it is empty"),
    ],
)
def test_why_a_file_was_passed_over(tmp_path: Path, other: str, why: str) -> None:
    name, text = OTHERS[other]
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert why_passed(str(tmp_path / name)).startswith(why)


def test_strange_endings_are_not_told() -> None:
    assert endings(["a.\x1b[31m", "b.x" + "y" * 40, "c."]) == {"without ending": 3}
    assert listed(f"x.e{n}" for n in range(KINDS + 4)).endswith(", 4 others")
