"""The database in which the Agent Development Kit keeps sessions: SQLite, in the form of either of its services.

A place in it is the row of an event, and session and event by their ids. Actions are pickled in the older form, and are
never looked at. The file is opened to be read: nothing is locked, nothing is written beside it.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from wirecheck.sources.agents.adk import stored
from wirecheck.sources.formats.file_format import OpenedFile, UnreadableInput
from wirecheck.sources.formats.json_values import node
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.lenient import step
from wirecheck.wire.records import Origin, Record, Site

MAGIC = b"SQLite format 3\0"
# What an event is made of: the columns, and the keys they have in JSON. The newer form has all in one.
WHOLE = "event_data"
LONGEST = 1 << 26  # bytes of a value: no event has more
PIECES = {
    "content": "content",
    "partial": "partial",
    "long_running_tool_ids_json": "longRunningToolIds",
    "error_message": "errorMessage",
}
# A view may be a program that never ends.
IS_TABLE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'events' AND sql LIKE 'CREATE TABLE %'"
EVENTS = """
    SELECT rowid, app_name, user_id, session_id, id, {} FROM events
    ORDER BY app_name, user_id, session_id, timestamp, rowid
"""


def records(file: OpenedFile) -> Iterator[Record]:
    if not os.path.isfile(file.path) or not _is_plain(file.path):
        raise UnreadableInput("a database is read from a file of its own, not from a stream or an archive")
    try:
        with _nothing_left(f"{file.path}-shm"), closing(opened(Path(file.path).absolute())) as base:
            base.text_factory = bytes
            yield from _sessions(base, file)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the other is of names, in a file that is broken
        raise UnreadableInput(f"the database cannot be read: {error}") from None


@contextmanager
def _nothing_left(shared: str) -> Iterator[None]:
    """Removes the file that SQLite makes to read a log beside a database, unless it was there before."""
    before = os.path.lexists(shared)
    try:
        yield
    finally:
        if not before:
            with suppress(OSError):
                os.unlink(shared)


def _is_plain(path: str) -> bool:
    with open(path, "rb") as stream:
        return stream.read(len(MAGIC)) == MAGIC


def opened(path: Path) -> sqlite3.Connection:
    """With what lies in the log beside it, if there is one. Else as a file that nobody changes: SQLite would put such a
    log there even to read."""
    logged = any(_size(f"{path}{ending}") for ending in ("-wal", "-journal"))
    return sqlite3.connect(f"{path.as_uri()}?{'mode=ro' if logged else 'immutable=1'}", uri=True, timeout=2)


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.exists(path) else 0


def _sessions(base: sqlite3.Connection, file: OpenedFile) -> Iterator[Record]:
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    base.execute("PRAGMA temp_store = MEMORY")  # no file beside it to sort in
    if base.execute(IS_TABLE).fetchone() is None:
        raise UnreadableInput("a SQLite database without a table of events of the Agent Development Kit")
    there = {_text(row[1]) for row in base.execute("PRAGMA table_info(events)")}
    columns = [WHOLE] if WHOLE in there else [column for column in PIECES if column in there]
    if "session_id" not in there or not {WHOLE, "content"} & there:
        raise UnreadableInput("a SQLite database without events of the Agent Development Kit")
    for _, rows in groupby(base.execute(EVENTS.format(", ".join(columns))), key=lambda row: row[1:4]):
        found = list[JsonNode]()
        for row in rows:
            event = _event(row, columns, file)
            if isinstance(event, Record):
                yield event
            else:
                found.append(event)
        if found:
            yield from stored(found[0].site, found)


def _event(row: tuple[Any, ...], columns: list[str], file: OpenedFile) -> JsonNode | Record:
    number, _, _, session, event, *held = row
    if columns == [WHOLE]:
        written = _bytes(held[0])
    else:
        members = (
            b'"%b":%b' % (PIECES[name].encode(), _json(name, data)) for name, data in zip(columns, held, strict=True)
        )
        written = b"{%b}" % b",".join(members)
    file.tally.lines += 1
    file.tally.size += len(written)
    pointer = f"/sessions{step(_text(session))}/events{step(_text(event))}"
    return node(written, Site(Origin(file.path, number), pointer))


def _json(column: str, data: object) -> bytes:
    """The JSON of a column, of which some hold it, and some a value."""
    if data is None:
        return b"null"
    if column == "partial":
        return b"true" if data else b"false"
    return msgspec.json.encode(_text(data)) if column == "error_message" else _bytes(data)


def _bytes(found: object) -> bytes:
    return found if isinstance(found, bytes) else str(found).encode()


def _text(found: object) -> str:
    return found.decode(errors="replace") if isinstance(found, bytes) else str(found)
