"""Cassettes of the Braintrust SDKs: bodies that say of which kind they are, some in files beside the cassette."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.traffic import BROKEN, HERE, HOST, MISCOUNT, SOUND, STREAMED, Spoken, judged


def _body(each: Spoken) -> dict[str, Any]:
    if len(each.said) == 1:
        return {"kind": "json", "value": each.said[0]}
    return {
        "kind": "sse",
        "chunks": [f"data: {json.dumps(said)}" for said in each.said] + ["event: done\ndata: [DONE]"],
    }


def value(spoken: list[Spoken]) -> dict[str, Any]:
    return {
        "entries": [
            {
                "callIndex": n,
                "matchKey": f"POST {each.path}",
                "request": {
                    "body": {"kind": "json", "value": each.asked},
                    "headers": {},
                    "method": "POST",
                    "url": HOST + each.path,
                },
                "response": {"body": _body(each), "headers": {}, "status": each.status, "statusText": "OK"},
            }
            for n, each in enumerate(spoken)
        ],
        "meta": {"createdAt": "2026-07-06T14:01:38.776Z"},
    }


def written(spoken: list[Spoken]) -> bytes:
    return json.dumps(value(spoken), indent=2).encode()


SAMPLES = {"Braintrust": written(STREAMED)}


@pytest.mark.parametrize("spoken", [SOUND, STREAMED], ids=["whole", "streamed"])
def test_a_sound_cassette_is_read_and_nothing_is_found(spoken: list[Spoken]) -> None:
    found = judged("", written(spoken))
    assert (found.places, found.skipped, found.checked.exchanges) == ([], [], 2)
    assert (found.checked.conversations, found.checked.open_calls) == (1, 0)


def test_a_miscounted_response_is_found_where_it_stands() -> None:
    data = written(BROKEN)
    found = judged("", data)
    line = data[: data.index(b'"callIndex": 1')].count(b"\n")
    assert found.places == [f"{line}: {MISCOUNT} /entries/1/request/body/value{HERE}"]
    assert (found.findings[0].surface, found.findings[0].server.verdict) == ("gemini-api", "confirmed")


def _with_file(folder: Path, name: str) -> Path:
    cassette = value(BROKEN)
    cassette["entries"][1]["request"]["body"] = {"kind": "binary", "path": name, "sha256": "00"}
    (folder / "a.cassette.json").write_text(json.dumps(cassette))
    return folder / "a.cassette.json"


def test_a_body_in_a_file_beside_the_cassette_is_read_and_found_there(tmp_path: Path) -> None:
    (tmp_path / "a.cassette.blobs").mkdir()
    body = tmp_path / "a.cassette.blobs" / "00.bin"
    body.write_text(BROKEN[1].request)
    (finding,) = judged(_with_file(tmp_path, "a.cassette.blobs/00.bin")).findings
    assert (finding.rule, finding.place.path, finding.place.line) == (MISCOUNT, str(body), 1)
    assert finding.place.inner is not None
    assert finding.place.inner.pointer == HERE


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.cassette.blobs/gone.bin", "a body in a file of its own that is not there"),
        ("../secret.bin", "a body in a file of its own that is not beside it"),
        ("/etc/hostname", "a body in a file of its own that is not beside it"),
        ("a\0b", "a body in a file of its own that cannot be read"),
        (".", "a body in a file of its own that is not there"),
    ],
)
def test_a_cassette_names_no_file_elsewhere(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "secret.bin").write_text(BROKEN[1].request)
    (tmp_path / "inner").mkdir()
    found = judged(_with_file(tmp_path / "inner", name))
    assert found.skipped == [said]
    assert MISCOUNT not in {each.rule for each in found.findings}
