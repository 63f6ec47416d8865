"""The databases of both session services: read, whatever else opens them, and nothing written beside them."""

import json
import pickle
import random
import sqlite3
from pathlib import Path

import pytest

from tests.sources.agents.judged import judge
from tests.sources.agents.samples import ASKED, CALLED, CONTENTS, RETURNED, SPOKEN, Json, event, snake
from tests.sources.agents.test_adk import COUNT, LOST, only
from wirecheck.sources import Reader

KEYS = "id TEXT, app_name TEXT, user_id TEXT, session_id TEXT, invocation_id TEXT, timestamp REAL"
NEWER = f"CREATE TABLE events ({KEYS}, event_data TEXT, PRIMARY KEY (app_name, user_id, session_id, id))"
OLDER = (
    f"CREATE TABLE events ({KEYS}, author TEXT, actions BLOB, long_running_tool_ids_json TEXT, content TEXT,"
    " partial BOOLEAN, error_message TEXT, PRIMARY KEY (app_name, user_id, session_id, id))"
)


class Trap:
    """Whoever unpickles it notices."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, ("raise SystemExit('unpickled')",)


def newer(path: Path, sessions: dict[str, list[Json]]) -> sqlite3.Connection:
    base = sqlite3.connect(path)
    base.execute(NEWER)
    for name, contents in sessions.items():
        for n, content in enumerate(contents):
            row = (f"e{n}", "app", "u", name, "i1", float(n), json.dumps(event(content)))
            base.execute("INSERT INTO events VALUES (?,?,?,?,?,?,?)", row)
    base.commit()
    return base


def older(
    path: Path, contents: list[Json], *, waits: str | None = None, partial: bool | None = None, error: str | None = None
) -> None:
    base = sqlite3.connect(path)
    base.execute(OLDER)
    for n, content in enumerate(contents):
        row = ("app", "u", "s1", "i1", n, "a", pickle.dumps(Trap()), waits, json.dumps(snake(content)), partial, error)
        base.execute("INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", (f"e{n}", *row))
    base.commit()
    base.close()


@pytest.mark.parametrize(
    ("contents", "found"),
    [
        ([*CONTENTS], []),
        (
            [ASKED, CALLED],
            [
                f"{LOST}: 2 /sessions/s1/events/e1/content/parts/0",
                f"{LOST}: 2 /sessions/s1/events/e1/content/parts/1",
            ],
        ),
        ([ASKED, CALLED, only(RETURNED, 0), SPOKEN], [f"{COUNT}: 4 /sessions/s1/events/e3/content"]),
    ],
)
def test_either_form(contents: list[Json], found: list[str], tmp_path: Path) -> None:
    newer(tmp_path / "new.db", {"s1": contents}).close()
    older(tmp_path / "old.db", contents)
    assert judge(tmp_path / "new.db") == judge(tmp_path / "old.db") == found
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.db", "old.db"]


def test_sessions_are_told_by_their_ids(tmp_path: Path) -> None:
    newer(tmp_path / "s.db", {"a/b": [ASKED, only(CALLED, 0)], "c": [ASKED, only(CALLED, 1)]}).close()
    assert judge(tmp_path / "s.db") == [
        f"{LOST}: 2 /sessions/a~1b/events/e1/content/parts/0",
        f"{LOST}: 4 /sessions/c/events/e1/content/parts/0",
    ]


def test_the_older_form_tells_what_waits_and_what_is_partial(tmp_path: Path) -> None:
    older(tmp_path / "waits.db", [ASKED, CALLED], waits='["n1", "n2"]')
    older(tmp_path / "partial.db", [ASKED, CALLED], partial=True)
    older(tmp_path / "refused.db", [ASKED, SPOKEN], error="400 INVALID_ARGUMENT. {'error': {'message': 'Odd.'}}")
    assert judge(tmp_path / "refused.db") == ["unexplained-rejection: 1 /sessions/s1/events/e0/content"]
    assert judge(tmp_path / "waits.db") == []
    assert judge(tmp_path / "partial.db") == []


def test_what_lies_in_the_log_beside_it_is_read(tmp_path: Path) -> None:
    base = newer(tmp_path / "s.db", {"s1": [ASKED]})
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("INSERT INTO events VALUES ('e9','app','u','s1','i1',9.0,?)", (json.dumps(event(CALLED)),))
    base.commit()
    assert (tmp_path / "s.db-wal").stat().st_size > 0
    assert len(judge(tmp_path / "s.db")) == 2
    base.close()


def test_a_write_ahead_database_at_rest_is_left_as_it_is(tmp_path: Path) -> None:
    base = newer(tmp_path / "s.db", {"s1": [ASKED, CALLED]})
    base.execute("PRAGMA journal_mode=WAL")
    base.close()
    before = (tmp_path / "s.db").read_bytes()
    assert len(judge(tmp_path / "s.db")) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["s.db"]
    assert (tmp_path / "s.db").read_bytes() == before


def test_one_that_somebody_writes_is_read_or_said_to_be_locked(tmp_path: Path) -> None:
    base = newer(tmp_path / "s.db", {"s1": [ASKED, CALLED]})
    base.execute("BEGIN EXCLUSIVE")
    base.execute("DELETE FROM events")
    (told,) = judge(tmp_path / "s.db")
    assert told == "the database cannot be read: database is locked"
    base.rollback()
    assert len(judge(tmp_path / "s.db")) == 2
    base.close()


def test_other_databases_and_broken_ones(tmp_path: Path) -> None:
    other, broken, packed = tmp_path / "other.db", tmp_path / "broken.db", tmp_path / "packed.db"
    base = sqlite3.connect(other)
    base.execute("CREATE TABLE events (x TEXT, event_data TEXT)")
    base.commit()
    base.close()
    broken.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    assert judge(other) == ["a SQLite database without events of the Agent Development Kit"]
    assert judge(broken)[0].startswith("the database cannot be read: ")
    import gzip

    packed.write_bytes(gzip.compress(other.read_bytes()))
    assert judge(packed) == ["a database is read from a file of its own, not from a stream or an archive"]


def test_bytes_that_changed(tmp_path: Path) -> None:
    newer(tmp_path / "s.db", {"s1": [*CONTENTS]}).close()
    data, chosen = (tmp_path / "s.db").read_bytes(), random.Random(7)
    for _ in range(80):
        spoiled = bytearray(data[: chosen.choice((len(data), chosen.randrange(20, len(data))))])
        for _ in range(chosen.randrange(1, 30)):
            spoiled[chosen.randrange(16, len(spoiled))] = chosen.randrange(256)
        (tmp_path / "spoiled.db").write_bytes(spoiled)
        judge(tmp_path / "spoiled.db")


def test_rows_of_any_kind(tmp_path: Path) -> None:
    base = newer(tmp_path / "s.db", {"s1": [ASKED]})
    for n, data in enumerate((None, 7, 1.5, b"\xff\xfe", "", "[", "[]", '{"content":{"parts":[7,null,{}]}}', "1e999")):
        base.execute("INSERT INTO events VALUES (?,?,?,?,?,?,?)", (n, None, n, "s1", None, "x", data))
    base.commit()
    base.close()
    told = judge(tmp_path / "s.db")
    assert [each for each in told if each.startswith("unreadable-line")] != []


ENDLESS = """
    CREATE VIEW events AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
    SELECT n id, 'a' app_name, 'u' user_id, 's' session_id, n timestamp, '{}' event_data FROM c
"""


def test_a_view_is_not_asked(tmp_path: Path) -> None:
    base = sqlite3.connect(tmp_path / "x.db")
    base.execute(ENDLESS)
    base.commit()
    base.close()
    reader = Reader([str(tmp_path / "x.db")])
    assert list(reader) == []
    assert ["without a table of events" in problem.why for problem in reader.problems] == [True]
