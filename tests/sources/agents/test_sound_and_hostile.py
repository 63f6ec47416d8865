"""Every format: a sound file is known for what it is, and sound; a spoiled one is never worse than a message."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import RULES, findings, judged
from tests.sources.agents.samples import SOUND as KEPT
from tests.sources.agents.samples import Sample, lines, telemetry
from tests.sources.telemetry.samples import SOUND as TRACED
from wirecheck import Inspector, Reader
from wirecheck.sources.formats.recognition import recognise

SOUND = KEPT | TRACED
LISTS = "[" * 450 + '"x"' + "]" * 450
OTHERS = ("null", '"x"', "[[1]]", '{"a":{"b":[]}}', "1e999", "9" * 40, "true", LISTS)
DEEP = '{"a":' * 3000 + "1" + "}" * 3000


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_file_is_recognised_and_sound(name: str, tmp_path: Path) -> None:
    sample = SOUND[name]
    known = recognise(sample.text.encode())
    assert known is not None
    assert known.name == name.partition(" ")[0]
    path = tmp_path / sample.name
    path.write_text(sample.text)
    found, reader, inspector = findings(path)
    assert [each for each in found if each.severity != "info"] == []
    assert reader.problems == []
    assert inspector.checked.conversations > 0
    assert [each.rule for each in found] == [each.rule for each in findings(path, memo=False)[0]]


@pytest.mark.parametrize("name", SOUND)
def test_it_is_recognised_however_it_is_written(name: str) -> None:
    values = SOUND[name].values
    for written in (lines(*values), telemetry(*values), "\n  " + lines(*values)):
        known = recognise(written.encode())
        assert known is not None
        assert known.name == name.partition(" ")[0]


def spoiled(value: Any, other: str) -> Iterator[str]:
    """The JSON of a value with something else in each place of it."""
    yield other
    if isinstance(value, dict):
        for key in value:
            for inner in spoiled(value[key], other):
                rest = [f"{json.dumps(k)}:{inner if k == key else json.dumps(value[k])}" for k in value]
                yield f"{{{','.join(rest)}}}"
            yield json.dumps({k: value[k] for k in value if k != key})
    elif isinstance(value, list):
        for n, item in enumerate(value):
            for inner in spoiled(item, other):
                yield f"[{','.join(inner if m == n else json.dumps(each) for m, each in enumerate(value))}]"


def written(sample: Sample, n: int, inner: str) -> str:
    values = [inner if m == n else json.dumps(value) for m, value in enumerate(sample.values)]
    return "\n".join(values) + "\n"


@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize("other", OTHERS, ids=[other[:12] for other in OTHERS])
def test_whatever_stands_in_whichever_place_it_is_read(name: str, other: str, tmp_path: Path) -> None:
    """With the reader of the format, also where what makes it known is gone. In each place stands one value of four."""
    path, turn = tmp_path / "spoiled", OTHERS.index(other)
    for n, value in enumerate(SOUND[name].values):
        for inner in list(spoiled(value, other))[turn % 4 :: 4]:
            path.write_text(written(SOUND[name], n, inner))
            inspector = Inspector(RULES)
            for record in Reader([str(path)], input_format=name.partition(" ")[0]):
                inspector.feed(record)
            inspector.close()


@pytest.mark.parametrize("name", SOUND)
def test_wherever_it_is_cut_it_is_read(name: str, tmp_path: Path) -> None:
    data = SOUND[name].text.encode()
    chosen = random.Random(name)
    for _ in range(60):
        end = chosen.randrange(len(data))
        judged(tmp_path, SOUND[name].name, data[:end])
        begin = chosen.randrange(len(data))
        judged(tmp_path, SOUND[name].name, data[:begin] + bytes([chosen.randrange(256)]) + data[begin + 3 :])


@pytest.mark.parametrize("name", SOUND)
def test_what_is_nested_deep_is_told_and_the_next_file_is_judged(name: str, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad", tmp_path / "good.jsonl"
    bad.write_text(SOUND[name].text + DEEP + "\n")
    good.write_text('{"contents":[]}\n')
    kinds = [type(record).__name__ for record in Reader([str(bad), str(good)]) if record.origin.path == str(good)]
    assert kinds == ["Opened", "Closed"]
