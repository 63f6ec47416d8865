"""Each target holds on what it fell over before, on seeds and on some mutations; each table has its targets."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import seeds
from tests.fuzz.campaign import REGRESSIONS, Campaign, fault, kept
from tests.fuzz.smallest import smallest
from tests.fuzz.targets import PROTOCOLS, TARGETS, Target
from wirecheck.dialects import Dialects
from wirecheck.sources import FORMATS
from wirecheck.sources.file_reader import READERS

SOME = 6  # seeds, and as many mutations
REPLAYED = [(name, path) for name in TARGETS for path in kept(name)]


@pytest.mark.parametrize(("name", "path"), REPLAYED, ids=[f"{name} {path.stem}" for name, path in REPLAYED])
def test_what_it_fell_over_once_it_holds_on(name: str, path: Path) -> None:
    assert fault(TARGETS[name].run, path.read_bytes()) == ""


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_holds_on_seeds_and_mutations_of_them(name: str) -> None:
    target, rng = TARGETS[name], Random(name)
    some = [rng.choice(target.seeds()) for _ in range(SOME)]
    for data in (*some, *(target.mutate(rng, data, some) for data in some)):
        assert fault(target.run, data) == "", data


def test_what_is_kept_belongs_to_a_target() -> None:
    folders = {path.parent.name for path in REGRESSIONS.glob("*/*")}
    assert folders <= set(TARGETS)
    assert len(REPLAYED) == len([*REGRESSIONS.glob("*/*")])


def test_every_reader_and_every_dialect_has_a_target_and_seeds() -> None:
    assert {name.removeprefix("read-") for name in TARGETS if name.startswith("read-")} == set(READERS)
    assert {kind for kinds in FORMATS.values() for kind in kinds} <= set(READERS)
    assert set(PROTOCOLS) == set(Dialects(seeds.builtin().models)._protocols)
    assert [name for name, target in TARGETS.items() if not target.seeds()] == []


def boom(data: bytes) -> None:
    """Falls over two things, one of them a loop without end."""
    while b"for ever" in data:
        pass
    if b'"boom"' in data and b'"deep"' in data:
        raise ValueError("boom")


@pytest.mark.parametrize(
    ("data", "words", "least"),
    [
        (b'{"a": [1, {"boom": "deep", "c": 2}]}\n{"d": 3}\n', "ValueError in test_targets.boom", b'"boom"deep"'),
        (b"12\nthis goes on for ever, for ever\n34", "TookTooLong", b"for ever"),
    ],
)
def test_a_fault_is_kept_once_as_small_as_it_gets(tmp_path: Path, data: bytes, words: str, least: bytes) -> None:
    def run(data: bytes) -> None:
        boom(data)

    campaign = Campaign("mine", Target(run, lambda: [data]), tmp_path)
    for more in (data, data + b"x", b"nothing"):
        campaign.attempt(more, seconds=0.05)
    (path,) = kept("mine", tmp_path)
    assert campaign.faults == {words: path}
    assert path.read_bytes() == least
    assert fault(run, least, seconds=0.05) == words


def test_mutations_are_the_same_for_the_same_number() -> None:
    for name, target in TARGETS.items():
        first, second = (Campaign(name, target).mutated(Random(5)) for _ in range(2))
        assert first == second


@pytest.mark.parametrize("size", [1, 7, 100])
def test_the_smallest_is_what_the_fault_needs(size: int) -> None:
    data = b"\n".join(b'{"n": %d, "more": ["x", "y"]}' % n for n in range(size))
    assert smallest(data, lambda less: b'"y"' in less) == b'"y"'


def fuzz(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *arguments], capture_output=True, text=True, cwd=seeds.ROOT
    )


def test_a_run_says_what_it_did() -> None:
    done = fuzz("baseline", "--seconds", "1", "--simple", "--seed", "3")
    assert done.returncode == 0, done.stdout
    assert "baseline: " in done.stdout
    assert done.stdout.endswith("nothing fell over\n")


def test_a_target_that_is_not_there_is_named() -> None:
    done = fuzz("no-such")
    assert (done.returncode, done.stderr.startswith("no target no-such; there are: read-log, ")) == (2, True)
