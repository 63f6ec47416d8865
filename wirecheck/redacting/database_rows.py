"""SQLite: a copy, of which texts and bytes are redacted row by row. Rows keep their numbers; no page of the copy has
what was deleted before.

The schema is that of a stranger: a file with triggers, views or virtual tables, which are programs, is not touched.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from wirecheck.redacting.unredactable import Unredactable
from wirecheck.secrets.file_text import FileText
from wirecheck.sources.agents.adk_database import MAGIC, opened
from wirecheck.sources.lines import BUFFER, LIMIT, MEGABYTE

LONGEST = 1 << 26  # bytes of a value
PROGRAMS = """
    SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index')
    OR (type = 'table' AND sql NOT LIKE 'CREATE TABLE %') OR sql LIKE '%GENERATED%' OR sql LIKE '%WITHOUT%ROWID%'
"""
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"


def pieces(stream: BinaryIO, secrets: FileText) -> Iterator[bytes]:
    path = getattr(stream, "name", None)
    if not isinstance(path, str) or stream.read(len(MAGIC)) != MAGIC:
        raise Unredactable("a database is read from a file of its own, not from a stream or an archive")
    stream.seek(0)
    written = stream.read(LIMIT + 1)
    if len(written) > LIMIT:
        raise Unredactable(f"a database of over {LIMIT // MEGABYTE} MB")
    with TemporaryDirectory() as folder:  # for nobody else to look into
        made = os.path.join(folder, "copy")
        try:
            with closing(opened(Path(path).absolute())) as source, closing(sqlite3.connect(":memory:")) as copy:
                source.backup(copy)
                _redact(copy, secrets)
                if not copy.total_changes and secrets.is_clean(written.decode("latin-1")):
                    yield written  # nor is anything in what was deleted
                    return
                copy.commit()
                copy.execute("VACUUM INTO ?", (made,))  # which, other than VACUUM, leaves rows their numbers
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Unredactable(f"the database cannot be read: {error}") from None
        with open(made, "rb") as file:
            yield from iter(lambda: file.read(BUFFER), b"")


def _redact(copy: sqlite3.Connection, secrets: FileText) -> None:
    copy.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    copy.execute("PRAGMA trusted_schema = OFF")
    copy.text_factory = bytes
    if (found := copy.execute(PROGRAMS).fetchone()) is not None:
        kind, name = (_text(each) for each in found)
        raise Unredactable(f"a database with a {kind} '{name[:60]}', which would be run, or has no rows of its own")
    for (table,) in copy.execute(TABLES).fetchall():
        _table(copy, _quoted(table), secrets)


def _table(copy: sqlite3.Connection, table: str, secrets: FileText) -> None:
    names = [_quoted(row[1]) for row in copy.execute(f"PRAGMA table_info({table})")]
    texts = ", ".join(f"typeof({name}), {name}" for name in names)
    last = None
    while True:  # one row at a time: what is changed is not read again
        where = "" if last is None else f"WHERE rowid > {last}"
        row = copy.execute(f"SELECT rowid, {texts} FROM {table} {where} ORDER BY rowid LIMIT 1").fetchone()
        if row is None:
            return
        last, fields = int(row[0]), secrets.fields()
        fields.begin(False)
        for n, name in enumerate(names):
            kind, held = row[1 + 2 * n], row[2 + 2 * n]
            if kind not in (b"text", b"blob"):
                continue
            fields.key(name.strip('"'))
            after = _value(held, kind == b"text", fields.value(_text(held)) if kind == b"text" else "", secrets)
            if after != held:
                value: Any = after.decode("utf-8", "replace") if kind == b"text" else after
                copy.execute(f"UPDATE {table} SET {name} = ? WHERE rowid = ?", (value, last))


def _value(held: bytes, is_text: bool, named: str, secrets: FileText) -> bytes:
    try:
        text = held.decode()
    except UnicodeDecodeError:
        after = secrets.data(held)
        return after if after != held else secrets.binary(held)
    if is_text:
        return secrets.string(text, named, False).encode()
    return secrets.data(held) if b"\0" not in held else secrets.binary(held)


def _quoted(name: bytes | str) -> str:
    return '"' + _text(name).replace('"', '""') + '"'


def _text(found: object) -> str:
    return found.decode(errors="replace") if isinstance(found, bytes) else str(found)
