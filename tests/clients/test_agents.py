"""What agents and gateways keep of a conversation, written by themselves: a sound one is sound, a broken one is not."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.clients.made import command
from tests.sources.agents.judged import findings, judge
from tests.standin import Standin

LOST, COUNT = "transcript-missing-function-response", "function-response-count-mismatch"


class Scene(NamedTuple):
    """A program, whether its conversation is sound, and the files it leaves, each with the rules broken in it."""

    client: str
    arguments: str  # with blanks between
    files: dict[str, set[str]]

    def __str__(self) -> str:
        return f"{self.client}-{self.arguments}"


ADK = ("sessions.db", "older.db", "session.json", "events.jsonl", "set.evalset.json")
AI = ("messages.json", "steps.json", "ui.json")
LITELLM = ("payload.jsonl", "raw.jsonl")
GENERATIONS = ".devtools/generations.json"
SCENES = [
    Scene("google-adk", "sound", {name: set() for name in ADK}),
    # A tool raises; version 2 keeps what the other one returned.
    Scene("google-adk", "broken", {name: {COUNT} for name in ADK}),
    Scene("google-adk-1", "sound", {name: set() for name in ADK[1:]}),
    Scene("google-adk-1", "broken", {name: {LOST} for name in ADK[1:]}),
    Scene("livekit", "sound", {"chat.json": set()}),
    Scene("livekit", "broken", {"chat.json": {COUNT}}),
    Scene("ai-sdk", "sound", {name: set() for name in (*AI, GENERATIONS)}),
    # Of requests there is one, and that is sound.
    Scene("ai-sdk", "broken", {**{name: {COUNT} for name in AI}, GENERATIONS: set()}),
]
# A model that gives its calls ids, and one that does not.
MODELS = ("gemini-3.6-flash", "gemini-2.5-flash")
SPANS, LOGS = ("spans.log", "spans.jsonl"), ("logs.log", "logs.jsonl")
SCENES += [
    Scene(client, f"{scene} {model}", dict.fromkeys(files, found))
    for client, files in (("otel-genai", SPANS + LOGS), ("openinference", SPANS))
    for model in MODELS
    # What was refused is told in spans; the log records hold the history that was sent.
    for scene, found in (("sound", set[str]()), ("stream", set()), ("broken", {COUNT}), ("open", {LOST}))
]


@pytest.fixture
def server() -> Iterator[Standin]:
    with Standin() as standin:
        yield standin


def run(arguments: list[str], folder: Path, server: Standin, **more: str) -> str:
    """What a program says on standard output."""
    told = {"GOOGLE_GEMINI_BASE_URL": server.url, "GOOGLE_API_KEY": "none", "GEMINI_API_KEY": "none"}
    environment = {name: value for name, value in os.environ.items() if "PROXY" not in name.upper()}
    for variable in ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_CLOUD_PROJECT"):
        environment.pop(variable, None)
    done = subprocess.run(
        arguments, cwd=folder, env={**environment, **told, **more}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0 or more, done.stderr[-2000:]
    return done.stdout


def broken(path: Path) -> set[str]:
    found, reader, inspector = findings(path)
    assert reader.problems == []
    assert inspector.checked.conversations > 0
    return {each.rule for each in found if each.severity != "info"}


@pytest.mark.clients
@pytest.mark.parametrize(
    "scene", [pytest.param(scene, marks=pytest.mark.xdist_group(scene.client), id=str(scene)) for scene in SCENES]
)
def test_what_a_program_keeps(scene: Scene, server: Standin, tmp_path: Path) -> None:
    run([*command(scene.client), *scene.arguments.split()], tmp_path, server)
    assert {name: broken(tmp_path / name) for name in scene.files} == scene.files


@pytest.mark.clients
@pytest.mark.xdist_group("litellm")
@pytest.mark.parametrize("how", ["whole", "stream"])
def test_what_litellm_logs(how: str, server: Standin, tmp_path: Path) -> None:
    """What its callback is given, of a sound conversation, and of one that the server refuses."""
    for scene, rules in (("sound", set[str]()), ("broken", {COUNT})):
        folder = tmp_path / scene
        folder.mkdir()
        run([*command("litellm"), server.url, scene, how], folder, server, LITELLM_LOCAL_MODEL_COST_MAP="True")
        assert {name: broken(folder / name) for name in LITELLM} == dict.fromkeys(LITELLM, rules)
    (found,) = findings(tmp_path / "broken" / "payload.jsonl")[0]
    assert (found.place.line, found.place.pointer, found.model) == (2, "/messages/1/tool_calls/1", "gemini-2.5-flash")
    assert (found.server.verdict, found.server.status) == ("confirmed", 400)


@pytest.mark.clients
@pytest.mark.parametrize(
    "client", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ("otel-genai", "openinference")]
)
def test_what_tracing_does_not_capture(client: str, server: Standin, tmp_path: Path) -> None:
    run([*command(client), "silent", MODELS[0]], tmp_path, server)
    for name in SPANS:
        (why,) = judge(tmp_path / name)
        assert "CAPTURE_MESSAGE_CONTENT" in why


@pytest.mark.clients
@pytest.mark.xdist_group("gemini-cli")
def test_what_gemini_cli_keeps(server: Standin, tmp_path: Path) -> None:
    printed = run_gemini("List the files. [[call=list_directory,glob]]", server, tmp_path)
    (session,) = (tmp_path / "home").rglob("chats/session-*.json*")
    for path in (session, printed, tmp_path / "telemetry.log", tmp_path / "rec.responses"):
        assert broken(path) == set(), path
    text = session.read_text()
    session.write_text(text.replace("functionResponse", "lostResponse"))
    assert broken(session) == {LOST}


@pytest.mark.clients
@pytest.mark.xdist_group("gemini-cli")
def test_what_gemini_cli_prints_of_a_refusal(server: Standin, tmp_path: Path) -> None:
    printed = run_gemini("List the files. [[status=400; message=Something is odd.]]", server, tmp_path)
    assert broken(printed) == {"unexplained-rejection"}


def run_gemini(prompt: str, server: Standin, folder: Path) -> Path:
    home, work, printed = folder / "home", folder / "work", folder / "run.jsonl"
    (home / ".gemini").mkdir(parents=True)
    work.mkdir()
    (home / ".gemini" / "settings.json").write_text(
        '{"security": {"auth": {"selectedType": "gemini-api-key"}},'
        f'"telemetry": {{"enabled": true, "target": "local", "outfile": "{folder / "telemetry.log"}"}}}}'
    )
    options = ["-m", "gemini-2.5-flash", "--yolo", "--output-format", "stream-json", "-p", prompt]
    record = f"--record-responses={folder / 'rec.responses'}"
    said = run(
        [*command("gemini-cli"), record, *options],
        work,
        server,
        HOME=str(home),
        GEMINI_CLI_HOME=str(home),
        GEMINI_CLI_TRUST_WORKSPACE="true",
    )
    printed.write_text(said)
    return printed
