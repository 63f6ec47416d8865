"""Each file is a world of its own, and each line is read as it is written: what came before it changes nothing."""

import json
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bench.logs import lines
from wirecheck.cli.linting import file_batches
from wirecheck.cli.linting.inspect import inspect
from wirecheck.cli.linting.inspection import Inspection, joined
from wirecheck.rules import Ruleset, load
from wirecheck.sources import read_file
from wirecheck.wire.records import Body, Frames, Record

FIXTURES = sorted((Path(__file__).parent.parent.parent / "fixtures").glob("*/log*.json*"))
MADE = ("small", "10", "window", "mixed", "live.at", "live.sessions", "10.records", "live.records")
ODD = [
    b"",
    b"{}",
    b"[1,",
    b"hello",
    b'{"contents": [',
    b'{"contents": []}',
    b"\xff",
    b'{"candidates": []}',
    b"null",
    b"[]",
]
LINES = 60


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


@cache
def logs() -> list[list[bytes]]:
    """Of every story, and of every kind that the bench makes."""
    stories = [path.read_bytes().splitlines()[:LINES] for path in FIXTURES]
    return stories + [
        [line.rstrip() for line in islice(lines(name, 0.0005, seed, 3), LINES)] for name in MADE for seed in (1, 2)
    ]


def spoiled(dice: Random) -> bytes:
    """Lines of one log or of two, some left out, some said twice, some broken, some put in, some trimmed."""
    some, other = dice.choice(logs()), dice.choice(logs())
    kept = list[bytes]()
    for line in some:
        how = dice.random()
        if how < 0.06:
            kept += [line, line]
        elif how < 0.12:
            kept.append(dice.choice(ODD))
        elif how < 0.18:
            kept += [dice.choice(other), line]
        elif how < 0.22:
            kept.append(line[: dice.randrange(len(line) + 1)])
        elif how < 0.5:
            kept.append(trimmed(line, dice))
        elif how < 0.95:
            kept.append(line)
    return b"\n".join(kept) + dice.choice((b"", b"\n"))


def trimmed(line: bytes, dice: Random) -> bytes:
    """Without its oldest turn, or with one that was not there."""
    try:
        value = json.loads(line)
        contents = value["request"]["body"]["contents"]
        if dice.random() < 0.5:
            del contents[: dice.randrange(len(contents))]
        else:
            contents.insert(
                dice.randrange(len(contents) + 1), {"role": "user", "parts": [{"text": f"{dice.random()}"}]}
            )
    except (ValueError, KeyError, TypeError):
        return line
    return json.dumps(value).encode()


def told(found: Inspection) -> tuple[object, ...]:
    return found.findings, replace(found.checked, rules=0), found.problems, dict(found.counted)


@pytest.mark.parametrize("seed", range(60))
def test_two_files_give_what_each_gives_alone(seed: int, rules: Ruleset, tmp_path: Path) -> None:
    dice = Random(f"two files {seed}")
    paths = [tmp_path / f"{n}.jsonl" for n in range(2)]
    for path in paths:
        path.write_bytes(spoiled(dice))
    alone = [inspect([str(path)], rules) for path in paths]
    for order in ((0, 1), (1, 0)):
        expected = joined([alone[n] for n in order])
        assert told(inspect([str(paths[n]) for n in order], rules)) == told(expected)


@pytest.mark.parametrize("seed", range(6))
def test_any_number_of_processes_gives_the_same(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_batches, "LARGE", 0)
    dice, files = Random(f"processes {seed}"), [str(tmp_path / f"{n}.jsonl") for n in range(7)]
    for file in files:
        Path(file).write_bytes(spoiled(dice))
    one, *others = [inspect(files, load(), jobs=jobs, load=load, pictures=False) for jobs in (1, 2, 3)]
    assert [told(other) for other in others] == [told(one)] * 2


# How a member of a line may be written: as usual, as nothing, in another form, not at all (`...`). What makes a line an
# exchange or a record of our log is there, for bare bodies and frames are joined with others.
URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent"
HEADERS: list[Any] = [{}, {"a": "b"}, None, [], [{"name": "a", "value": "b"}], {"a": 1}, {"a": ["b", "c"]}, "a", ...]
WRAPPED = {"encoding": "u", "string": '{"contents":[]}'}
STREAM = 'data: {"candidates": []}\n\n'
BODIES: list[Any] = [
    {"contents": []},
    '{"contents": []}',
    None,
    "",
    "text",
    {"encoding": "u", "string": '{"contents":[]}'},
]
REPLIES: list[Any] = [
    {"candidates": []},
    'data: {"candidates": []}\n\n',
    [{"candidates": []}],
    None,
    "",
    "text",
    1,
    ...,
]
FORMS: dict[str, list[Any]] = {
    "method": ["POST", "GET", None, 1, ...],
    "url": [URL, "", None, 1],
    "uri": [..., URL],
    "headers": HEADERS,
    "body": [*BODIES, ...],
}
ANSWER: dict[str, list[Any]] = {
    "status": [200, 400, "200", None, 2.5, {"code": 200}, ...],
    "headers": HEADERS,
    "body": REPLIES,
    "more": [..., 1],
}
AROUND: dict[str, list[Any]] = {
    "error": [..., None, {"error": {"code": 400}}, "no"],
    "v": [..., 1],
    "at": [..., 1.5],
    "kind": [..., "x"],
}
RECORD: dict[str, list[Any]] = {
    "v": [1, 2, None],
    "kind": ["frame", "opened", "opened", "opened", "replied", "closed", "other", None],
    "channel": ["1", "2", 1, None],
    "at": [1.5, 1, None, "1", ...],
    "method": ["POST", ..., None, 1],
    "url": [URL, ..., None],
    "headers": HEADERS,
    "body": [*BODIES, ..., ...],
    "status": [200, ..., None, "200"],
    "from": ["server", "client", "me", None, ...],
    "data": [{"candidates": []}, {"setup": {}}, None, "text", ...],
    "text": [..., "text", None, 1],
    "bytes": [..., "AAAA", "?", None],
    "opcode": [..., 2, "2"],
    "code": [..., 1000, None, "x"],
}


def made(draw: st.DrawFn, forms: dict[str, list[Any]]) -> dict[str, Any]:
    """Most often as usual, which is the first of the forms."""
    picked = {key: draw(st.sampled_from([*each[:1] * 4, *each])) for key, each in forms.items()}
    return {key: value for key, value in picked.items() if value is not ...}


@st.composite
def exchanges(draw: st.DrawFn) -> bytes:
    response: Any = draw(st.sampled_from(["whole", "whole", "whole", None, {"candidates": []}, "text", ...]))
    value = {"request": made(draw, FORMS), "response": made(draw, ANSWER) if response == "whole" else response}
    value = {key: each for key, each in value.items() if each is not ...} | made(draw, AROUND)
    return json.dumps(value).encode()


@st.composite
def records(draw: st.DrawFn) -> bytes:
    return json.dumps(made(draw, RECORD), separators=draw(st.sampled_from([(",", ":"), (", ", ": ")]))).encode()


def read(data: bytes) -> Iterator[tuple[object, ...]]:
    for record in read_file(BytesIO(data), "log.jsonl"):
        yield from map(plain, [record.read(n) for n in range(len(record))] if isinstance(record, Frames) else [record])


def plain(record: Record) -> tuple[object, ...]:
    """All of a record, bodies as they were written."""
    values = [getattr(record, name) for name in record.__struct_fields__]
    return type(record), *[(bytes(one.payload), one.site, one.form) if isinstance(one, Body) else one for one in values]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(exchanges(), exchanges(), records(), records()), min_size=2, max_size=8))
def test_a_line_is_read_as_if_it_stood_alone(some: list[bytes]) -> None:
    alone = [each for n, line in enumerate(some) for each in read(b"\n" * n + line + b"\n")]
    assert list(read(b"".join(line + b"\n" for line in some))) == alone
