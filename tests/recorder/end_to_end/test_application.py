"""An application's own server, between browser and backend: a function response that is lost there shows.

The frames are those of an application that keeps its history in the browser, which drops what it does not show.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.end_to_end.run import serving
from tests.standin import Standin
from tests.standin.caller import Call, ask

ASKED: dict[str, Any] = {"role": "user", "content": "Is it late?"}
CALLED: dict[str, Any] = {"role": "model", "parts": [{"functionCall": {"name": "now", "args": {}}}]}
ANSWERED: dict[str, Any] = {"role": "user", "parts": [{"functionResponse": {"name": "now", "response": {"output": 9}}}]}
SAID: dict[str, Any] = {"role": "model", "parts": [{"text": "Not yet."}]}
KEPT, LOST = [ASKED, CALLED, ANSWERED, SAID], [ASKED, CALLED, SAID]


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with Standin(keep=False) as standin:
        yield standin


def over_websocket(url: str, history: list[Any]) -> None:
    with Call(url, "/chat") as call:
        call.say({"user_input": "And now?", "chat_messages": history})
        call.say({"typing": True})
        call.hang_up()


def over_http(url: str, history: list[Any]) -> None:
    ask(url, "/api/chat", {"messages": [*history, {"role": "user", "content": "And now?"}], "fileId": 7})


@pytest.mark.parametrize("say", [over_websocket, over_http])
@pytest.mark.parametrize(("history", "missing"), [(KEPT, False), (LOST, True)], ids=["kept", "lost"])
def test_a_response_that_is_lost_between_browser_and_backend(
    server: Standin, tmp_path: Path, say: Any, history: list[Any], missing: bool
) -> None:
    with serving(tmp_path, server.url, "--host", "127.0.0.1") as run:
        say(run.url, history)
        assert run.end() == missing, run.err
    assert ("transcript-missing-function-response" in {found["rule"] for found in run.live()}) == missing
    assert run.linted() == run.live()


def test_nobody_records_an_application_that_was_not_named(server: Standin, tmp_path: Path) -> None:
    with serving(tmp_path, server.url, "--allow-empty") as run:
        over_http(run.url, LOST)
        over_websocket(run.url, LOST)
        assert run.end() == 0
    assert not run.log.exists()
