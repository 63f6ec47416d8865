"""The same files without secrets: by the same names, whole or not at all, and what was cut is told."""

import gzip
import json
import os
import re
import stat
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.logs import BAD, GOOD, Desk
from tests.redacting.planting import CORE, FORMS, exchange, har, left, yaml

KEY, OTHER = FORMS["Google API key"], FORMS["Anthropic"]
SECRET = json.dumps({"contents": [{"parts": [{"text": f"use {KEY}"}]}]})


def test_files_have_the_same_names_and_what_was_cut_is_told(desk: Desk) -> None:
    folder = Path("logs/deeper")
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(exchange(headers={"cookie": "sid=s3cr3t-of-mine"}, sent=f"{KEY} {OTHER}"))
    Path("logs/b.har").write_bytes(har(sent=f"Bearer {CORE}"))
    Path("logs/c.yaml").write_bytes(yaml(KEY))
    Path("logs/none.txt").write_text(KEY)
    desk.write("d.jsonl", GOOD)
    result = desk.run("redact", "logs", "d.jsonl", "-o", "out")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "out/b.har: 1 bearer token",
        "out/c.yaml: 1 API key",
        "out/deeper/a.jsonl: 2 API keys, 1 cookie",
        "out/d.jsonl: no secret found",
        "4 files written to out: 3 API keys, 1 bearer token, 1 cookie",
    ]
    assert Path("out/d.jsonl").read_bytes() == Path("d.jsonl").read_bytes()
    for path in Path("out").rglob("*.*"):
        assert not left(path.read_bytes(), CORE)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_findings_stay(desk: Desk) -> None:
    headers = json.dumps({"x-goog-api-key": CORE})
    planted = BAD.replace("hi", f"hi {KEY}").replace('"method"', f'"headers": {headers}, "method"')
    desk.write("log.jsonl", planted)
    desk.run("redact", "log.jsonl", "-o", "out")
    told = [desk.run("lint", path).stdout for path in ("log.jsonl", "out/log.jsonl")]
    assert told[1].replace("out/", "") == told[0]
    assert KEY not in Path("out/log.jsonl").read_text()


def test_nothing_is_written_over(desk: Desk) -> None:
    desk.write("a.jsonl", SECRET)
    assert desk.run("redact", "a.jsonl", "-o", "out").exit_code == 0
    for target in ("out", "."):
        before = Path("a.jsonl").read_bytes(), Path("out/a.jsonl").read_bytes()
        result = desk.run("redact", "a.jsonl", "-o", target)
        assert result.exit_code == 2
        assert "is there already, and is not written over; name another directory" in result.stderr
        assert (Path("a.jsonl").read_bytes(), Path("out/a.jsonl").read_bytes()) == before


def test_no_link_leads_it_to_an_input(desk: Desk) -> None:
    desk.write("a.jsonl", SECRET)
    Path("out").mkdir()
    Path("out/a.jsonl").symlink_to("../a.jsonl")
    assert desk.run("redact", "a.jsonl", "-o", "out").exit_code == 2
    assert KEY in Path("a.jsonl").read_text()


def test_what_was_written_into_a_searched_folder_is_no_input(desk: Desk) -> None:
    desk.write("a.jsonl", SECRET)
    assert desk.run("redact", ".", "-o", "out").exit_code == 0
    desk.write("b.jsonl", SECRET)
    Path("out/a.jsonl").unlink()
    assert desk.run("redact", ".", "-o", "out").exit_code == 0
    assert sorted(path.name for path in Path("out").rglob("*.*")) == ["a.jsonl", "b.jsonl"]


def test_two_files_of_one_name_are_refused(desk: Desk) -> None:
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "x.jsonl").write_text(SECRET)
    result = desk.run("redact", "a", "b/x.jsonl", "-o", "out")
    assert result.exit_code == 2
    assert "b/x.jsonl and a/x.jsonl would both be out/x.jsonl" in result.stderr
    assert not Path("out").exists()


UNREADABLE = {
    "missing.jsonl": None,
    "picture.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)),
    "broken.yaml": f"a: [{KEY}\nb: 1".encode(),
    "other.log": f"{KEY}".encode("utf-16"),
    "cut.jsonl.gz": gzip.compress(SECRET.encode() * 99)[:-20],
    "broken.jsonl.gz": gzip.compress(SECRET.encode() * 99)[:40] + b"x" * 60,
    "sessions.db": b"SQLite format 3\0" + b"\xff" * 200,
    "flows.mitm": b"3000:4:type;",
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_redacted_is_told_and_not_written(desk: Desk, name: str) -> None:
    if (data := UNREADABLE[name]) is not None:
        Path(name).write_bytes(data)
    desk.write("a.jsonl", SECRET)
    result = desk.run("redact", name, "a.jsonl", "-o", "out")
    assert result.exit_code == 2
    assert f"wirecheck: {name}: not redacted, and not written: " in result.stderr
    assert "Traceback" not in result.output
    assert KEY not in result.output
    assert os.listdir("out") == ["a.jsonl"]
    assert "1 file written to out: 1 API key" in result.stdout


def test_equal_secrets_are_marked_alike_in_a_run_and_otherwise_in_the_next(desk: Desk) -> None:
    desk.write("a.jsonl", SECRET, json.dumps({"headers": {"Authorization": f"Bearer {KEY}"}, "text": OTHER}))
    Path("b.yaml").write_bytes(yaml(KEY))
    marks = set()
    for n in range(3):
        assert desk.run("redact", "a.jsonl", "b.yaml", "-o", f"out{n}", "--hash").exit_code == 0
        found = re.findall(r"\[redacted:[0-9a-f]{6}\]", Path(f"out{n}/a.jsonl").read_text())
        assert len(found) == 3
        assert found[0] == found[1] != found[2]
        assert found[0] in Path(f"out{n}/b.yaml").read_text()
        marks.add(found[0])
        assert desk.run("redact", f"out{n}", "-o", f"again{n}", "--hash").exit_code == 0
        assert Path(f"again{n}/a.jsonl").read_bytes() == Path(f"out{n}/a.jsonl").read_bytes()
    assert len(marks) == 3


@pytest.mark.parametrize("target", ["-", "out"])
def test_a_pipe_that_has_a_name(desk: Desk, target: str) -> None:
    """As `<(my-app --dump)` of a shell."""
    os.mkfifo("dump")
    writer = Thread(target=Path("dump").write_text, args=[f"{SECRET}\n"])
    writer.start()
    result = desk.run("redact", "dump", "-o", target)
    writer.join()
    assert result.exit_code == 0
    written = result.stdout if target == "-" else Path("out/dump").read_text()
    assert "[redacted]" in written
    assert KEY not in written


def test_standard_input_and_output(desk: Desk) -> None:
    result = desk.run("redact", "-", "-o", "-", stdin=f"{SECRET}\n")
    assert result.exit_code == 0
    assert result.stdout == f"{SECRET}\n".replace(KEY, "[redacted]")
    assert result.stderr == "1 file written to standard output: 1 API key\n"
    Path("bad.yaml").write_text(f"a: [{KEY}")
    result = desk.run("redact", "bad.yaml", "-o", "-")
    assert result.exit_code == 2
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Say what to redact"),
        (["a.jsonl"], "Say where to: -o DIR"),
        (["-", "-o", "out"], "standard input has no name"),
        (["a.jsonl", "b.jsonl", "-o", "-"], "-o - takes one file"),
        ([".", "-o", "-"], "-o - takes one file"),
        (["a.jsonl", "-o", "a.jsonl"], "cannot be made"),
        (["empty", "-o", "out"], "empty: it is empty"),
    ],
)
def test_what_is_asked_wrongly_is_told(desk: Desk, arguments: list[str], said: str) -> None:
    desk.write("a.jsonl", SECRET)
    Path("empty").mkdir()
    result = desk.run("redact", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
