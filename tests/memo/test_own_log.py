"""Exchanges in our own log take several lines. Whatever became of these, what is found is what it would be."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from bench.logs import lines
from tests.memo.agree import agree
from wirecheck.rules import Ruleset, load

CHANNEL = re.compile(rb'"channel": ?"([^"]*)"')
Lines = list[bytes]
Break = Callable[[Random, Lines], Lines]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def lost(rng: Random, log: Lines) -> Lines:
    return [line for line in log if rng.random() > 0.02]


def twice(rng: Random, log: Lines) -> Lines:
    return [line for line in log for _ in range(1 + (rng.random() < 0.02))]


def swapped(rng: Random, log: Lines) -> Lines:
    log = [*log]
    for n in range(len(log) - 1):
        if rng.random() < 0.03:
            log[n : n + 2] = log[n + 1], log[n]
    return log


def of_another(rng: Random, log: Lines) -> Lines:
    """Some lines name another channel: one that is there, one that is not, or none."""
    others = [*{found[0] for line in log for found in CHANNEL.finditer(line)}, b'"channel":""', rb'"channel":"\u0031"']
    return [CHANNEL.sub(lambda _: rng.choice(others), line, 1) if rng.random() < 0.02 else line for line in log]


def spelt(rng: Random, log: Lines) -> Lines:
    """A channel by the same name, whose first character is written in another way."""
    return [CHANNEL.sub(lambda found: _escaped(found[1]), line, 1) if rng.random() < 0.3 else line for line in log]


def _escaped(name: bytes) -> bytes:
    return b'"channel":"' + b"".join(rb"\u%04x" % char for char in name[:1]) + name[1:] + b'"'


def side_by_side(rng: Random, log: Lines) -> Lines:
    """Two exchanges go on at a time, here and there."""
    some, result = [*_exchanges(log)], Lines()
    while some:
        one, two = some.pop(0), some.pop(0) if some and rng.random() < 0.2 else []
        while one or two:
            result.append((one if one and (not two or rng.random() < 0.5) else two).pop(0))
    return result


def _exchanges(log: Lines) -> Iterator[Lines]:
    some = Lines()
    for line in log:
        some.append(line)
        if b'"kind":"closed"' in line[:40]:
            yield some
            some = []
    yield some


def written(rng: Random, log: Lines) -> Lines:
    """As another program writes them, in other orders and with other spaces and escapes."""
    return [_rewritten(rng, line) if rng.random() < 0.2 else line for line in log]


def _rewritten(rng: Random, line: bytes) -> bytes:
    items = [*json.loads(line).items()]
    if rng.random() < 0.5:
        items[2:] = rng.sample(items[2:], len(items) - 2)
    separators = rng.choice(((",", ":"), (", ", ": ")))
    return json.dumps(dict(items), separators=separators, ensure_ascii=rng.random() < 0.5).encode() + b"\n"


def among_others(rng: Random, log: Lines) -> Lines:
    """Exchanges in lines of their own stand between them."""
    others = lines("small", 0.001, seed=rng.randrange(99))
    return [line for each in log for line in ([each] if rng.random() > 0.05 else [next(others), each])]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["small.records", "10.records", "long.records"])
@pytest.mark.parametrize("change", [lost, twice, swapped, of_another, spelt, side_by_side, written, among_others])
def test_the_same_is_found(rules: Ruleset, tmp_path: Path, name: str, seed: int, change: Break) -> None:
    rng, path = Random(seed), tmp_path / "log.jsonl"
    log = [*islice(lines(name, 0.003, seed=seed, mistakes=seed), 200 if name == "long.records" else 300)]
    path.write_bytes(b"".join(log[:100] + change(rng, log[100:])))
    agree(rules, path)
