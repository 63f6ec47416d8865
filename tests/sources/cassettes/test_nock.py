"""Recordings of nock: scope and path are one URL, and packed replies stand in hex."""

import gzip
import json
from typing import Any

import pytest

from tests.sources.traffic import BROKEN, HERE, HOST, MISCOUNT, SOUND, STREAMED, Spoken, judged


def value(spoken: list[Spoken], packed: str = "") -> list[dict[str, Any]]:
    def one(each: Spoken) -> dict[str, Any]:
        reply: Any = each.said[0] if len(each.said) == 1 else each.reply
        headers: Any = {"content-type": "application/json"}
        if packed:
            data = gzip.compress(each.reply.encode())
            reply = [data[n : n + 50].hex() for n in range(0, len(data), 50)] if packed == "pieces" else data.hex()
            headers = ["Content-Type", "application/json", "Content-Encoding", "gzip"]
        asked = {"scope": f"{HOST}:443", "method": "POST", "path": each.path, "body": each.asked}
        return {
            **asked,
            "status": each.status,
            "response": reply,
            "rawHeaders": headers,
            "responseIsBinary": packed == "hex",
        }

    return [one(each) for each in spoken]


def written(spoken: list[Spoken], packed: str = "") -> bytes:
    return json.dumps(value(spoken, packed), indent=2).encode()


SAMPLES = {"nock": written(STREAMED), "nock, packed": written(SOUND, "pieces")}


@pytest.mark.parametrize("packed", ["", "pieces", "hex"])
@pytest.mark.parametrize("spoken", [SOUND, STREAMED], ids=["whole", "streamed"])
def test_a_sound_recording_is_read_and_nothing_is_found(spoken: list[Spoken], packed: str) -> None:
    found = judged("", written(spoken, packed))
    assert (found.places, found.skipped, found.checked.exchanges) == ([], [], 2)
    assert (found.checked.conversations, found.checked.open_calls) == (1, 0)


@pytest.mark.parametrize("packed", ["", "pieces"])
def test_a_miscounted_response_is_found_where_it_stands(packed: str) -> None:
    data = written(BROKEN, packed)
    found = judged("", data)
    line = data[: data.index(b'"scope"', data.index(b'"scope"') + 1)].count(b"\n")
    assert found.places == [f"{line}: {MISCOUNT} /1/body{HERE}"]
    (finding,) = found.findings
    assert (finding.surface, finding.model, finding.server.status) == ("gemini-api", "gemini-2.5-flash", 400)
    assert finding.server.verdict == "confirmed"
