"""Lines of JSON with something before it, as loggers and containers write them."""

import io
import json
from pathlib import Path

import pytest

from tests.sources.telling import told
from tests.sources.traffic import BROKEN, HOST, MISCOUNT, judged
from tests.work import work
from wirecheck.sources import Reader
from wirecheck.sources.files.line_prefix import LONGEST, is_text, json_begin

ASK = '{"contents":[]}'
PREFIXES = {
    "a time and a level": "2026-11-20 12:00:01,123 INFO ",
    "a level and a name": "[INFO] app.client: ",
    "a time in brackets": "[2026-11-20T12:00:01Z] ",
    "python's basicConfig": "INFO:root:",
    "kubernetes": "2026-11-20T12:00:01.123456789Z stdout F ",
    "docker compose": "web_1  | ",
    "systemd": "Nov 20 12:00:01 host app[812]: ",
    "ruby": "I, [2026-11-20T12:00:01.123456 #812]  INFO -- : ",
    "a name and a sign": "request=",
    "an arrow": "--> ",
    "colours": "\x1b[32mINFO\x1b[0m ",
}
NONE = {
    "a member": '"request": {"contents": []}',
    "an open list": '[1, {"contents": []}]',
    "an open object": '{a: {"contents": []}}',
    "a word that goes on": 'x{"contents": []}',
    "no JSON": "12:00 started {}",
    "too long a text": "x" * LONGEST + ' {"contents": []}',
    "nothing before it": ASK,
}


@pytest.mark.parametrize("prefix", PREFIXES.values(), ids=PREFIXES)
@pytest.mark.parametrize("value", [ASK, '[{"role":"user","parts":[]}]'])
def test_a_prefix_is_cut(prefix: str, value: str) -> None:
    assert json_begin((prefix + value).encode()) == len(prefix.encode())


@pytest.mark.parametrize("line", NONE.values(), ids=NONE)
def test_what_is_no_prefix_stays(line: str) -> None:
    assert json_begin(line.encode()) == 0


def log(prefix: str) -> bytes:
    lines = []
    for one in BROKEN:
        request = {"method": "POST", "url": f"{HOST}{one.path}", "body": one.asked}
        response = {"status": one.status, "body": one.said[0]}
        lines.append(prefix + json.dumps({"request": request, "response": response}))
    return "\n".join([f"{prefix}started" if prefix else "", *lines, f"{prefix}done" if prefix else ""]).encode()


@pytest.mark.parametrize("memo", [True, False])
@pytest.mark.parametrize("prefix", PREFIXES.values(), ids=PREFIXES)
def test_places_are_those_of_the_line_and_of_its_json(prefix: str, memo: bool) -> None:
    plain, prefixed = judged(None, log(""), memo), judged(None, log(prefix), memo)
    assert [each.rule for each in plain.findings] == [MISCOUNT]
    assert prefixed.places == plain.places
    assert prefixed.skipped == ["a line of text"]
    assert (prefixed.checked.exchanges, prefixed.problems) == (2, [])


FIXTURES = Path(__file__).parents[3] / "fixtures"


@pytest.mark.parametrize(
    "name", ["recited-twenty-times", "lights-live-sound", "live-cancelled-and-unanswered", "ids-dropped"]
)
@pytest.mark.parametrize("memo", [True, False])
def test_the_same_is_found_in_a_log_with_and_without_prefixes(name: str, memo: bool) -> None:
    lines = (FIXTURES / name / "log.jsonl").read_bytes().splitlines(keepends=True)
    plain, prefixed = judged(None, b"".join(lines), memo), judged(None, b"web_1  | " + b"web_1  | ".join(lines), memo)
    assert (prefixed.places, prefixed.infos) == (plain.places, plain.infos)
    assert (prefixed.checked, prefixed.problems) == (plain.checked, [])


def read(*lines: str) -> tuple[list[str], int]:
    reader = Reader(["-"], stdin=io.BytesIO("\n".join(lines).encode()))
    records = told(reader)
    return records, sum(notes.prefixed for notes in reader.notes)


def test_text_among_prefixed_lines_is_counted_and_no_finding() -> None:
    records, prefixed = read("12:00 INFO starting", f"12:01 INFO {ASK}", "12:02 WARN slow", "  at x.py:7")
    assert [line for line in records if "text" in line] == [f"{n}- skipped a line of text" for n in (1, 3, 4)]
    assert prefixed == 1


def test_traffic_that_is_no_json_after_a_prefix_is_a_finding() -> None:
    broken = ['12:02 INFO {"contents": [', '12:02 INFO {"contents": [],}']
    records, prefixed = read(f"12:01 INFO {ASK}", *broken, f"12:03 INFO {ASK}")
    assert [line for line in records if "unreadable" in line] == [
        "2- unreadable not JSON: it breaks off",
        "3- unreadable not JSON: trailing comma in object (byte 16)",
    ]
    assert prefixed == 2


@pytest.mark.parametrize("text", ['sent {"n": 1} to all', 'got {"a": <Object>}', 'took {"ms": 3', "called with {}"])
def test_text_may_have_braces_in_it(text: str) -> None:
    assert [line for line in read(f"12:01 INFO {ASK}", f"12:02 INFO {text}")[0] if "unreadable" in line] == []


def test_text_among_lines_without_a_prefix_is_a_finding() -> None:
    assert "2- unreadable not JSON: invalid character (byte 0)" in read(ASK, "started", ASK)[0]


@pytest.mark.parametrize("line", [b" " * 5000 + b"{", b"[" * 9000, b"-" * 9000, b'{ "' * 5000, b": { " * 5000])
def test_looking_for_a_prefix_takes_no_longer_for_hostile_lines(line: bytes) -> None:
    assert work(lambda: json_begin(line)) < 2000
    assert work(lambda: is_text(line)) < 4000
