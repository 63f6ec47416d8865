"""A file and the same without its secrets have the same findings, in the same places; twice is no more than once."""

import re
from pathlib import Path
from typing import Any

import pytest

import wirecheck
from tests.fuzz import seeds
from tests.redacting.planting import CORE, left
from tests.sources.formats.test_recognition import SAMPLES
from wirecheck.redacting.redacted_file import redacted
from wirecheck.secrets.counted_marks import SecretMarks

FIXTURES = {
    path.parent.name: path.read_bytes() for path in sorted((Path(__file__).parents[2] / "fixtures").glob("*/log.jsonl"))
}
FILES = {**SAMPLES, **FIXTURES}
KEY = f"AIza{CORE}"
# Where a secret may be planted, and what is written there.
PLANTED = (
    (rb'(\\?"text\\?": ?\\?")', rb"\1see %b, " % KEY.encode()),
    (rb'("url": ?"[^"?]+)"', rb'\1?key=%b"' % KEY.encode()),
    (rb'("headers": ?\{)(?=\s*")', rb'\1"x-goog-api-key": "%b", ' % KEY.encode()),
)


def findings(path: Path) -> list[Any]:
    return [(each.rule, each.severity, each.place.line, each.place.pointer) for each in wirecheck.lint([str(path)])]


def compared(data: bytes, folder: Path, key: bytes = b"") -> bytes:
    """What is written of a file: it has the same findings, and is not changed any more."""
    before, after = folder / "before", folder / "after"
    before.write_bytes(data)
    for source, target in ((before, after), (after, folder / "again")):
        with open(source, "rb") as stream:
            target.write_bytes(b"".join(redacted(stream, str(source), SecretMarks(key))))
    made = after.read_bytes()
    assert made == (folder / "again").read_bytes()
    assert found_in(before) == found_in(after)
    return made


def found_in(path: Path) -> Any:
    try:
        return findings(path)
    except wirecheck.CannotCheck as error:
        return str(error).replace(str(path), "")


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_the_same_findings(tmp_path: Path, name: str) -> None:
    compared(FILES[name], tmp_path)
    compared(FILES[name], tmp_path, b"k")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(("place", "planted"), PLANTED, ids=["text", "url", "headers"])
def test_a_file_with_secrets_has_the_same_findings(tmp_path: Path, name: str, place: bytes, planted: bytes) -> None:
    data, many = re.subn(place, planted, FILES[name])
    if not many or b"mitmproxy" in name.encode() or "websocket" in name:
        return  # lengths would be wrong
    for key in (b"", b"k"):
        assert not left(compared(data, tmp_path, key), KEY)


def test_examples_of_rules_have_the_same_findings(tmp_path: Path) -> None:
    for data in list(seeds.examples())[::4]:
        compared(data, tmp_path)
