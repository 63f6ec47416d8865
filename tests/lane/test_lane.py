"""The quick lane finds what the long way finds: on sound logs, on broken ones, and where histories change."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.logs import lines
from wirecheck.finding import Finding, Severity
from wirecheck.inspector import Inspector
from wirecheck.library import repeated
from wirecheck.rules import Ruleset, load
from wirecheck.sources import Reader

Line = dict[str, Any]
MILD: tuple[Severity, ...] = ("info",)


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def told(rules: Ruleset, path: Path, *, quick: bool) -> tuple[list[Finding], object, object, int]:
    inspector = Inspector(rules, recognise=quick, pictures=False, counted=MILD)
    quickly = 0

    def heard(line: bytes, origin: Any) -> bool:
        nonlocal quickly
        nothing_new = inspector.heard(line, origin)
        quickly += nothing_new
        return nothing_new

    reader = Reader([str(path)], heard=heard)
    findings = [finding for record in reader for finding in inspector.feed(record)]
    return repeated(inspector, findings), inspector.counted, inspector.checked, quickly


def agree(rules: Ruleset, path: Path) -> int:
    findings, counted, checked, quickly = told(rules, path, quick=True)
    plain, plainly_counted, plainly_checked, _ = told(rules, path, quick=False)
    assert findings == plain
    assert counted == plainly_counted
    assert checked == plainly_checked
    return quickly


@pytest.mark.parametrize("name", ["small", "long", "window", "strings"])
@pytest.mark.parametrize("mistakes", [0, 3])
def test_quick_and_plain_agree_on_logs_of_every_kind(rules: Ruleset, tmp_path: Path, name: str, mistakes: int) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(line for line, _ in zip(lines(name, 0.001, mistakes=mistakes), range(600), strict=False)))
    agree(rules, path)


# What clients and loggers do to a history on the way, and what goes wrong with one.
CHANGES: dict[str, Callable[[Random, list[Any]], object]] = {
    "a content is gone": lambda rng, contents: contents.pop(rng.randrange(len(contents))),
    "the oldest are gone": lambda rng, contents: contents.__delitem__(slice(0, rng.randrange(len(contents)))),
    "the newest are gone": lambda rng, contents: contents.__delitem__(slice(rng.randrange(1, len(contents) + 1), None)),
    "a content stands twice": lambda rng, contents: contents.insert(0, contents[rng.randrange(len(contents))]),
    "another role": lambda rng, contents: rng.choice(contents).update(role=rng.choice(("user", "model", "tool", ""))),
    "a part is gone": lambda rng, contents: rng.choice(contents)["parts"].pop(),
    "one part more": lambda rng, contents: rng.choice(contents)["parts"].append({"text": "And this."}),
    "another text": lambda rng, contents: rng.choice(contents)["parts"].insert(0, {"text": f"Edit {rng.random()}"}),
    "an unknown key": lambda rng, contents: rng.choice(contents).update(name="x"),
    "order": lambda rng, contents: rng.shuffle(contents),
    "ids": lambda rng, contents: [
        half.update(id=f"id{rng.randrange(4)}")
        for content in contents
        for part in content["parts"]
        for half in part.values()
        if type(half) is dict and "name" in half
    ],
}


def changed(rng: Random, line: Line) -> Line:
    contents = line["request"]["body"]["contents"]
    for _ in range(rng.randint(1, 2)):
        if contents and contents[0].get("parts"):
            try:
                CHANGES[rng.choice(sorted(CHANGES))](rng, contents)
            except IndexError:
                continue
    return line


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["small", "10", "long"])
def test_quick_and_plain_agree_however_histories_are_changed(
    rules: Ruleset, tmp_path: Path, name: str, seed: int
) -> None:
    rng, path = Random(seed), tmp_path / "log.jsonl"
    log = [line for line, _ in zip(lines(name, 0.0005, seed=seed % 4), range(150), strict=False)]
    with path.open("wb") as out:
        for line in log:
            for _ in range(rng.choice((1, 1, 1, 1, 2))):  # now and then a request is sent again
                out.write(line)
            if rng.random() < 0.3:
                out.write(json.dumps(changed(rng, json.loads(line)), ensure_ascii=rng.random() < 0.5).encode() + b"\n")
    agree(rules, path)
