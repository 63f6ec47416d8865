"""What real programs record is read: sound it is sound, and what is broken is found in it."""

import json
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.clients.made import command
from tests.sources.traffic import (
    BROKEN,
    MISCOUNT,
    SOUND,
    STREAMED,
    STREAMED_BROKEN,
    Spoken,
    judged,
)
from tests.standin import Standin
from wirecheck.sources.formats.recognition import recognise


class Recorder(NamedTuple):
    """One that records, what it is asked besides, how its files are recognised, and where a request stands in them."""

    client: str
    arguments: tuple[str, ...]
    known: str
    at: str

    def __str__(self) -> str:
        return "-".join((self.client, *self.arguments))


RECORDERS = [
    Recorder("vcrpy", ("yaml",), "vcr-yaml", "/interactions/1/request/body"),
    Recorder("vcrpy", ("json",), "vcr-json", "/interactions/1/request/body"),
    Recorder("nock", (), "nock", "/1/body"),
    Recorder("polly", (), "har", "/log/entries/1/request/postData/text"),
]


def recorded(recorder: Recorder, server: Standin, file: Path, spoken: list[Spoken], wish: str = "") -> Path:
    asked: list[tuple[str, Any]] = [(each.path, _wishing(each.asked, wish)) for each in spoken]
    arguments = [*command(recorder.client), server.url, str(file), *recorder.arguments]
    run = subprocess.run(arguments, input=json.dumps(asked), capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return file


def _wishing(asked: dict[str, Any], wish: str) -> dict[str, Any]:
    """The same with what the stand-in is asked to do."""
    first, *rest = asked["contents"]
    text = first["parts"][0]["text"] + wish
    return {**asked, "contents": [{**first, "parts": [{"text": text}]}, *rest]}


def marked(recorder: Recorder) -> Any:
    return pytest.param(recorder, marks=pytest.mark.xdist_group(recorder.client), id=str(recorder))


@pytest.mark.clients
@pytest.mark.parametrize("recorder", [marked(each) for each in RECORDERS])
@pytest.mark.parametrize("spoken", [SOUND, STREAMED], ids=["whole", "streamed"])
@pytest.mark.parametrize("wish", ["", " [[encoding=gzip]]"], ids=["plain", "packed"])
def test_a_sound_conversation_is_read_and_nothing_is_found(
    recorder: Recorder, spoken: list[Spoken], wish: str, tmp_path: Path
) -> None:
    if (recorder.arguments, wish) == (("json",), " [[encoding=gzip]]"):
        pytest.skip("vcrpy writes no bytes as JSON")
    with Standin() as server:
        file = recorded(recorder, server, tmp_path / "recorded", spoken, wish)
    known = recognise(file.read_bytes())
    assert known is not None
    assert known.name == recorder.known
    found = judged(file)
    assert (found.places, found.skipped, found.problems, found.checked.exchanges) == ([], [], [], 2)


@pytest.mark.clients
@pytest.mark.parametrize("recorder", [marked(each) for each in RECORDERS])
@pytest.mark.parametrize("spoken", [BROKEN, STREAMED_BROKEN], ids=["whole", "streamed"])
def test_a_miscounted_response_is_found_where_it_stands(
    recorder: Recorder, spoken: list[Spoken], tmp_path: Path
) -> None:
    with Standin() as server:
        found = judged(recorded(recorder, server, tmp_path / "recorded", spoken))
    assert MISCOUNT in {each.rule for each in found.findings}
    assert all(each.place.pointer.startswith(recorder.at) for each in found.findings)
    assert {each.server.status for each in found.findings} == {400}
