"""Paths in, Records out: folders, packed files, standard input, and what cannot be read."""

import gzip
import io
import os
from pathlib import Path

import pytest

from tests.sources.telling import told
from wirecheck.sources import FORMATS, Reader, ReadProblem
from wirecheck.wire.records import Record

ASK = b'{"contents":[]}\n'


def paths_of(records: list[Record]) -> list[str]:
    return list(dict.fromkeys(record.origin.path for record in records))


def test_a_folder_gives_its_logs_in_order_and_nothing_hidden(tmp_path: Path) -> None:
    (tmp_path / "b" / ".git").mkdir(parents=True)
    logs = ["a.jsonl", "b/a.ndjson", "b/z.log", "c.json"]
    (tmp_path / "x.txt").write_text("a text")
    for name in (*logs, "x.md", ".hidden.jsonl", "b/.git/x.jsonl"):
        (tmp_path / name).write_bytes(ASK)
    (tmp_path / "d.jsonl.gz").write_bytes(gzip.compress(ASK * 2))
    reader = Reader([str(tmp_path)])
    expected = ["a.jsonl", "c.json", "d.jsonl.gz", "b/a.ndjson", "b/z.log"]
    assert paths_of(list(reader)) == [str(tmp_path / name) for name in expected]
    assert (reader.files, reader.lines, reader.problems) == (5, 6, [])


def test_a_named_file_is_read_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "traffic"
    path.write_bytes(gzip.compress(ASK))
    assert told(Reader([str(path)])) == ['1a opened {"contents":[]}', "1a left"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input(pack: "type[bytes]") -> None:
    reader = Reader(["-"], stdin=io.BytesIO(pack(ASK + b"\n" + ASK)))
    records = list(reader)
    assert paths_of(records) == ["<stdin>"]
    assert [record.origin.line for record in records] == [1, 1, 3, 3]
    assert (reader.files, reader.lines) == (1, 2)


def test_every_file_is_its_own_world(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(b'{"role":"user","content":"hi"}\n')
    reader = Reader([str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")])
    assert [type(record).__name__ for record in reader] == ["Opened", "Frame", "Closed"] * 2


def test_what_cannot_be_read_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    good, gone, empty = tmp_path / "good.jsonl", tmp_path / "gone.jsonl", tmp_path / "empty"
    good.write_bytes(ASK)
    empty.mkdir()
    reader = Reader([str(gone), str(empty), str(good)])
    assert paths_of(list(reader)) == [str(good)]
    assert reader.problems == [
        ReadProblem(str(gone), "No such file or directory"),
        ReadProblem(str(empty), "it is empty", empty=True),
    ]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_utf_16_is_told_once_and_not_line_by_line(tmp_path: Path, encoding: str, pack: "type[bytes]") -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(pack(("\ufeff" + ASK.decode() * 3).encode(encoding)))
    reader = Reader([str(log)])
    assert list(reader) == []
    assert [problem.why.partition(",")[0] for problem in reader.problems] == ["written in UTF-16"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_in_a_folder_is_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.log")
    (tmp_path / "y.log").write_bytes(ASK)
    assert paths_of(list(Reader([str(tmp_path)]))) == [str(tmp_path / "y.log")]


def test_a_folder_that_leads_into_itself_is_searched_once(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "a.log").write_bytes(ASK)
    assert len(list(Reader([str(tmp_path)]))) == 2


def test_an_empty_file_is_a_file_with_nothing_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").touch()
    reader = Reader([str(tmp_path / "a.jsonl")])
    assert (list(reader), reader.files, reader.lines, reader.problems) == ([], 1, 0, [])


def test_a_line_of_fifty_megabytes_is_a_line() -> None:
    line = b'{"contents":[{"role":"' + b"x" * (50 << 20) + b'"}]}\n'
    records = list(Reader(["-"], stdin=io.BytesIO(line + ASK)))
    assert [record.origin.line for record in records] == [1, 1, 2, 2]


@pytest.mark.parametrize("input_format", FORMATS)
def test_every_format_reads_a_file(input_format: str) -> None:
    reader = Reader(["-"], input_format=input_format, stdin=io.BytesIO(b"1\n"))
    assert told(reader) == ["1- skipped a number"]
