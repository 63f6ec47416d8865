"""Real clients record clean; broken on purpose, they do not; and the log says later what was said live."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.clients.made import command
from tests.recorder.end_to_end.run import KEY, record
from tests.standin import Standin


class Scene(NamedTuple):
    """One run of one client."""

    client: str
    mode: str
    arguments: str  # with blanks between
    frames: int  # what the log holds of it at least: frames of HTTP replies, and of websockets
    finds: tuple[str, ...] = ()  # the rules broken

    def __str__(self) -> str:
        return f"{self.client}-{self.mode}-{self.arguments}"


BOTH = ("forward", "reverse")
COUNT = ("function-response-count-mismatch", "unanswered-function-call")
LOST = ("tool-response-unknown-id",)  # one mistake: it names the call that waits
SCENES = [
    *(
        Scene("google-genai", mode, arguments, frames, finds)
        for mode in BOTH
        for arguments, frames, finds in (
            ("sync async stream async-stream chat live", 22, ()),
            ("vertex", 12, ()),
            ("broken", 2, COUNT),
            ("live-broken", 7, LOST),
            # On models that give ids it leaves them out by itself: no user can mend that, and servers take it.
            ("chat-with-ids", 5, ()),
        )
    ),
    Scene("js-genai", "forward", "through-proxy unary stream chat", 8),
    Scene("js-genai", "forward", "through-proxy broken", 2, COUNT),
    # Its websocket heeds no proxy.
    Scene("js-genai", "reverse", "unary stream chat live", 15),
    Scene("js-genai", "reverse", "broken", 2, COUNT),
    Scene("js-genai", "reverse", "live-broken", 7, LOST),
    *(
        Scene("gemini-cli", mode, f"-m gemini-3-flash-preview -p list[[call={calls}]]", frames, finds)
        for mode in BOTH
        for calls, frames, finds in (
            ("list_directory,list_directory", 6, ()),
            # It puts histories in order; but where two calls have one id, it answers only one.
            ("list_directory,list_directory;same=1", 2, COUNT[:1]),
        )
    ),
]


@pytest.fixture
def server() -> Iterator[Standin]:
    with Standin() as standin:
        yield standin


@pytest.mark.clients
@pytest.mark.parametrize(
    "scene", [pytest.param(scene, marks=pytest.mark.xdist_group(scene.client), id=str(scene)) for scene in SCENES]
)
def test_a_client_records(scene: Scene, server: Standin, tmp_path: Path) -> None:
    settings = tmp_path / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}')
    runs = [*command(scene.client), *scene.arguments.split()]
    run = record(tmp_path, server.url, runs, "--mode", scene.mode, GEMINI_CLI_TRUST_WORKSPACE="true")
    assert server.heard, run.err
    live = run.live()
    assert {found["rule"] for found in live if found["severity"] != "info"} == set(scene.finds), run.err
    assert run.code == bool(scene.finds), run.err
    assert len(run.lines("frame")) >= scene.frames
    assert run.linted() == live
    assert KEY not in run.log.read_text() + run.err + run.out
    assert "ya29." not in run.log.read_text()
