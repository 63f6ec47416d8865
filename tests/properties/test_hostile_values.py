"""Any JSON in any place of a log: it is judged or passed over, and nothing falls over it.

The logs are those of the fixtures, of every protocol; a list or an object stands where a table is asked by a text.
"""

import copy
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck import CannotCheck, lint

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
LOGS = (
    "weather-sound",
    "calendar-stream-sound",
    "library-vertex-sound",
    "code-search-sound",
    "restaurant-firebase-sound",
    "hives-interactions-stateless-sound",
    "tides-interactions-sound",
    "moon-openai-compat-sound",
    "mugs-openai-compat-stream-sound",
    "kitchen-live-nonblocking-sound",
    "lights-live-sound",
)
HOSTILE: tuple[Any, ...] = ([], {}, 5, None, True, "", 1.5, [[]], [{}], [None], {"type": []}, {"role": {}})
Place = tuple[str | int, ...]


@lru_cache(maxsize=len(LOGS))
def lines(name: str) -> list[Any]:
    return [msgspec.json.decode(line) for line in (FIXTURES / name / "log.jsonl").read_bytes().splitlines()]


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    if at:
        yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*at, key))


def put(value: Any, place: Place, hostile: Any) -> Any:
    made = copy.deepcopy(value)
    at = made
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = hostile
    return made


def judge(log: Path, said: list[Any]) -> None:
    log.write_bytes(b"\n".join(map(msgspec.json.encode, said)))
    try:
        lint(str(log))
    except CannotCheck:  # what is left is no traffic: it says so
        assert len(said) == 1


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile") / "log.jsonl"


@given(st.data())
@pytest.mark.parametrize("name", LOGS)
def test_a_value_of_any_kind_may_stand_anywhere(log: Path, name: str, data: st.DataObject) -> None:
    said = lines(name)
    judge(log, put(said, data.draw(st.sampled_from(list(places(said)))), data.draw(st.sampled_from(HOSTILE))))


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("name", ["hives-interactions-stateless-sound", "tides-interactions-sound"])
def test_the_kind_of_a_step_may_be_of_any_kind(log: Path, name: str, hostile: Any) -> None:
    said = lines(name)
    for place in [each for each in places(said) if each[-1] == "type"]:
        judge(log, put(said, place, hostile))
