"""Recordings of google/test-server: exchanges, and Live sessions that are framed by lengths."""

import io
import json
from typing import Any

import pytest

from tests.sources import traffic
from tests.sources.traffic import BROKEN, HERE, LOST, LOST_ID, MISCOUNT, SESSION, SOUND, STREAMED, Spoken, judged
from wirecheck.sources import Reader


def written(spoken: list[Spoken], **more: Any) -> bytes:
    def interaction(each: Spoken) -> dict[str, Any]:
        asked: dict[str, Any] = {
            "method": "POST",
            "url": each.path,
            "request": f"POST {each.path} HTTP/1.1",
            "headers": {},
        }
        asked |= {"bodySegments": [each.asked], "serverAddress": traffic.HOST.partition("//")[2], "port": 443}
        told = {"statusCode": each.status, "headers": {}, "bodySegments": each.said}
        return {"request": {**asked, "protocol": "https", **more}, "shaSum": "00", "response": told}

    value = {"recordID": "a test", "interactions": [interaction(each) for each in spoken]}
    return json.dumps(value, indent=2).encode()


def framed(frames: list[tuple[str, dict[str, Any]]]) -> bytes:
    """The client writes its JSON in one line, the server in several."""
    pieces = []
    for sender, value in frames:
        sign, payload = (">", json.dumps(value)) if sender == "client" else ("<", json.dumps(value, indent=2) + "\n")
        pieces.append(f"{sign}{len(payload.encode()) + 1} {payload}\n")
    return "".join(pieces).encode()


SAMPLES = {"test-server": written(STREAMED), "test-server, websocket": framed(SESSION)}


@pytest.mark.parametrize("spoken", [SOUND, STREAMED], ids=["whole", "streamed"])
def test_sound_exchanges_are_read_and_nothing_is_found(spoken: list[Spoken]) -> None:
    found = judged("", written(spoken))
    assert (found.places, found.skipped, found.checked.exchanges) == ([], [], 2)
    assert (found.checked.conversations, found.checked.open_calls) == (1, 0)


def test_a_miscounted_response_is_found_where_it_stands() -> None:
    data = written(BROKEN)
    found = judged("", data)
    line = data[: data.index(b'"request": {', data.index(b'"shaSum"'))].count(b"\n")
    assert found.places == [f"{line}: {MISCOUNT} /interactions/1/request/bodySegments/0{HERE}"]
    assert (found.findings[0].surface, found.findings[0].server.verdict) == ("gemini-api", "confirmed")


@pytest.mark.parametrize(("more", "surface"), [({"port": 8080}, "gemini-api"), ({"serverAddress": ""}, "unknown")])
def test_the_host_may_have_a_port_or_be_missing(more: dict[str, Any], surface: str) -> None:
    (finding,) = judged("", written(BROKEN, **more)).findings
    assert (finding.surface, finding.model) == (surface, "gemini-2.5-flash")


def test_a_session_is_put_together_from_its_frames() -> None:
    found = judged("", framed(SESSION))
    assert (found.places, found.checked.sessions, found.checked.frames, found.checked.open_calls) == ([], 1, 8, 0)


def test_a_lost_id_is_found_on_the_line_of_its_frame() -> None:
    data = framed(LOST)
    found = judged("", data)
    line = data[: data.index(b'{"toolResponse"')].count(b"\n") + 1
    assert found.places == [f"{line}: {LOST_ID} /toolResponse/functionResponses/0"]


def test_one_file_may_hold_several_sessions() -> None:
    found = judged("", framed(SESSION + LOST))
    assert (found.checked.sessions, [each.rule for each in found.findings]) == (2, [LOST_ID])


def test_a_wrong_length_costs_one_frame_and_the_next_is_found() -> None:
    data = framed(SESSION)
    begin = data.index(b"<", 1)
    found = judged("", data[:begin] + b"<11 " + data[begin:].partition(b" ")[2])
    assert found.checked.sessions == 1
    assert {each.rule for each in found.findings} == {"unreadable-line"}
    assert found.checked.frames >= 7


def test_a_file_that_ends_within_a_frame_says_so() -> None:
    found = judged("", framed(SESSION)[:-20])
    assert [each.message for each in found.infos] == ["the file ends within this frame"]


def test_frames_are_given_out_as_they_are_read() -> None:
    data = framed(SESSION * 500)
    stdin = io.BytesIO(data)
    records = iter(Reader(["-"], stdin=stdin))
    assert next(records).origin.line == 1
    assert stdin.tell() < len(data) // 4


def test_a_length_beyond_the_file_is_no_reason_to_wait() -> None:
    found = judged("", b'>9999999999 {"setup": {}}')
    assert [each.message for each in found.infos] == ["the file ends within this frame"]
