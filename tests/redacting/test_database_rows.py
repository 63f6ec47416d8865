"""A copy of a database has its rows by their numbers, without secrets, also in pages that nothing refers to."""

import json
import pickle
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.redacting.planting import CORE, FORMS, asked, database, left, written
from wirecheck.redacting.redacted_file import redacted
from wirecheck.redacting.unredactable import Unredactable
from wirecheck.secrets.counted_marks import SecretMarks

KEY = FORMS["Google API key"]


def made(path: Path, *statements: str | tuple[str, tuple[Any, ...]]) -> bytes:
    with closing(sqlite3.connect(path)) as base:
        for each in statements:
            statement, values = (each, ()) if isinstance(each, str) else each
            base.execute(statement, values)
        base.commit()
    return path.read_bytes()


def rows(data: bytes, path: Path, statement: str) -> list[Any]:
    path.write_bytes(data)
    with closing(sqlite3.connect(path)) as base:
        return base.execute(statement).fetchall()


def test_rows_keep_their_numbers_and_what_else_they_hold(tmp_path: Path) -> None:
    before = made(
        tmp_path / "x.db",
        "PRAGMA user_version = 7",
        'CREATE TABLE events (id TEXT PRIMARY KEY, a, b BLOB, "odd "" name" REAL, password TEXT)',
        "CREATE INDEX by_a ON events (a)",
        *(("INSERT INTO events VALUES (?, ?, ?, ?, ?)", (f"e{n}", n, b"\x00\xff", n / 3, None)) for n in range(40)),
        "DELETE FROM events WHERE a % 3 = 0",
        ("UPDATE events SET b = ? WHERE a = 7", (pickle.dumps({"key": KEY, "more": [1, 2]}),)),
        ("UPDATE events SET id = ?, password = ? WHERE a = 8", (asked(KEY), CORE)),
    )
    after = written(before, "y.db", tmp_path)
    assert not left(after, KEY)
    asks = "SELECT rowid, * FROM events ORDER BY rowid"
    old, new = rows(before, tmp_path / "1.db", asks), rows(after, tmp_path / "2.db", asks)
    assert [row[0] for row in old] == [row[0] for row in new]
    assert [row for row in old if row[2] not in (7, 8)] == [row for row in new if row[2] not in (7, 8)]
    changed = {row[2]: row for row in new}
    assert pickle.loads(changed[7][3]) == {"key": "[redacted]" + "*" * (len(KEY) - 10), "more": [1, 2]}
    assert changed[8][1:] == (asked("[redacted]"), 8, b"\x00\xff", 8 / 3, "[redacted]")
    assert rows(after, tmp_path / "3.db", "PRAGMA user_version") == [(7,)]
    assert rows(after, tmp_path / "4.db", "PRAGMA integrity_check") == [("ok",)]
    assert len(rows(after, tmp_path / "5.db", "SELECT * FROM events INDEXED BY by_a WHERE a = 8")) == 1


def test_what_was_deleted_is_in_no_page(tmp_path: Path) -> None:
    before = database("x", deleted=KEY)
    assert KEY.encode() in before
    after = written(before, "y.db", tmp_path)
    assert KEY.encode() not in after
    asks = "SELECT rowid, id, content FROM events"
    assert rows(before, tmp_path / "1.db", asks) == rows(after, tmp_path / "2.db", asks)


def test_what_lies_in_the_log_beside_it_is_in_the_copy(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("CREATE TABLE events (content TEXT)")
        base.execute("INSERT INTO events VALUES (?)", (json.dumps({"text": f"here {KEY}"}),))
        base.commit()
        names = sorted(each.name for each in tmp_path.iterdir())
        with open(path, "rb") as stream:
            after = b"".join(redacted(stream, str(path), SecretMarks()))
        assert sorted(each.name for each in tmp_path.iterdir()) == names
    assert rows(after, tmp_path / "y.db", "SELECT content FROM events") == [('{"text": "here [redacted]"}',)]


def test_without_a_secret_it_stays_as_it_is(tmp_path: Path) -> None:
    assert written(database("x"), "y.db", tmp_path) == database("x")


PROGRAMS = {
    "a trigger": "CREATE TRIGGER t AFTER UPDATE ON events BEGIN DELETE FROM events; END",
    "a view": "CREATE VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT x FROM c",
    "a virtual table": "CREATE VIRTUAL TABLE v USING fts5(a)",
    "rows without numbers": "CREATE TABLE v (a TEXT PRIMARY KEY) WITHOUT ROWID",
    "columns that are made": "CREATE TABLE v (a TEXT, b TEXT GENERATED ALWAYS AS (a || a) STORED)",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_database_that_is_a_program_is_not_touched(tmp_path: Path, program: str) -> None:
    before = made(tmp_path / "x.db", "CREATE TABLE events (content)", program)
    with pytest.raises(Unredactable, match="a database with"):
        written(before, "y.db", tmp_path)


def test_whatever_is_broken_is_told(tmp_path: Path) -> None:
    before = database(KEY)
    for at in range(16, len(before), 311):
        for data in (before[:at], before[:at] + b"\xff\x00\xff" + before[at + 3 :]):
            try:
                after = written(data, "y.db", tmp_path)
            except OSError:
                continue
            assert KEY.encode() not in after
