"""Recordings from public repositories and real programs, where they lie beside the working tree.

None of them is part of this repository.
"""

from collections import Counter
from pathlib import Path

import pytest

from tests.sources.traffic import LOST_ID, MISCOUNT, judged
from wirecheck.sources.formats.recognition import recognise

SHARED = Path(__file__).parents[4] / "shared"
# Folder: the format of its files, and the rules that are broken in them, as far as they are no error.
FOLDERS = {
    "corpus/raw/braintrust-cassette": "braintrust",
    "corpus/raw/go-vcr": "vcr-yaml",
    "corpus/raw/google-test-server": "test-server",
    "corpus/raw/har": "har",
    "corpus/raw/pydantic-ws-yaml": "realtime-yaml",
    "corpus/raw/req_llm-json": "req-llm",
    "corpus/raw/test-server-wslog": "test-server-websocket",
    "corpus/raw/vcr-py": "vcr-yaml",
    "corpus/raw/vcr-pydantic": "vcr-yaml",
    "corpus/raw/wiremock": "wiremock-mapping",
}
BROKEN = {
    "har-mitmproxy/genai-http-ws.har": {MISCOUNT: 2, LOST_ID: 2},
    "mitm/genai-http-ws.mitm": {MISCOUNT: 2, LOST_ID: 2, "live-close-unexplained": 1},
    "nock/recorded.json": {MISCOUNT: 1},
    "polly/gemini_2430684558/recording.har": {MISCOUNT: 1},
    "vcrpy/broken.json": {MISCOUNT: 1},
    "vcrpy/broken.yaml": {MISCOUNT: 1},
    "vcrpy/sound.json": {},
    "vcrpy/sound.yaml": {},
}
there = pytest.mark.skipif(not SHARED.is_dir(), reason="no folder of samples lies beside the working tree")


@there
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_public_recording_is_read_without_a_false_error(folder: str) -> None:
    """An error in them is what the server answered: it has a status of its own."""
    files = sorted((SHARED / folder).iterdir())
    assert files
    for file in files:
        known = recognise(file.read_bytes())
        assert (known and known.name, file.name) == (FOLDERS[folder], file.name)
        found = judged(file)
        assert found.problems == [], file.name
        assert found.checked.exchanges + found.checked.sessions > 0, file.name
        errors = [each for each in found.findings if each.severity == "error" and each.server.verdict != "confirmed"]
        assert errors == [], file.name


@there
@pytest.mark.parametrize("file", BROKEN)
def test_what_is_broken_in_a_sample_is_found(file: str) -> None:
    assert Counter(each.rule for each in judged(SHARED / "samples" / file).findings) == BROKEN[file]
