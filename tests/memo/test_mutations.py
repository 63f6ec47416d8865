"""Logs in which bytes, values and lines are gone, doubled, swapped or something else."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.memo.agree import agree
from wirecheck.rules import Ruleset, load

FIXTURES = sorted((Path(__file__).parent.parent.parent / "fixtures").glob("*/log.jsonl"))
VALUES: tuple[Any, ...] = (None, "", "x", 0, 1.5, True, [], {}, [None], {"text": "x"}, "user", "model")
WORD = re.compile(rb'"[A-Za-z_]+"')
Lines = list[bytes]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def flipped(rng: Random, line: bytes) -> bytes:
    at = rng.randrange(max(1, len(line)))
    return line[:at] + bytes([rng.choice(b'"{}[],:\\ \xff0a')]) + line[at + rng.choice((0, 1)) :]


def cut_off(rng: Random, line: bytes) -> bytes:
    return line[: rng.randrange(max(1, len(line)))]


def another_word(rng: Random, line: bytes) -> bytes:
    """One key or word stands for another."""
    words = WORD.findall(line)
    if not words:
        return line
    at = rng.choice([found.start() for found in WORD.finditer(line)])
    return line[:at] + WORD.sub(lambda found: rng.choice(words), line[at:], 1)


def another_value(rng: Random, line: bytes) -> bytes:
    try:
        value = json.loads(line)
    except ValueError:
        return line
    places = [*walk(value)]
    if not places:
        return line
    holder, key = rng.choice(places)
    if rng.random() < 0.3:
        del holder[key]
    else:
        holder[key] = rng.choice((*VALUES, rng.choice(places)[0]))
    try:
        return json.dumps(value).encode()
    except ValueError:  # it holds itself
        return line


def walk(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found += [(value, key), *walk(each)]
    return found


CHANGES: list[Callable[[Random, bytes], bytes]] = [flipped, cut_off, another_word, another_value, another_value]


def mutated(rng: Random, log: Lines) -> Lines:
    """The whole log, and after it the same with some lines otherwise, lost, again or in another place."""
    changed = [rng.choice(CHANGES)(rng, line) if rng.random() < 0.3 else line for line in log]
    changed = [line for line in changed for _ in range(rng.choices((1, 0, 2), (18, 1, 1))[0])]
    if rng.random() < 0.3:
        rng.shuffle(changed)
    return log + changed


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.parent.name)
def test_the_same_is_found_in_what_became_of_a_log(rules: Ruleset, tmp_path: Path, path: Path, seed: int) -> None:
    rng, log = Random(f"{seed} {path.parent.name}"), path.read_bytes().splitlines()[:40]
    broken = tmp_path / "log.jsonl"
    broken.write_bytes(b"\n".join(mutated(rng, log)))
    agree(rules, broken, counted=(), predict=seed % 3 == 0)
