"""Files that are not what they begin like: one clear message, or records that say so, and never an exception."""

import contextlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from tests.sources.captures.test_har import har, spoken_in
from tests.sources.formats.test_recognition import SAMPLES
from tests.sources.traffic import BROKEN, MISCOUNT, judged, wrong_values
from wirecheck.cli.app import program

CUTS = 25


def spoiled(data: bytes) -> Iterator[bytes]:
    """The value with something else in each place, as it was written: JSON or YAML."""
    for load, dump in ((json.loads, json.dumps), (yaml.safe_load, yaml.safe_dump)):
        value: Any = None
        with contextlib.suppress(ValueError, yaml.YAMLError):
            value = load(data)
        if isinstance(value, dict | list):
            yield from (dump(each).encode() for each in wrong_values(value))
            return


def cut(data: bytes, random: Random) -> Iterable[bytes]:
    for _ in range(CUTS):
        yield data[: random.randrange(len(data))]
        at = random.randrange(len(data))
        yield data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]


@pytest.mark.parametrize("name", SAMPLES)
def test_whatever_stands_in_a_place_nothing_is_raised(name: str) -> None:
    for data in spoiled(SAMPLES[name]):
        judged("", data)


@pytest.mark.parametrize("name", SAMPLES)
def test_wherever_a_file_is_cut_or_a_byte_is_wrong_nothing_is_raised(name: str) -> None:
    for data in cut(SAMPLES[name], Random(name)):
        judged("", data)


def test_other_files_are_judged_although_one_is_broken(tmp_path: Path) -> None:
    """The exit code says that not all was checked; the findings of the rest are there."""
    for name, data in SAMPLES.items():
        (tmp_path / f"{len(name)}{name[:3].strip()}.json").write_bytes(data[: len(data) // 2])
    (tmp_path / "sound.har").write_bytes(har(*map(spoken_in, BROKEN)))
    result = CliRunner().invoke(program, ["lint", "--isolated", *map(str, sorted(tmp_path.iterdir()))])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert f"[WC303 {MISCOUNT}]" in result.stdout
