"""The environments of the clients: made when a test first asks, kept under .clients/, made anew when a row changes.

Where one cannot be made its tests are skipped, and say why; under CI they fail instead.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent.parent
PLACE = ROOT / ".clients"
PROGRAMS = Path(__file__).parent / "programs"
MADE = "made-of"  # the file that says an environment is whole, and of what


class Client(NamedTuple):
    """How an environment is made, in its own folder, and what runs a program there."""

    make: tuple[tuple[str, ...], ...]
    run: str
    program: str = ""  # copied into the folder: Node looks for packages beside the program


VENV = (sys.executable, "-m", "venv", ".")
PIP = ("bin/python", "-m", "pip", "install", "--quiet")
NPM = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", ".")
OTLP = ("opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-common")
CLIENTS = {
    # From version 15 on websockets goes through a proxy.
    "google-genai": Client(
        (VENV, (*PIP, "google-genai==3.*", "websockets>=15")),
        "bin/python",
        "genai.py",
    ),
    # undici: what makes the fetch of Node 20 heed a proxy.
    "js-genai": Client(((*NPM, "@google/genai@2", "undici@7"),), "node", "genai.mjs"),
    # What records cassettes.
    "vcrpy": Client((VENV, (*PIP, "vcrpy==9.*")), "bin/python", "vcrpy.py"),
    "nock": Client(((*NPM, "nock@14"),), "node", "nock.mjs"),
    "polly": Client(
        ((*NPM, "@pollyjs/core@6", "@pollyjs/adapter-node-http@6", "@pollyjs/persister-fs@6"),), "node", "polly.mjs"
    ),
    "gemini-cli": Client(((*NPM, "@google/gemini-cli@0.61"),), "node_modules/.bin/gemini"),
    "google-adk": Client((VENV, (*PIP, "google-adk[db]==2.*")), "bin/python", "adk.py"),
    # Its database has the older form.
    "google-adk-1": Client((VENV, (*PIP, "google-adk==1.18.*")), "bin/python", "adk.py"),
    "livekit": Client((VENV, (*PIP, "livekit-agents==1.*")), "bin/python", "livekit_chat.py"),
    # Its completion imports mcp, which it does not install.
    "litellm": Client((VENV, (*PIP, "litellm==1.*", "mcp==2.*")), "bin/python", "litellm_calls.py"),
    # What traces the SDK.
    # Of version 3 of the SDK it says that it is too new, and traces nothing.
    "otel-genai": Client(
        (VENV, (*PIP, "google-genai==2.*", "opentelemetry-instrumentation-google-genai>=1.0b0,<2", *OTLP)),
        "bin/python",
        "tracing.py",
    ),
    "openinference": Client(
        (VENV, (*PIP, "google-genai==3.*", "openinference-instrumentation-google-genai==1.*", *OTLP)),
        "bin/python",
        "tracing.py",
    ),
    "ai-sdk": Client(((*NPM, "ai@6", "@ai-sdk/google@3", "@ai-sdk/devtools@0", "zod@4"),), "node", "ai.mjs"),
}


def command(name: str) -> list[str]:
    """What runs a client's program, or the client itself."""
    client = CLIENTS[name]
    if why := _made(name):
        if os.environ.get("CI") == "true":
            pytest.fail(f"{name} must run here: {why}")
        pytest.skip(f"{name} cannot be installed: {why}")
    folder = PLACE / name
    if client.program:
        shutil.copy(PROGRAMS / client.program, folder)
    runs = str(folder / client.run) if "/" in client.run else client.run
    return [runs, str(folder / client.program)] if client.program else [runs]


@cache
def _made(name: str) -> str:
    """Nothing, or why the environment cannot be made."""
    PLACE.mkdir(exist_ok=True)
    with open(PLACE / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one run of the tests makes it, another waits
        made = PLACE / name / MADE
        recipe = repr(CLIENTS[name].make)
        if made.exists() and made.read_text() == recipe:
            return ""
        shutil.rmtree(PLACE / name, ignore_errors=True)
        (PLACE / name).mkdir()
        why = next(filter(None, (_step(step, PLACE / name) for step in CLIENTS[name].make)), "")
        if not why:
            made.write_text(recipe)
        return why


def _step(step: Sequence[str], folder: Path) -> str:
    try:
        done = subprocess.run(step, cwd=folder, capture_output=True, text=True, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = (done.stderr or done.stdout).strip().splitlines()
    return (said[-1] if said else f"exit code {done.returncode}") if done.returncode else ""
