"""What streams stays a stream, what breaks off is recorded as far as it came, a websocket from both its sides."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.end_to_end.run import Run, serving
from tests.standin import Standin
from tests.standin.caller import Call, ask, asking, path, sent, user, wait_for

STREAM = path("streamGenerateContent")
SAID = "It is sunny in Paris, and it will stay so all day."


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with Standin() as standin:
        yield standin


@pytest.fixture(scope="module")
def recorder(server: Standin, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    with serving(tmp_path_factory.mktemp("recorder"), server.url) as run:
        yield run


def channel(run: Run, mark: str) -> list[Any]:
    """The records of the channel that opened with this mark, when it is over."""
    found: list[Any] = []

    def over() -> bool:
        records = [json.loads(line) for line in run.log.read_bytes().splitlines(True) if line.endswith(b"\n")]
        named = {record["channel"] for record in records if mark in json.dumps(record)}
        found[:] = [record for record in records if record["channel"] in named]
        return any(record["kind"] == "closed" for record in found)

    wait_for(over)
    return found


def frames(records: list[Any]) -> list[Any]:
    return [record["data"] for record in records if record["kind"] == "frame"]


def text(data: list[Any]) -> str:
    return "".join(part["text"] for each in data for part in each["candidates"][0]["content"]["parts"])


@pytest.mark.parametrize("alt", ["?alt=sse", ""], ids=["events", "array"])
@pytest.mark.parametrize("encoding", ["", "gzip", "deflate", "br", "zstd"])
@pytest.mark.parametrize("newline", ["crlf", "cr"])
def test_a_stream_arrives_while_it_is_sent(recorder: Run, alt: str, encoding: str, newline: str) -> None:
    mark = f"streamed {alt or 'array'} {encoding or 'plain'} {newline}."
    prompt = asking(f"{mark} [[slow=0.1; encoding={encoding}; newline={newline}]]")
    with sent(recorder.url, STREAM + alt, prompt) as response:
        assert response.read(1)
        first = time.monotonic()
        response.read()
    assert time.monotonic() - first > 0.2  # not all at the end
    records = channel(recorder, mark)
    assert [record["kind"] for record in records] == ["opened", "replied", *["frame"] * 4, "closed"]
    assert text(frames(records)) == SAID
    came = [record["at"] for record in records if record["kind"] == "frame"]
    assert came[-1] - came[0] > 0.2  # each when it came


@pytest.mark.parametrize("alt", ["?alt=sse", ""], ids=["events", "array"])
@pytest.mark.parametrize("cut", [1, 7, 100])
def test_a_stream_may_be_cut_anywhere(recorder: Run, alt: str, cut: int) -> None:
    mark = f"cut {alt or 'array'} {cut}."
    ask(recorder.url, STREAM + alt, asking(f"{mark} [[cut={cut}]]"))
    assert text(frames(channel(recorder, mark))) == SAID


@pytest.mark.parametrize("alt", ["?alt=sse", ""], ids=["events", "array"])
@pytest.mark.parametrize("encoding", ["", "gzip", "zstd"])
def test_a_stream_that_breaks_off_is_recorded_as_far_as_it_came(recorder: Run, alt: str, encoding: str) -> None:
    mark = f"broken {alt or 'array'} {encoding or 'plain'}"
    prompt = asking(f"{mark} [[breaks=2; slow=0.05; encoding={encoding}]]")
    with sent(recorder.url, STREAM + alt, prompt) as response, pytest.raises(Exception, match="IncompleteRead"):
        response.read()
    records = channel(recorder, mark)
    assert text(frames(records)) == SAID[: len(text(frames(records)))]
    assert len(frames(records)) == 2
    assert records[-1]["kind"] == "closed"


def test_a_client_that_leaves_is_recorded_as_far_as_it_came(recorder: Run) -> None:
    with sent(recorder.url, STREAM + "?alt=sse", asking("leaves [[slow=0.2]]")) as response:
        response.read(1)
    assert 1 <= len(frames(channel(recorder, "leaves"))) < 4


@pytest.mark.parametrize("encoding", ["", "gzip", "deflate", "br", "zstd"])
def test_a_reply_in_one_piece_is_one_frame(recorder: Run, encoding: str) -> None:
    mark = f"unary {encoding or 'plain'}"
    status, _ = ask(recorder.url, path(), asking(f"{mark} [[encoding={encoding}]]"))
    assert status == 200
    assert text(frames(channel(recorder, mark))) == SAID


@pytest.mark.parametrize(
    ("wish", "held"),
    [("type=text/plain", "data"), ("body=<html>busy</html>; type=text/html", "text"), ("status=503", "data")],
)
def test_a_reply_that_is_not_what_it_says_is_recorded(recorder: Run, wish: str, held: str) -> None:
    ask(recorder.url, path(), asking(f"crooked {wish} [[{wish}]]"))
    (frame,) = [record for record in channel(recorder, f"crooked {wish} [") if record["kind"] == "frame"]
    assert held in frame


def test_what_is_not_gemini_passes_and_is_not_recorded(recorder: Run) -> None:
    assert ask(recorder.url, "/elsewhere/nothing", asking("of no concern"))[0] == 404
    ask(recorder.url, path(), asking("of concern"))
    channel(recorder, "of concern")
    assert "of no concern" not in recorder.log.read_text()


def prompt(said: str) -> Any:
    return {"clientContent": {"turns": [user(said)], "turnComplete": True}}


def setup(mark: str) -> Any:
    return {"setup": {"model": "models/gemini-3.8-live", "systemInstruction": {"parts": [{"text": mark}]}}}


@pytest.mark.parametrize("deflate", [False, True], ids=["plain", "deflated"])
@pytest.mark.parametrize("wish", ["say=Hello", "fragments=4", "text=1"])
def test_a_websocket_is_recorded_from_both_sides(recorder: Run, wish: str, deflate: bool) -> None:
    mark = f"socket {wish} {deflate}"
    with Call(recorder.url, deflate=deflate) as call:
        call.say(setup(mark))
        call.until("setupComplete")
        call.say(prompt(f"Hello [[{wish}]]"))
        call.until("turnComplete")
        call.hang_up(1000, "enough")
    records = channel(recorder, mark)
    sides = [record["from"] for record in records if record["kind"] == "frame"]
    assert sides == ["client", "server", "client", "server", "server", "server"]
    binary = {record.get("opcode") for record in records if record.get("from") == "server"}
    assert binary == ({2, None} if wish == "text=1" else {2})
    assert {key: records[-1].get(key) for key in ("code", "reason", "by")} == {
        "code": 1000,
        "reason": "enough",
        "by": "client",
    }


@pytest.mark.parametrize(
    ("wish", "code", "reason"),
    [("close=1011; reason=Internal error", 1011, "Internal error"), ("breaks=0", 1006, "")],
)
def test_how_a_websocket_ended_is_recorded(recorder: Run, wish: str, code: int, reason: str) -> None:
    mark = f"ends {wish}"
    with Call(recorder.url) as call:
        call.say(setup(mark))
        call.until("setupComplete")
        call.say(prompt(f"Hello [[{wish}]]"))
        for _ in call:
            pass
    closed = channel(recorder, mark)[-1]
    assert (closed.get("code"), closed.get("reason", ""), closed.get("by")) == (code, reason, "server")


def test_the_log_says_later_what_was_said_live(server: Standin, tmp_path: Path) -> None:
    with serving(tmp_path, server.url) as run:
        call = {"functionCall": {"name": "f", "args": {}}}
        history = [user("hi"), {"role": "model", "parts": [call, call]}, user("well?")]
        ask(run.url, path(), {"contents": history})
        ask(run.url, path(), {"contents": [*history, {"role": "model", "parts": [{"text": "so"}]}, user("and?")]})
        with (
            sent(run.url, STREAM + "?alt=sse", asking("[[breaks=1]]")) as response,
            pytest.raises(Exception, match="Inc"),
        ):
            response.read()
        with Call(run.url) as socket:
            socket.say(prompt("no setup"))
            socket.until("turnComplete")
            socket.hang_up()
        assert run.end() == 1
    assert len(run.live()) > 3
    assert run.linted() == run.live()
