"""Replies no server should send: they reach the client byte for byte, and neither the recorder nor the log minds."""

from collections.abc import Iterator

import pytest

from tests.recorder.end_to_end.run import Run, serving
from tests.standin import Standin
from tests.standin.caller import Call, ask, asking, path, user

BODIES = {
    "no JSON": b"<html>busy</html>",
    "half a JSON": b'{"candidates": [{"content": {"parts": [{"text": "hel',
    "half an array": b'[{"candidates": []},\n{"candi',
    "no UTF-8": b'{"candidates": "\xff\xfe\x80"}',
    "UTF-16": '{"candidates": []}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"candidates": []}',
    "bytes": bytes(range(256)) * 8,
    "zeros": bytes(5000),
    "half a surrogate": b'{"candidates": [{"content": {"parts": [{"text": "\\ud800"}]}}]}',
    "control characters": b'{"candidates": [{"content": {"parts": [{"text": "\\u001b[2J"}], "role": "\\u001b"}}]}',
    "one key twice": b'{"candidates": [], "candidates": {}}',
    "numbers without end": b'{"candidates": [{"index": 1e999999, "n": ' + b"9" * 5000 + b"}]}",
    "nested": b"[" * 3000 + b"]" * 3000,
    "nested without end": b'{"a":' * 20000,
    "events of nothing": b"data:\n\ndata: \n\n: hi\n\nevent: x\ndata\n\n",
    "an event without end": b'data: {"candidates": [',
    "events and JSON": b'data: {"candidates": []}\n\n{"error": {"code": 500}}\n\n[{"a": 1}]',
    "a line of two million": b"data: " + b"x" * 2_000_000,
}
CLAIMS = ("", "gzip", "deflate", "br", "zstd", "gzip, br", "made-up")


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with Standin() as standin:
        yield standin


@pytest.fixture(scope="module")
def recorder(server: Standin, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    with serving(tmp_path_factory.mktemp("hostile"), server.url) as run:
        yield run
        assert run.end() == 1, run.err
        assert "fault" not in run.err
        assert "\x1b" not in run.err
        assert run.linted() == run.live()


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("type", ["", "text/event-stream", "text/html"])
def test_a_crooked_reply_passes_as_it_is(recorder: Run, body: str, type: str) -> None:
    for claim in CLAIMS:
        prompt = asking(f"[[hex={BODIES[body].hex()}; type={type}; claims={claim}; cut={len(BODIES[body]) // 3 + 1}]]")
        for target in (path(), path("streamGenerateContent")):
            assert ask(recorder.url, target, prompt) == (200, BODIES[body])


@pytest.mark.parametrize("body", BODIES)
def test_a_crooked_request_passes_as_it_is(recorder: Run, server: Standin, body: str) -> None:
    ask(recorder.url, path(), BODIES[body])
    assert server.heard[-1].body == BODIES[body]


@pytest.mark.parametrize(
    "said", ["", "[]", "null", '"text"', "{", '{"setup": []}', '{"toolResponse": {"functionResponses": 5}}']
)
def test_a_crooked_frame_passes_as_it_is(recorder: Run, said: str) -> None:
    with Call(recorder.url) as call:
        call.say(said)
        if said[:2] == '{"':
            call.say({"clientContent": {"turns": [user("hi")], "turnComplete": True}})
            call.until("turnComplete")
        call.hang_up()
    assert recorder.process.poll() is None
