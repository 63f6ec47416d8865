"""Fixtures of ReqLLM: one exchange a file, streams in pieces of base64."""

import base64
import json
from typing import Any

import pytest

from tests.sources.traffic import BROKEN, HERE, HOST, MISCOUNT, SOUND, STREAMED, STREAMED_BROKEN, Spoken, judged


def value(each: Spoken, *, text: bool = False) -> dict[str, Any]:
    body = {"b64": base64.b64encode(each.request.encode()).decode()}
    asked = {"body": body, "canonical_json": each.asked, "headers": {"accept-encoding": ["gzip"]}, "method": "post"}
    told: dict[str, Any] = {
        "body": each.said[0],
        "headers": {"content-type": ["application/json"]},
        "status": each.status,
    }
    found: dict[str, Any] = {"request": {**asked, "url": HOST + each.path}, "response": told}
    if len(each.said) > 1:
        data = each.reply.encode()
        pieces = [data[n : n + 70] for n in range(0, len(data), 70)]  # as they arrived: cut anywhere
        found["response"]["body"] = None
        chunks = [piece.decode() if text else {"b64": base64.b64encode(piece).decode()} for piece in pieces]
        found |= {"captured_at": "2025-11-02T20:58:42Z", "chunks": chunks}
    return found


def written(each: Spoken, **more: bool) -> bytes:
    return json.dumps(value(each, **more), indent=2).encode()


SAMPLES = {"ReqLLM": written(SOUND[1]), "ReqLLM, streamed": written(STREAMED[1])}


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("each", [*SOUND, *STREAMED])
def test_a_sound_fixture_is_read_and_nothing_is_found(each: Spoken, text: bool) -> None:
    found = judged("", written(each, text=text))
    assert (found.places, found.skipped, found.checked.exchanges) == ([], [], 1)
    assert found.checked.open_calls == (2 if len(each.asked["contents"]) == 1 else 0)


@pytest.mark.parametrize("each", [BROKEN[1], STREAMED_BROKEN[1]], ids=["whole", "streamed"])
def test_a_miscounted_response_is_found_where_it_stands(each: Spoken) -> None:
    found = judged("", written(each))
    assert found.places == [f"1: {MISCOUNT} /request/canonical_json{HERE}"]
    assert (found.findings[0].surface, found.findings[0].server.verdict) == ("gemini-api", "confirmed")


def test_a_request_in_base64_alone_is_read() -> None:
    one = value(BROKEN[1])
    del one["request"]["canonical_json"]
    found = judged("", json.dumps(one).encode())
    assert found.places == [f"1: {MISCOUNT} /request/body/b64{HERE}"]
