"""The addon in mitmdump itself: loaded by its path, judging a saved capture, ending with the verdict."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from mitmproxy.io import FlowReader, FlowWriter

from tests.recorder.flows import BAD, GOOD, exchange
from wirecheck.cli.commands import addon_path

ROOT = Path(__file__).parent.parent.parent.parent
MITMDUMP = [sys.executable, "-c", "from mitmproxy.tools.main import mitmdump; mitmdump()"]


def mitmdump(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HOME": str(folder), "PYTHONPATH": str(ROOT), **more}
    return subprocess.run(
        [*MITMDUMP, *arguments], cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False
    )


def saved(folder: Path, *bodies: bytes) -> str:
    with open(folder / "saved.mitm", "wb") as file:
        for body in bodies:
            FlowWriter(file).add(exchange(body, status=400 if body is BAD else 200))
    return "saved.mitm"


@pytest.fixture
def shim() -> str:
    return CliRunner().invoke(addon_path.command).stdout.strip()


@pytest.mark.parametrize(
    ("bodies", "options", "code"),
    [
        ((GOOD,), (), 0),
        ((GOOD, BAD), (), 1),
        ((BAD,), ("--set", "wirecheck_fail_on=never"), 0),
        ((), (), 2),
        ((), ("--set", "wirecheck_allow_empty=true"), 0),
        ((GOOD,), ("--set", "wirecheck_report=nothing"), 2),
    ],
)
def test_a_saved_capture_is_judged(
    tmp_path: Path, shim: str, bodies: tuple[bytes, ...], options: tuple[str, ...], code: int
) -> None:
    done = mitmdump(tmp_path, "-nr", saved(tmp_path, *bodies), "-s", shim, "--set", "wirecheck_select=WC3", *options)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("WC301" in done.stdout) is (BAD in bodies)


def test_what_is_found_is_written_with_the_flows_and_as_a_log(tmp_path: Path, shim: str) -> None:
    options = ("--set", "wirecheck_log=log.jsonl", "-w", "marked.mitm")
    done = mitmdump(tmp_path, "-qnr", saved(tmp_path, GOOD, BAD), "-s", shim, *options)
    assert done.returncode == 1, done.stderr
    with open(tmp_path / "marked.mitm", "rb") as file:
        assert [flow.marked for flow in FlowReader(file).stream()][-1] == ":red_circle:"
    assert len((tmp_path / "log.jsonl").read_bytes().splitlines()) == 8


@pytest.mark.parametrize(
    ("missing", "said"),
    [("wirecheck", "pipx inject mitmproxy wirecheck"), ("fcntl", "then `wirecheck lint x.mitm`")],
)
def test_where_it_cannot_be_loaded_it_says_in_one_line_what_to_do(
    tmp_path: Path, shim: str, missing: str, said: str
) -> None:
    """As in a mitmproxy that has a Python of its own, and as on Windows."""
    hidden = f"import sys; sys.modules['{missing}'] = None; from mitmproxy.tools.main import mitmdump; mitmdump()"
    done = subprocess.run(
        [sys.executable, "-c", hidden, "-n", "-s", shim],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    (line,) = (line for line in done.stdout.splitlines() if "Loading script" not in line)
    assert said in line


def test_the_folder_of_the_addon_hides_no_module(shim: str) -> None:
    """mitmproxy puts it in front of all others."""
    names = {path.stem for path in Path(shim).parent.glob("*.py")}
    assert names == {"wirecheck_addon"}
