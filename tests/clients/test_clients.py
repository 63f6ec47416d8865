"""Real clients record clean; broken on purpose, they do not; and the log says later what was said live."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.clients.made import command
from tests.record.run import KEY, record
from tests.standin import Standin


class Scene(NamedTuple):
    """One run of one client."""

    client: str
    mode: str
    arguments: tuple[str, ...]
    frames: int  # what the log holds of it at least: frames of HTTP replies, or of a websocket
    finds: tuple[str, ...] = ()  # the rules broken

    def __str__(self) -> str:
        return f"{self.client}-{self.mode}-{self.arguments[0]}"


CLI = ("-m", "gemini-3-flash-preview", "--output-format", "stream-json", "-p")
LOST = ("tool-response-unknown-id", "tool-response-missing")
COUNT = ("function-response-count-mismatch", "unanswered-function-call")
SCENES = [
    *(
        Scene("google-genai", mode, (scene,), frames, finds)
        for mode in ("forward", "reverse")
        for scene, frames, finds in (
            ("sync", 1, ()),
            ("async", 1, ()),
            ("stream", 4, ()),
            ("async-stream", 4, ()),
            ("chat", 5, ()),
            ("chat-with-ids", 5, ("function-response-id-missing",)),
            ("broken", 2, COUNT),
            ("live", 7, ()),
            ("live-broken", 7, LOST),
        )
    ),
    *(
        Scene("js-genai", mode, (scene, "through-proxy") if mode == "forward" else (scene,), frames, finds)
        for mode, scene, frames, finds in (
            *(
                (mode, *rest)
                for mode in ("forward", "reverse")
                for rest in (("unary", 1, ()), ("stream", 4, ()), ("chat", 3, ()), ("broken", 2, COUNT))
            ),
            # Its websocket heeds no proxy.
            ("reverse", "live", 7, ()),
            ("reverse", "live-broken", 7, LOST),
        )
    ),
    *(
        Scene("gemini-cli", mode, (*CLI, prompt), frames, finds)
        for mode in ("forward", "reverse")
        for prompt, frames, finds in (
            ("list files [[call=list_directory]]", 5, ()),
            ("list files [[call=list_directory,list_directory]]", 6, ()),
        )
    ),
]


@pytest.fixture
def server() -> Iterator[Standin]:
    with Standin() as standin:
        yield standin


@pytest.mark.parametrize("scene", SCENES, ids=str)
def test_a_client_records(scene: Scene, server: Standin, tmp_path: Path) -> None:
    settings = tmp_path / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}')
    runs = [*command(scene.client), *scene.arguments]
    run = record(tmp_path, server.url, runs, "--mode", scene.mode, GEMINI_CLI_TRUST_WORKSPACE="true")
    assert server.heard, run.err
    live = run.live()
    assert {found["rule"] for found in live if found["severity"] != "info"} == set(scene.finds), run.err
    assert run.code == bool(scene.finds), run.err
    assert len(run.lines("frame")) >= scene.frames
    assert run.linted() == live
    assert KEY not in run.log.read_text() + run.err + run.out
