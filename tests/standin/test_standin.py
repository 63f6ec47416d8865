"""The stand-in itself: what the other tests lean on."""

import http.client
import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import brotli
import pytest
import zstandard

from tests.standin import Standin
from tests.standin.caller import Call, ask, asking, path, sent, user
from wirecheck.wire import sse

SAID = "It is sunny in Paris, and it will stay so all day."
TOOLS = [{"functionDeclarations": [{"name": "weather", "parameters": {"type": "OBJECT", "required": ["city"]}}]}]
TOOLS[0]["functionDeclarations"][0]["parameters"]["properties"] = {"city": {"type": "STRING"}}  # type: ignore[index]
DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: zlib.decompress(data, 31),
    "deflate": zlib.decompress,
    "br": brotli.decompress,
    "zstd": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with Standin() as standin:
        yield standin


def text(chunks: list[Any]) -> str:
    return "".join(part["text"] for chunk in chunks for part in chunk["candidates"][0]["content"]["parts"])


def test_it_speaks(server: Standin) -> None:
    status, body = ask(server.url, path(), asking("hello"))
    assert (status, text([json.loads(body)])) == (200, SAID)
    assert server.heard[-1].target == path()


@pytest.mark.parametrize("newline", ["lf", "crlf", "cr"])
@pytest.mark.parametrize("cut", [0, 1, 7])
def test_it_streams_events(server: Standin, newline: str, cut: int) -> None:
    prompt = asking(f"hello [[newline={newline}; cut={cut}]]")
    _, body = ask(server.url, path("streamGenerateContent") + "?alt=sse", prompt)
    assert text([json.loads(event) for event in sse.events(body)]) == SAID


def test_it_streams_an_array(server: Standin) -> None:
    _, body = ask(server.url, path("streamGenerateContent"), asking("hello [[chunks=3]]"))
    assert len(json.loads(body)) == 3


@pytest.mark.parametrize("encoding", DECODERS)
def test_it_encodes(server: Standin, encoding: str) -> None:
    with sent(server.url, path(), asking(f"hello [[encoding={encoding}]]")) as response:
        assert response.headers["content-encoding"] == encoding
        assert text([json.loads(DECODERS[encoding](response.read()))]) == SAID


def test_it_calls_what_was_declared_and_takes_the_answer(server: Standin) -> None:
    prompt = asking("weather? [[call=weather,weather]]", tools=TOOLS)
    _, body = ask(server.url, path(), prompt)
    said = json.loads(body)["candidates"][0]["content"]
    calls = [part["functionCall"] for part in said["parts"]]
    assert [call["args"] for call in calls] == [{"city": "Paris"}] * 2
    assert ["thoughtSignature" in part for part in said["parts"]] == [True, False]
    answers = [{"functionResponse": {"id": call["id"], "name": "weather", "response": {}}} for call in calls]
    history = [*prompt["contents"], said, {"role": "user", "parts": answers}]
    assert ask(server.url, path(), {"contents": history})[0] == 200
    history[-1]["parts"].pop()
    status, body = ask(server.url, path(), {"contents": history})
    assert (status, json.loads(body)["error"]["status"]) == (400, "INVALID_ARGUMENT")


@pytest.mark.parametrize(
    ("target", "body", "status"),
    [
        (path(), asking("[[status=429; message=Slow down.]]"), 429),
        (path(), b"{", 400),
        ("/v1beta/nothing", {}, 404),
        (path("countTokens"), asking("hello"), 200),
        ("/v1internal:generateContent", {"model": "gemini-3.6-flash", "request": asking("hello")}, 200),
        ("/v1internal:streamGenerateContent?alt=sse", {"model": "m", "request": asking("hello")}, 200),
    ],
)
def test_it_answers_with_a_status(server: Standin, target: str, body: Any, status: int) -> None:
    assert ask(server.url, target, body)[0] == status


def test_it_breaks_off(server: Standin) -> None:
    target = path("streamGenerateContent") + "?alt=sse"
    with (
        sent(server.url, target, asking("hello [[breaks=2]]")) as response,
        pytest.raises(http.client.IncompleteRead) as broken,
    ):
        response.read()
    assert len(sse.events(broken.value.partial)) == 2


@pytest.mark.parametrize("wish", ["brakes=2", "breaks=two", "breaks"])
def test_a_wish_that_is_mistyped_is_said_to_be(server: Standin, wish: str) -> None:
    status, body = ask(server.url, path(), asking(f"hello [[{wish}]]"))
    assert (status, b"no such wish" in body) == (501, True)


def live(prompt: str) -> dict[str, Any]:
    return {"client_content": {"turns": [user(prompt)], "turnComplete": True}}


@pytest.mark.parametrize("deflate", [False, True])
def test_live_with_tools(server: Standin, deflate: bool) -> None:
    with Call(server.url, deflate=deflate) as call:
        call.say({"setup": {"model": "models/gemini-3.8-live", "tools": TOOLS}})
        call.until("setupComplete")
        call.say(live("weather? [[call=weather; fragments=3; cancel=1]]"))
        (made,) = call.until("toolCall")[-1]["toolCall"]["functionCalls"]
        assert call.until("toolCallCancellation")[-1]["toolCallCancellation"]["ids"] == [made["id"]]
        call.say({"tool_response": {"functionResponses": [{"id": made["id"], "name": "weather", "response": {}}]}})
        assert call.until("turnComplete")[0]["serverContent"]["modelTurn"]["parts"] == [{"text": SAID}]
        call.hang_up()
    assert list(server.heard[-1].messages[0]) == ["setup"]


@pytest.mark.parametrize(
    ("prompt", "code", "reason"),
    [
        ("[[close=1011; reason=Internal error]]", 1011, "Internal error"),
        ("[[breaks=0]]", 1006, ""),
        ("{", 1007, "Invalid"),
    ],
)
def test_live_ends(server: Standin, prompt: str, code: int, reason: str) -> None:
    with Call(server.url) as call:
        call.say({"setup": {}})
        call.until("setupComplete")
        call.say(prompt if prompt == "{" else live(prompt))
        for _ in call:
            pass
    assert call.closed is not None
    assert call.closed.code == code
    assert str(call.closed.reason).startswith(reason)
